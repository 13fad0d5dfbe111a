"""Tables without ruling lines, found as right-edge clusters of values over word boxes. Pure functions.

A financial statement aligns numbers by their right edge and sets its labels to the left; that holds for every
issuer, while lines and shading do not. Numbers are never torn: a value is whole words of the parser.
"""

from dataclasses import dataclass, field

from apps.reading import headings
from apps.reading.geometry import Line, Segment, Token, segments_of
from apps.reading.values import Value, is_number, is_year, trailing_values, values_of

_SEGMENT_GAP_EM = 0.85
_MAX_LABEL_LINES = 7
_MAX_GAP_LINES = 4.0
_LINE_REACH = 9  # header lines looked at above the first row


@dataclass(slots=True)
class RowDraft:
    label: list[Token]
    values: list[tuple[Value, int]]
    first: int  # line indexes in the region
    last: int
    section: str = ""
    borrowed: list[Token] = field(default_factory=list)  # label words of another row, kept out of this row's span


@dataclass(slots=True)
class TableDraft:
    first: int  # first line of the region that belongs to the table, header included
    last: int
    columns: list[str]
    rows: list[RowDraft]
    title: str = ""
    scale_note: str = ""
    edges: list[float] = field(default_factory=list)  # right edge of each column, for continued tables

    def inherit(self, other: "TableDraft") -> bool:
        """Takes names, title and scale of a table that this one continues; False when the columns differ."""
        if any(self.columns) or len(self.edges) > len(other.edges):
            return False
        nearest = [min(range(len(other.edges)), key=lambda i: abs(other.edges[i] - edge)) for edge in self.edges]
        apart = [abs(other.edges[i] - edge) for i, edge in zip(nearest, self.edges, strict=True)]
        if len(set(nearest)) != len(nearest) or max(apart) > 8.0:
            return False
        self.columns = [other.columns[i] for i in nearest]
        self.title = self.title or other.title
        self.scale_note = self.scale_note or other.scale_note
        return True


@dataclass(slots=True)
class _Parsed:
    """A line as a row may see it."""

    line: Line
    label: list[Token]
    values: list[Value]
    after: list[Segment] = field(default_factory=list)  # words to the right of the first value
    is_dated: bool = False  # its first value was a year that belongs to the label

    @property
    def is_value_line(self) -> bool:
        return bool(self.values) and sum(len(s.tokens) for s in self.after) < 4

    @property
    def is_year_line(self) -> bool:
        if not self.values or not all(value.is_year for value in self.values):
            return False
        text = " ".join(token.text for token in self.label)
        return not text or headings.has_period(text) or bool(headings.scale_note_in(text)) or len(self.values) > 1


@dataclass(slots=True)
class _Column:
    x0: float
    x1: float
    edge: float
    lines: set[int]
    reach: float  # left edge with the currency signs set apart: headers are centred over that width

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


def tables_of(lines: list[Line]) -> list[TableDraft]:
    """The tables of a region, top to bottom. Marks glue tokens of values (`Token.is_glued`)."""
    parsed = [_parse(line) for line in lines]
    tables: list[TableDraft] = []
    floor = 0
    for first, last in _runs(parsed):
        table = _table(parsed, max(first, floor), last, floor)
        if table is not None:
            if tables:
                table.inherit(tables[-1])
            tables.append(table)
            floor = table.last + 1
    return tables


def _parse(line: Line) -> _Parsed:
    tokens = [token for token in line.tokens if not token.is_mark]
    if not tokens:
        return _Parsed(line, list(line.tokens), [])
    label: list[Token] = []
    values: list[Value] = []
    after: list[Segment] = []
    for segment in segments_of(Line(tokens), _SEGMENT_GAP_EM):
        found = values_of(segment.tokens)
        if found is not None:
            values.extend(found)
        elif not values:
            label.extend(segment.tokens)
        else:
            after.append(segment)
    whole = _joined_prefixes(label, tokens)
    if whole is not None:
        return _Parsed(line, label, whole)
    return _Parsed(line, label, values, after)


