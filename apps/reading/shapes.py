"""Where a table's heads end, what its columns are called and which column labels its rows. Pure functions.

One rule for sheets, CSV, HTML, DOCX and mail: rows come in order, a few are looked at before a table is named.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice

from apps.reading.contracts import CellKind

LOOK_AHEAD = 24
_MOST_HEADS = 4
_MOST_NOTES = 12
_SCALE = re.compile(
    r"\b(?:thousands?|millions?|billions?|bin|milyon|milyar)\b|\b(?:TL|TRY|EUR|USD|€|£)\b|₺|\$", re.IGNORECASE
)
_SCALE_WORDS = re.compile(r"\b(?:thousands?|millions?|billions?|bin|milyon|milyar)\b", re.IGNORECASE)
_IN_UNITS = re.compile(r"\(?in \w+\)?$", re.IGNORECASE)
_LAST_BRACKETS = re.compile(r"(\([^()]{1,160}\))[\s:.]*$")
_IDENTIFIER = re.compile(r"(?:^|\s)(?:no|nr|id|kod|kodu|code|ref|#|numarası)\.?$", re.IGNORECASE)


@dataclass(slots=True)
class DraftCell:
    """A filled cell before it is written."""

    column: int  # from 0
    text: str
    kind: CellKind = CellKind.TEXT
    value: str = ""
    unit: str = ""
    format: str = ""
    formula: str = ""
    span: int = 1
    is_head: bool = False  # marked as a head by the format (<th>, header row of DOCX)


@dataclass(slots=True)
class DraftRow:
    number: int  # from 1
    cells: list[DraftCell]
    is_hidden: bool = False
    hidden: list[DraftCell] = field(default_factory=list)  # cells of hidden columns: shown apart, marked
    skipped: int = 0  # hidden rows directly above: they are no gap


class PrintedRow(DraftRow):
    """A row of printed fields that are typed when somebody asks: most rows of a long file are never looked at."""

    __slots__ = ("_type", "_typed", "columns", "texts")

    def __init__(
        self, number: int, columns: tuple[int, ...], texts: list[str], type_: Callable[[int, str], DraftCell]
    ) -> None:
        self.number, self.is_hidden, self.hidden, self.skipped = number, False, [], 0
        self.columns, self.texts, self._type = columns, texts, type_
        self._typed: list[DraftCell] | None = None

    @property
    def cells(self) -> list[DraftCell]:  # type: ignore[override]  # the same list, made late
        if self._typed is None:
            self._typed = [self._type(column, text) for column, text in zip(self.columns, self.texts, strict=True)]
        return self._typed


class Role(StrEnum):
    NOTE = "note"  # a line of words around the table
    HEAD = "head"
    BODY = "body"
    HIDDEN = "hidden"  # shown by the viewer, marked; no part of the table


@dataclass(slots=True)
class Shape:
    """One table: names of its columns by sheet column, and the column of its row labels."""

    columns: dict[int, str]
    label: int
    title: str = ""
    scale_note: str = ""
    values: list[int] = field(default_factory=list)  # sheet columns of the values, in order
    identifiers: frozenset[int] = frozenset()  # sheet columns of numbers that name things
    covered: dict[int, int] = field(default_factory=dict)  # sheet column below a wide head → where the head begins

    def index_of(self, column: int) -> int:
        """Index into `values`; a column met later joins at the end."""
        column = self.covered.get(column, column)
        if column not in self.values:
            self.values.append(column)
        return self.values.index(column)

    def names(self) -> tuple[str, ...]:
        return tuple(self.columns.get(column, "") for column in self.values)


Placed = tuple[DraftRow, Role, Shape | None]


def shaped(rows: Iterable[DraftRow], *, title: str = "", scale_note: str = "") -> Iterator[Placed]:
    """Every row with its role and its table. A blank row ends a table only where new heads follow it."""
    source = iter(rows)
    waiting: list[DraftRow] = list(islice(source, LOOK_AHEAD))
    shape: Shape | None = None
    last = 0
    while waiting:
        is_gap = waiting[0].number - waiting[0].skipped > last + 1
        if shape is None or (is_gap and _begins_table(waiting, shape)):
            region = _region(waiting)
            notes, heads = _heads(region)
            shape = _shape(region, notes, heads, title, scale_note)
            roles = [Role.NOTE] * notes + [Role.HEAD] * heads
        else:
            roles = [Role.NOTE if shape is None else Role.BODY]
        for role in roles or [Role.BODY]:
            row = waiting.pop(0)
            last = row.number
            yield row, role, None if role is Role.NOTE else shape
            waiting.extend(islice(source, 1))
        if shape is not None and not shape.columns and not shape.values:
            shape = None  # only notes so far


def is_scale_note(text: str) -> bool:
    return len(text) < 200 and bool(_SCALE.search(text))


def says_scale(text: str) -> bool:
    """A cell that holds nothing but the scale of those around it: "(In millions)", "bin TL"."""
    return bool(_SCALE_WORDS.search(text)) and len(text) < 80 and not any(map(str.isdigit, text))


def scale_note_in(text: str) -> str:
    """The words above a table that state its scale: a short line as it is, of a long one its last brackets."""
    return text if is_scale_note(text) else last_brackets(text)


def last_brackets(text: str) -> str:
    """The scale that a sentence states at its end: "… as of June 30 (in millions):"."""
    last = _LAST_BRACKETS.search(text)
    return last[1] if last and _SCALE_WORDS.search(last[1]) else ""


def _region(rows: list[DraftRow]) -> list[DraftRow]:
    """The rows up to the first blank one, notes above a table included even when a blank row follows them."""
    taken: list[DraftRow] = []
    for row in rows:
        is_gap = bool(taken) and row.number - row.skipped > taken[-1].number + 1
        if is_gap and any(len(r.cells) > 1 and not _says_only_heads(r) for r in taken):
            break  # a blank row between heads and the rows below them parts nothing
        taken.append(row)
    return taken


def _heads(region: list[DraftRow]) -> tuple[int, int]:
    """(note rows, head rows) at the beginning of a region."""
    notes = 0
    while notes < min(len(region), _MOST_NOTES) and _is_note(region, notes):
        notes += 1
    rest = region[notes:]
    if not rest:
        return notes, 0
    if len(rest) < 2 or _is_note(rest, 0) or not _can_be_head(rest, 0):
        return notes, 0
    heads = 1
    while heads < min(_MOST_HEADS, len(rest) - 1) and (_goes_on(rest, heads) or _is_scale_line(rest[heads])):
        heads += 1
    return notes, heads


def _says_only_heads(row: DraftRow) -> bool:
    """Words, years and dates: as a head row has them."""
    return all(cell.kind in (CellKind.TEXT, CellKind.DATE) or _is_year(cell) for cell in row.cells)


def _is_scale_line(row: DraftRow) -> bool:
    """Below the heads, what their figures are in: "Inventories: | (In millions) | (In years)"."""
    units = [cell.text for cell in row.cells if cell.column > 0]
    return any(map(says_scale, units)) and all(says_scale(unit) or _IN_UNITS.match(unit) for unit in units)


def _is_note(rows: list[DraftRow], index: int) -> bool:
    """A lone cell of words; a lone year over the second column is a head."""
    cells = rows[index].cells
    if len(cells) != 1:
        return False
    below = rows[index + 1].cells if index + 1 < len(rows) else []
    under = range(cells[0].column, cells[0].column + cells[0].span)
    if cells[0].column > 0 and sum(cell.column in under for cell in below) > 1:
        return False  # "Year ended" over several columns
    is_period = _is_year(cells[0]) or cells[0].kind is CellKind.DATE
    return not (is_period and below and below[0].column < cells[0].column)


def _can_be_head(rows: list[DraftRow], index: int) -> bool:
    row, below = rows[index], rows[index + 1] if index + 1 < len(rows) else None
    if all(cell.is_head for cell in row.cells):
        return True
    if any(cell.kind is CellKind.ERROR or (cell.kind is CellKind.NUMBER and not _is_year(cell)) for cell in row.cells):
        return False
    if len(row.cells) == 2 and row.cells[1].kind is CellKind.DATE and len(row.cells[1].value) > 7:
        return False  # "Due date | 05.09.2024": a pair, no head
    if below is not None:
        kinds = {cell.column: cell for cell in below.cells}
        for cell in row.cells:
            under = kinds.get(cell.column)
            is_period = cell.kind is CellKind.DATE or _is_year(cell)
            if is_period and under is not None and (under.kind is CellKind.DATE or _is_year(under)):
                return False  # a row of data like the one below
    return True


def _goes_on(rows: list[DraftRow], heads: int) -> bool:
    """Whether another head row follows: the one above spans several columns of it."""
    above, row = rows[heads - 1], rows[heads]
    if not _can_be_head(rows, heads):
        return False
    if all(cell.is_head for cell in row.cells):
        return True
    if not all(cell.kind is CellKind.TEXT or _is_year(cell) or cell.kind is CellKind.DATE for cell in row.cells):
        return False
    under = {cell.column for cell in row.cells}
    spanned = any(len(under & set(range(c.column, c.column + c.span))) > 1 for c in above.cells if c.span > 1)
    starts_late = above.cells[0].column > min(under)
    return spanned or (starts_late and len(row.cells) > len(above.cells))


def _begins_table(rows: list[DraftRow], shape: Shape) -> bool:
    """After a blank row: whether new heads stand here, not another stretch of the same table."""
    notes, heads = _heads(_region(rows))
    if _is_scale_line(rows[0]):
        return False
    if heads and notes + heads < len(rows):
        head, body = rows[notes + heads - 1], rows[notes + heads]
        numbers = {c.column for c in body.cells if c.kind is CellKind.NUMBER}
        return bool(numbers & {c.column for c in head.cells if c.kind is not CellKind.NUMBER or _is_year(c)})
    known = {shape.label, *shape.columns, *shape.values}
    return bool(notes) and len(rows) > notes and not heads and rows[notes].cells[0].column not in known


def _shape(rows: list[DraftRow], notes: int, heads: int, title: str, scale_note: str) -> Shape:
    words = [row.cells[0].text for row in rows[:notes]]
    head_rows, body = rows[notes : notes + heads], rows[notes + heads : notes + heads + 20]
    words += [cell.text for row in head_rows for cell in row.cells if cell.column and says_scale(cell.text)]
    head_rows = [row for row in head_rows if not _is_scale_line(row)]
    scales = [text for text in words if is_scale_note(text)]
    titles = [text for text in words if text not in scales]
    columns = _names(head_rows, body)
    label = _label_column(body, columns)
    found = Shape(columns, label, titles[0] if titles else title, " ".join(scales[:2]) or scale_note)
    found.identifiers = frozenset(column for column, name in columns.items() if _IDENTIFIER.search(name))
    found.covered = _covered(head_rows, body, label)
    if is_scale_note(columns.get(label, "")) and not found.scale_note:
        found.scale_note = columns[label]
    for column in sorted({*columns, *(cell.column for row in body for cell in row.cells)}):
        if column != label:
            found.index_of(column)
    return found


def _covered(heads: list[DraftRow], body: list[DraftRow], label: int) -> dict[int, int]:
    """Columns that stand for the one where their head begins: "$" moves a figure by a column, its head spans both."""
    found: dict[int, int] = {}
    for row in heads:
        for cell in row.cells:
            under = range(cell.column, cell.column + cell.span)
            if any(sum(c.column in under for c in line.cells) > 1 for line in body):
                continue  # a head over several columns
            found.update({column: cell.column for column in under if column != label})
    return found


def _names(heads: list[DraftRow], body: list[DraftRow]) -> dict[int, str]:
    parts: dict[int, list[str]] = {}
    used = {cell.column for row in body for cell in row.cells}
    for cell in heads[-1].cells if heads else ():
        if not used & set(range(cell.column, cell.column + cell.span)):
            used.add(cell.column)
    for position, row in enumerate(heads):
        is_last = position == len(heads) - 1
        for cell, following in zip(row.cells, [*row.cells[1:], None], strict=True):
            end = cell.column + cell.span
            if cell.span == 1 and not is_last:  # a blank to the right repeats the head, as a merged cell would
                end = following.column if following is not None else max(used, default=cell.column) + 1
                end = end if position == 0 and row.cells[0].column > min(used, default=0) else cell.column + 1
            for column in range(cell.column, end):
                if column in used and not says_scale(cell.text) and cell.text not in parts.setdefault(column, []):
                    parts[column].append(cell.text)
    return {column: " ".join(words) for column, words in parts.items() if words}


def _label_column(body: list[DraftRow], columns: dict[int, str]) -> int:
    """The first column that is mostly words, else the first one."""
    seen = sorted({cell.column for row in body for cell in row.cells} | set(columns)) or [0]
    for column in seen:
        kinds = [cell.kind for row in body for cell in row.cells if cell.column == column]
        if kinds and sum(kind is CellKind.TEXT for kind in kinds) * 2 > len(kinds):
            return column
    return seen[0]


def _is_year(cell: DraftCell) -> bool:
    return cell.kind is CellKind.NUMBER and bool(re.fullmatch(r"(?:19|20)\d\d", cell.value or cell.text))
