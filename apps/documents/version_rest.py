"""API: versions of a document. Thin views over versions; addresses are given in apps/api."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api import ApiView, actor_of, conditional, list_of, listed
from apps.accounts.contracts import Scope
from apps.core.paging import Piece, PieceQuery, piece_of_all
from apps.documents import selectors, versions
from apps.documents.rest import PageSerializer, require_sane


class VersionSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    number = serializers.IntegerField(help_text="from 1; citations name a version by its id")
    state = serializers.CharField()
    failure = serializers.CharField(help_text="code of the reason when rejected or failed")
    is_current = serializers.BooleanField(help_text="search and answers use this one")
    is_reading = serializers.BooleanField(help_text="pages of the same file as an earlier reader read them")
    page_count = serializers.IntegerField()
    size = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    created_by_name = serializers.CharField()
    superseded_at = serializers.DateTimeField(allow_null=True)


class VersionsView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(operation_id="versions_list", parameters=[PieceQuery], responses=list_of(VersionSerializer))
    def get(self, request: Request, document_id: UUID) -> Response:
        """The history of a document, newest first."""
        found = enumerate(versions.list_versions(actor=actor_of(request), document_id=document_id))
        piece = piece_of_all(request, found, lambda pair: (f"{pair[0]:08d}",))
        return listed(Piece(tuple(item for _place, item in piece.items), piece.next), VersionSerializer)


class VersionPageView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(responses={200: PageSerializer, 304: None})
    def get(self, request: Request, document_id: UUID, version_id: UUID, number: int) -> Response:
        """Text of a page of any version, as its citations count it. Has an ETag."""
        require_sane(number)
        page = selectors.get_version_page(
            actor=actor_of(request), document_id=document_id, version_id=version_id, number=number
        )
        return conditional(request, PageSerializer(page).data)
