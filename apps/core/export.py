"""The one writer of CSV and XLSX tables. A spreadsheet must not run what a person typed."""

import csv
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from io import BytesIO, StringIO
from typing import Any
from urllib.parse import quote

from django.http import HttpResponse

FORMULA_SIGNS = ("=", "+", "-", "@", "\u2212")
_UNSEEN = ("Cf", "Cc")
_SEPARATOR = re.compile(r"([;\t\r\n|])")
_NEGATIVE = re.compile(r"[-\u2212]\d[\d.,]*(?:e[-+]?\d+)?%?", re.IGNORECASE)  # a number stays one when it is read back
BYTE_ORDER_MARK = "\ufeff"  # spreadsheets take it as "this is UTF-8"
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MOST_CELLS = 200_000  # of an XLSX file: some seconds of one core
_MOST_LINKS = 60_000  # a sheet holds 65,530; further ones are written as text
_LONGEST_TEXT = 32_000  # a spreadsheet's cell holds 32,767 characters
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NOT_IN_NAMES = re.compile(r"[\[\]:*?/\\'\x00-\x1f]")
_WIDEST = 60  # characters of a column
Value = str | int | Decimal | date | None


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A cell of a sheet: a number or date with its format, or words. `link` opens its source."""

    value: Value
    number_format: str = ""
    link: str = ""
    span: int = 1
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """`facts` stand above the table as label and value; `head` rows are bold and stay in sight."""

    name: str
    rows: Iterable[Sequence[SheetCell]]
    facts: Sequence[tuple[str, SheetCell]] = ()
    head: Sequence[Sequence[SheetCell]] = field(default=())


def csv_response(*, name: str, head: Sequence[object], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """An attachment NAME.csv, UTF-8 with a mark, one line a row, every text cell safe from formulas."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow([formula_safe(cell) for cell in head])
    writer.writerows([formula_safe(cell) for cell in row] for row in rows)
    return _attachment(BYTE_ORDER_MARK + text.getvalue(), "text/csv; charset=utf-8", f"{name}.csv")


def xlsx_response(*, name: str, sheets: Sequence[Sheet]) -> HttpResponse:
    """An attachment NAME.xlsx. Text stays text: no cell is a formula, whatever it begins with."""
    return _attachment(xlsx_bytes(sheets), XLSX_TYPE, f"{name}.xlsx")


def xlsx_bytes(sheets: Sequence[Sheet]) -> bytes:
    """The file of `xlsx_response`."""
    from openpyxl import Workbook  # half a second to import, for a file now and then

    book = Workbook()
    for sheet in sheets:
        _write(book.create_sheet(_sheet_name(sheet.name)), sheet)
    book.remove(book.worksheets[0])  # the one that it was born with
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def file_name(*parts: str) -> str:
    """A file's name without its suffix, out of words that may hold anything."""
    words = " ".join(" ".join(parts).split())
    return "".join(c if c.isalnum() or c in " ._-()&" else "_" for c in words).strip(" .")[:100] or "table"


def formula_safe(cell: object) -> object:
    """Numbers and printed negatives as they are; text that a spreadsheet would run gets an apostrophe; ISO times.

    So does a part behind a semicolon, tab or bar: a spreadsheet of another country takes these as the separator.
    """
    if isinstance(cell, int | float):
        return cell
    text = cell.isoformat() if isinstance(cell, datetime) else str(cell)
    first, *rest = _SEPARATOR.split(text)
    safe = [first]
    for separator, part in zip(rest[::2], rest[1::2], strict=True):
        is_run = "".join(safe).strip() and _would_run(part)
        safe += [separator, f"'{part}" if is_run else part]
    return f"'{''.join(safe)}" if _would_run(text) else "".join(safe)


def _would_run(text: str) -> bool:
    """Whether it begins like a formula, wide forms of the signs and invisible letters before them included."""
    seen = unicodedata.normalize("NFKC", "".join(c for c in text if unicodedata.category(c) not in _UNSEEN)).lstrip()
    return seen.startswith(FORMULA_SIGNS) and not _NEGATIVE.fullmatch(seen)


def _attachment(content: str | bytes, content_type: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    fallback = "".join(c if c.isascii() and c.isprintable() and c not in '"\\%' else "_" for c in name)
    said = "" if fallback == name else f"; filename*=UTF-8''{quote(name, safe='')}"
    response["Content-Disposition"] = f'attachment; filename="{fallback}"{said}'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _write(page: Any, sheet: Sheet) -> None:  # Any: an openpyxl worksheet
    widths: dict[int, int] = {}
    links = 0
    number = 0
    for label, cell in sheet.facts:
        number += 1
        links += _row(page, number, (SheetCell(label, is_bold=True), cell), links, widths if number > 1 else {})
    number += 1 if sheet.facts else 0
    for row, is_head in _rows(sheet):
        number += 1
        cells = [_bold(cell) for cell in row] if is_head else row
        links += _row(page, number, cells, links, widths)
    for column, width in widths.items():
        page.column_dimensions[_letter(column)].width = min(max(width + 2, 9), _WIDEST)
    if sheet.head:
        page.freeze_panes = page.cell(row=len(sheet.facts) + bool(sheet.facts) + len(sheet.head) + 1, column=2)


def _rows(sheet: Sheet) -> Iterator[tuple[Sequence[SheetCell], bool]]:
    for row in sheet.head:
        yield row, True
    for row in sheet.rows:
        yield row, False


def _bold(cell: SheetCell) -> SheetCell:
    return SheetCell(cell.value, cell.number_format, cell.link, cell.span, is_bold=True)


def _row(page: Any, number: int, cells: Sequence[SheetCell], links: int, widths: dict[int, int]) -> int:
    """Number of links that the row made."""
    made, column = 0, 1
    for cell in cells:
        place = page.cell(row=number, column=column)
        has_link = bool(cell.link) and links + made < _MOST_LINKS
        _fill(place, cell, has_link=has_link)
        made += has_link
        if cell.span > 1:
            page.merge_cells(start_row=number, end_row=number, start_column=column, end_column=column + cell.span - 1)
        elif cell.value is not None:
            widths[column] = max(widths.get(column, 0), min(len(str(cell.value)), _WIDEST))
        column += cell.span
    return made


def _fill(place: Any, cell: SheetCell, *, has_link: bool) -> None:
    from openpyxl.styles import Alignment, Font

    if isinstance(cell.value, str):
        place.value = _NOT_IN_XML.sub("", cell.value)[:_LONGEST_TEXT]
        place.data_type = "s"  # words that begin with "=" stay words
        place.quotePrefix = _would_run(cell.value)
    elif cell.value is not None:
        place.value = cell.value
    if cell.number_format:
        place.number_format = cell.number_format
    if has_link:
        place.hyperlink = cell.link
        place.font = Font(color="0B5D59", underline="single", bold=cell.is_bold)
    elif cell.is_bold:
        place.font = Font(bold=True)
        place.alignment = Alignment(wrap_text=cell.span == 1, vertical="top")


def _letter(column: int) -> str:
    from openpyxl.utils import get_column_letter

    return str(get_column_letter(column))


def _sheet_name(name: str) -> str:
    return _NOT_IN_NAMES.sub(" ", name).strip()[:31] or "Table"
