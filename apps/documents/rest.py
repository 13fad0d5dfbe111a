"""API: documents. Thin views over services and selectors; addresses are given in apps/api."""

from datetime import date
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api import (
    ApiView,
    actor_of,
    checked,
    conditional,
    conditional_bytes,
    idempotent,
    list_of,
    listed,
    tag_of,
)
from apps.accounts.contracts import Actor, Scope
from apps.core.errors import InputError, NotFound
from apps.core.paging import Piece, PieceQuery, limit_of, piece_of_all, piece_of_rows, place_of
from apps.documents import listing, selectors, services
from apps.documents.contracts import DocumentFilter, DocumentSummary
from apps.documents.structure_rest import (
    FiguresView,
    FindView,
    HeaderModeView,
    HistoryView,
    InspectorView,
    MetadataFieldView,
    MetadataView,
    TableFileView,
    TablesView,
    TableView,
)
from apps.tenants.context import tenant_context


class DocumentSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    collection_id = serializers.UUIDField()
    name = serializers.CharField()
    state = serializers.CharField()
    is_searchable = serializers.BooleanField()
    failure = serializers.CharField(help_text="code of the reason when rejected or failed")
    reason = serializers.SerializerMethodField()
    version_id = serializers.UUIDField()
    job_id = serializers.UUIDField(allow_null=True)
    media_type = serializers.CharField()
    size = serializers.IntegerField()
    page_count = serializers.IntegerField()
    pages_read = serializers.IntegerField()
    meaning_percent = serializers.IntegerField()
    warning_count = serializers.IntegerField()
    language = serializers.CharField()
    created_at = serializers.DateTimeField()
    parent_id = serializers.UUIDField(allow_null=True, help_text="the mail or archive that it came in")
    kind = serializers.CharField(help_text="annual_report, contract …; empty when the document does not say")
    entity = serializers.CharField()
    period = serializers.CharField(help_text="kind and last day: year:2024-12-31")

    def get_reason(self, document: DocumentSummary) -> str:
        return str(selectors.FAILURES.get(document.failure, ""))


class UploadSerializer(serializers.Serializer[Any]):
    collection_id = serializers.UUIDField()
    file = serializers.FileField(allow_empty_file=True)
    new_version_of = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="a document of the collection that this file replaces"
    )


class UploadResultSerializer(serializers.Serializer[Any]):
    document = DocumentSerializer(allow_null=True)
    is_new = serializers.BooleanField()
    elsewhere = DocumentSerializer(
        allow_null=True, help_text="the same file in another collection you can read; nothing was made"
    )
    same_name = DocumentSerializer(
        allow_null=True,
        help_text="another document of the collection with this name; to replace it: new_version_of",
    )
    is_version = serializers.BooleanField(help_text="the file is a new version of the document")


class PageSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    printed_label = serializers.CharField(source="label")
    width = serializers.FloatField()
    height = serializers.FloatField()
    text = serializers.CharField()
    language = serializers.CharField()
    first_line = serializers.IntegerField()
    page_count = serializers.IntegerField()
    version_id = serializers.UUIDField()


class RenameSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=services.LONGEST_NAME)


class CopySerializer(serializers.Serializer[Any]):
    collection_id = serializers.UUIDField()
    name = serializers.CharField(max_length=services.LONGEST_NAME, required=False, default="", allow_blank=True)


class PasswordSerializer(serializers.Serializer[Any]):
    password = serializers.CharField(max_length=500, trim_whitespace=False)


class OutlineSerializer(serializers.Serializer[Any]):
    page = serializers.IntegerField()
    printed_label = serializers.CharField(source="label")
    level = serializers.IntegerField()
    text = serializers.CharField()


