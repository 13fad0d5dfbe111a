"""JSON and JSON Lines: a list of records is a sheet, anything else is lines of "path: value". Nothing is left out."""

import json
from collections.abc import Iterator
from typing import Any

from apps.reading.contracts import BlockKind, CellKind, MediaType, ReadingError, ReadingFailure, ReadingWarning
from apps.reading.flow import Elements, FlowReader
from apps.reading.plain import decoded_text
from apps.reading.shapes import DraftCell, DraftRow
from apps.reading.sheet_pages import MAX_COLUMNS, Sheet, SheetReader, clean_text, filled
from apps.reading.typed import from_text

READER = "airis-json 1"
_DEPTH = 100
_MOST_LINES = 200_000


def reader_of(data: bytes) -> SheetReader | FlowReader:
    """The reader that fits the file. Raises ReadingError(DAMAGED) for what is no JSON."""
    text, warnings = decoded_text(data)
    value = _parsed(text.replace("\x00", ""))
    records = value if isinstance(value, list) else []
    if records and all(isinstance(record, dict) and _is_flat(record) for record in records):
        return _RecordReader(records, warnings)
    elements = Elements()
    for count, line in enumerate(_lines("", value, 0)):
        if count >= _MOST_LINES:
            raise ReadingError(ReadingFailure.TOO_LARGE, "lines")
        elements.words(BlockKind.PARAGRAPH, clean_text(line))
    return FlowReader(elements.found, MediaType.JSON, READER, warnings=warnings)


class _RecordReader(SheetReader):
    """Records as rows under their keys, in order of first mention."""

    def __init__(self, records: list[dict[str, Any]], warnings: tuple[ReadingWarning, ...]) -> None:
        keys = list(dict.fromkeys(key for record in records for key in record))[:MAX_COLUMNS]
        rows = [row for row in _rows(records, keys) if row is not None]
        super().__init__((Sheet("", len(rows), lambda: iter(_copied(rows))),), MediaType.JSON, READER, warnings)


def _rows(records: list[dict[str, Any]], keys: list[str]) -> Iterator[DraftRow | None]:
    heads = [DraftCell(column, clean_text(key), is_head=True) for column, key in enumerate(keys)]
    yield filled(1, heads)
    for number, record in enumerate(records, start=2):
        yield filled(number, [_cell(c, record[key]) for c, key in enumerate(keys) if record.get(key) is not None])


def _copied(rows: list[DraftRow]) -> Iterator[DraftRow]:
    """Fresh rows: the page writer takes them apart."""
    for row in rows:
        yield DraftRow(row.number, list(row.cells))


def _cell(column: int, value: Any) -> DraftCell:
    if isinstance(value, bool):
        return DraftCell(column, "TRUE" if value else "FALSE", CellKind.BOOLEAN)
    if isinstance(value, str):
        typed = from_text(clean_text(value), None)
        return DraftCell(column, typed.text, typed.kind, typed.value, typed.unit)
    return DraftCell(column, value.text, CellKind.NUMBER, value.text)


class _Number:
    """A number as the file has it, digit by digit."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_float=_Number, parse_int=_Number)
    except RecursionError as exc:
        raise ReadingError(ReadingFailure.TOO_LARGE, "depth") from exc
    except ValueError:
        pass
    try:
        return [json.loads(line, parse_float=_Number, parse_int=_Number) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as exc:
        raise ReadingError(ReadingFailure.DAMAGED, "JSON") from exc


def _is_flat(record: dict[str, Any]) -> bool:
    return bool(record) and not any(isinstance(value, (dict, list)) for value in record.values())


def _lines(path: str, value: Any, depth: int) -> Iterator[str]:
    """ "a.b[0]: value" for every value, in order."""
    if depth > _DEPTH:
        raise ReadingError(ReadingFailure.TOO_LARGE, "depth")
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _lines(f"{path}.{key}" if path else str(key), inner, depth + 1)
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from _lines(f"{path}[{index}]", inner, depth + 1)
    elif value not in (None, "", {}, []):
        said = {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)
        yield f"{path}: {said}" if path else said
