"""A table as a file: XLSX with sources, CSV. Values are numbers, each with a link to its lit place on the page."""

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.contracts import Actor
from apps.core.export import MOST_CELLS, Sheet, SheetCell, csv_response, file_name, xlsx_response
from apps.documents.table_lines import TableCell, TableLine
from apps.documents.tables import TableView, get_table, in_whole_units
from apps.finance.units import Scale
from apps.tenants import audit

MOST_LINES = 20_000
_TOO_MANY_ROWS = gettext_lazy("The table has more rows than one file holds. The first are here.")
_EXACT_DIGITS = 15  # a spreadsheet keeps no more of a number
_SIGNS = {"$": "$", "€": "€", "£": "£", "₺": "₺", "¥": "¥"}
_SAFE_FORMAT = re.compile(r"[0#?.,%()_\-+ /:;$€£₺¥\[\]A-Za-z\"\\*]{1,80}")
_DASH = re.compile(r"[$€£₺(\s]*[-–—−‒―][)\s]*")
Link = Callable[[int, int, int], str]


def table_xlsx(*, actor: Actor, document_id: UUID, page: int, block: int, base: str) -> HttpResponse:
    """The table as XLSX; links begin with `base` ("https://airis.example"). The export is recorded."""
    view = _whole(actor, document_id, page, block)
    link = _linker(view, base, actor.tenant_slug)
    lines = _within_limit(view)
    heads = [line for line in lines if line.is_head]
    body = [line for line in lines if not line.is_head]
    head_rows = [_sheet_row(view, line, link, source="") for line in heads]
    if head_rows:
        head_rows[-1] = [*head_rows[-1][:-1], SheetCell(_("Source"))]
    facts = _facts(view, link, is_cut=view.is_cut or len(lines) < len(view.lines))
    first_row = len(facts) + 2 + len(heads)
    sheets = [
        Sheet(
            _("Table"),
            [_sheet_row(view, line, link, source=_page_name(view, line.page)) for line in body],
            facts,
            head_rows,
        ),
        Sheet(
            _("Sources"),
            list(_sources(view, body, link, first_row)),
            (),
            [[SheetCell(name) for name in _source_heads()]],
        ),
    ]
    return xlsx_response(name=_name(view), sheets=sheets)


def table_csv(*, actor: Actor, document_id: UUID, page: int, block: int, base: str) -> HttpResponse:
    """The table as CSV: plain numbers, printed words, and for each row its page and link. The export is recorded."""
    view = _whole(actor, document_id, page, block)
    link = _linker(view, base, actor.tenant_slug)
    lines = _within_limit(view)
    heads = [_filled(view, line) for line in lines if line.is_head]
    names = [" ".join(row[column] for row in heads if row[column]) for column in range(view.width)]
    rows = [
        [*_filled(view, line), _page_name(view, line.page), link(line.page, *line.place)]
        for line in lines
        if not line.is_head
    ]
    if view.is_cut or len(lines) < len(view.lines):
        rows.append([str(_TOO_MANY_ROWS)])
    return csv_response(name=_name(view), head=[*names, _("Page"), _("Source")], rows=rows)


def number_format_of(cell: TableCell) -> str:
    """A spreadsheet's format that shows the number as it was printed."""
    if cell.format and _SAFE_FORMAT.fullmatch(cell.format):
        return cell.format
    if cell.value is None:
        return ""
    if _DASH.fullmatch(cell.text):
        return '#,##0;-#,##0;"–"'
    digits = re.sub(r"[^\d.,]", "", cell.text)
    decimals = _decimals(digits, cell.value)
    shape = ("#,##0" if _is_grouped(digits, decimals) else "0") + ("." + "0" * decimals if decimals else "")
    if cell.unit == "percent":
        shape += "%"
    sign = next((sign for sign in _SIGNS if sign in cell.text), "")
    shape = f'"{sign}"{shape}' if sign else shape
    return f"{shape}_);({shape})" if "(" in cell.text else shape


