"""XLS (BIFF) by xlrd: stored values with their number formats. The format ends at 65,536 rows, so nothing streams."""

import io
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import xlrd  # type: ignore[import-untyped]  # carries no types

from apps.reading.contracts import CellKind, MediaType, ReadingError, ReadingFailure, ReadingWarning, WarningCode
from apps.reading.shapes import DraftCell, DraftRow
from apps.reading.sheet_pages import ROWS_PER_PAGE, Sheet, SheetReader, clean_text, filled
from apps.reading.typed import Typed, from_moment, from_number

READER = f"xlrd {xlrd.__VERSION__}"
_EMPTY = (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK)


class XlsReader(SheetReader):
    """One opened workbook of the old format."""

    def __init__(self, data: bytes, *, name_differs: bool = False) -> None:
        self._book = _opened(data)
        sheets = tuple(self._sheet(sheet) for sheet in self._book.sheets())
        warnings = [ReadingWarning(WarningCode.NAME_DIFFERS, None, "XLS")] if name_differs else []
        page = 1
        for sheet, found in zip(self._book.sheets(), sheets, strict=True):
            if found.row_count and any(info.hidden for info in sheet.rowinfo_map.values()):
                warnings.append(ReadingWarning(WarningCode.HIDDEN_CONTENT, page, "rows"))
            page += -(-found.row_count // ROWS_PER_PAGE)
        super().__init__(sheets, MediaType.XLS, READER, tuple(warnings))

    def _sheet(self, sheet: Any) -> Sheet:
        hidden = tuple(sorted(column for column, info in sheet.colinfo_map.items() if info.hidden))
        count = sum(1 for _row in self._rows(sheet))
        name = " ".join(str(sheet.name).split())[:40]
        return Sheet(name, count, lambda: self._rows(sheet), sheet.visibility != 0, hidden)

    def _rows(self, sheet: Any) -> Iterator[DraftRow]:
        spans = {(r0, c0): c1 - c0 for r0, _r1, c0, c1 in sheet.merged_cells}
        for index in range(sheet.nrows):
            cells = [
                self._cell(sheet, index, column, spans.get((index, column), 1))
                for column, cell in enumerate(sheet.row(index))
                if cell.ctype not in _EMPTY
            ]
            info = sheet.rowinfo_map.get(index)
            row = filled(index + 1, cells, is_hidden=bool(info and info.hidden))
            if row is not None:
                yield row

    def _cell(self, sheet: Any, row: int, column: int, span: int) -> DraftCell:
        cell = sheet.cell(row, column)
        code = self._format(cell)
        typed = self._typed(cell, code)
        return DraftCell(
            column,
            clean_text(typed.text),
            typed.kind,
            typed.value,
            typed.unit,
            "" if code == "General" else code,
            span=span,
        )

    def _format(self, cell: Any) -> str:
        try:
            return str(self._book.format_map[self._book.xf_list[cell.xf_index].format_key].format_str)
        except (IndexError, KeyError, TypeError):
            return "General"

    def _typed(self, cell: Any, code: str) -> Typed:
        if cell.ctype == xlrd.XL_CELL_BOOLEAN:
            return Typed("TRUE" if cell.value else "FALSE", CellKind.BOOLEAN)
        if cell.ctype == xlrd.XL_CELL_ERROR:
            return Typed(str(xlrd.error_text_from_code.get(cell.value, "#ERROR")), CellKind.ERROR)
        if cell.ctype == xlrd.XL_CELL_DATE:
            try:
                moment: datetime = xlrd.xldate_as_datetime(cell.value, self._book.datemode)
            except (ValueError, OverflowError):
                return from_number(cell.value, "General")
            return from_moment(moment.time() if cell.value < 1 else moment, code)
        if cell.ctype == xlrd.XL_CELL_NUMBER:
            return from_number(cell.value, code)
        return Typed(str(cell.value), CellKind.TEXT)


def _opened(data: bytes) -> Any:  # Any: xlrd carries no types
    try:
        return xlrd.open_workbook(file_contents=data, formatting_info=True, logfile=io.StringIO())
    except xlrd.XLRDError as exc:
        is_locked = "encrypted" in str(exc).lower() or "password" in str(exc).lower()
        raise ReadingError(ReadingFailure.ENCRYPTED_OFFICE if is_locked else ReadingFailure.DAMAGED, "XLS") from exc
    except Exception as exc:  # xlrd fails on damaged files with whatever its parser meets
        raise ReadingError(ReadingFailure.DAMAGED, type(exc).__name__) from exc
