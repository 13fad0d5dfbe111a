"""Tables without ruling lines, found as right-edge clusters of values over word boxes. Pure functions.

A financial statement aligns numbers by their right edge and sets its labels to the left; that holds for every
issuer, while lines and shading do not. Numbers are never torn: a value is whole words of the parser.
"""

from apps.reading.geometry import Line, Segment, Token, segments_of
from apps.reading.table_columns import columns_of, promote_weak
from apps.reading.table_heads import describe, header_of
from apps.reading.table_parts import Column, ParsedLine, TableDraft
from apps.reading.table_rows import rows_of
from apps.reading.values import Value, trailing_values, values_of

_SEGMENT_GAP_EM = 0.85
_MAX_LABEL_LINES = 7
_MAX_GAP_LINES = 4.0


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


def _parse(line: Line) -> ParsedLine:
    tokens = [token for token in line.tokens if not token.is_mark]
    if not tokens:
        return ParsedLine(line, list(line.tokens), [])
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
        return ParsedLine(line, label, whole)
    return ParsedLine(line, label, values, after)


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


def _runs(parsed: list[ParsedLine]) -> list[tuple[int, int]]:
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


def _table(parsed: list[ParsedLine], first: int, last: int, floor: int) -> TableDraft | None:
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
    columns = columns_of(parsed, rows)
    promote_weak(parsed, range(first, last + 1), columns, rows)
    rows.sort()
    if not _is_table(parsed, rows, columns):
        return None
    header_first, names, scale = header_of(parsed, rows[0], columns, floor)
    drafts = rows_of(parsed, first, last, rows, columns)
    table = TableDraft(min(header_first, rows[0]), last, names, drafts, edges=[c.edge for c in columns])
    describe(table, [entry.line for entry in parsed], scale, floor)
    return table


def _settle_numeric_labels(rows: list[ParsedLine]) -> None:
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


def _settle_year_column(rows: list[ParsedLine]) -> None:
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


def _is_table(parsed: list[ParsedLine], rows: list[int], columns: list[Column]) -> bool:
    counts = [len(parsed[i].values) for i in rows]
    if len(rows) == 1:
        return counts[0] >= 2 and bool(parsed[rows[0]].label)
    if not any(len(column.lines) >= 2 for column in columns) and max(counts) < 2:
        return False
    labelled = sum(1 for i in rows if parsed[i].label)
    if len(rows) >= 3 and labelled < 0.4 * len(rows):  # numbers of a chart
        return False
    if len(columns) == 1:
        return labelled >= 2 and not _is_contents(parsed, rows)
    return True


def _is_contents(parsed: list[ParsedLine], rows: list[int]) -> bool:
    """A table of contents: one column of small whole numbers that never falls."""
    numbers = []
    for index in rows:
        text = parsed[index].values[0].text
        if not text.isdigit() or len(text) > 3:
            return False
        numbers.append(int(text))
    return len(numbers) >= 3 and numbers == sorted(numbers)
