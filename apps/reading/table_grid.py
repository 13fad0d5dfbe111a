"""Cells of a table region by the white between them: rows, columns and spans, for words as for figures. Pure functions.

`tables.py` finds statements by their columns of figures; this module says how any stretch of a page that is known to be
a table falls into cells. Rules of the page, where it has some, part cells that stand close.
"""

from dataclasses import dataclass, field
from itertools import pairwise

from apps.reading.geometry import Line, Segment, Token, lines_of, segments_of
from apps.reading.values import is_dash, is_number, values_of

_GAP_EM = 0.6  # a wider blank parts two cells
_CLOSE_EM = 0.15  # a blank at a column's edge that may part them too
_MOST_CROSSING = 0.3  # share of lines that may run over a column's edge: heads that span
_RULE_PT = 3.0

Rule = tuple[float, float, float]
"""A straight line: its own coordinate, then where it begins and ends along the other axis."""


@dataclass(slots=True)
class GridCellDraft:
    """A cell with the rows and columns that it covers, both ends included."""

    row: int
    row_end: int
    column: int
    column_end: int
    tokens: list[Token] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join(token.text for token in self.tokens)


@dataclass(frozen=True, slots=True)
class Rules:
    across: tuple[Rule, ...] = ()  # y, x0, x1
    down: tuple[Rule, ...] = ()  # x, y0, y1


def grid_of(tokens: list[Token], rules: Rules = Rules()) -> list[GridCellDraft]:
    """The cells of a region, row by row."""
    lines = lines_of(tokens)
    if not lines:
        return []
    parted = [_segments(line, rules) for line in lines]
    edges = _edges(parted, lines)
    placed = [_placed(segments, edges) for segments in parted]
    rows = _rows(lines, placed, rules)
    cells: list[GridCellDraft] = []
    for number, members in enumerate(rows):
        open_cells: list[GridCellDraft] = []
        for index in members:
            for first, last, words in placed[index]:
                same = [c for c in open_cells if c.column <= last and first <= c.column_end]
                if same:
                    same[0].tokens += words
                    same[0].column = min(same[0].column, first)
                    same[0].column_end = max(same[0].column_end, last)
                else:
                    open_cells.append(GridCellDraft(number, number, first, last, list(words)))
        for cell in open_cells:  # lines of neighbouring cells may stand at other heights: each cell has its own
            cell.tokens = [token for line in lines_of(cell.tokens) for token in line.tokens]
        cells += sorted(open_cells, key=lambda cell: cell.column)
    return cells


def _segments(line: Line, rules: Rules) -> list[Segment]:
    """Stretches of a line without a wide blank, parted at rules that run down between words; figures stand alone."""
    down = [x for x, y0, y1 in rules.down if y0 - 1 <= line.middle <= y1 + 1]
    found: list[Segment] = []
    for segment in segments_of(line, _GAP_EM):
        part = [segment.tokens[0]]
        for before, token in pairwise(segment.tokens):
            if any(before.x1 - 1.5 <= x <= token.x0 + 1.5 for x in down):
                found.append(_segment(part))
                part = []
            part.append(token)
        found.append(_segment(part))
    return [figure for segment in found for figure in _figures(segment)]


def _figures(segment: Segment) -> list[Segment]:
    """Several values that stand close are cells of their own."""
    values = values_of(segment.tokens) if len(segment.tokens) > 1 else None
    if not values or len(values) < 2:
        return [segment]
    return [_segment(value.tokens) for value in values]


def _segment(tokens: list[Token]) -> Segment:
    return Segment(tokens, min(t.x0 for t in tokens), max(t.x1 for t in tokens))


def _edges(parted: list[list[Segment]], lines: list[Line]) -> list[float]:
    """x of the white between columns, left to right."""
    size = sorted(line.size for line in lines)[len(lines) // 2]
    gaps = [(a.x1, b.x0) for segments in parted for a, b in pairwise(segments) if b.x0 - a.x1 > _CLOSE_EM * size]
    points = sorted({round(x, 1) for gap in gaps for x in (gap[0] + 0.3, (gap[0] + gap[1]) / 2, gap[1] - 0.3)})
    good: list[tuple[float, int, int]] = []  # x, lines with white there, lines that run over it
    for x in points:
        white = sum(1 for a, b in gaps if a < x < b)
        over = sum(1 for segments in parted for s in segments if s.x0 < x - 0.2 and x + 0.2 < s.x1)
        good.append((x, white, over))
    zones: list[list[tuple[float, int, int]]] = []
    for point in good:
        is_white = point[1] >= 1 and point[2] <= _MOST_CROSSING * (point[1] + point[2])
        if not is_white:
            zones.append([])
        elif zones:
            zones[-1].append(point)
        else:
            zones.append([point])
    narrow = [s for segments in parted for s in segments]
    edges: list[float] = []
    for zone in zones:
        for stretch in _between_cells(zone, narrow):
            best = min(stretch, key=lambda point: (point[2], -point[1]))
            edges.append(best[0])
    return _told_apart(sorted(edges), narrow)


def _between_cells(zone: list[tuple[float, int, int]], segments: list[Segment]) -> list[list[tuple[float, int, int]]]:
    """A zone of white parted where whole cells of a sparse column stand inside it."""
    if not zone:
        return []
    left, right = zone[0][0], zone[-1][0]
    inside = sorted((s.x0, s.x1) for s in segments if s.x0 > left - 0.2 and s.x1 < right + 0.2)
    parts: list[list[tuple[float, int, int]]] = []
    x = left - 1
    merged: list[list[float]] = []
    for x0, x1 in inside:
        if merged and x0 <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], x1)
        else:
            merged.append([x0, x1])
    for x0, x1 in [*merged, [right + 1, right + 2]]:
        part = [point for point in zone if x <= point[0] <= x0 + 0.3]
        if part:
            parts.append(part)
        x = x1 - 0.3
    return parts


