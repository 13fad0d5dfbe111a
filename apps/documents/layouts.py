"""What the viewer shows of formats without page images: a sheet's grid, running text in blocks. Offsets become marks.

Only words, numbers and marks leave here; templates escape them, so nothing of a file's own markup can reach a browser.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.formats import number_format

from apps.reading.contracts import Block, BlockKind, CellKind, Grid, GridCell, GridRow, TrackedChange
from apps.reading.writing import reference

LEAST_COLUMNS = 6
MOST_COLUMNS = 512
_RIGHT = (CellKind.NUMBER, CellKind.DATE)  # stand at the right edge of their column


@dataclass(frozen=True, slots=True)
class Marked:
    """Words with their lit part cut out, "" when nothing of them is lit."""

    before: str
    lit: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place of a row; without words when the sheet's cell is blank."""

    words: Marked
    span: int = 1
    is_number: bool = False
    is_hidden: bool = False
    formula: str = ""
    place: str = ""  # "12-19": its stretch of the page's text


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    slots: tuple[Slot, ...]
    is_head: bool
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class SheetGrid:
    """A window of a sheet's rows under its column letters."""

    name: str
    letters: tuple[str, ...]
    lines: tuple[Line, ...]
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A block of running text, or a table when it has lines."""

    kind: str
    level: int
    number: int  # of the paragraph, counted through the document
    words: Marked
    lines: tuple[Line, ...] = ()
    deleted: tuple[str, ...] = ()  # taken out by somebody, not accepted yet: "author: words"
    inserted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Light:
    """page.text[start:end] is lit; (0, 0) lights nothing."""

    start: int = 0
    end: int = 0

    def cut(self, text: str, start: int, end: int) -> Marked:
        """text[start:end] with its lit part."""
        a, b = max(self.start, start), min(self.end, end)
        if a >= b:
            return Marked(text[start:end])
        return Marked(text[start:a], text[a:b], text[b:end])

    def placed(self, text: str, stretches: Iterable[tuple[int, int]]) -> "Light":
        """This light when at least half of its visible characters lie in the stretches shown, else none."""
        wanted = _visible(text, self.start, self.end)
        shown = sum(_visible(text, max(self.start, a), min(self.end, b)) for a, b in stretches)
        return self if wanted and 2 * shown >= wanted else Light()


def sheet_grid(text: str, grids: Sequence[Grid], light: Light, *, columns: int = 0) -> SheetGrid:
    """The page's grid, `columns` wide at least, so that windows loaded later line up with the first."""
    grid = grids[0] if grids else Grid(-1, "", ())
    light = light.placed(text, ((cell.start, cell.end) for row in grid.rows for cell in row.cells))
    widest = max((cell.column + cell.span for row in grid.rows for cell in row.cells), default=0)
    width = min(max(widest, columns, LEAST_COLUMNS), MOST_COLUMNS)
    hidden, numbers = frozenset(grid.hidden_columns), _number_columns(grid)
    lines = tuple(_line(text, row, light, width, hidden, numbers) for row in grid.rows)
    letters = tuple(reference(column, 1)[:-1] for column in range(width))
    return SheetGrid(grid.name, letters, lines, grid.is_hidden)


def flow_parts(
    text: str,
    blocks: Sequence[Block],
    grids: Sequence[Grid],
    light: Light,
    first_number: int,
    changes: Sequence[TrackedChange] = (),
) -> tuple[Part, ...]:
    """Blocks in reading order; those that a table's grid covers are shown as that table, changes behind their block."""
    light = light.placed(text, ((block.start, block.end) for block in blocks))
    tables = {grid.block: grid for grid in grids}
    parts: list[Part] = []
    covered = -1
    for block in blocks:
        number = max(first_number, 1) + block.ordinal
        grid = tables.get(block.ordinal)
        if grid is not None:
            covered = max(cell.end for row in grid.rows for cell in row.cells)
            said = _said(changes, block.ordinal)
            parts.append(Part(BlockKind.TABLE.value, 0, number, Marked(""), _table(text, grid, light), *said))
        elif block.start >= covered:
            words = light.cut(text, block.start, block.end)
            said = _said(changes, block.ordinal)
            parts.append(Part(block.kind.value, min(block.level, 6), number, words, (), *said))
    return tuple(parts)


def _said(changes: Sequence[TrackedChange], block: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(deletions, insertions) of a block, each with its author."""
    here = [change for change in changes if change.block == block]
    worded = [(c.is_deletion, f"{c.author}: {c.text}" if c.author else c.text) for c in here]
    return tuple(text for is_deletion, text in worded if is_deletion), tuple(
        text for is_deletion, text in worded if not is_deletion
    )


def _table(text: str, grid: Grid, light: Light) -> tuple[Line, ...]:
    width = max(cell.column + cell.span for row in grid.rows for cell in row.cells)
    numbers = _number_columns(grid)
    return tuple(_line(text, row, light, min(width, MOST_COLUMNS), frozenset(), numbers) for row in grid.rows)


def _number_columns(grid: Grid) -> frozenset[int]:
    """Columns that hold numbers below their heads: heads stand over them, at the same side."""
    return frozenset(c.column for row in grid.rows if not row.is_head for c in row.cells if c.kind in _RIGHT)


def _line(text: str, row: GridRow, light: Light, width: int, hidden: frozenset[int], numbers: frozenset[int]) -> Line:
    slots: list[Slot] = []
    column = 0
    for cell in row.cells:
        if cell.column >= width:
            break
        slots += [Slot(Marked(""), is_hidden=c in hidden) for c in range(column, cell.column)]
        span = min(cell.span, width - cell.column, _room(row, cell))
        words = light.cut(text, cell.start, cell.end)
        slots.append(
            Slot(
                _grouped(words, cell),
                span,
                cell.kind in _RIGHT or (row.is_head and cell.span == 1 and cell.column in numbers),
                cell.column in hidden,
                cell.formula,
                f"{cell.start}-{cell.end}",
            )
        )
        column = cell.column + span
    slots += [Slot(Marked(""), is_hidden=c in hidden) for c in range(column, width)]
    return Line(row.number, tuple(slots), row.is_head, row.is_hidden)


def _grouped(words: Marked, cell: GridCell) -> Marked:
    """A number whose format groups thousands, grouped as the person's language does; partly lit ones as they are."""
    if cell.kind is not CellKind.NUMBER or "#,##0" not in cell.format or not cell.value:
        return words
    printed = words.lit or words.before
    decimals = len(printed.partition(".")[2]) if printed.replace(".", "").replace("-", "").isdecimal() else -1
    if decimals < 0 or (words.lit and (words.before or words.after)):
        return words
    shown = number_format(Decimal(cell.value), decimals, use_l10n=True, force_grouping=True)
    return Marked("", shown) if words.lit else Marked(shown)


def _room(row: GridRow, cell: GridCell) -> int:
    """Columns up to the next filled cell."""
    following = [other.column for other in row.cells if other.column > cell.column]
    return max(1, min(following) - cell.column) if following else MOST_COLUMNS


def _visible(text: str, start: int, end: int) -> int:
    return sum(1 for character in text[start:end] if character.isalnum()) if end > start else 0
