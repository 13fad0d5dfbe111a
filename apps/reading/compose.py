"""A page's lines become its text, words, blocks and tables: the one place where offsets are made."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from apps.reading import headings, normalise
from apps.reading.contracts import Block, BlockKind, Box, Cell, CellKind, Grid, GridCell, GridRow, Row, Table, Word
from apps.reading.geometry import Line, Token, lines_of, regions_of
from apps.reading.table_confidence import confidence_of
from apps.reading.table_grid import GridCellDraft, Rules, grid_of
from apps.reading.table_parts import RowDraft, TableDraft
from apps.reading.tables import tables_of
from apps.reading.values import Value, values_of

_BULLETS = ("•", "·", "▪", "■", "◦", "●", "–", "—", "-", "*", "o", "►", "")
_CONTINUED = re.compile(r"[\s(–-]*\b(?:continued|cont\.?|devamı?|devam)\b[).\s]*$", re.IGNORECASE)
_ENUMERATORS = "().0123456789"


@dataclass(slots=True)
class Composed:
    text: str
    words: tuple[Word, ...]
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    last_table: TableDraft | None = None  # when the page ends with it: the next page may continue it
    grids: tuple[Grid, ...] = ()


@dataclass(slots=True)
class _Part:
    """A future block: lines in order."""

    kind: BlockKind
    lines: list[Line]
    level: int = 0
    table: TableDraft | None = None


@dataclass(slots=True)
class _Writer:
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    words: list[Word] = field(default_factory=list)

    def put(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)


def compose(
    tokens: list[Token],
    width: float,
    height: float,
    running: "Running",
    before: TableDraft | None = None,
    notes: Sequence[list[Token]] = (),
    rules: Callable[[], Rules] = Rules,
) -> Composed:
    """Text in reading order with blocks and tables. Running headers come first, running footers last.

    `before` is the table that ended the page before: a table without a header at the top of this page
    continues it. `rules` gives the page's straight lines and is asked only when it has tables. `notes` are comments
    of reviewers: blocks of their own behind everything else.
    """
    heads, body, feet = running.split(tokens, height)
    parts = [_Part(BlockKind.HEADER, [line]) for line in heads]
    size = _body_size(body)
    for region in regions_of(body, width) if body else []:
        parts.extend(_parts_of(region, size))
    content = [part for part in parts if part.kind is not BlockKind.HEADER]
    if before is not None and content:
        _continue_table(content, before)
    last = next((part.table for part in reversed(content[-3:]) if part.table is not None), None)
    parts.extend(_Part(BlockKind.FOOTER, [line]) for line in feet)
    parts.extend(_Part(BlockKind.NOTE, lines_of(note)) for note in notes)
    has_tables = any(part.table is not None for part in parts)
    return _written(parts, last, rules() if has_tables else Rules())


def _continue_table(content: list[_Part], before: TableDraft) -> None:
    """The first table of a page goes on with `before` when nothing but that table's title stands above it."""
    for part in content[:4]:
        if part.table is not None:
            part.table.continue_from(before)
            return
        text = " ".join(line.text for line in part.lines)
        known = _CONTINUED.sub("", before.title).strip()
        is_title = bool(known) and _CONTINUED.sub("", text).strip() in known
        if not is_title and not headings.is_scale_line(text):
            return


def _body_size(tokens: list[Token]) -> float:
    weight: dict[float, int] = {}
    for token in tokens:
        weight[token.size] = weight.get(token.size, 0) + len(token.text)
    return max(weight, key=lambda size: weight[size]) if weight else 0.0


def _parts_of(lines: list[Line], body_size: float) -> list[_Part]:
    tables = tables_of(lines)
    owner: dict[int, TableDraft] = {}
    for table in tables:
        for index in range(table.first, table.last + 1):
            owner[index] = table
    parts: list[_Part] = []
    leading = _leading(lines)
    index = 0
    while index < len(lines):
        table_here = owner.get(index)
        if table_here is not None:
            parts.append(_Part(BlockKind.TABLE, lines[table_here.first : table_here.last + 1], table=table_here))
            index = table_here.last + 1
            continue
        line = lines[index]
        level = headings.heading_level(line, body_size)
        kind = BlockKind.HEADING if level else _kind_of(line)
        if parts and index - 1 not in owner and index and _joins(parts[-1], line, kind, level, leading):
            parts[-1].lines.append(line)
        else:
            parts.append(_Part(kind, [line], level))
        index += 1
    return parts


def _leading(lines: list[Line]) -> float:
    """Commonest distance between neighbouring baselines."""
    pitches = sorted(
        round(b.middle - a.middle, 1) for a, b in pairwise(lines) if 0 < b.middle - a.middle < 3 * b.height
    )
    if not pitches:
        return 12.0
    counts: dict[float, int] = {}
    for pitch in pitches:
        counts[round(pitch)] = counts.get(round(pitch), 0) + 1
    return max(counts, key=lambda p: counts[p])


