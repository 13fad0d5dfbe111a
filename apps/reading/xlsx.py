"""XLSX: typed cells streamed row by row, formulas beside their stored values, hidden parts kept and marked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from apps.reading.containers import Container
from apps.reading.contracts import CellKind, MediaType, ReadingWarning, WarningCode
from apps.reading.shapes import DraftCell, DraftRow
from apps.reading.sheet_pages import MAX_COLUMNS, ROWS_PER_PAGE, Sheet, SheetReader, clean_text, filled
from apps.reading.typed import Typed
from apps.reading.xlsx_parts import (
    SheetPart,
    children,
    formats_of,
    local,
    shared_strings,
    sheet_parts,
    stream,
    string_of,
)

READER = "airis-xlsx 1"
_REFERENCE = re.compile(r"^([A-Z]{1,3})(\d+)$")
_MAX_MERGED = 20_000  # merged ranges that are looked at


@dataclass(slots=True)
class _Outline:
    """What one pass over a sheet tells before its rows are read."""

    row_count: int = 0
    hidden_rows: int = 0
    uncalculated: bool = False
    widest: int = 0
    hidden_columns: tuple[int, ...] = ()
    spans: dict[tuple[int, int], int] | None = None  # (row, column) → columns covered


class XlsxReader(SheetReader):
    """One opened workbook."""

    def __init__(self, data: bytes, *, name_differs: bool = False) -> None:
        container = Container(data)
        container.refuse_bombs()
        self._container = container
        parts, uses_1904 = sheet_parts(container)
        self._strings = shared_strings(container)
        self._formats = formats_of(container, uses_1904=uses_1904)
        sheets: list[Sheet] = []
        warnings = list(_package_warnings(container, name_differs=name_differs))
        page = 1
        for part in parts:
            outline = _outlined(container, part)
            sheets.append(self._sheet(part, outline))
            if outline.row_count:
                warnings += _sheet_warnings(outline, page)
                page += -(-outline.row_count // ROWS_PER_PAGE)
        super().__init__(tuple(sheets), MediaType.XLSX, READER, tuple(warnings))

    def _sheet(self, part: SheetPart, outline: _Outline) -> Sheet:
        return Sheet(
            part.name,
            outline.row_count,
            lambda: self._rows(part, outline),
            part.is_hidden,
            outline.hidden_columns,
        )

    def _rows(self, part: SheetPart, outline: _Outline) -> Iterator[DraftRow]:
        number = 0
        for element in stream(self._container, part.path, ("row",)):
            number = _row_number(element, number)
            cells = [self._cell(c, column, outline, number) for c, column in _cells(element)]
            row = filled(number, cells, is_hidden=element.get("hidden") in ("1", "true"))
            if row is not None:
                yield row

    def _cell(self, element: Any, column: int, outline: _Outline, row: int) -> DraftCell:
        style = int(element.get("s") or 0)
        formula, stored = _formula(element), _stored(element)
        typed = self._typed(element, stored, style)
        code = self._formats.code(style)
        span = (outline.spans or {}).get((row, column), 1)
        if formula and not typed.text:
            typed = Typed(f"{formula} (not calculated)", CellKind.ERROR)
        return DraftCell(
            column,
            clean_text(typed.text),
            typed.kind,
            typed.value,
            typed.unit,
            "" if code == "General" else code,
            formula,
            span,
        )

    def _typed(self, element: Any, stored: str, style: int) -> Typed:
        kind = element.get("t", "n")
        if kind == "s":
            index = int(stored) if stored.isdigit() else -1
            return Typed(self._strings[index] if 0 <= index < len(self._strings) else "", CellKind.TEXT)
        if kind == "inlineStr":
            return Typed("".join(string_of(child) for child in children(element, "is")), CellKind.TEXT)
        if kind == "b":
            return Typed("TRUE" if stored == "1" else "FALSE", CellKind.BOOLEAN) if stored else Typed("", CellKind.TEXT)
        if kind == "e":
            return Typed(stored, CellKind.ERROR)
        if kind == "d":
            return Typed(stored.replace("T", " "), CellKind.DATE, stored)
        if kind == "str" or not stored:
            return Typed(stored, CellKind.TEXT)
        try:
            number: float | int = int(stored) if re.fullmatch(r"-?\d{1,15}", stored) else float(stored)
        except ValueError:
            return Typed(stored, CellKind.TEXT)
        return self._formats.typed(number, style)


def _outlined(container: Container, part: SheetPart) -> _Outline:
    outline, hidden, spans = _Outline(), set[int](), dict[tuple[int, int], int]()
    for element in stream(container, part.path, ("row", "col", "mergeCell")):
        tag = local(element)
        if tag == "col" and element.get("hidden") in ("1", "true"):
            first, last = int(element.get("min") or 1), int(element.get("max") or 1)
            hidden.update(range(first - 1, min(last, MAX_COLUMNS)))
        elif tag == "mergeCell" and len(spans) < _MAX_MERGED:
            _note_span(str(element.get("ref") or ""), spans)
        elif tag == "row":
            found = [cell for cell in element if len(cell)]  # a cell that only carries a style has no children
            if found:
                outline.row_count += 1
                outline.hidden_rows += element.get("hidden") in ("1", "true")
                outline.widest = max(outline.widest, len(found))
                outline.uncalculated = outline.uncalculated or any(map(_lacks_result, found))
    outline.hidden_columns, outline.spans = tuple(sorted(hidden)), spans
    return outline


def _cells(row: Any) -> Iterator[tuple[Any, int]]:
    """(cell, column from 0); the column counts on where a writer left the reference out."""
    column = -1
    for element in row.iterchildren(row.tag[:-3] + "c"):  # the namespace of <row>: transitional or strict
        letters = (element.get("r") or "").rstrip("0123456789")
        column = _column(letters) if letters.isalpha() and letters.isascii() else column + 1
        yield element, column


def _row_number(row: Any, before: int) -> int:
    text = row.get("r") or ""
    return int(text) if text.isdigit() else before + 1


@lru_cache(maxsize=20_000)
def _column(letters: str) -> int:
    number = 0
    for letter in letters.upper()[:3]:
        number = number * 26 + ord(letter) - 64
    return number - 1


def _stored(cell: Any) -> str:
    return next((child.text or "" for child in cell if child.tag[-2:] == "}v"), "")


def _formula(cell: Any) -> str:
    """ "=B2+C2"; members of a shared formula say only that they belong to one. It stands first in its cell."""
    if not len(cell) or cell[0].tag[-2:] != "}f":
        return ""
    text = cell[0].text
    return f"={text}"[:1000] if text else "=…"


def _lacks_result(cell: Any) -> bool:
    return bool(cell[0].tag[-2:] == "}f") and not _stored(cell)


def _note_span(reference: str, spans: dict[tuple[int, int], int]) -> None:
    first, _, last = reference.partition(":")
    start, end = _REFERENCE.match(first), _REFERENCE.match(last)
    if start and end and end[1] != start[1]:
        column = _column(start[1])
        spans[int(start[2]), column] = min(_column(end[1]) - column + 1, MAX_COLUMNS)


def _sheet_warnings(outline: _Outline, page: int) -> Iterator[ReadingWarning]:
    if outline.hidden_rows:
        yield ReadingWarning(WarningCode.HIDDEN_CONTENT, page, "rows")
    if outline.uncalculated:
        yield ReadingWarning(WarningCode.FORMULA_NOT_CALCULATED, page)
    if outline.widest > MAX_COLUMNS:
        yield ReadingWarning(WarningCode.CONTENT_CUT, page, "columns")


def _package_warnings(container: Container, *, name_differs: bool) -> Iterator[ReadingWarning]:
    if name_differs:
        yield ReadingWarning(WarningCode.NAME_DIFFERS, None, "XLSX")
    if any(name.endswith("vbaProject.bin") for name in container.names):
        yield ReadingWarning(WarningCode.HAS_MACROS, None)
    if any(name.startswith("xl/externalLinks/") for name in container.names):
        yield ReadingWarning(WarningCode.EXTERNAL_CONTENT, None)
