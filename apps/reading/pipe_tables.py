"""Tables written with pipes in Markdown and text: a head, a line of dashes, rows. Offsets are the page text's."""

import re
from collections.abc import Sequence

from apps.reading import headings
from apps.reading.contracts import Cell, Row, Table

_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")


def length_of_table(lines: Sequence[str]) -> int:
    """How many of the lines, from the first, are one pipe table; 0 when they do not begin one."""
    if len(lines) < 3 or "|" not in lines[0] or "|" not in lines[1] or not _RULE.match(lines[1]):
        return 0
    count = 2
    while count < len(lines) and "|" in lines[count] and lines[count].strip():
        count += 1
    return count if count > 2 else 0


def pipe_table(lines: Sequence[str], *, start: int, block: int, title: str, above: str = "") -> Table:
    """The lines as a table. `start`: offset of the first line in the page's text; `title`: the heading above.

    `above`: the line just over the table, where scale and currency may stand.
    """
    heads = [text for text, _, _ in _fields(lines[0], 0)]
    columns = tuple(heads[1:])
    offset = start + len(lines[0]) + 1 + len(lines[1]) + 1
    rows: list[Row] = []
    section = ""
    for line in lines[2:]:
        fields = _fields(line, offset)
        cells = tuple(
            Cell(text, begin, end, column, None) for column, (text, begin, end) in enumerate(fields[1:]) if text
        )
        label = re.sub(r"^[*_]+|[*_]+$", "", fields[0][0]) if fields else ""
        if cells:
            rows.append(Row(label, offset, offset + len(line), cells, section))
        elif label:
            section = label
        offset += len(line) + 1
    corner = heads[0] if heads else ""
    note = next((text for text in (corner, above, title) if _is_scale(text)), "")
    return Table(block, columns, tuple(rows), title, note)


_CURRENCY_SCALE = re.compile(
    r"(?:\b(?:EUR|USD|GBP|TRY|TL|CHF)\b|[$€£₺])\s*(?:'?000s?|thousand|million|billion|bin|milyon|milyar|mn|bn|k|m)?\b"
    r"|\b(?:thousand|million|billion|bin|milyon|milyar)s?\b",
    re.IGNORECASE,
)


def _is_scale(text: str) -> bool:
    return len(text) < 120 and bool(headings.scale_note_in(text) or _CURRENCY_SCALE.search(text))


def _fields(line: str, offset: int) -> list[tuple[str, int, int]]:
    """(text, start, end) between the pipes; escaped pipes belong to their field."""
    inner_start = len(line) - len(line.lstrip())
    inner_start += line[inner_start : inner_start + 1] == "|"
    inner_end = len(line.rstrip())
    if inner_end > inner_start and line[inner_end - 1] == "|":
        inner_end -= 1
    fields = []
    cursor = inner_start
    for match in re.finditer(r"(?<!\\)\|", line[:inner_end]):
        if match.start() >= inner_start:
            fields.append(_trimmed(line, cursor, match.start(), offset))
            cursor = match.end()
    fields.append(_trimmed(line, cursor, inner_end, offset))
    return fields


def _trimmed(line: str, start: int, end: int, offset: int) -> tuple[str, int, int]:
    raw = line[start:end]
    begin = start + len(raw) - len(raw.lstrip())
    text = raw.strip()
    return text, offset + begin, offset + begin + len(text)