def _told_apart(edges: list[float], segments: list[Segment]) -> list[float]:
    """Edges with at least one cell between each two."""
    kept: list[float] = []
    for edge in edges:
        if not any(s.x1 <= edge + 1 for s in segments) or not any(s.x0 >= edge - 1 for s in segments):
            continue
        if kept and not any(s.x0 >= kept[-1] - 1 and s.x1 <= edge + 1 for s in segments):
            continue
        kept.append(edge)
    return kept


def _placed(segments: list[Segment], edges: list[float]) -> list[tuple[int, int, list[Token]]]:
    """(first column, last column, words) of each cell of a line."""
    placed: list[tuple[int, int, list[Token]]] = []
    for segment in segments:
        first = sum(1 for edge in edges if edge < segment.x0 + 1)
        last = max(first, sum(1 for edge in edges if edge < segment.x1 - 1))
        if placed and placed[-1][1] >= first and first == last:
            before = placed[-1]
            placed[-1] = (before[0], before[1], before[2] + segment.tokens)
        else:
            placed.append((first, last, list(segment.tokens)))
    return placed


def _rows(lines: list[Line], placed: list[list[tuple[int, int, list[Token]]]], rules: Rules) -> list[list[int]]:
    """Indexes of the lines that make up each row: a cell's text may run over several."""
    boxed = _boxed(lines, placed, rules)
    rows = [[0]]
    first_figures = next((i for i, cells in enumerate(placed) if _figure_count(cells) >= 2), len(lines))
    pitch = sorted(b.middle - a.middle for a, b in pairwise(lines)) or [12.0]
    close = pitch[0] if pitch[-1] > 1.25 * pitch[0] else 0.0
    for index in range(1, len(lines)):
        line, above = lines[index], lines[index - 1]
        ruled = any(above.middle < y < line.middle and x1 - x0 > 20 for y, x0, x1 in rules.across)
        step = line.middle - above.middle
        is_close = step < 0.7 * line.height or (close > 0 and step < 1.12 * close)
        is_head = index < first_figures
        is_boxed = index in boxed and boxed[index] == boxed.get(index - 1)
        if is_boxed or (not ruled and _goes_on(placed[index - 1], placed[index], is_head=is_head, is_close=is_close)):
            rows[-1].append(index)
        else:
            rows.append([index])
    return rows


def _boxed(lines: list[Line], placed: list[list[tuple[int, int, list[Token]]]], rules: Rules) -> dict[int, int]:
    """Number of the stretch between two rules for every line that shares its stretch with others as one row."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    wide: dict[int, float] = {}
    for y, x0, x1 in rules.across:
        wide[round(y)] = wide.get(round(y), 0.0) + max(0.0, min(x1, right) - max(x0, left))
    heights = sorted(y for y, width in wide.items() if width > 0.6 * (right - left))
    inside = [y for y in heights if lines[0].middle < y < lines[-1].middle]
    if len(inside) < 2:
        return {}
    stretch = {index: sum(1 for y in inside if y < line.middle) for index, line in enumerate(lines)}
    members: dict[int, list[int]] = {}
    for index, number in stretch.items():
        members.setdefault(number, []).append(index)
    one_row = {
        number
        for number, indexes in members.items()
        if sum(1 for i in indexes if _figure_count(placed[i])) <= 1
        and len({p[0] for i in indexes for p in placed[i]}) > 1
    }
    return {index: number for index, number in stretch.items() if number in one_row}


def _goes_on(
    above: list[tuple[int, int, list[Token]]],
    below: list[tuple[int, int, list[Token]]],
    *,
    is_head: bool,
    is_close: bool,
) -> bool:
    """Whether a line belongs to the row of the line above."""
    if _figure_count(above) and _figure_count(below):
        return False
    spans_above, spans_below = {(a, b) for a, b, _ in above}, {(a, b) for a, b, _ in below}
    if is_head:
        return spans_below <= spans_above and len(spans_below) <= len(spans_above) and is_close
    if spans_below <= spans_above and len(below) < len(above):
        text = below[0][2][0].text
        return is_close and (len(below) > 1 or text[:1].islower() or text[:1] in "(&" or text[:1].isdigit())
    return False


def _figure_count(cells: list[tuple[int, int, list[Token]]]) -> int:
    return sum(1 for _a, _b, words in cells if is_number(words[-1].text) or is_dash(words[-1].text))