def _kind_of(line: Line) -> BlockKind:
    first = line.tokens[0]
    if first.text in _BULLETS and len(line.tokens) > 1:
        return BlockKind.LIST_ITEM
    stripped = first.text.strip(_ENUMERATORS)
    if len(line.tokens) > 1 and len(first.text) <= 5 and first.text[-1:] in ".)" and len(stripped) <= 1:
        return BlockKind.LIST_ITEM
    if first.is_mark and len(line.tokens) > 1:
        return BlockKind.FOOTNOTE
    return BlockKind.PARAGRAPH


def _joins(part: _Part, line: Line, kind: BlockKind, level: int, leading: float) -> bool:
    previous = part.lines[-1]
    pitch = line.middle - previous.middle
    if pitch < -0.5 * line.height or pitch > 1.3 * max(leading, 1.05 * line.height):
        return False
    if part.kind is BlockKind.HEADING or kind is BlockKind.HEADING:
        same_style = part.level == level and abs(previous.size - line.size) < 0.6
        return same_style and part.kind is kind and len(part.lines) < 3 and not previous.text.endswith(".")
    if kind in (BlockKind.LIST_ITEM, BlockKind.FOOTNOTE):
        return False
    if abs(previous.size - line.size) > 0.15 * line.size:
        return False
    if part.kind is BlockKind.LIST_ITEM:
        return line.x0 >= part.lines[0].x0 - 1
    ends = previous.text.rstrip().endswith((".", ":", "?", "!"))
    widest = max(other.x1 for other in part.lines)
    is_short = previous.x1 < widest - 0.15 * max(widest - previous.x0, 1)
    is_indented = line.x0 > previous.x0 + 1.5 * line.size
    return not (ends and (is_short or is_indented))


# --- writing ---------------------------------------------------------------------------------------------


def _written(parts: list[_Part], last_table: TableDraft | None, rules: Rules) -> Composed:
    writer = _Writer()
    blocks: list[Block] = []
    drafts: list[tuple[int, TableDraft]] = []
    vocabulary = {token.text.lower() for part in parts for line in part.lines for token in line.tokens}
    for part in parts:
        if writer.length:
            writer.put("\n\n")
        start = writer.length
        for index, line in enumerate(part.lines):
            if index:
                _break_line(writer, line, part.kind, vocabulary)
            _write_line(writer, line)
        box = _union([token.box for line in part.lines for token in line.tokens])
        ordinal = len(blocks)
        blocks.append(Block(ordinal, part.kind, start, writer.length, box, part.level))
        if part.table is not None:
            drafts.append((ordinal, part.table))
    text = "".join(writer.pieces)
    lines_of_table = {id(part.table): part.lines for part in parts if part.table is not None}
    tables, grids = [], []
    for ordinal, draft in drafts:
        cells = grid_of([token for line in lines_of_table[id(draft)] for token in line.tokens], rules)
        tables.append(replace(_table(text, ordinal, draft), confidence=confidence_of(draft, cells)))
        grids.append(_grid(text, ordinal, cells, draft))
    return Composed(text, tuple(writer.words), tuple(blocks), tuple(tables), last_table, tuple(grids))


def _write_line(writer: _Writer, line: Line) -> None:
    for index, token in enumerate(line.tokens):
        if index and not token.is_glued:
            writer.put(" ")
        token.start = writer.length
        writer.put(token.text)
        writer.words.append(Word(token.text, token.start, token.box, token.confidence))


def _break_line(writer: _Writer, line: Line, kind: BlockKind, vocabulary: set[str]) -> None:
    """Ends the line above; a word parted by a hyphen at the line's end becomes one again."""
    last = writer.words[-1] if writer.words else None
    following = line.tokens[0].text
    if kind is not BlockKind.TABLE and last is not None and last.end == writer.length and len(last.text) > 1:
        if last.text.endswith(normalise.SOFT_HYPHEN):
            _drop_last_character(writer, last)
            return
        if last.text.endswith(("-", "\u2010")) and following[:1].islower() and last.text[-2:-1].isalpha():
            joined = (last.text[:-1] + following).rstrip(".,;:)").lower()
            if joined in vocabulary:
                _drop_last_character(writer, last)
            return
    writer.put("\n")


def _drop_last_character(writer: _Writer, last: Word) -> None:
    writer.pieces[-1] = writer.pieces[-1][:-1]
    writer.length -= 1
    writer.words[-1] = replace(last, text=last.text[:-1])


def _table(text: str, block: int, draft: TableDraft) -> Table:
    rows = tuple(_row(text, row) for row in draft.rows)
    return Table(block, tuple(draft.columns), rows, draft.title, draft.scale_note, draft.continues)


