"""A table of a page as lines of cells that each know their place, their value and its unit. Pure: no Django.

Two readings of a table exist: rows of values under column names (what answers use) and the grid of everything printed.
The first is shown wherever it holds all figures of the second; otherwise the grid is, so that no figure vanishes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from apps.finance.numbers import decide_decimal_mark
from apps.finance.units import Scale
from apps.reading.contracts import Box, CellKind, Grid, GridCell, GridRow, PageContent, Row, Table, Word
from apps.reading.quantities import Quantity, mark_of_page, note_of, quantity_of
from apps.reading.writing import reference

_LEAST_HELD = 0.98  # share of the grid's figures that rows of values must hold to be shown instead


@dataclass(frozen=True, slots=True)
class TableCell:
    """`text` as printed; its place is page text[start:end], (0, 0) for a name that was put together.

    value: as printed (the table's scale is not applied, a percentage is 12.5); None when it is no number.
    """

    column: int  # from 0
    text: str
    start: int = 0
    end: int = 0
    span: int = 1
    is_number: bool = False
    value: Decimal | None = None
    day: date | None = None  # a date of a spreadsheet
    unit: str = ""  # ISO 4217, "percent", "times", "basis_points" or ""
    scale: Scale = Scale.ONE
    format: str = ""  # number format of a spreadsheet
    formula: str = ""
    ref: str = ""  # "B7" in a sheet
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of a table. A part line ("Current assets:") has one cell that heads those below it."""

    page: int
    cells: tuple[TableCell, ...]
    is_head: bool = False
    is_part: bool = False
    is_hidden: bool = False

    @property
    def place(self) -> tuple[int, int]:
        """(start, end) of the whole line in its page's text."""
        placed = [cell for cell in self.cells if cell.end]
        return (min(c.start for c in placed), max(c.end for c in placed)) if placed else (0, 0)


def lines_of(page: PageContent, table: Table) -> tuple[TableLine, ...]:
    """The table's lines in order, heads first. `page.words` give boxes when the page has any."""
    block = next((block for block in page.blocks if block.ordinal == table.block), None)
    start, end = (block.start, block.end) if block is not None else (0, len(page.text))
    grid_rows = _rows_between(page.grids, start, end)
    quantities = _quantities(page, table)
    is_of_values = page.width > 0 or not grid_rows  # a page with geometry was read by its columns of figures
    if is_of_values and table.rows and _holds_all(table, grid_rows):
        lines = _lines_of_values(page, table, grid_rows, quantities)
    else:
        lines = _lines_of_grid(page, table, grid_rows, quantities)
    return _with_boxes(lines, page.words) if page.words else lines


def width_of(lines: Iterable[TableLine]) -> int:
    """Columns of the widest line."""
    return max((cell.column + cell.span for line in lines for cell in line.cells), default=0)


def _rows_between(grids: Sequence[Grid], start: int, end: int) -> list[GridRow]:
    """Rows of the page's grids that stand in the block."""
    return [row for grid in grids for row in grid.rows if any(start <= cell.start < end for cell in row.cells)]


def _quantities(page: PageContent, table: Table) -> dict[int, Quantity]:
    """By the offset at which a cell begins."""
    note = note_of(page, table)
    mark = decide_decimal_mark(cell.text for row in table.rows for cell in row.cells) or mark_of_page(page)
    return {
        cell.start: quantity_of(page, table, row, cell, note=note, mark=mark)
        for row in table.rows
        for cell in row.cells
    }


def _holds_all(table: Table, grid_rows: Sequence[GridRow]) -> bool:
    spans = sorted((cell.start, cell.end) for row in table.rows for cell in row.cells)
    labels = sorted((row.start, row.end) for row in table.rows)
    figures = [cell for row in grid_rows if not row.is_head for cell in row.cells if cell.kind is CellKind.NUMBER]
    held = sum(1 for cell in figures if _touches(spans, cell) or _touches(labels, cell))
    return held >= _LEAST_HELD * len(figures)


def _touches(spans: Sequence[tuple[int, int]], cell: GridCell) -> bool:
    return any(start < cell.end and end > cell.start for start, end in spans)


def _lines_of_values(
    page: PageContent, table: Table, grid_rows: Sequence[GridRow], quantities: dict[int, Quantity]
) -> tuple[TableLine, ...]:
    """Column names, then each row as label and values; lines of words between them keep their place."""
    lines: list[TableLine] = []
    if any(table.columns):
        names = [TableCell(index + 1, name) for index, name in enumerate(table.columns) if name]
        lines.append(TableLine(page.number, (TableCell(0, ""), *names), is_head=True))
    placed = [(row.start, _value_line(page, row, quantities)) for row in table.rows]
    placed += [(line.place[0], line) for line in _word_lines(page, table, grid_rows)]
    lines += [line for _start, line in sorted(placed, key=lambda pair: pair[0])]
    return tuple(lines)


def _value_line(page: PageContent, row: Row, quantities: dict[int, Quantity]) -> TableLine:
    first = min((cell.start for cell in row.cells), default=row.end)
    label = TableCell(0, row.label, row.start, max(row.start, _stripped(page.text, row.start, first)))
    values = [
        _value(TableCell(c.column + 1, c.text, c.start, c.end, is_number=True, ref=c.ref), quantities)
        for c in row.cells
    ]
    return TableLine(page.number, (label, *sorted(values, key=lambda cell: cell.column)))


def _word_lines(page: PageContent, table: Table, grid_rows: Sequence[GridRow]) -> Iterable[TableLine]:
    """Lines below the heads that hold no value: what heads the rows below it, or goes on from above."""
    rows = [(row.start, row.end) for row in table.rows]
    for row in grid_rows:
        if row.is_head or any(_touches(rows, cell) for cell in row.cells):
            continue
        start, end = row.cells[0].start, max(cell.end for cell in row.cells)
        words = " ".join(_text(page, cell) for cell in row.cells)
        yield TableLine(page.number, (TableCell(0, words, start, end),), is_part=True)


def _lines_of_grid(
    page: PageContent, table: Table, grid_rows: Sequence[GridRow], quantities: dict[int, Quantity]
) -> tuple[TableLine, ...]:
    """Everything printed, cell for cell; rows of values alone when the page has no grid of the table."""
    if not grid_rows:
        return _lines_of_values(page, table, (), quantities)
    left = min(cell.column for row in grid_rows for cell in row.cells)
    is_sheet = any(grid.block < 0 for grid in page.grids)
    lines = []
    for row in grid_rows:
        cells = [_grid_cell(page, row, cell, left, quantities, is_sheet=is_sheet) for cell in row.cells]
        is_part = len(cells) == 1 and cells[0].column == 0 and not cells[0].is_number and not row.is_head
        lines.append(TableLine(page.number, tuple(cells), row.is_head, is_part, row.is_hidden))
    return tuple(lines)


def _grid_cell(
    page: PageContent, row: GridRow, cell: GridCell, left: int, quantities: dict[int, Quantity], *, is_sheet: bool
) -> TableCell:
    made = TableCell(
        column=cell.column - left,
        text=_text(page, cell),
        start=cell.start,
        end=cell.end,
        span=cell.span,
        is_number=cell.kind in (CellKind.NUMBER, CellKind.DATE) and not row.is_head,
        format=cell.format,
        formula=cell.formula,
        ref=reference(cell.column, row.number) if is_sheet else "",
    )
    made = made if row.is_head else _value(made, quantities)
    if row.is_head or not cell.value:
        return made
    if cell.kind is CellKind.DATE:
        return replace(made, day=_day(cell.value))
    if cell.kind is CellKind.NUMBER and cell.start not in quantities:  # a figure that labels its row: a year
        return replace(made, value=Decimal(cell.value))
    return made


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10]) if len(text) == 10 else None  # times of day stay as printed
    except ValueError:
        return None


