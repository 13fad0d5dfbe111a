"""API: documents. Thin views over services and selectors; addresses are given in apps/api."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.rest import actor_of
from apps.core.errors import InputError
from apps.documents import selectors, services
from apps.documents.contracts import DocumentOrder, DocumentSummary
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

    def get_reason(self, document: DocumentSummary) -> str:
        return str(selectors.FAILURES.get(document.failure, ""))


class DocumentListSerializer(serializers.Serializer[Any]):
    items = DocumentSerializer(many=True)
    total = serializers.IntegerField()
    number = serializers.IntegerField()
    pages = serializers.IntegerField()


class UploadSerializer(serializers.Serializer[Any]):
    collection_id = serializers.UUIDField()
    file = serializers.FileField(allow_empty_file=True)


class UploadResultSerializer(serializers.Serializer[Any]):
    document = DocumentSerializer(allow_null=True)
    is_new = serializers.BooleanField()
    elsewhere = DocumentSerializer(
        allow_null=True, help_text="the same file in another collection you can read; nothing was made"
    )


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


class DocumentsView(APIView):
    manages_context = True  # bytes arrive without a transaction

    def get_parsers(self) -> list[Any]:  # Any: DRF's parser types
        request: HttpRequest | None = getattr(self, "request", None)
        if request is not None and request.method == "POST":
            return [MultiPartParser()]
        return super().get_parsers()

    @extend_schema(
        operation_id="documents_list",
        parameters=[
            OpenApiParameter("collection_id", UUID),
            OpenApiParameter("number", int, description="page of the list, from 1"),
            OpenApiParameter("order", str, enum=[order.value for order in DocumentOrder]),
        ],
        responses=DocumentListSerializer,
    )
    def get(self, request: Request) -> Response:
        """Documents that the person may read, newest first."""
        actor = actor_of(request)
        query = _ListQuery(data=request.query_params)
        if not query.is_valid():
            raise InputError(field=next(iter(query.errors)))
        with tenant_context(actor.tenant_id):
            found = selectors.list_documents(
                actor=actor,
                collection_id=query.validated_data.get("collection_id"),
                number=query.validated_data["number"],
                order=DocumentOrder(query.validated_data["order"]),
            )
        return Response(DocumentListSerializer(found).data)

    @extend_schema(
        request={"multipart/form-data": UploadSerializer},
        responses={201: UploadResultSerializer, 200: UploadResultSerializer},
    )
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
        )
        return Response(UploadResultSerializer(result).data, status=201 if result.is_new else 200)


class DocumentView(APIView):
    @extend_schema(responses=DocumentSerializer)
    def get(self, request: Request, document_id: UUID) -> Response:
        """State of a document; poll until `is_searchable`."""
        detail = selectors.get_document(actor=actor_of(request), document_id=document_id)
        return Response(DocumentSerializer(detail.summary).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, document_id: UUID) -> Response:
        """Gone from search, lists and viewers at once."""
        services.delete_document(actor=actor_of(request), document_id=document_id)
        return Response(status=204)


class RetryView(APIView):
    @extend_schema(request=None, responses={202: None})
    def post(self, request: Request, document_id: UUID) -> Response:
        """Read a failed document again."""
        services.retry_ingestion(actor=actor_of(request), document_id=document_id)
        return Response(status=202)


class PageView(APIView):
    @extend_schema(responses=PageSerializer)
    def get(self, request: Request, document_id: UUID, number: int) -> Response:
        """Text of a page, as citations count it: code points from 0."""
        page = selectors.get_page(actor=actor_of(request), document_id=document_id, number=number)
        return Response(PageSerializer(page).data)


class PageImageView(APIView):
    manages_context = True  # no transaction while a page is rendered

    @extend_schema(
        parameters=[OpenApiParameter("dpi", int)], responses={(200, "image/png"): OpenApiResponse(response=bytes)}
    )
    def get(self, request: Request, document_id: UUID, number: int) -> HttpResponse:
        """PNG of a page of a PDF or picture."""
        dpi = request.query_params.get("dpi", "130")
        if not dpi.isascii() or not dpi.isdecimal() or len(dpi) > 4:
            raise InputError(field="dpi")
        image = selectors.page_image(actor=actor_of(request), document_id=document_id, number=number, dpi=int(dpi))
        return HttpResponse(image, content_type="image/png", headers={"Cache-Control": "private, max-age=3600"})


class _ListQuery(serializers.Serializer[Any]):
    collection_id = serializers.UUIDField(required=False)
    number = serializers.IntegerField(required=False, default=1, min_value=1, max_value=1_000_000)
    order = serializers.ChoiceField(
        choices=[order.value for order in DocumentOrder], required=False, default=DocumentOrder.NEWEST.value
    )
