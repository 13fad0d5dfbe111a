"""API: the bin. Thin views over binning; addresses are given in apps/api."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api import ApiView, actor_of, checked, list_of, listed
from apps.accounts.contracts import Scope
from apps.core.paging import PieceQuery, piece_of_all
from apps.documents import binning, selectors
from apps.documents.rest import DocumentSerializer


class BinnedSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    collection_id = serializers.UUIDField()
    collection_name = serializers.CharField()
    binned_at = serializers.DateTimeField()
    binned_by_name = serializers.CharField()
    goes_at = serializers.DateTimeField(help_text="deleted for good by the first nightly sweep after it")


class BinnedResultSerializer(serializers.Serializer[Any]):
    is_kept = serializers.BooleanField(help_text="false: the organisation keeps nothing, it was deleted for good")


class BinDaysSerializer(serializers.Serializer[Any]):
    days = serializers.IntegerField(min_value=0, max_value=binning.LONGEST_DAYS)


class BinDocumentView(ApiView):
    scopes = {"POST": Scope.WRITE}

    @extend_schema(request=None, responses=BinnedResultSerializer)
    def post(self, request: Request, document_id: UUID) -> Response:
        """Move to the bin: gone from search, lists and viewers at once; it can be restored for some days."""
        is_kept = binning.bin_document(actor=actor_of(request), document_id=document_id)
        return Response({"is_kept": is_kept})


class BinView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(operation_id="bin_list", parameters=[PieceQuery], responses=list_of(BinnedSerializer))
    def get(self, request: Request) -> Response:
        """What lies in the bin of collections that the person may add to, newest first."""
        found = binning.list_binned(actor=actor_of(request))
        newest = {row.id: place for place, row in enumerate(found)}
        return listed(piece_of_all(request, found, lambda row: (f"{newest[row.id]:08d}",)), BinnedSerializer)


class BinnedView(ApiView):
    scopes = {"DELETE": Scope.WRITE}

    @extend_schema(responses={204: None})
    def delete(self, request: Request, document_id: UUID) -> Response:
        """Delete a document of the bin for good."""
        binning.delete_binned(actor=actor_of(request), document_id=document_id)
        return Response(status=204)


class RestoreView(ApiView):
    scopes = {"POST": Scope.WRITE}

    @extend_schema(request=None, responses=DocumentSerializer)
    def post(self, request: Request, document_id: UUID) -> Response:
        """The document is back where it was, searchable without being read again."""
        actor = actor_of(request)
        binning.restore_document(actor=actor, document_id=document_id)
        detail = selectors.get_document(actor=actor, document_id=document_id)
        return Response(DocumentSerializer(detail.summary).data)


class BinDaysView(ApiView):
    scopes = {"GET": Scope.READ, "PUT": Scope.MANAGE}

    @extend_schema(responses=BinDaysSerializer)
    def get(self, request: Request) -> Response:
        """How many days the organisation keeps what is in the bin; 0: not at all."""
        return Response({"days": binning.bin_days(actor_of(request).tenant_id)})

    @extend_schema(request=BinDaysSerializer, responses=BinDaysSerializer)
    def put(self, request: Request) -> Response:
        """Owners: keep for so many days from now on."""
        actor = actor_of(request)
        binning.set_bin_days(actor=actor, days=checked(BinDaysSerializer, request)["days"])
        return Response({"days": binning.bin_days(actor.tenant_id)})
