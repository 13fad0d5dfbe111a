"""API: search. The address is given in apps/api."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api import ApiView, actor_of, list_of, listed
from apps.accounts.contracts import Permission, Scope
from apps.accounts.permissions import require
from apps.core.errors import InputError
from apps.core.paging import Piece
from apps.retrieval import inspector, selectors, services
from apps.retrieval.queries import LONGEST_QUERY


class SearchSerializer(serializers.Serializer[Any]):
    query = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=20_000)
    limit = serializers.IntegerField(default=10, min_value=1, max_value=50)
    collection_ids = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=500)
    document_ids = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=500)


class SpanSerializer(serializers.Serializer[Any]):
    page = serializers.IntegerField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()


class PassageSerializer(serializers.Serializer[Any]):
    document_id = serializers.UUIDField()
    version_id = serializers.UUIDField()
    document_name = serializers.CharField()
    kind = serializers.CharField()
    language = serializers.CharField()
    header = serializers.CharField()
    text = serializers.CharField()
    spans = SpanSerializer(many=True)
    score = serializers.FloatField()


class SearchResultSerializer(serializers.Serializer[Any]):
    passages = PassageSerializer(many=True)
    documents_searched = serializers.IntegerField()
    chunks_in_scope = serializers.IntegerField()
    meaning_coverage = serializers.FloatField(help_text="share of the passages that the meaning index knows, 0 to 1")
    seconds = serializers.FloatField()


class SearchView(ApiView):
    scopes = {"POST": Scope.READ}

    @extend_schema(request=SearchSerializer, responses=SearchResultSerializer)
    def post(self, request: Request) -> Response:
        """Passages of the documents that the person may read, best first. Any text is a query."""
        actor = actor_of(request)
        require(actor, Permission.SEARCH)
        form = SearchSerializer(data=request.data)
        if not form.is_valid():
            raise InputError(field=next(iter(form.errors)))
        wanted = form.validated_data
        scope = selectors.scope_for(
            actor=actor, collection_ids=wanted.get("collection_ids"), document_ids=wanted.get("document_ids")
        )
        result = selectors.search_passages(scope=scope, query=wanted["query"][:LONGEST_QUERY], limit=wanted["limit"])
        services.record_search(actor=actor, result=result)
        return Response(SearchResultSerializer(result).data)


class ChunkSerializer(serializers.Serializer[Any]):
    ordinal = serializers.IntegerField()
    kind = serializers.CharField()
    language = serializers.CharField()
    header = serializers.CharField(help_text="searched beside the text, never quoted")
    text = serializers.CharField()
    spans = SpanSerializer(many=True)
    term_count = serializers.IntegerField()
    has_vector = serializers.BooleanField()


class ChunksView(ApiView):
    scopes = {"GET": Scope.MANAGE}

    @extend_schema(
        operation_id="chunks_list",
        parameters=[OpenApiParameter("page", int), OpenApiParameter("first", int, description="ordinal to begin at")],
        responses=list_of(ChunkSerializer),
    )
    def get(self, request: Request, document_id: UUID) -> Response:
        """Fifty chunks as they are indexed, for those who manage the collection."""
        page, first = _number(request, "page"), _number(request, "first") or 0
        found = inspector.chunks_of_document(actor=actor_of(request), document_id=document_id, page=page, first=first)
        return listed(Piece(found, None), ChunkSerializer)


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name, "")
    if text and not (text.isascii() and text.isdecimal() and len(text) < 9):
        raise InputError(field=name)
    return int(text) if text else None
