"""Heads of a table: stacked column names, names that span columns, title and scale note."""

from dataclasses import dataclass, field

from apps.reading import headings
from apps.reading.geometry import Line, Segment, segments_of
from apps.reading.table_parts import Column, ParsedLine, TableDraft, nearest_column
from apps.reading.values import is_year

_LINE_REACH = 9  # header lines looked at above the first row


@dataclass(slots=True)
class _Heads:
    """What stands above the first row: segments over columns, words beside them, and where they begin."""

    top: int
    over: list[tuple[int, Segment, list[int]]] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    scale: str = ""


def header_of(
    parsed: list[ParsedLine], first_row: int, columns: list[Column], floor: int
) -> tuple[int, list[str], str]:
    """(first header line, column names, scale note beside the header)."""
    heads = _gathered(parsed, first_row, columns, floor)
    names: list[list[str]] = [[] for _ in columns]
    for _index, segment, hit in _covering_all(_spread(heads.over), columns):
        for column, text in _header_words(segment, hit, columns):
            names[column].append(text)
    joined = [" ".join(parts).strip() for parts in names]
    scale = heads.scale or next((note for text in heads.beside if (note := headings.scale_note_in(text))), "")
    prefix = " ".join(t for t in map(_without_scale, heads.beside) if headings.has_period(t))
    if prefix and all(is_year(name) for name in joined if name):
        joined = [f"{prefix} {name}".strip() if name else name for name in joined]
    return heads.top, joined, scale


def _gathered(parsed: list[ParsedLine], first_row: int, columns: list[Column], floor: int) -> _Heads:
    """Header lines from the first row upwards, until something that is none."""
    heads = _Heads(first_row)
    left = columns[0].reach
    label_edge = max((e.label[-1].x1 for e in parsed[first_row : first_row + 15] if e.label and e.values), default=left)
    previous = parsed[first_row].line
    for index in range(first_row - 1, max(floor, first_row - _LINE_REACH) - 1, -1):
        line = parsed[index].line
        if previous.y0 - line.y1 > (2.4 if heads.over else 4.0) * max(line.height, previous.height):
            break
        is_beside = previous.y0 - line.y1 <= -0.2 * line.height
        segments = segments_of(Line(list(line.tokens)), 0.7)
        over = [s for s in segments if s.x1 > left - line.size and _over_columns(s, columns)]
        if not over:
            if heads.over and not is_beside and not _is_label_note(line, left):
                break
            if heads.over:
                heads.beside.insert(0, line.text)
                heads.top = index
            previous = line
            continue
        if any(_spans_label(s, columns, line, label_edge) for s in over) or _is_sentence(over):
            break
        if not is_beside and len(segments) == 1 and len(columns) > 1 and _is_page_title(segments[0], parsed, columns):
            break
        if parsed[index].is_value_line and not parsed[index].is_year_line and not _are_header_values(parsed[index]):
            break
        heads.top = index
        previous = line
        heads.scale = heads.scale or next((s.text for s in over if headings.is_scale_line(s.text)), "")
        named = [s for s in over if not headings.is_scale_line(s.text)]
        heads.over[:0] = [(index, segment, hit) for segment, hit in _header_hits(named, columns)]
        beside = [s.text for s in segments if s not in over]
        if beside:
            heads.beside.insert(0, " ".join(beside))
    return heads


def _is_label_note(line: Line, left: float) -> bool:
    """Words left of the columns that belong to the header: a scale note or a period."""
    is_note = headings.is_scale_line(line.text) or (headings.has_period(line.text) and len(line.tokens) < 10)
    return is_note and line.x1 <= left and not line.bold


def _covering_all(
    heads: list[tuple[int, Segment, list[int]]], columns: list[Column]
) -> list[tuple[int, Segment, list[int]]]:
    """A column without any head takes that of the lowest line which stands nearest: "%" columns beside a year."""
    named = {column for _index, _segment, hit in heads for column in hit}
    lowest = max((index for index, _segment, _hit in heads), default=-1)
    bottom = [(segment, hit) for index, segment, hit in heads if index == lowest]
    extra: dict[int, list[int]] = {}
    for index, column in enumerate(columns):
        if index in named or len(bottom) < 2:
            continue
        distance, nearest = min((_distance(segment, column), i) for i, (segment, _hit) in enumerate(bottom))
        if distance < 60:
            extra.setdefault(id(bottom[nearest][0]), []).append(index)
    return [(index, segment, sorted([*hit, *extra.get(id(segment), [])])) for index, segment, hit in heads]


def _spread(heads: list[tuple[int, Segment, list[int]]]) -> list[tuple[int, Segment, list[int]]]:
    """A header set exactly above or below a wider one ("January 28," over "2023") covers the same columns."""
    spread = []
    for index, segment, hit in heads:
        middle = (segment.x0 + segment.x1) / 2
        for other_index, other, other_hit in heads:
            is_stacked = other_index != index and abs((other.x0 + other.x1) / 2 - middle) < 2.5
            taken = {column for i, s, h in heads if i == index and s is not segment for column in h}
            if is_stacked and set(hit) < set(other_hit) and not taken & set(other_hit):
                hit = other_hit
        spread.append((index, segment, hit))
    return spread


