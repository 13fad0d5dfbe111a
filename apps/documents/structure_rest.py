"""API: what was read out of a document: its tables, places of words. Re-exported by rest.py."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api import ApiView, actor_of, checked, conditional, list_of, listed
from apps.accounts.contracts import Scope
from apps.core.errors import InputError, NotFound
from apps.core.paging import Piece, PieceQuery, piece_of_all
from apps.documents import figures, finding, headers, history, inspector, metadata_store, selectors, table_files, tables
from apps.documents.contracts import HeaderMode
from apps.documents.table_lines import TableCell

_FILES = {"xlsx": table_files.table_xlsx, "csv": table_files.table_csv}


class TableSummarySerializer(serializers.Serializer[Any]):
    page = serializers.IntegerField(help_text="where the table begins; with `block` it names the table")
    block = serializers.IntegerField()
    last_page = serializers.IntegerField()
    printed_label = serializers.CharField(source="label")
    title = serializers.CharField()
    scale_note = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    row_count = serializers.IntegerField()
    confidence = serializers.IntegerField(help_text="percent")


class TableCellSerializer(serializers.Serializer[Any]):
    column = serializers.IntegerField()
    span = serializers.IntegerField()
    text = serializers.CharField(help_text="as printed")
    value = serializers.SerializerMethodField(
        "plain_value", help_text="plain decimal; the scale is not applied; null for words"
    )
    unit = serializers.CharField(help_text="ISO 4217, percent, times, basis_points or empty")
    scale = serializers.SerializerMethodField("multiplier", help_text="what the value counts in: 1, 1000, 1000000 …")
    ref = serializers.CharField(help_text="cell of a sheet: B7")
    start = serializers.IntegerField(help_text="offset into the page's text; 0, 0 for a name put together")
    end = serializers.IntegerField()
    boxes = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField()), help_text="x0, y0, x1, y1 in points"
    )

    def plain_value(self, cell: TableCell) -> str | None:
        return None if cell.value is None else f"{cell.value:f}"

    def multiplier(self, cell: TableCell) -> int:
        return int(cell.scale.value)


class TableLineSerializer(serializers.Serializer[Any]):
    page = serializers.IntegerField()
    is_head = serializers.BooleanField()
    is_part = serializers.BooleanField(help_text="words that head the rows below")
    cells = TableCellSerializer(many=True)


class TableSerializer(serializers.Serializer[Any]):
    table = TableSummarySerializer(source="summary")
    document_id = serializers.UUIDField()
    version_id = serializers.UUIDField()
    currency = serializers.CharField()
    is_cut = serializers.BooleanField(help_text="true when the table has more lines than are given here")
    lines = TableLineSerializer(many=True)


class FindSerializer(serializers.Serializer[Any]):
    page = serializers.IntegerField()
    printed_label = serializers.CharField(source="label")
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    words = serializers.CharField()


class MetadataSerializer(serializers.Serializer[Any]):
    field = serializers.CharField()
    value = serializers.CharField()
    is_used = serializers.BooleanField(help_text="what a person set is used before what a rule read")
    is_by_person = serializers.BooleanField()
    set_by_name = serializers.CharField()
    set_at = serializers.DateTimeField(allow_null=True)
    confidence = serializers.IntegerField(help_text="percent")
    rule = serializers.CharField()
    page = serializers.IntegerField(help_text="0: the file itself says it")
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    quote = serializers.CharField()


class MetadataValuesSerializer(serializers.Serializer[Any]):
    values = serializers.ListField(child=serializers.CharField(max_length=300, allow_blank=True), max_length=20)


MetadataList = list_of(MetadataSerializer)


class MetadataView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(operation_id="metadata_list", responses=MetadataList)
    def get(self, request: Request, document_id: UUID) -> Response:
        """What the document says of itself, each value with its evidence."""
        found = metadata_store.get_metadata(actor=actor_of(request), document_id=document_id)
        return listed(Piece(found, None), MetadataSerializer)


class MetadataFieldView(ApiView):
    scopes = {"PUT": Scope.WRITE, "DELETE": Scope.WRITE}

    @extend_schema(request=MetadataValuesSerializer, responses=MetadataList)
    def put(self, request: Request, document_id: UUID, field: str) -> Response:
        """The field has these values from now on; none: it has no value. What the rules read stays beside them."""
        actor = actor_of(request)
        metadata_store.get_metadata(actor=actor, document_id=document_id)
        values = checked(MetadataValuesSerializer, request)["values"]
        metadata_store.set_values(actor=actor, document_id=document_id, field=field, values=values)
        found = metadata_store.get_metadata(actor=actor, document_id=document_id)
        return listed(Piece(found, None), MetadataSerializer)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, document_id: UUID, field: str) -> Response:
        """What people set is gone; what the rules read holds again."""
        metadata_store.forget_values(actor=actor_of(request), document_id=document_id, field=field)
        return Response(status=204)


class FigureSerializer(serializers.Serializer[Any]):
    page = serializers.IntegerField()
    printed_label = serializers.CharField(source="label")
    kind = serializers.CharField(help_text="picture or chart")
    box = serializers.ListField(child=serializers.FloatField(), allow_null=True, help_text="x0, y0, x1, y1 in points")
    caption = serializers.CharField()
    nearby = serializers.CharField()
    table_key = serializers.CharField(help_text="page-block of the table with a chart's data")


class FiguresView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(operation_id="figures_list", parameters=[PieceQuery], responses=list_of(FigureSerializer))
    def get(self, request: Request, document_id: UUID) -> Response:
        """Pictures and charts in reading order."""
        found = enumerate(figures.list_figures(actor=actor_of(request), document_id=document_id))
        piece = piece_of_all(request, found, lambda pair: (f"{pair[0]:08d}",))
        return listed(Piece(tuple(figure for _place, figure in piece.items), piece.next), FigureSerializer)


class HistoryEventSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    who = serializers.CharField()
    act = serializers.CharField()


class HistorySerializer(serializers.Serializer[Any]):
    events = HistoryEventSerializer(many=True)


class HistoryView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(responses=HistorySerializer)
    def get(self, request: Request, document_id: UUID) -> Response:
        """What was done with the document, newest first."""
        events = history.list_history(actor=actor_of(request), document_id=document_id)
        return Response(HistorySerializer({"events": events}).data)


class HeaderModeSerializer(serializers.Serializer[Any]):
    mode = serializers.ChoiceField(choices=HeaderMode.choices)


class HeaderModeView(ApiView):
    scopes = {"GET": Scope.READ, "PUT": Scope.MANAGE}

    @extend_schema(responses=HeaderModeSerializer)
    def get(self, request: Request, collection_id: UUID) -> Response:
        """What stands in the headers of the collection's chunks."""
        return Response({"mode": headers.get_header_mode(actor=actor_of(request), collection_id=collection_id)})

    @extend_schema(request=HeaderModeSerializer, responses=HeaderModeSerializer)
    def put(self, request: Request, collection_id: UUID) -> Response:
        """Documents read from now on have such headers; those read already keep theirs until they are read again."""
        actor = actor_of(request)
        headers.get_header_mode(actor=actor, collection_id=collection_id)
        mode = HeaderMode(checked(HeaderModeSerializer, request)["mode"])
        headers.set_header_mode(actor=actor, collection_id=collection_id, mode=mode)
        return Response({"mode": mode})