def exact_value(cell: TableCell) -> Decimal | None:
    """The value as a spreadsheet counts it (12.5 % is 0.125); None when it is no number or has too many digits."""
    if cell.value is None or len(cell.value.as_tuple().digits) > _EXACT_DIGITS:
        return None
    return cell.value / 100 if cell.unit == "percent" else cell.value


def _whole(actor: Actor, document_id: UUID, page: int, block: int) -> TableView:
    view = get_table(actor=actor, document_id=document_id, page=page, block=block, most_lines=MOST_LINES)
    audit.record(
        action="table.exported",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="document",
        object_id=document_id,
        detail={"page": view.summary.page, "rows": view.summary.row_count},
    )
    return view


def _within_limit(view: TableView) -> Sequence[TableLine]:
    """Lines that fit into the file: about 5 cells of the second sheet for each value of the first."""
    return view.lines[: max(1, MOST_CELLS // (6 * max(view.width, 1)))]


def _linker(view: TableView, base: str, slug: str) -> Link:
    path = base.rstrip("/") + reverse("documents:document", args=[slug, view.document_id])
    key = view.summary.key

    def link(page: int, start: int, end: int) -> str:
        lit = f"&start={start}&end={end}" if end > start else ""
        return f"{path}?page={page}{lit}&panel=table&table={key}"

    return link


def _facts(view: TableView, link: Link, *, is_cut: bool) -> list[tuple[str, SheetCell]]:
    """The head block. Empty ones are left out: nothing is claimed that the document does not say."""
    table = view.summary
    first, last = _page_name(view, table.page), _page_name(view, table.last_page)
    said: list[tuple[str, str, str]] = [
        (_("Table"), table.title or _("Table without a title"), link(table.page, 0, 0)),
        (_("Unit and scale as printed"), table.scale_note, ""),
        (_("Currency"), view.currency, ""),
        (_("Scale"), "" if view.scale is Scale.ONE else f"{view.scale.value:,}", ""),
        (_("Document"), view.document_name, link(table.page, 0, 0)),
        (_("Version"), str(view.version_number), ""),
        (_("Page"), first if table.page == table.last_page else f"{first} – {last}", ""),
        (_("Confidence of the reading"), f"{table.confidence}%", ""),
        (_("Exported"), f"{timezone.now():%Y-%m-%d %H:%M} UTC", ""),
        (_("Values"), _("As printed: the scale is not applied. The sheet “Sources” has each in whole units."), ""),
    ]
    if is_cut:
        said.append((_("Left out"), str(_TOO_MANY_ROWS), ""))
    return [(label, SheetCell(text, link=url)) for label, text, url in said if text]


def _page_name(view: TableView, page: int) -> str:
    label = next((label for number, label in view.labels if number == page), "")
    if not view.has_images:
        return label or str(page)
    return _("p. %(label)s · page %(number)d") % {"label": label, "number": page} if label else str(page)


def _sheet_row(view: TableView, line: TableLine, link: Link, *, source: str) -> list[SheetCell]:
    cells: list[SheetCell] = []
    column = 0
    for cell in sorted(line.cells, key=lambda cell: cell.column):
        if cell.column < column:
            continue  # stands under one that spans: the page has it
        cells += [SheetCell(None)] * (cell.column - column)
        span = max(1, min(cell.span, _room(line, cell, view.width)))
        cells.append(_sheet_cell(cell, span, is_bold=line.is_part))
        column = cell.column + span
    cells += [SheetCell(None)] * (view.width - column)
    return [*cells, SheetCell(source or None, link=link(line.page, *line.place) if source else "")]


def _room(line: TableLine, cell: TableCell, width: int) -> int:
    """Columns up to the next cell of the line."""
    return min((other.column for other in line.cells if other.column > cell.column), default=width) - cell.column


def _sheet_cell(cell: TableCell, span: int = 1, *, is_bold: bool = False) -> SheetCell:
    value = exact_value(cell)
    if value is not None:
        return SheetCell(value, number_format_of(cell), span=span)
    if cell.day is not None:
        return SheetCell(cell.day, "yyyy-mm-dd", span=span)
    return SheetCell(cell.text or None, span=span, is_bold=is_bold)


def _source_heads() -> tuple[str, ...]:
    return (
        _("Cell"), _("Row"), _("Column"), _("As printed"), _("Value"), _("Unit"), _("Scale"), _("In whole units"),
        _("Page"), _("Place in the file"), _("Link"),
    )  # fmt: skip


def _whole_units(view: TableView, cell: TableCell) -> Decimal | None:
    """None where a printed table does not say what its figures are in: nothing is claimed of it then."""
    assert cell.value is not None
    is_known = cell.scale is not Scale.ONE or cell.unit == "percent" or cell.ref or view.summary.scale_note
    if not is_known:
        return None
    return cell.value if cell.unit == "percent" else in_whole_units(cell.value, cell.scale)


def _exact(value: Decimal | None) -> Decimal | str | None:
    """A number as far as a spreadsheet keeps its digits, else its words."""
    return value if value is None or len(value.as_tuple().digits) <= _EXACT_DIGITS else str(value)


def _sources(view: TableView, body: Sequence[TableLine], link: Link, first_row: int) -> Iterator[list[SheetCell]]:
    """A line for each value: where it stands in the first sheet, what it says, and where it was read."""
    names = _column_names(view)
    for row, line in enumerate(body, start=first_row):
        label = next((cell.text for cell in line.cells if not cell.is_number), "")
        for cell in line.cells:
            if cell.value is None:
                continue
            whole = _whole_units(view, cell)
            yield [
                SheetCell(f"{_letters(cell.column)}{row}"),
                SheetCell(label),
                SheetCell(names.get(cell.column, "")),
                SheetCell(cell.text),
                _sheet_cell(cell),
                SheetCell(cell.unit),
                SheetCell(None if cell.scale is Scale.ONE else cell.scale.value, "#,##0"),
                SheetCell(_exact(whole), "#,##0.###"),
                SheetCell(_page_name(view, line.page)),
                SheetCell(cell.ref),
                SheetCell(_("open"), link=link(line.page, cell.start, cell.end)),
            ]


def _column_names(view: TableView) -> dict[int, str]:
    """What stands over each column."""
    names: dict[int, str] = {}
    for line in view.lines:
        for cell in line.cells if line.is_head else ():
            for column in range(cell.column, cell.column + cell.span):
                names[column] = f"{names.get(column, '')} {cell.text}".strip()
    return names


def _filled(view: TableView, line: TableLine) -> list[str]:
    row = [""] * view.width
    for cell in line.cells:
        row[cell.column] = cell.text if cell.value is None else _plain(cell)
    return row


def _plain(cell: TableCell) -> str:
    """The number with a decimal point and nothing else; a percentage keeps its sign."""
    return f"{cell.value:f}" + ("%" if cell.unit == "percent" else "")


def _decimals(digits: str, value: Decimal) -> int:
    exponent = value.normalize().as_tuple().exponent
    needed = -exponent if isinstance(exponent, int) and exponent < 0 else 0
    tail = re.search(r"[.,](\d+)$", digits)
    printed = len(tail[1]) if tail and (needed or len(tail[1]) != 3) else 0
    return min(max(needed, printed), 10)


def _is_grouped(digits: str, decimals: int) -> bool:
    return len(re.sub(r"\D", "", digits)) - decimals > 3 and bool(re.search(r"\d[.,]\d{3}", digits))


def _letters(column: int) -> str:
    letters, column = "", column + 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _name(view: TableView) -> str:
    stem = view.document_name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return file_name(stem[:60], view.summary.title[:30] or view.summary.label[:30], f"p{view.summary.page}")
