"""ODS: typed cells streamed row by row, with the currency, percent sign and date that the file states itself."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from apps.reading.containers import Container, refuse_doctype
from apps.reading.contracts import CellKind, MediaType, ReadingError, ReadingFailure, ReadingWarning, WarningCode
from apps.reading.docx_styles import attribute, local
from apps.reading.shapes import DraftCell, DraftRow
from apps.reading.sheet_pages import MAX_COLUMNS, ROWS_PER_PAGE, Sheet, SheetReader, clean_text, filled
from apps.reading.typed import Typed, from_number, from_text

READER = "airis-ods 1"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_CONTENT = "content.xml"
_MOST_REPEATED = 10_000  # equal filled rows that a file may say in one
_REFERENCE = re.compile(r"\[(?:\$?[^\]]*?)?\.?(\$?[A-Z]{1,3}\$?\d+)(?::\.?(\$?[A-Z]{1,3}\$?\d+))?\]")


@dataclass(slots=True)
class _Outline:
    """What one pass over the file tells of a sheet."""

    name: str
    is_hidden: bool
    row_count: int = 0
    hidden_rows: bool = False
    uncalculated: bool = False
    hidden_columns: list[int] = field(default_factory=list)
    columns: int = 0  # of the column definitions so far


class OdsReader(SheetReader):
    """One opened spreadsheet."""

    def __init__(self, data: bytes, *, name_differs: bool = False) -> None:
        self._container = Container(data)
        self._container.refuse_bombs()
        outlines = self._outlined()
        warnings = [ReadingWarning(WarningCode.NAME_DIFFERS, None, "ODS")] if name_differs else []
        page = 1
        for found in outlines:
            if found.row_count and found.hidden_rows:
                warnings.append(ReadingWarning(WarningCode.HIDDEN_CONTENT, page, "rows"))
            if found.row_count and found.uncalculated:
                warnings.append(ReadingWarning(WarningCode.FORMULA_NOT_CALCULATED, page))
            page += -(-found.row_count // ROWS_PER_PAGE)
        sheets = tuple(self._sheet(index, found) for index, found in enumerate(outlines))
        super().__init__(sheets, MediaType.ODS, READER, tuple(warnings))

    def _sheet(self, index: int, found: _Outline) -> Sheet:
        return Sheet(
            found.name, found.row_count, lambda: self._rows(index), found.is_hidden, tuple(found.hidden_columns)
        )

    def _rows(self, wanted: int) -> Iterator[DraftRow]:
        for index, kind, element, number, _style in _parts(self._container):
            if kind == "row" and index == wanted:
                yield from _drafts(element, number)

    def _outlined(self) -> list[_Outline]:
        found: list[_Outline] = []
        hidden: set[str] = set()
        for _index, kind, element, number, style in _parts(self._container):
            if kind == "style":
                if any(attribute(p, "display") == "false" for p in element if local(p) == "table-properties"):
                    hidden.add(attribute(element, "name"))
            elif kind == "sheet":
                found.append(_Outline(" ".join(attribute(element, "name").split())[:40], style in hidden))
            elif kind == "column":
                _note_column(element, found[-1])
            else:
                for row in _drafts(element, number):
                    found[-1].row_count += 1
                    found[-1].hidden_rows |= row.is_hidden
                    found[-1].uncalculated |= any(c.kind is CellKind.ERROR and c.formula for c in row.cells)
        return found


def _parts(container: Container) -> Iterator[tuple[int, str, Any, int, str]]:
    """(sheet from 0, "style" | "sheet" | "column" | "row", element, row number from 1, style name), as they close."""
    index, number = -1, 1
    tags = [_TABLE + "table", _TABLE + "table-row", _TABLE + "table-column", _STYLE + "style"]
    with container.open(_CONTENT) as source:
        try:
            for event, element in etree.iterparse(
                source, events=("start", "end"), tag=tags, resolve_entities=False, no_network=True, load_dtd=False,
                huge_tree=False, remove_comments=True, remove_pis=True,
            ):  # fmt: skip
                kind = local(element)
                if event == "start":
                    if kind == "table":
                        refuse_doctype(element)
                        index, number = index + 1, 1
                        yield index, "sheet", element, number, attribute(element, "style-name")
                    continue
                if kind == "table-row":
                    yield index, "row", element, number, ""
                    number += _repeated(element, "number-rows-repeated")
                elif kind == "table-column" and index >= 0:
                    yield index, "column", element, number, ""
                elif kind == "style":
                    yield index, "style", element, number, ""
                if kind != "table":
                    element.clear()
        except (etree.XMLSyntaxError, ValueError, OSError, EOFError) as exc:
            raise ReadingError(ReadingFailure.DAMAGED, "sheet") from exc


def _drafts(element: Any, number: int) -> Iterator[DraftRow]:
    """The row, as often as the file says; nothing for a blank one."""
    is_hidden = attribute(element, "visibility") in ("collapse", "filter")
    count = min(_repeated(element, "number-rows-repeated"), _MOST_REPEATED)
    for step in range(count):
        row = filled(number + step, list(_cells(element)), is_hidden=is_hidden)
        if row is None:
            return
        yield row


def _cells(row: Any) -> Iterator[DraftCell]:
    column = 0
    for cell in row:
        tag = local(cell)
        if tag not in ("table-cell", "covered-table-cell"):
            continue
        count = _repeated(cell, "number-columns-repeated")
        typed, formula = _typed(cell)
        if typed.text and tag == "table-cell":
            span = _repeated(cell, "number-columns-spanned")
            for step in range(min(count, MAX_COLUMNS)):
                yield DraftCell(
                    column + step, clean_text(typed.text), typed.kind, typed.value, typed.unit, "", formula,
                    min(span, MAX_COLUMNS),
                )  # fmt: skip
        column += count


def _typed(cell: Any) -> tuple[Typed, str]:
    """(what the cell holds, its formula)."""
    kind = attribute(cell, "value-type")
    said = " ".join("".join(p.itertext()) for p in cell if local(p) == "p")
    formula = _formula(attribute(cell, "formula"))
    if kind in ("float", "percentage", "currency"):
        try:
            number = float(cell.get("{urn:oasis:names:tc:opendocument:xmlns:office:1.0}value") or "")
        except ValueError:
            return Typed(said, CellKind.TEXT), formula
        stored = int(number) if number.is_integer() and abs(number) < 1e15 else number
        if kind == "percentage":
            return from_number(stored, "0%"), formula
        typed = from_number(stored, "General")
        currency = attribute(cell, "currency")[:3] if kind == "currency" else ""
        text = f"{typed.text} {currency}" if currency else typed.text
        return Typed(text, CellKind.NUMBER, typed.value, currency), formula
    if kind == "date":
        moment = attribute(cell, "date-value")
        return Typed(moment.replace("T", " "), CellKind.DATE, moment), formula
    if kind == "boolean":
        return Typed(attribute(cell, "boolean-value").upper(), CellKind.BOOLEAN), formula
    if formula and not said:
        return Typed(f"{formula} (not calculated)", CellKind.ERROR), formula
    if said.startswith(("#", "Err:")) and formula:
        return Typed(said, CellKind.ERROR), formula
    return (from_text(said, None) if not kind else Typed(said, CellKind.TEXT)), formula


def _formula(said: str) -> str:
    """ "of:=SUM([.B2:.B7])" as "=SUM(B2:B7)"."""
    if not said:
        return ""
    bare = said.partition(":")[2] if re.match(r"^[a-z]+:=", said) else said
    return _REFERENCE.sub(lambda m: f"{m[1]}:{m[2]}" if m[2] else m[1], bare)[:1000]


def _note_column(element: Any, outline: _Outline) -> None:
    count = _repeated(element, "number-columns-repeated")
    if attribute(element, "visibility") in ("collapse", "filter"):
        outline.hidden_columns += range(outline.columns, min(outline.columns + count, MAX_COLUMNS))
    outline.columns += count


def _repeated(element: Any, name: str) -> int:
    said = attribute(element, name)
    return max(1, int(said)) if said.isdecimal() and len(said) < 9 else 1