def _value(cell: TableCell, quantities: dict[int, Quantity]) -> TableCell:
    found = quantities.get(cell.start)
    if found is None or found.value is None:
        return cell
    return replace(cell, value=found.value, unit=found.unit, scale=found.scale, is_number=True)


def _text(page: PageContent, cell: GridCell) -> str:
    return " ".join((cell.text or page.text[cell.start : cell.end]).split())


def _stripped(text: str, start: int, end: int) -> int:
    """The end of the words of text[start:end] without leaders and currency signs that belong to the values."""
    return start + len(text[start:end].rstrip(" .\u2026\u00b7_$€£₺(-–—\n"))


def _with_boxes(lines: Iterable[TableLine], words: Sequence[Word]) -> tuple[TableLine, ...]:
    placed = sorted(words, key=lambda word: word.start)
    return tuple(
        replace(line, cells=tuple(replace(c, boxes=_boxes(placed, c.start, c.end)) for c in line.cells))
        for line in lines
    )


def _boxes(words: Sequence[Word], start: int, end: int) -> tuple[Box, ...]:
    """One box for each printed line of text[start:end]."""
    if end <= start:
        return ()
    low, high = 0, len(words)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if words[middle].end <= start else (low, middle)
    found: list[Box] = []
    for word in words[low:]:
        if word.start >= end:
            break
        found.append(word.box)
    return merged(found)


def merged(boxes: Sequence[Box]) -> tuple[Box, ...]:
    """Boxes of words as one box per line, in reading order."""
    lines: list[Box] = []
    for box in boxes:
        if lines:
            x0, y0, x1, y1 = lines[-1]
            overlap = min(y1, box[3]) - max(y0, box[1])
            if overlap > 0.5 * min(y1 - y0, box[3] - box[1]) and box[0] > x0 - 1:
                lines[-1] = (x0, min(y0, box[1]), max(x1, box[2]), max(y1, box[3]))
                continue
        lines.append(box)
    return tuple(lines)
