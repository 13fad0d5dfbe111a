"""Contracts to JSON and back, and the compressed blobs of words and tables that are stored per page."""

import json
import zlib
from dataclasses import replace
from itertools import accumulate
from typing import Any

from apps.reading.contracts import (
    Block,
    BlockKind,
    Box,
    Cell,
    CellKind,
    FileFacts,
    Grid,
    GridCell,
    GridRow,
    MediaType,
    Member,
    MemberRefusal,
    PageContent,
    ReadingWarning,
    Row,
    Table,
    TrackedChange,
    Uniform,
    WarningCode,
    Word,
)

UNIFORM = b"uniform"  # stands for the grids of a page: they follow from its text and its table (uniform.expanded)


def encode_words(words: tuple[Word, ...]) -> bytes:
    """Words as compressed columns: offsets as differences, boxes in tenths of a point."""
    starts = [word.start for word in words]
    columns = [
        [word.text for word in words],
        [b - a for a, b in zip([0, *starts], starts, strict=False)],
        [[round(value * 10) for value in word.box] for word in words],
    ]
    if any(word.confidence != 100 for word in words):
        columns.append([word.confidence for word in words])
    return _packed(columns)


def decode_words(blob: bytes) -> tuple[Word, ...]:
    """The words of `encode_words`; boxes rounded to a tenth of a point."""
    if not blob:
        return ()
    texts, steps, boxes, *more = _unpacked(blob)
    confidences = more[0] if more else [100] * len(texts)
    words, start = [], 0
    for text, step, box, confidence in zip(texts, steps, boxes, confidences, strict=True):
        start += step
        words.append(Word(text, start, (box[0] / 10, box[1] / 10, box[2] / 10, box[3] / 10), confidence))
    return tuple(words)


def encode_tables(tables: tuple[Table, ...]) -> bytes:
    return _packed([_table_out(table) for table in tables])


def decode_tables(blob: bytes) -> tuple[Table, ...]:
    return tuple(_table_in(table) for table in _unpacked(blob)) if blob else ()


def encode_body(table: Table, uniform: Uniform | None = None) -> bytes:
    """The rows of one table, or how they follow from the page's text, with what else is known of it.

    Columns, title and note are stored beside.
    """
    if uniform is not None:
        return _packed({"uniform": uniform_to_json(uniform)})
    return _packed({"rows": [_row_out(row) for row in table.rows], "more": _more_out(table)})


def decode_body(blob: bytes, table: Table) -> Table | Uniform:
    """The table with the rows of `encode_body`, or of `encode_rows` as tables were stored before."""
    body = _unpacked(blob) if blob else []
    if isinstance(body, dict) and "uniform" in body:
        return uniform_from_json(body["uniform"])
    if isinstance(body, list):
        return replace(table, rows=tuple(_row_in(row) for row in body))
    return replace(table, rows=tuple(_row_in(row) for row in body["rows"]), **body["more"])


def encode_rows(rows: tuple[Row, ...]) -> bytes:
    """A group of rows of one table."""
    return _packed([_row_out(row) for row in rows])


def decode_rows(blob: bytes) -> tuple[Row, ...]:
    return tuple(_row_in(row) for row in _unpacked(blob)) if blob else ()


def encode_grids(grids: tuple[Grid, ...]) -> bytes:
    """Grids of a page: a block of typed rows, never a row per cell."""
    return _packed([_grid_out(grid) for grid in grids])


def decode_grids(blob: bytes) -> tuple[Grid, ...]:
    return tuple(_grid_in(grid) for grid in _unpacked(blob)) if blob else ()


def page_to_json(page: PageContent) -> dict[str, Any]:
    """JSON-able form of a page. Any: JSON."""
    return {
        "number": page.number,
        "label": page.label,
        "width": page.width,
        "height": page.height,
        "rotation": page.rotation,
        "text": page.text,
        "words": [_word_out(word) for word in page.words],
        "blocks": [[b.ordinal, b.kind.value, b.start, b.end, b.box, b.level] for b in page.blocks],
        "tables": [_table_out(table) for table in page.tables],
        "language": page.language,
        "first_line": page.first_line,
        "grids": [_grid_out(grid) for grid in page.grids],
        "changes": changes_to_json(page.changes),
        "uniform": uniform_to_json(page.uniform) if page.uniform else None,
    }


def page_from_json(data: dict[str, Any]) -> PageContent:
    return PageContent(
        number=data["number"],
        label=data["label"],
        width=data["width"],
        height=data["height"],
        rotation=data["rotation"],
        text=data["text"],
        words=tuple(Word(w[0], w[1], (w[2], w[3], w[4], w[5]), *w[6:]) for w in data["words"]),
        blocks=tuple(Block(b[0], BlockKind(b[1]), b[2], b[3], _box(b[4]), b[5]) for b in data["blocks"]),
        tables=tuple(_table_in(table) for table in data["tables"]),
        language=data["language"],
        first_line=data["first_line"],
        grids=tuple(_grid_in(grid) for grid in data["grids"]),
        changes=changes_from_json(data["changes"]),
        uniform=uniform_from_json(data["uniform"]) if data["uniform"] else None,
    )


