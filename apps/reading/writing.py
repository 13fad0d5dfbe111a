"""Writes a page's text once, in reading order, and notes where every block, cell and value stands in it."""

from collections.abc import Iterable
from dataclasses import replace

from apps.reading.contracts import (
    Block,
    BlockKind,
    Cell,
    CellKind,
    Grid,
    GridCell,
    GridRow,
    PageContent,
    Row,
    Table,
    TrackedChange,
)
from apps.reading.language import language_of
from apps.reading.shapes import DraftCell, DraftRow, Placed, Role, Shape, says_scale

BETWEEN = " | "  # between the cells of a row
_PAIR = " "  # between the two cells of a line that no head stands over: "Due 05.09.2024"


class PageWriter:
    """Collects one page. Blocks are parted by a blank line, rows of a table by a line break."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._blocks: list[Block] = []
        self._tables: list[Table] = []
        self._grids: list[Grid] = []
        self._changes: list[TrackedChange] = []
        self.length = 0

    @property
    def is_empty(self) -> bool:
        return not self._blocks

    def block(self, kind: BlockKind, text: str, level: int = 0) -> None:
        """One block of words."""
        start = self._begin()
        self._put(text)
        self._blocks.append(Block(len(self._blocks), kind, start, self.length, None, level))

    def change(self, change: TrackedChange) -> None:
        """A tracked change of the block written last."""
        self._changes.append(replace(change, block=max(0, len(self._blocks) - 1)))

    def table(self, rows: Iterable[Placed]) -> None:
        """A table of a document in running text: its block, its grid for the viewer, its rows for answers."""
        placed = list(rows)
        is_pairs = all(len(row.cells) <= 2 and role is not Role.HEAD for row, role, _shape in placed)
        writing = TableWriter(self, "", between=_PAIR if is_pairs else BETWEEN)
        for row, role, shape in placed:
            writing.row(row, role, shape)
        writing.finish(as_page=False)

    def page(self, number: int, *, label: str = "", first_line: int = 0) -> PageContent:
        """The page as it was written."""
        text = "".join(self._pieces)
        return PageContent(
            number=number,
            label=label,
            width=0.0,
            height=0.0,
            rotation=0,
            text=text,
            words=(),
            blocks=tuple(self._blocks),
            tables=tuple(self._tables),
            language=language_of(text),
            first_line=first_line,
            grids=tuple(self._grids),
            changes=tuple(self._changes),
        )

    def _begin(self) -> int:
        if self.length:
            self._put("\n\n")
        return self.length

    def _put(self, text: str) -> None:
        self._pieces.append(text)
        self.length += len(text)


class TableWriter:
    """Rows of a sheet's page or of one table, written as they come; knows where one table ends and the next begins."""

    def __init__(self, page: PageWriter, name: str, *, refs: bool = False, between: str = BETWEEN) -> None:
        self._page = page
        self._between = between
        self._aside: list[DraftRow] = []  # hidden cells, written after everything visible
        self._name = name
        self._refs = refs
        self._grid_rows: list[GridRow] = []
        self._open: Shape | None = None
        self._start = page.length
        self._rows: list[Row] = []
        self._section = ""
        self._first_block = len(page._blocks)

    def row(self, row: DraftRow, role: Role, shape: Shape | None) -> None:
        """One row is written; a row of another table closes the one before. Hidden cells wait for `finish`."""
        if role is Role.HIDDEN:
            self._aside.append(row)
            return
        if row.hidden:
            self._aside.append(DraftRow(row.number, row.hidden))
        if shape is not self._open or self._open is None:
            self.close()
            self._start = self._page._begin()
            self._open, self._section = shape, ""
        else:
            self._page._put("\n")
        start = self._page.length
        grid_cells = self._cells(row)
        end = self._page.length
        self._grid_rows.append(GridRow(row.number, tuple(grid_cells), role is Role.HEAD, row.is_hidden))
        if shape is None:
            return
        if role is Role.BODY:
            self._body(row, shape, grid_cells, start, end)

    def close(self) -> None:
        """The open table, or the open line of words, is a block."""
        if self._page.length == self._start and not self._rows:
            return
        page, shape = self._page, self._open
        ordinal = len(page._blocks)
        kind = BlockKind.TABLE if shape is not None else BlockKind.PARAGRAPH
        page._blocks.append(Block(ordinal, kind, self._start, page.length, None))
        if shape is not None and self._rows:
            rows = tuple(self._rows)
            page._tables.append(Table(ordinal, shape.names(), rows, shape.title[:400], shape.scale_note[:400]))
        self._rows, self._open = [], None
        self._start = page.length

    def finish(self, *, as_page: bool, is_hidden: bool = False, hidden_columns: tuple[int, ...] = ()) -> None:
        """The grid of everything written, whole page or one table of running text."""
        self.close()
        self._hidden()
        if self._grid_rows:
            block = -1 if as_page else self._first_block
            self._page._grids.append(Grid(block, self._name, tuple(self._grid_rows), is_hidden, hidden_columns))

    def _hidden(self) -> None:
        """Hidden cells as a block of their own: the viewer shows them in their place, no chunk and no row has them."""
        if not self._aside:
            return
        page = self._page
        start = page._begin()
        by_number = {row.number: index for index, row in enumerate(self._grid_rows)}
        for position, row in enumerate(self._aside):
            if position:
                page._put("\n")
            cells = self._cells(row)
            known = by_number.get(row.number)
            if known is None:
                self._grid_rows.append(GridRow(row.number, tuple(cells), is_hidden=row.is_hidden))
                continue
            line = self._grid_rows[known]
            joined = sorted((*line.cells, *cells), key=lambda cell: cell.column)
            self._grid_rows[known] = GridRow(line.number, tuple(joined), line.is_head, line.is_hidden)
        self._grid_rows.sort(key=lambda line: line.number)
        page._blocks.append(Block(len(page._blocks), BlockKind.HIDDEN, start, page.length, None))
        self._aside = []

    def _cells(self, row: DraftRow) -> list[GridCell]:
        written = []
        for position, cell in enumerate(row.cells):
            if position:
                self._page._put(self._between)
            start = self._page.length
            self._page._put(cell.text)
            written.append(
                GridCell(
                    cell.column, start, self._page.length, cell.kind, cell.value, cell.format, cell.formula, cell.span
                )
            )
        return written

    def _body(self, row: DraftRow, shape: Shape, written: list[GridCell], start: int, end: int) -> None:
        text_of = {cell.column: cell.text for cell in row.cells}
        if len(row.cells) <= 2 and says_scale(row.cells[-1].text):  # "(In millions)", alone or behind "Inventories:"
            shape.scale_note = shape.scale_note or row.cells[-1].text
            self._section = text_of.get(shape.label, "") if len(row.cells) == 2 else self._section
            return
        label = text_of.get(shape.label, "")
        cells = tuple(
            self._cell(draft, place, row.number, shape)
            for draft, place in zip(row.cells, written, strict=True)
            if draft.column != shape.label
        )
        if label and not cells:
            self._section = label
            return
        if cells:
            self._rows.append(Row(label, start, end, cells, self._section))

    def _cell(self, draft: DraftCell, place: GridCell, number: int, shape: Shape) -> Cell:
        is_name = draft.column in shape.identifiers  # "Voucher no": digits that name something, no amount
        return Cell(
            draft.text,
            place.start,
            place.end,
            shape.index_of(draft.column),
            None,
            CellKind.TEXT if is_name and draft.kind is CellKind.NUMBER else draft.kind,
            "" if is_name else draft.value,
            "" if is_name else draft.unit,
            reference(draft.column, number) if self._refs else "",
        )


def reference(column: int, row: int) -> str:
    """ "B7" for column 1 (from 0) of row 7."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row}"
