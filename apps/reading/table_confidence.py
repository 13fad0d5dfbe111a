"""How sure it is that every figure of a table stands in its row and column: two readings of it, compared."""

from apps.reading.table_grid import GridCellDraft
from apps.reading.table_parts import TableDraft
from apps.reading.values import is_number

_UNNAMED_COST = 20  # percent, when figures stand under no name


def confidence_of(draft: TableDraft, cells: list[GridCellDraft]) -> int:
    """Percent. The share of rows whose figures the white between cells parts just as the columns of figures do, times
    the share of figures that stand in a row at all; less when columns have no name.
    """
    cell_of = {token.start: number for number, cell in enumerate(cells) for token in cell.tokens}
    row_of = {token.start: cell.row for cell in cells for token in cell.tokens}
    agreeing = 0
    for row in draft.rows:
        starts = [value.tokens[-1].start for value, _column in row.values]
        parted = len({cell_of.get(start, -1) for start in starts}) == len(starts)
        agreeing += parted and len({row_of.get(start, -1) for start in starts}) == 1
    kept = {token.start for row in draft.rows for value, _column in row.values for token in value.tokens}
    kept |= {token.start for row in draft.rows for token in row.label}
    first = min(kept, default=0)
    figures = [t for cell in cells for t in cell.tokens if is_number(t.text) and not t.is_mark and t.start >= first]
    held = sum(1 for token in figures if token.start in kept)
    share = agreeing / max(len(draft.rows), 1) * (held / len(figures) if figures else 1.0)
    return max(0, round(100 * share) - (0 if all(draft.columns) else _UNNAMED_COST))
