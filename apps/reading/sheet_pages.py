"""Sheets as pages: each page is a window of filled rows of one sheet, streamed, so that size costs no memory."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

from apps.finance.numbers import DecimalMark
from apps.reading import normalise
from apps.reading.contracts import (
    BlockKind,
    FileFacts,
    MediaType,
    PageContent,
    ReadingError,
    ReadingFailure,
    ReadingWarning,
    WarningCode,
)
from apps.reading.shapes import DraftCell, DraftRow, Placed, PrintedRow, Role, shaped
from apps.reading.uniform import uniform_page
from apps.reading.writing import PageWriter, TableWriter

ROWS_PER_PAGE = 100
MAX_COLUMNS = 512
_MAX_CELL_CHARACTERS = 8_000
Content = tuple[PageContent, tuple[ReadingWarning, ...]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of a file. `rows` starts reading from the top each time it is called; only filled rows come."""

    name: str
    row_count: int  # filled rows
    rows: Callable[[], Iterator[DraftRow]]
    is_hidden: bool = False
    hidden_columns: tuple[int, ...] = ()
    mark: DecimalMark | None = None  # of printed fields, which are typed late; see uniform.py


class SheetReader:
    """The pages of a file's sheets. Reading on from the page before is cheap; going back starts the sheet anew."""

    def __init__(
        self, sheets: tuple[Sheet, ...], media_type: MediaType, reader: str, warnings: tuple[ReadingWarning, ...]
    ) -> None:
        self._sheets = tuple(sheet for sheet in sheets if sheet.row_count)
        if not self._sheets:
            raise ReadingError(ReadingFailure.NO_PAGES, "no filled cells")
        self._media_type = media_type
        self._reader = reader
        self._warnings = (*warnings, *self._hidden_warnings())
        self._open: tuple[int, int, Iterator[list[Placed]]] | None = None  # sheet, next window of it, its windows

    def facts(self) -> FileFacts:
        count = sum(_page_count(sheet) for sheet in self._sheets)
        return FileFacts(self._media_type, count, "", self._reader, self._warnings)

    def pages(self, first: int, last: int) -> list[Content]:
        """Pages first … last (from 1, inclusive)."""
        return [(self._page(number), ()) for number in range(first, last + 1)]

    def _page(self, number: int) -> PageContent:
        index, within = self._place(number)
        if self._open is None or self._open[0] != index or self._open[1] > within:
            self._open = (index, 0, _windows(self._sheets[index]))
        _sheet, position, windows = self._open
        for _skipped in range(within - position):
            next(windows)
        self._open = (index, within + 1, windows)
        return _written(self._sheets[index], next(windows), number, is_first=within == 0)

    def _place(self, number: int) -> tuple[int, int]:
        """(sheet, page within it from 0)."""
        rest = number - 1
        for index, sheet in enumerate(self._sheets):
            if rest < _page_count(sheet):
                return index, rest
            rest -= _page_count(sheet)
        raise ReadingError(ReadingFailure.DAMAGED, f"page {number}")

    def _hidden_warnings(self) -> Iterator[ReadingWarning]:
        page = 1
        for sheet in self._sheets:
            if sheet.is_hidden:
                yield ReadingWarning(WarningCode.HIDDEN_CONTENT, page, "sheet")
            elif sheet.hidden_columns:
                yield ReadingWarning(WarningCode.HIDDEN_CONTENT, page, "columns")
            page += _page_count(sheet)


def _windows(sheet: Sheet) -> Iterator[list[Placed]]:
    """The rows of each page with their roles; the last pages may be shorter than counted, never missing."""
    rows = _placed(sheet)
    for _page in range(_page_count(sheet)):
        yield list(islice(rows, ROWS_PER_PAGE))


def _placed(sheet: Sheet) -> Iterator[Placed]:
    """All rows in order. Tables are made of what is visible; hidden rows keep their place but not their words there."""
    aside: deque[DraftRow] = deque()
    for row, role, shape in shaped(_visible(sheet, aside)):
        while aside and aside[0].number < row.number:
            yield aside.popleft(), Role.HIDDEN, None
        yield row, role, shape
    for row in aside:
        yield row, Role.HIDDEN, None


def _visible(sheet: Sheet, aside: deque[DraftRow]) -> Iterator[DraftRow]:
    """Rows with their visible cells; rows without any are put aside."""
    hidden = frozenset(sheet.hidden_columns)
    skipped = 0
    for row in sheet.rows():
        if hidden:
            row.hidden = [cell for cell in row.cells if cell.column in hidden]
            row.cells = [cell for cell in row.cells if cell.column not in hidden]
        if sheet.is_hidden or row.is_hidden or not (isinstance(row, PrintedRow) or row.cells):
            row.cells, row.hidden = sorted([*row.cells, *row.hidden], key=lambda cell: cell.column), []
            aside.append(row)
            skipped += 1
            continue
        row.skipped, skipped = skipped, 0
        yield row


def _written(sheet: Sheet, rows: list[Placed], number: int, *, is_first: bool) -> PageContent:
    uniform = uniform_page(rows, number, name=sheet.name, mark=sheet.mark)
    if uniform is not None:
        return uniform
    page = PageWriter()
    if is_first and sheet.name:
        page.block(BlockKind.HIDDEN if sheet.is_hidden else BlockKind.HEADING, sheet.name, 1)
    table = TableWriter(page, sheet.name, refs=True)
    for row in rows:
        table.row(*row)
    table.finish(as_page=True, is_hidden=sheet.is_hidden, hidden_columns=sheet.hidden_columns)
    return page.page(number, label=sheet.name, first_line=rows[0][0].number if rows else 0)


def clean_text(text: str) -> str:
    """A cell's words on one line: what a reader of the page's text sees."""
    if normalise.is_clean(text) and "  " not in text:
        return text.strip()[:_MAX_CELL_CHARACTERS]
    return " ".join(normalise.clean_line(text.replace("\n", " ")).split())[:_MAX_CELL_CHARACTERS]


def clean_texts(fields: list[str]) -> list[str]:
    """`clean_text` of each field of a row, in one look where the row is plain."""
    joined = "|".join(fields)
    if len(joined) < _MAX_CELL_CHARACTERS and normalise.is_clean(joined) and "  " not in joined:
        return [field.strip() for field in fields]
    return [clean_text(field) for field in fields]


def printed(number: int, fields: list[str], type_: Callable[[int, str], DraftCell]) -> PrintedRow | None:
    """The row of printed fields when it holds anything."""
    texts = clean_texts(fields)
    if all(texts) and 0 < len(texts) <= MAX_COLUMNS:
        return PrintedRow(number, _first_columns(len(texts)), texts, type_)
    columns = tuple(column for column, text in enumerate(texts) if text)[:MAX_COLUMNS]
    return PrintedRow(number, columns, [texts[column] for column in columns], type_) if columns else None


@cache
def _first_columns(count: int) -> tuple[int, ...]:
    return tuple(range(count))


def filled(number: int, cells: list[DraftCell], *, is_hidden: bool = False) -> DraftRow | None:
    """The row when it holds anything."""
    kept = [cell for cell in cells if cell.text][:MAX_COLUMNS]
    return DraftRow(number, kept, is_hidden) if kept else None


def _page_count(sheet: Sheet) -> int:
    return -(-sheet.row_count // ROWS_PER_PAGE)
