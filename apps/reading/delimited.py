"""CSV and TSV: encoding, delimiter and decimal mark by evidence of the whole file, then typed rows like a sheet's."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from apps.finance.numbers import DecimalMark
from apps.reading.contracts import MediaType, ReadingWarning, WarningCode
from apps.reading.plain import decoded_text
from apps.reading.shapes import DraftCell, DraftRow
from apps.reading.sheet_pages import MAX_COLUMNS, Sheet, SheetReader, clean_text, filled
from apps.reading.typed import from_text, mark_of

READER = "airis-csv 1"
_DELIMITERS = (";", ",", "\t", "|")
_SAID = re.compile(r"\ufeff?sep=([;,\t|])\r?\n", re.IGNORECASE)  # Excel's own word on the delimiter, no row
_SAMPLE_ROWS = 200
_EVIDENCE_ROWS = 5_000
_MAX_FIELD = 1024 * 1024


class DelimitedReader(SheetReader):
    """One opened CSV file: a workbook of one nameless sheet."""

    def __init__(self, data: bytes, *, name_differs: bool = False) -> None:
        csv.field_size_limit(_MAX_FIELD)
        text, warnings = decoded_text(data)
        if name_differs:
            warnings = (*warnings, ReadingWarning(WarningCode.NAME_DIFFERS, None, "CSV"))
        said = _SAID.match(text)
        text = text[said.end() :] if said else text
        delimiter = said[1] if said else delimiter_of(text)
        mark = _mark(text, delimiter)
        count = widest = 0
        for fields in _records(text, delimiter):
            count += any(field.strip() for field in fields)
            widest = max(widest, len(fields))
        if widest > MAX_COLUMNS:
            warnings = (*warnings, ReadingWarning(WarningCode.CONTENT_CUT, None, "columns"))
        sheet = Sheet("", count, lambda: _rows(text, delimiter, mark))
        super().__init__((sheet,), MediaType.CSV, READER, warnings)


def delimiter_of(text: str) -> str:
    """The sign that parts the most rows into the same number of fields, quotes respected; "," when none does."""
    sample = text[:64_000]
    best, best_score = ",", (0.0, 0)
    for delimiter in _DELIMITERS:
        try:
            widths = [len(row) for row in islice(_records(sample, delimiter), _SAMPLE_ROWS) if any(row)]
        except csv.Error:
            continue
        if not widths:
            continue
        width, agreeing = Counter(widths).most_common(1)[0]
        score = (agreeing / len(widths), width)
        if width > 1 and score > best_score:
            best, best_score = delimiter, score
    return best


def _mark(text: str, delimiter: str) -> DecimalMark | None:
    """One decision for the file: one writer wrote all of its numbers. A comma that parts fields parts no decimals."""
    fields = (field.strip() for row in islice(_records(text, delimiter), _EVIDENCE_ROWS) for field in row)
    decided = mark_of(field for field in fields if field and len(field) < 40)
    if decided is None and delimiter == ",":
        return DecimalMark.POINT
    return decided


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, doublequote=True, skipinitialspace=False)


def _rows(text: str, delimiter: str, mark: DecimalMark | None) -> Iterator[DraftRow]:
    for number, fields in enumerate(_records(text, delimiter), start=1):
        row = filled(number, [_cell(column, field, mark) for column, field in enumerate(fields) if field.strip()])
        if row is not None:
            yield row


def _cell(column: int, field: str, mark: DecimalMark | None) -> DraftCell:
    typed = from_text(clean_text(field), mark)
    return DraftCell(column, typed.text, typed.kind, typed.value, typed.unit)