def _joined_prefixes(label: list[Token], tokens: list[Token]) -> list[Value] | None:
    """Values read over the whole right part of the line, so that a far "$" or ")" meets its number."""
    if label and label[-1].text in {"$", "€", "£", "₺", "("}:
        label_end = label[-1].x0
    elif label:
        label_end = label[-1].x1
    else:
        label_end = tokens[0].x0 - 1
    right = [token for token in tokens if token.x0 >= label_end]
    whole = values_of(right)
    if not whole:
        return None
    while label and label[-1].x0 >= label_end:
        label.pop()
    return whole


def _runs(parsed: list[_Parsed]) -> list[tuple[int, int]]:
    """(first, last) indexes of stretches of value lines with only labels between them."""
    runs: list[tuple[int, int]] = []
    index = 0
    while index < len(parsed):
        if not parsed[index].is_value_line:
            index += 1
            continue
        first = last = index
        left = min(value.x0 for value in parsed[index].values)
        probe = index + 1
        while probe < len(parsed) and probe - last <= _MAX_LABEL_LINES:
            entry, before = parsed[probe], parsed[probe - 1]
            gap = entry.line.y0 - before.line.y1
            if gap > _MAX_GAP_LINES * entry.line.height:
                break
            if entry.is_value_line:
                if entry.is_year_line and not parsed[last].is_year_line and last - first >= 1:
                    break
                last = probe
                left = min(left, *(value.x0 for value in entry.values))
            elif entry.line.x1 > left + entry.line.size and not _weak_row(entry.line, left):
                break
            probe += 1
        runs.append((first, last))
        index = last + 1
    return runs


def _weak_row(line: Line, left: float) -> bool:
    """A row whose label runs right up to its numbers, without a gap."""
    label, values = trailing_values(line)
    return bool(label) and len(values) >= 1 and values[0].x0 >= left - 2 * line.size


def _table(parsed: list[_Parsed], first: int, last: int, floor: int) -> TableDraft | None:
    while first <= last and (parsed[first].is_year_line or not parsed[first].is_value_line):
        first += 1
    rows = [i for i in range(first, last + 1) if parsed[i].is_value_line and not parsed[i].is_year_line]
    if not rows:
        return None
    _settle_numeric_labels([parsed[i] for i in rows])
    rows = [i for i in rows if parsed[i].values]
    if not rows:
        return None
    _settle_year_column([parsed[i] for i in rows])
    columns = _columns(parsed, rows)
    _promote_weak(parsed, range(first, last + 1), columns, rows)
    rows.sort()
    if not _is_table(parsed, rows, columns):
        return None
    header_first, names, scale = _header(parsed, rows[0], columns, floor)
    drafts = _rows(parsed, first, last, rows, columns)
    table = TableDraft(min(header_first, rows[0]), last, names, drafts, edges=[c.edge for c in columns])
    _describe(table, [entry.line for entry in parsed], scale, floor)
    return table