class InspectedBlockSerializer(serializers.Serializer[Any]):
    ordinal = serializers.IntegerField(source="block.ordinal")
    kind = serializers.CharField(source="block.kind")
    level = serializers.IntegerField(source="block.level")
    start = serializers.IntegerField(source="block.start")
    end = serializers.IntegerField(source="block.end")
    box = serializers.ListField(source="block.box", child=serializers.FloatField(), allow_null=True)
    words = serializers.CharField(help_text="the first 200 characters")


class InspectedTableSerializer(serializers.Serializer[Any]):
    block = serializers.IntegerField()
    title = serializers.CharField()
    scale_note = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.IntegerField()
    cells = serializers.IntegerField()
    confidence = serializers.IntegerField()
    continues = serializers.BooleanField()


class InspectedPageSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    printed_label = serializers.CharField(source="label")
    width = serializers.FloatField()
    height = serializers.FloatField()
    rotation = serializers.IntegerField()
    language = serializers.CharField()
    characters = serializers.IntegerField()
    words = serializers.IntegerField()
    doubtful_words = serializers.IntegerField()
    blocks = InspectedBlockSerializer(many=True)
    tables = InspectedTableSerializer(many=True)
    page_count = serializers.IntegerField()
    version_number = serializers.IntegerField()
    reader = serializers.CharField()
    media_type = serializers.CharField()
    details = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class InspectorView(ApiView):
    scopes = {"GET": Scope.MANAGE}

    @extend_schema(responses=InspectedPageSerializer)
    def get(self, request: Request, document_id: UUID, number: int) -> Response:
        """What reading made of a page: blocks in order, tables, warnings; for those who manage the collection."""
        _require_sane(number, 0)
        found = inspector.inspect_page(actor=actor_of(request), document_id=document_id, number=number)
        return Response(InspectedPageSerializer(found).data)