def _grid(text: str, block: int, cells: list[GridCellDraft], draft: TableDraft) -> Grid:
    """Every cell of the table, heads and labels included, with the columns that it covers."""
    first_value = min((t.start for row in draft.rows for value, _c in row.values for t in value.tokens), default=0)
    by_row: dict[int, list[GridCellDraft]] = {}
    for cell in cells:
        by_row.setdefault(cell.row, []).append(cell)
    heads_end = next((n for n, row in sorted(by_row.items()) if any(_holds(c, first_value) for c in row)), 0)
    rows = tuple(
        GridRow(number + 1, tuple(_grid_cell(text, cell) for cell in row), is_head=number < heads_end)
        for number, row in sorted(by_row.items())
    )
    return Grid(block, "", rows)


def _holds(cell: GridCellDraft, start: int) -> bool:
    return any(token.start == start for token in cell.tokens)


def _grid_cell(text: str, cell: GridCellDraft) -> GridCell:
    start, end = min(token.start for token in cell.tokens), max(token.end for token in cell.tokens)
    kind = CellKind.NUMBER if values_of(cell.tokens) else CellKind.TEXT
    whole = "" if text[start:end].split() == cell.text.split() else cell.text
    return GridCell(cell.column, start, end, kind, span=cell.column_end - cell.column + 1, text=whole)


def _row(text: str, draft: RowDraft) -> Row:
    cells = tuple(_cell(text, value, column) for value, column in draft.values)
    own = [token for token in draft.label if token not in draft.borrowed]
    tokens = own + [token for value, _column in draft.values for token in value.tokens]
    label = normalise.without_leaders(" ".join(t.text for t in draft.label if not t.is_mark))
    return Row(
        " ".join(label.split()),
        min(token.start for token in tokens),
        max(token.end for token in tokens),
        cells,
        draft.section,
    )


def _cell(text: str, value: Value, column: int) -> Cell:
    start = min(token.start for token in value.tokens)
    end = max(token.end for token in value.tokens)
    near = [t for t in value.tokens if t.x1 > value.x0 - 1.5 * t.size]
    return Cell(text[start:end], start, end, column, _union([token.box for token in near]))


def _union(boxes: list[Box]) -> Box | None:
    if not boxes:
        return None
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


# --- running headers and footers -------------------------------------------------------------------------


@dataclass(slots=True)
class Running:
    """What stands at the edge of several pages of a window: kept out of the body text."""

    repeated: frozenset[str] = frozenset()

    def split(self, tokens: list[Token], height: float) -> tuple[list[Line], list[Token], list[Line]]:
        """(header lines, body tokens, footer lines) of a page."""
        lines = edge_lines(tokens, height)
        outer = _outermost(tokens)
        heads = [line for line in lines if line.middle < height / 2 and self._is_running(line, height)]
        feet = [line for line in lines if line.middle >= height / 2 and self._is_running(line, height)]
        if outer is not None and outer.text not in {line.text for line in heads + feet}:
            (heads if outer.middle < height / 2 else feet).append(outer)
        gone = {id(token) for line in heads + feet for token in line.tokens}
        return heads, [token for token in tokens if id(token) not in gone], feet

    def _is_running(self, line: Line, height: float) -> bool:
        is_edge = line.y1 < 0.06 * height or line.y0 > 0.93 * height
        return pattern_of(line) in self.repeated or (is_edge and is_page_number(line.text))


def _outermost(tokens: list[Token]) -> Line | None:
    """The last (or else first) line of a page when it is nothing but a page number."""
    lines = lines_of(tokens)
    for line in (lines[-1:] + lines[:1]) if len(lines) > 2 else []:
        if len(line.tokens) == 1 and len(line.text) <= 5 and is_page_number(line.text):
            return line
    return None


def edge_lines(tokens: list[Token], height: float) -> list[Line]:
    """The lines near the upper and lower edge of a page (one tenth each)."""
    edge = [token for token in tokens if token.y1 < 0.1 * height or token.y0 > 0.9 * height]
    return lines_of(edge)


def pattern_of(line: Line) -> str:
    """The line with its digits masked, so that page numbers do not hide a repetition."""
    return "".join("#" if character.isdigit() else character for character in line.text).replace("##", "#")


def is_page_number(text: str) -> bool:
    """ "52", "- 3 -", "Page 3 of 10", "iv", "F-12"."""
    words = text.lower().replace("-", " ").replace("|", " ").split()
    rest = [w for w in words if w not in {"page", "sayfa", "of", "/", "f"} and not _is_roman_or_number(w)]
    return 0 < len(words) <= 5 and not rest


def _is_roman_or_number(word: str) -> bool:
    return word.isdigit() or (0 < len(word) < 8 and set(word) <= set("ivxlc"))