def uniform_to_json(uniform: Uniform) -> list[Any]:
    numbers = uniform.numbers
    steps = [b - a for a, b in zip((0, *numbers), numbers, strict=False)]
    shape = [uniform.label, uniform.values, uniform.identifiers, uniform.mark]
    return [uniform.name, steps, uniform.columns, uniform.others, *shape]


def uniform_from_json(data: list[Any]) -> Uniform:
    name, steps, columns, others, label, values, identifiers, mark = data
    lines = tuple((line, tuple(filled)) for line, filled in others)
    return Uniform(
        name, tuple(accumulate(steps)), tuple(columns), lines, label, tuple(values), tuple(identifiers), mark
    )


def changes_to_json(changes: tuple[TrackedChange, ...]) -> list[list[Any]]:
    return [[c.block, c.is_deletion, c.text, c.author, c.date] for c in changes]


def changes_from_json(data: list[list[Any]]) -> tuple[TrackedChange, ...]:
    return tuple(TrackedChange(c[0], c[1], c[2], c[3], c[4]) for c in data)


def facts_to_json(facts: FileFacts) -> dict[str, Any]:
    return {
        "media_type": facts.media_type.value,
        "page_count": facts.page_count,
        "title": facts.title,
        "reader": facts.reader,
        "warnings": [warning_to_json(warning) for warning in facts.warnings],
        "members": [member_to_json(member) for member in facts.members],
        "details": [list(detail) for detail in facts.details],
    }


def facts_from_json(data: dict[str, Any]) -> FileFacts:
    warnings = tuple(warning_from_json(warning) for warning in data["warnings"])
    members = tuple(member_from_json(member) for member in data["members"])
    details = tuple((str(name), str(said)) for name, said in data["details"])
    kind = MediaType(data["media_type"])
    return FileFacts(kind, data["page_count"], data["title"], data["reader"], warnings, members, details)


def member_to_json(member: Member) -> list[Any]:
    return [member.name, member.size, member.refusal.value if member.refusal else "", member.kind]


def member_from_json(data: list[Any]) -> Member:
    return Member(data[0], data[1], MemberRefusal(data[2]) if data[2] else None, data[3])


def warning_to_json(warning: ReadingWarning) -> list[Any]:
    return [warning.code.value, warning.page, warning.detail]


def warning_from_json(data: list[Any]) -> ReadingWarning:
    return ReadingWarning(WarningCode(data[0]), data[1], data[2])


def _packed(value: Any) -> bytes:
    return zlib.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), 6)


def _unpacked(blob: bytes) -> Any:
    return json.loads(zlib.decompress(blob))


def _table_out(table: Table) -> list[Any]:
    rows = [_row_out(row) for row in table.rows]
    return [table.block, list(table.columns), table.title, table.scale_note, rows, _more_out(table)]


def _more_out(table: Table) -> dict[str, Any]:
    """Fields that came later, by name, when they say something."""
    more: dict[str, Any] = {"continues": True} if table.continues else {}
    return {**more, "confidence": table.confidence} if table.confidence != 100 else more


def _table_in(data: list[Any]) -> Table:
    rows = tuple(_row_in(row) for row in data[4])
    return Table(data[0], tuple(data[1]), rows, data[2], data[3], **(data[5] if len(data) > 5 else {}))


def _word_out(word: Word) -> list[Any]:
    out = [word.text, word.start, *word.box]
    return out if word.confidence == 100 else [*out, word.confidence]


def _row_out(row: Row) -> list[Any]:
    return [
        row.label,
        row.start,
        row.end,
        row.section,
        [_cell_out(cell) for cell in row.cells],
    ]


def _row_in(data: list[Any]) -> Row:
    return Row(data[0], data[1], data[2], tuple(_cell_in(cell) for cell in data[4]), data[3])


def _cell_out(cell: Cell) -> list[Any]:
    printed = [cell.text, cell.start, cell.end, cell.column, cell.box]
    return printed if cell.kind is None else [*printed, cell.kind.value, cell.value, cell.unit, cell.ref]


def _cell_in(data: list[Any]) -> Cell:
    if len(data) == 5:
        return Cell(data[0], data[1], data[2], data[3], _box(data[4]))
    return Cell(data[0], data[1], data[2], data[3], _box(data[4]), CellKind(data[5]), data[6], data[7], data[8])


def _grid_out(grid: Grid) -> list[Any]:
    rows = [
        [
            row.number,
            [_grid_cell_out(cell) for cell in row.cells],
            row.is_head,
            row.is_hidden,
        ]
        for row in grid.rows
    ]
    return [grid.block, grid.name, grid.is_hidden, list(grid.hidden_columns), rows]


def _grid_cell_out(cell: GridCell) -> list[Any]:
    out = [cell.column, cell.start, cell.end, cell.kind.value, cell.value, cell.format, cell.formula, cell.span]
    return [*out, cell.text] if cell.text else out


def _grid_in(data: list[Any]) -> Grid:
    rows = tuple(
        GridRow(
            row[0],
            tuple(GridCell(c[0], c[1], c[2], CellKind(c[3]), *c[4:]) for c in row[1]),
            row[2],
            row[3],
        )
        for row in data[4]
    )
    return Grid(data[0], data[1], rows, data[2], tuple(data[3]))


def _box(data: list[float] | None) -> Box | None:
    return None if data is None else (data[0], data[1], data[2], data[3])