class DocumentsView(ApiView):
    scopes = {"GET": Scope.READ, "POST": Scope.WRITE}
    manages_context = True  # bytes arrive without a transaction

    def get_parsers(self) -> list[Any]:  # Any: DRF's parser types
        request: HttpRequest | None = getattr(self, "request", None)
        if request is not None and request.method == "POST":
            return [MultiPartParser()]
        return super().get_parsers()

    @extend_schema(
        operation_id="documents_list",
        parameters=[
            PieceQuery,
            OpenApiParameter("collection_id", UUID),
            OpenApiParameter("name", str, description="only documents whose name holds this"),
            OpenApiParameter("kind", str, description="annual_report, contract, kap_disclosure …"),
            OpenApiParameter("entity", str, description="only documents about an entity whose name holds this"),
            OpenApiParameter("period_from", date, description="by the last day of the period"),
            OpenApiParameter("period_to", date),
            OpenApiParameter("language", str),
        ],
        responses=list_of(DocumentSerializer),
    )
    def get(self, request: Request) -> Response:
        """Documents that the person may read, newest first."""
        actor, limit = actor_of(request), limit_of(request)
        query = _ListQuery(data=request.query_params)
        if not query.is_valid():
            raise InputError(field=next(iter(query.errors)))
        with tenant_context(actor.tenant_id):
            rows = listing.documents_after(
                actor=actor,
                collection_id=query.validated_data.get("collection_id"),
                narrowed=DocumentFilter(
                    **{name: value for name, value in query.validated_data.items() if name != "collection_id"}
                ),
                limit=limit + 1,
                after=place_of(request),
            )
        return listed(piece_of_rows(rows, limit, lambda row: (row.created_at, row.id)), DocumentSerializer)

    @extend_schema(
        request={"multipart/form-data": UploadSerializer},
        responses={201: UploadResultSerializer, 200: UploadResultSerializer},
    )
    @idempotent()
    def post(self, request: Request) -> Response:
        """Upload a file. 201: a new document; 200: the document that already holds these bytes."""
        actor = actor_of(request)
        form = UploadSerializer(data=request.data)
        if not form.is_valid():
            raise InputError(field=next(iter(form.errors)))
        file = form.validated_data["file"]
        result = services.receive_upload(
            actor=actor,
            collection_id=form.validated_data["collection_id"],
            name=file.name or "",
            chunks=file.chunks(),
            new_version_of=form.validated_data["new_version_of"],
        )
        return Response(UploadResultSerializer(result).data, status=201 if result.is_new else 200)


class DocumentView(ApiView):
    scopes = {"GET": Scope.READ, "PATCH": Scope.WRITE, "DELETE": Scope.WRITE}

    @extend_schema(responses={200: DocumentSerializer, 304: None})
    def get(self, request: Request, document_id: UUID) -> Response:
        """State of a document; poll until `is_searchable`. Has an ETag."""
        detail = selectors.get_document(actor=actor_of(request), document_id=document_id)
        return conditional(request, DocumentSerializer(detail.summary).data)

    @extend_schema(request=RenameSerializer, responses=DocumentSerializer)
    def patch(self, request: Request, document_id: UUID) -> Response:
        """Rename."""
        actor = actor_of(request)
        selectors.get_document(actor=actor, document_id=document_id)
        services.rename_document(actor=actor, document_id=document_id, name=checked(RenameSerializer, request)["name"])
        detail = selectors.get_document(actor=actor, document_id=document_id)
        return Response(DocumentSerializer(detail.summary).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, document_id: UUID) -> Response:
        """Gone from search, lists and viewers at once."""
        services.delete_document(actor=actor_of(request), document_id=document_id)
        return Response(status=204)


class RetryView(ApiView):
    scopes = {"POST": Scope.WRITE}

    @extend_schema(request=None, responses={202: None})
    def post(self, request: Request, document_id: UUID) -> Response:
        """Read a failed document again."""
        services.retry_ingestion(actor=actor_of(request), document_id=document_id)
        return Response(status=202)


class CopyView(ApiView):
    scopes = {"POST": Scope.WRITE}

    @extend_schema(request=CopySerializer, responses={201: DocumentSerializer})
    @idempotent()
    def post(self, request: Request, document_id: UUID) -> Response:
        """The document stands in a second collection too; its bytes are not copied."""
        actor = actor_of(request)
        selectors.get_document(actor=actor, document_id=document_id)
        made = services.add_here(actor=actor, document_id=document_id, **checked(CopySerializer, request))
        return Response(DocumentSerializer(made).data, status=201)


