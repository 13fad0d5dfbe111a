"""Rows of a table: labels over several lines, labels that span rows, groups, and values in their columns."""

from apps.reading import headings
from apps.reading.geometry import Line
from apps.reading.table_parts import Column, ParsedLine, RowDraft, digit_edge, nearest_column
from apps.reading.values import Value, is_number, is_year


def rows_of(parsed: list[ParsedLine], first: int, last: int, rows: list[int], columns: list[Column]) -> list[RowDraft]:
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


def _is_label_line(entry: ParsedLine, columns: list[Column]) -> bool:
    return not entry.values and entry.line.x1 <= columns[0].x0 + entry.line.size


def _assigned(values: list[Value], columns: list[Column]) -> list[tuple[Value, int]]:
    assigned: list[tuple[Value, int]] = []
    used: set[int] = set()
    for value in values:
        column = nearest_column(columns, value.x0, value.x1, digit_edge(value))
        if column in used:
            free = [i for i in range(len(columns)) if i not in used and i > max(used)]
            column = free[0] if free else column  # two in one column: no figure is lost
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


def _continues_label(parsed: list[ParsedLine], above: int, index: int) -> bool:
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


def _tail_of_previous(parsed: list[ParsedLine], drafts: list[RowDraft], pending: list[int]) -> bool:
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


def _take_centred_label(parsed: list[ParsedLine], draft: RowDraft, index: int, taken: set[int]) -> None:
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