def _over_columns(segment: Segment, columns: list[Column]) -> bool:
    return segment.x1 > columns[0].reach - 4 and segment.x0 < columns[-1].x1 + 24


def _spans_label(segment: Segment, columns: list[Column], line: Line, label_edge: float) -> bool:
    """Text that runs from the label area into the columns is a title or prose, not a column head."""
    reach = 60.0 if len(segment.tokens) <= 4 else 30.0
    starts_left = segment.x0 < min(columns[0].reach - reach, label_edge)
    return starts_left and segment.x1 > columns[0].x0 + line.size


def _is_page_title(segment: Segment, parsed: list[ParsedLine], columns: list[Column]) -> bool:
    """A lone line centred on the whole page, not on the columns."""
    if headings.has_period(segment.text) and not headings.is_scale_line(segment.text):
        return False
    left = min(entry.line.x0 for entry in parsed)
    right = max(entry.line.x1 for entry in parsed)
    middle = (segment.x0 + segment.x1) / 2
    over_page = abs(middle - (left + right) / 2)
    over_columns = abs(middle - (columns[0].x0 + columns[-1].x1) / 2)
    return over_page < 0.05 * (right - left) and over_page < over_columns


def _is_sentence(segments: list[Segment]) -> bool:
    return any(len(segment.tokens) > 12 for segment in segments)


def _are_header_values(entry: ParsedLine) -> bool:
    return bool(entry.values) and all(v.text.isdigit() and len(v.text) <= 2 for v in entry.values) and not entry.label


def _header_hits(segments: list[Segment], columns: list[Column]) -> list[tuple[Segment, list[int]]]:
    """Which columns each segment of a header line stands over."""
    if segments and len(segments) * 2 <= len(columns) and all(headings.has_period(s.text) for s in segments):
        nearest = [min(range(len(segments)), key=lambda i: _distance(segments[i], c)) for c in columns]
        return [(s, [c for c, n in enumerate(nearest) if n == i]) for i, s in enumerate(segments)]
    hits = []
    for segment in segments:
        hit = [i for i, c in enumerate(columns) if min(c.x1, segment.x1) - max(c.reach, segment.x0) > 0]
        hits.append((segment, hit or [nearest_column(columns, segment.x0, segment.x1, segment.x1)]))
    return hits


def _header_words(segment: Segment, hit: list[int], columns: list[Column]) -> list[tuple[int, str]]:
    if len(hit) > 1 and len(segment.tokens) >= len(hit):
        split = _split_over(segment, [columns[i] for i in hit])
        if split is not None:
            return [(hit[position], text) for position, text in split]
    return [(index, segment.text) for index in hit]


def _split_over(segment: Segment, columns: list[Column]) -> list[tuple[int, str]] | None:
    """One word group per column when the segment is a row of years or dates set close together."""
    years = [token for token in segment.tokens if is_year(token.text.rstrip("*"))]
    if len(years) != len(columns):
        return None
    groups: list[tuple[int, str]] = []
    current: list[str] = []
    for token in segment.tokens:
        current.append(token.text)
        if token in years:
            groups.append((len(groups), " ".join(current)))
            current = []
    return groups


def _distance(segment: Segment, column: Column) -> float:
    if segment.x0 <= column.middle <= segment.x1:
        return 0.0
    return min(abs(segment.x0 - column.middle), abs(segment.x1 - column.middle))


def _without_scale(text: str) -> str:
    note = headings.scale_note_in(text)
    return " ".join(text.replace(note, " ").split()) if note else text


def describe(table: TableDraft, lines: list[Line], scale: str, floor: int) -> None:
    """Title and scale note from the header's own words, then from the lines above, nearest first."""
    table.scale_note = scale or next((note for name in table.columns if (note := headings.scale_note_in(name))), "")
    body = sorted(line.size for line in lines)[len(lines) // 2]
    own_scale = bool(table.scale_note)
    for distance, index in enumerate(range(table.first - 1, -1, -1)):
        line = lines[index]
        text = line.text.strip()
        is_near = distance < 5 and index >= floor
        if not own_scale and not table.scale_note and (is_near or headings.is_scale_line(text)):
            table.scale_note = headings.scale_note_in(text)
        if table.title or headings.is_scale_line(text):
            continue
        if (
            (distance == 0 and text.endswith(":"))
            or headings.heading_level(line, body)
            or (is_near and distance < 3 and _is_centred_title(line, lines))
        ):
            table.title = text[:200]
        if table.title and table.scale_note:
            break


def _is_centred_title(line: Line, lines: list[Line]) -> bool:
    left = min(other.x0 for other in lines)
    right = max(other.x1 for other in lines)
    is_centred = abs((line.x0 - left) - (right - line.x1)) < 0.06 * (right - left)
    return is_centred and line.x1 - line.x0 < 0.7 * (right - left) and not line.text.rstrip().endswith((".", ","))