def _settle_numeric_labels(rows: list[_Parsed]) -> None:
    """A row that begins with a number where the others have their label ("2024   $ 1,234") is labelled by
    it.
    """
    with_text = [row for row in rows if row.label]
    bare = [row for row in rows if not row.label and len(row.values) >= 2]
    if not bare:
        return
    if with_text:
        edge = min(row.label[0].x0 for row in with_text)
        first_value = min(row.values[0].x0 for row in with_text if row.values)
        limit = min(first_value, edge + 6 * with_text[0].line.size)
        movable = [row for row in bare if row.values[0].x1 <= limit]
    elif all(row.values[0].is_year for row in bare) or len({r.values[0].x0 // 4 for r in bare}) == 1:
        movable = [row for row in bare if row.values[0].is_year]
    else:
        movable = []
    for row in movable:
        row.label = row.values[0].tokens
        row.values = row.values[1:]


def _settle_year_column(rows: list[_Parsed]) -> None:
    """A first column of nothing but years belongs to the labels; a label spanning rows is said for each of
    them.
    """
    dated = [row for row in rows if len(row.values) >= 2 and row.values[0].is_year]
    if len(dated) < 2 or len(dated) < 0.6 * len(rows):
        return
    right = max(row.values[0].x1 for row in dated)
    if any(row.values[0].x0 < right for row in rows if row not in dated):
        return
    for row in dated:
        row.label = row.label + row.values[0].tokens
        row.values = row.values[1:]
        row.is_dated = True


def _columns(parsed: list[_Parsed], rows: list[int]) -> list[_Column]:
    edges = [
        (_digit_edge(value), value, index, parsed[index].line.size) for index in rows for value in parsed[index].values
    ]
    edges.sort(key=lambda item: item[0])
    clusters: list[_Column] = []
    for edge, value, index, size in edges:
        if clusters and edge - clusters[-1].edge < max(2.5, 0.45 * size) and index not in clusters[-1].lines:
            column = clusters[-1]
            column.x0, column.x1 = min(column.x0, value.x0), max(column.x1, value.x1)
            column.reach = min(column.reach, value.tokens[0].x0)
            column.lines.add(index)
        else:
            clusters.append(_Column(value.x0, value.x1, edge, {index}, value.tokens[0].x0))
    return _merged(sorted(clusters, key=lambda column: column.middle))


def _merged(clusters: list[_Column]) -> list[_Column]:
    """Clusters that overlap and never share a row are one column set with another alignment."""
    changed = True
    while changed:
        changed = False
        for i in range(len(clusters)):
            for j in range(i + 1, len(clusters)):
                a, b = clusters[i], clusters[j]
                overlap = min(a.x1, b.x1) - max(a.x0, b.x0)
                if overlap <= 0.35 * min(a.x1 - a.x0, b.x1 - b.x0) or a.lines & b.lines:
                    continue
                wide = a if len(a.lines) >= len(b.lines) else b
                x0, x1, reach = min(a.x0, b.x0), max(a.x1, b.x1), min(a.reach, b.reach)
                clusters[i] = _Column(x0, x1, wide.edge, a.lines | b.lines, reach)
                del clusters[j]
                changed = True
                break
            if changed:
                break
    return sorted(clusters, key=lambda column: column.middle)


def _digit_edge(value: Value) -> float:
    """Right edge of the last digit: a closing bracket or percent sign hangs out of the column."""
    text = value.tokens[-1].text if value.tokens[-1].x1 == value.x1 else ""
    hanging = len(text) - len(text.rstrip(")%*†"))
    if not hanging or not text:
        return value.x1
    return value.x1 - min(hanging * 0.36 * value.tokens[-1].size, 0.8 * (value.x1 - value.x0))


def _promote_weak(parsed: list[_Parsed], span: range, columns: list[_Column], rows: list[int]) -> None:
    """Takes numbers out of labels that run right up to them, where they stand in an established column."""
    for index in span:
        entry = parsed[index]
        if entry.after or len(entry.values) >= len(columns) or (not entry.label and not entry.values):
            continue
        tokens = [token for token in (entry.label or entry.line.tokens) if not token.is_mark]
        label, values = trailing_values(Line(tokens or entry.line.tokens))
        limit = min((value.x0 for value in entry.values), default=columns[-1].x1 + 30)
        aligned = [v for v in values if v.x1 < limit and any(abs(_digit_edge(v) - c.edge) < 3.0 for c in columns)]
        if label and aligned and len(aligned) == len(values) and label[-1].text.lower() not in {"note", "dipnot"}:
            if not entry.values:
                rows.append(index)
            entry.label, entry.values = label, values + entry.values


def _is_table(parsed: list[_Parsed], rows: list[int], columns: list[_Column]) -> bool:
    counts = [len(parsed[i].values) for i in rows]
    if len(rows) == 1:
        return counts[0] >= 2 and bool(parsed[rows[0]].label)
    if not any(len(column.lines) >= 2 for column in columns) and max(counts) < 2:
        return False
    labelled = sum(1 for i in rows if parsed[i].label)
    if len(columns) == 1:
        return labelled >= 2 and not _is_contents(parsed, rows)
    return True


def _is_contents(parsed: list[_Parsed], rows: list[int]) -> bool:
    """A table of contents: one column of small whole numbers that never falls."""
    numbers = []
    for index in rows:
        text = parsed[index].values[0].text
        if not text.isdigit() or len(text) > 3:
            return False
        numbers.append(int(text))
    return len(numbers) >= 3 and numbers == sorted(numbers)


def _nearest(columns: list[_Column], x0: float, x1: float, edge: float) -> int:
    def distance(column: _Column) -> float:
        overlap = min(column.x1, x1) - max(column.x0, x0)
        return -overlap if overlap > 0 else min(abs(column.edge - edge), abs(column.middle - (x0 + x1) / 2))

    return min(range(len(columns)), key=lambda i: distance(columns[i]))


# --- rows ------------------------------------------------------------------------------------------------


def _rows(parsed: list[_Parsed], first: int, last: int, rows: list[int], columns: list[_Column]) -> list[RowDraft]:
    drafts: list[RowDraft] = []
    taken = set(rows)
    section = ""
    pending: list[int] = []  # label-only lines since the last row
    start = first
    while start > 0 and _is_label_line(parsed[start - 1], columns) and first - start < 6:
        start -= 1
    for index in range(start, last + 1):
        if index not in taken:
            if index >= first or _is_label_line(parsed[index], columns):
                pending.append(index)
            continue
        entry = parsed[index]
        label = list(entry.label)
        begin = index
        tail = _tail_of_previous(parsed, drafts, pending)
        if tail:
            pending = pending[1:]
        is_centred = not label or (entry.is_dated and len(label) == 1)
        if pending and _continues_label(parsed, pending[-1], index):
            begin = pending.pop()
            pitch = entry.line.middle - parsed[begin].line.middle
            is_centred = is_centred or pitch < 0.95 * entry.line.height
            label = list(parsed[begin].line.tokens) + label
            while pending and _is_open_label(parsed[pending[-1]].line, parsed[begin].line):
                begin = pending.pop()
                label = list(parsed[begin].line.tokens) + label
        if pending:
            section = _section_text(parsed[pending[-1]].line)
        pending = []
        values = _assigned(entry.values, columns)
        drafts.append(RowDraft(label, values, begin, index, section))
        if is_centred:
            _take_centred_label(parsed, drafts[-1], index, taken)
            if drafts[-1].last > index:
                taken.add(drafts[-1].last)
        if entry.is_dated and len(drafts) > 1 and len(drafts[-1].label) == 1:
            spanning = [token for token in drafts[-2].label if not is_year(token.text)]
            drafts[-1].label, drafts[-1].borrowed = spanning + drafts[-1].label, spanning
    return [draft for draft in drafts if draft.values]


def _is_label_line(entry: _Parsed, columns: list[_Column]) -> bool:
    return not entry.values and entry.line.x1 <= columns[0].x0 + entry.line.size


def _assigned(values: list[Value], columns: list[_Column]) -> list[tuple[Value, int]]:
    assigned: list[tuple[Value, int]] = []
    used: set[int] = set()
    for value in values:
        column = _nearest(columns, value.x0, value.x1, _digit_edge(value))
        if column in used:
            free = [i for i in range(len(columns)) if i not in used and i > max(used)]
            if not free:
                continue
            column = free[0]
        used.add(column)
        assigned.append((value, column))
        glue(value)
    return assigned


def glue(value: Value) -> None:
    """Marks the tokens of a value that are written without a blank: "$" + "1,234", "(5" + ")", "5" + "%"."""
    for before, token in zip(value.tokens, value.tokens[1:], strict=False):
        opens = before.text[-1:] in "$€£¥₺(" or (before.text in "-−–" and is_number(token.text))
        closes = token.text[:1] in ")%‰" and not token.text[1:].strip(")%")
        token.is_glued = token.is_glued or opens or closes


def _continues_label(parsed: list[_Parsed], above: int, index: int) -> bool:
    """Whether the label-only line right above is the beginning of this row's label."""
    upper, lower = parsed[above].line, parsed[index].line
    if index - above != 1 or lower.y0 - upper.y1 > 0.75 * lower.height:
        return False
    text = upper.text.rstrip()
    if text.endswith((":", ".")) or headings.is_scale_line(text):
        return False
    label = parsed[index].label
    if not label:
        return lower.y0 - upper.y1 < -0.05 * lower.height or lower.middle - upper.middle < 0.9 * lower.height
    first = label[0].text
    if upper.bold != lower.bold and not first[:1].islower():
        return False
    return first[:1].islower() or first[:1].isdigit() or first[:1] in "(&$" or _is_open(text)


def _is_open(text: str) -> bool:
    """Whether a label line cannot end here: it stops at a joining word or a comma."""
    last = text.rstrip().rsplit(" ", 1)[-1].lower()
    return text.endswith((",", "—", "–", "/")) or last in {
        "and", "of", "the", "in", "to", "for", "from", "on", "or", "by", "with", "per", "ve", "ile", "veya",
        "ilişkin", "için", "olan", "a", "an", "at", "before", "after",
    }  # fmt: skip


def _is_open_label(above: Line, below: Line) -> bool:
    close = below.y0 - above.y1 <= 0.75 * below.height
    return close and not above.text.rstrip().endswith(":") and (below.text[:1].islower() or _is_open(above.text))


def _tail_of_previous(parsed: list[_Parsed], drafts: list[RowDraft], pending: list[int]) -> bool:
    """Takes a lower-case label-only line right under a row into that row's label."""
    if not drafts or not pending:
        return False
    line, previous = parsed[pending[0]].line, drafts[-1]
    if pending[0] != previous.last + 1 or not line.text[:1].islower() or not previous.label:
        return False
    if line.y0 - parsed[previous.last].line.y1 > 0.75 * line.height:
        return False
    previous.label = previous.label + list(line.tokens)
    previous.last = pending[0]
    return True


def _take_centred_label(parsed: list[_Parsed], draft: RowDraft, index: int, taken: set[int]) -> None:
    """Values set half-way between the two lines of their label: the line below belongs to the label too."""
    below = index + 1
    if below < len(parsed) and below not in taken and not parsed[below].values:
        line, own = parsed[below].line, parsed[index].line
        if line.middle - own.middle < 0.9 * own.height and line.x1 <= own.x1:
            below_label = list(line.tokens)
            is_dated = parsed[index].is_dated
            draft.label = below_label + draft.label if is_dated else draft.label + below_label
            draft.last = below


def _section_text(line: Line) -> str:
    text = line.text.strip()
    return text if len(text) <= 160 else ""


# --- header, title, scale --------------------------------------------------------------------------------


def _header(parsed: list[_Parsed], first_row: int, columns: list[_Column], floor: int) -> tuple[int, list[str], str]:
    """(first header line, column names, scale note beside the header)."""
    left = columns[0].reach
    names: list[list[str]] = [[] for _ in columns]
    label_lines: list[str] = []
    heads: list[tuple[int, Segment, list[int]]] = []
    top = first_row
    previous = parsed[first_row].line
    found = False
    for index in range(first_row - 1, max(floor, first_row - _LINE_REACH) - 1, -1):
        line = parsed[index].line
        gap = previous.y0 - line.y1
        if gap > (2.4 if found else 4.0) * max(line.height, previous.height):
            break
        segments = segments_of(Line(list(line.tokens)), 0.7)
        over = [s for s in segments if s.x1 > left - line.size and _over_columns(s, columns)]
        beside = [s for s in segments if s not in over]
        if not over:
            is_note = headings.is_scale_line(line.text) or (headings.has_period(line.text) and len(line.tokens) < 10)
            is_beside = previous.y0 - line.y1 <= -0.2 * line.height
            if found and not is_beside and (line.x1 > left or line.bold or not is_note):
                break
            if found:
                label_lines.insert(0, line.text)
                top = index
            previous = line
            continue
        if any(_spans_label(s, columns, line) for s in over) or _is_sentence(over):
            break
        is_apart = previous.y0 - line.y1 > -0.2 * line.height
        if is_apart and len(segments) == 1 and len(columns) > 1 and _is_page_title(segments[0], parsed, columns):
            break
        if parsed[index].is_value_line and not parsed[index].is_year_line and not _are_header_values(parsed[index]):
            break
        found = True
        top = index
        previous = line
        heads[:0] = [(index, segment, hit) for segment, hit in _header_hits(over, columns)]
        if beside:
            label_lines.insert(0, " ".join(s.text for s in beside))
    for _index, segment, hit in _spread(heads):
        for column, text in _header_words(segment, hit, columns):
            names[column].append(text)
    joined = [" ".join(parts).strip() for parts in names]
    scale = next((note for text in label_lines if (note := headings.scale_note_in(text))), "")
    prefix = " ".join(t for t in map(_without_scale, label_lines) if headings.has_period(t))
    if prefix and all(is_year(name) for name in joined if name):
        joined = [f"{prefix} {name}".strip() if name else name for name in joined]
    return (top if found else first_row), joined, scale


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


def _over_columns(segment: Segment, columns: list[_Column]) -> bool:
    return segment.x1 > columns[0].reach - 4 and segment.x0 < columns[-1].x1 + 24


def _spans_label(segment: Segment, columns: list[_Column], line: Line) -> bool:
    """Text that runs from the label area into the columns is a title or prose, not a column head."""
    reach = 60.0 if len(segment.tokens) <= 4 else 30.0
    return segment.x0 < columns[0].reach - reach and segment.x1 > columns[0].x0 + line.size


def _is_page_title(segment: Segment, parsed: list[_Parsed], columns: list[_Column]) -> bool:
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


def _are_header_values(entry: _Parsed) -> bool:
    return bool(entry.values) and all(v.text.isdigit() and len(v.text) <= 2 for v in entry.values) and not entry.label


def _header_hits(segments: list[Segment], columns: list[_Column]) -> list[tuple[Segment, list[int]]]:
    """Which columns each segment of a header line stands over."""
    if len(segments) * 2 <= len(columns) and all(headings.has_period(s.text) for s in segments):
        nearest = [min(range(len(segments)), key=lambda i: _distance(segments[i], c)) for c in columns]
        return [(s, [c for c, n in enumerate(nearest) if n == i]) for i, s in enumerate(segments)]
    hits = []
    for segment in segments:
        hit = [i for i, c in enumerate(columns) if min(c.x1, segment.x1) - max(c.reach, segment.x0) > 0]
        hits.append((segment, hit or [_nearest(columns, segment.x0, segment.x1, segment.x1)]))
    return hits


def _header_words(segment: Segment, hit: list[int], columns: list[_Column]) -> list[tuple[int, str]]:
    if len(hit) > 1 and len(segment.tokens) >= len(hit):
        split = _split_over(segment, [columns[i] for i in hit])
        if split is not None:
            return [(hit[position], text) for position, text in split]
    return [(index, segment.text) for index in hit]


def _split_over(segment: Segment, columns: list[_Column]) -> list[tuple[int, str]] | None:
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


def _distance(segment: Segment, column: _Column) -> float:
    if segment.x0 <= column.middle <= segment.x1:
        return 0.0
    return min(abs(segment.x0 - column.middle), abs(segment.x1 - column.middle))


def _without_scale(text: str) -> str:
    note = headings.scale_note_in(text)
    return " ".join(text.replace(note, " ").split()) if note else text


def _describe(table: TableDraft, lines: list[Line], scale: str, floor: int) -> None:
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