class TablesView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(
        operation_id="tables_list",
        parameters=[PieceQuery, OpenApiParameter("page", int, description="only tables on this page")],
        responses=list_of(TableSummarySerializer),
    )
    def get(self, request: Request, document_id: UUID) -> Response:
        """Tables in reading order; one that runs over several pages is one."""
        page = request.query_params.get("page", "")
        if page and not (page.isascii() and page.isdecimal() and len(page) < 9):
            raise InputError(field="page")
        number = int(page) if page else None
        found = enumerate(tables.list_tables(actor=actor_of(request), document_id=document_id, page=number))
        piece = piece_of_all(request, found, lambda pair: (f"{pair[0]:08d}",))
        return listed(Piece(tuple(table for _place, table in piece.items), piece.next), TableSummarySerializer)


class TableView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(responses={200: TableSerializer, 304: None})
    def get(self, request: Request, document_id: UUID, page: int, block: int) -> Response:
        """Every cell with its value, unit, scale and place. At most 300 lines; the files hold more. Has an ETag."""
        _require_sane(page, block)
        view = tables.get_table(actor=actor_of(request), document_id=document_id, page=page, block=block)
        return conditional(request, TableSerializer(view).data)


class TableFileView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(
        operation_id="table_file_retrieve", responses={(200, "application/octet-stream"): OpenApiTypes.BINARY}
    )
    def get(self, request: Request, document_id: UUID, page: int, block: int, kind: str) -> HttpResponseBase:
        """`xlsx`: numbers with their formats and a link from each to its lit place; `csv`: plain. Recorded."""
        _require_sane(page, block)
        make = _FILES.get(kind)
        if make is None:
            raise NotFound
        base = request.build_absolute_uri("/")
        made: HttpResponse = make(actor=actor_of(request), document_id=document_id, page=page, block=block, base=base)
        return made


class FindView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(
        operation_id="finds_list",
        parameters=[OpenApiParameter("words", str, required=True)],
        responses=list_of(FindSerializer),
    )
    def get(self, request: Request, document_id: UUID) -> Response:
        """Where exactly these words stand in the document, the first hundred places."""
        words = request.query_params.get("words", "")[: finding.LONGEST_QUERY]
        found = finding.find_in_document(actor=actor_of(request), document_id=document_id, words=words)
        return listed(Piece(found, None), FindSerializer)


def _require_sane(page: int, block: int) -> None:
    """Numbers that no column holds are unknown like any other."""
    if max(page, block) > selectors.MOST_PAGES:
        raise NotFound