class PasswordView(ApiView):
    scopes = {"POST": Scope.WRITE}
    manages_context = True  # a reading child opens the file meanwhile

    @extend_schema(request=PasswordSerializer, responses={202: None})
    def post(self, request: Request, document_id: UUID) -> Response:
        """Give the password of an encrypted file; it is kept nowhere."""
        actor = actor_of(request)
        with tenant_context(actor.tenant_id):
            selectors.get_document(actor=actor, document_id=document_id)
        password = checked(PasswordSerializer, request)["password"]
        services.supply_password(actor=actor, document_id=document_id, password=password)
        return Response(status=202)


class OriginalView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, 304: None})
    def get(self, request: Request, document_id: UUID) -> HttpResponseBase:
        """The file as it was brought; the download is recorded."""
        actor = actor_of(request)
        version_id = selectors.get_document(actor=actor, document_id=document_id).summary.version_id
        return conditional_bytes(request, tag_of(version_id.bytes), lambda: _original(actor, document_id))


class OutlineView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(operation_id="outline_list", parameters=[PieceQuery], responses=list_of(OutlineSerializer))
    def get(self, request: Request, document_id: UUID) -> Response:
        """Headings in reading order."""
        found = enumerate(selectors.outline(actor=actor_of(request), document_id=document_id))
        piece = piece_of_all(request, found, lambda pair: (f"{pair[0]:08d}",))
        return listed(Piece(tuple(entry for _place, entry in piece.items), piece.next), OutlineSerializer)


class PageView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(responses={200: PageSerializer, 304: None})
    def get(self, request: Request, document_id: UUID, number: int) -> Response:
        """Text of a page, as citations count it: code points from 0. Has an ETag."""
        require_sane(number)
        page = selectors.get_page(actor=actor_of(request), document_id=document_id, number=number)
        return conditional(request, PageSerializer(page).data)


class PageImageView(ApiView):
    scopes = {"GET": Scope.READ}
    manages_context = True  # no transaction while a page is rendered

    @extend_schema(
        parameters=[OpenApiParameter("dpi", int)],
        responses={(200, "image/png"): OpenApiResponse(response=OpenApiTypes.BINARY), 304: None},
    )
    def get(self, request: Request, document_id: UUID, number: int) -> HttpResponseBase:
        """PNG of a page of a PDF or picture. Has an ETag."""
        require_sane(number)
        dpi = request.query_params.get("dpi", "130")
        if not dpi.isascii() or not dpi.isdecimal() or len(dpi) > 4:
            raise InputError(field="dpi")
        image = selectors.page_image(actor=actor_of(request), document_id=document_id, number=number, dpi=int(dpi))
        return conditional_bytes(request, tag_of(image), lambda: HttpResponse(image, content_type="image/png"))


def require_sane(number: int) -> None:
    """A page number that no column holds is unknown like any other."""
    if number > selectors.MOST_PAGES:
        raise NotFound


def _original(actor: Actor, document_id: UUID) -> StreamingHttpResponse:
    file = selectors.original(actor=actor, document_id=document_id)
    response = StreamingHttpResponse(file.chunks, content_type="application/octet-stream")
    response["Content-Length"] = str(file.size)
    response["Content-Disposition"] = content_disposition_header(True, file.name) or "attachment"
    return response


class _ListQuery(serializers.Serializer[Any]):
    collection_id = serializers.UUIDField(required=False)
    name = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    kind = serializers.CharField(required=False, default="", allow_blank=True, max_length=30)
    entity = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    period_from = serializers.DateField(required=False, default=None)
    period_to = serializers.DateField(required=False, default=None)
    language = serializers.CharField(required=False, default="", allow_blank=True, max_length=8)


__all__ = [
    "CopyView",
    "DocumentView",
    "DocumentsView",
    "FiguresView",
    "FindView",
    "HeaderModeView",
    "HistoryView",
    "InspectorView",
    "MetadataFieldView",
    "MetadataView",
    "OriginalView",
    "OutlineView",
    "PageImageView",
    "PageView",
    "PasswordView",
    "RetryView",
    "TableFileView",
    "TableView",
    "TablesView",
]
