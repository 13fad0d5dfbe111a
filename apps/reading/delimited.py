"""CSV and TSV: encoding, delimiter and decimal mark by evidence of the whole file, then typed rows like a sheet's."""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice

from apps.finance.numbers import DecimalMark
from apps.reading.contracts import MediaType, ReadingWarning, WarningCode
from apps.reading.plain import decoded_text
from apps.reading.shapes import DraftRow
from apps.reading.sheet_pages import MAX_COLUMNS, Sheet, SheetReader, printed
from apps.reading.typed import mark_of
from apps.reading.uniform import printed_cell

READER = "airis-csv 1"
_DELIMITERS = (";", ",", "\t", "|")
_SAID = re.compile(r"\ufeff?sep=([;,\t|])\r?\n", re.IGNORECASE)  # Excel's own word on the delimiter, no row
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_SAMPLE_ROWS = 200
_SAMPLE_CHARACTERS = 64_000
_PIECE = 1 << 20
_EVIDENCE_ROWS = 5_000
_MAX_FIELD = 1024 * 1024


Lines = Callable[[], Iterator[str]]  # each call begins at the top


class DelimitedReader(SheetReader):
    """One opened CSV file: a workbook of one nameless sheet."""

    def __init__(self, data: bytes, *, name_differs: bool = False) -> None:
        csv.field_size_limit(_MAX_FIELD)
        lines, warnings = _lines(data)
        if name_differs:
            warnings = (*warnings, ReadingWarning(WarningCode.NAME_DIFFERS, None, "CSV"))
        said = _SAID.fullmatch(next(lines(), ""))
        if said:
            lines = _without_first(lines)
        delimiter = said[1] if said else delimiter_of(_beginning(lines()))
        mark = _mark(lines, delimiter)
        count = widest = 0
        for fields in _records(lines(), delimiter):
            count += any(field.strip() for field in fields)
            widest = max(widest, len(fields))
        if widest > MAX_COLUMNS:
            warnings = (*warnings, ReadingWarning(WarningCode.CONTENT_CUT, None, "columns"))
        sheet = Sheet("", count, lambda: _rows(lines(), delimiter, mark), mark=mark)
        super().__init__((sheet,), MediaType.CSV, READER, warnings)


def _lines(data: bytes) -> tuple[Lines, tuple[ReadingWarning, ...]]:
    """The lines with their ends. A UTF-8 file is decoded as it is read: its text never stands in memory."""
    if b"\x00" not in data and _is_utf8(data):
        return (lambda: io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", newline="")), ()
    text, warnings = decoded_text(data)
    return (lambda: _split(text)), warnings


def _is_utf8(data: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _PIECE):
            decoder.decode(data[start : start + _PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _without_first(lines: Lines) -> Lines:
    return lambda: islice(lines(), 1, None)


def _beginning(lines: Iterator[str]) -> str:
    taken, length = [], 0
    for line in lines:
        taken.append(line)
        length += len(line)
        if length >= _SAMPLE_CHARACTERS:
            break
    return "".join(taken)[:_SAMPLE_CHARACTERS]


def delimiter_of(text: str) -> str:
    """The sign that parts the most rows into the same number of fields, quotes respected; "," when none does."""
    sample = text[:_SAMPLE_CHARACTERS]
    best, best_score = ",", (0.0, 0)
    for delimiter in _DELIMITERS:
        try:
            widths = [len(row) for row in islice(_records(_split(sample), delimiter), _SAMPLE_ROWS) if any(row)]
        except csv.Error:
            continue
        if not widths:
            continue
        width, agreeing = Counter(widths).most_common(1)[0]
        score = (agreeing / len(widths), width)
        if width > 1 and score > best_score:
            best, best_score = delimiter, score
    return best


def _mark(lines: Lines, delimiter: str) -> DecimalMark | None:
    """One decision for the file: one writer wrote all of its numbers. A comma that parts fields parts no decimals."""
    fields = (field.strip() for row in islice(_records(lines(), delimiter), _EVIDENCE_ROWS) for field in row)
    decided = mark_of(field for field in fields if field and len(field) < 40)
    if decided is None and delimiter == ",":
        return DecimalMark.POINT
    return decided


def _split(text: str) -> Iterator[str]:
    return (line.group() for line in _LINE.finditer(text))


def _records(lines: Iterator[str], delimiter: str) -> Iterator[list[str]]:
    return csv.reader(lines, delimiter=delimiter, doublequote=True, skipinitialspace=False)


def _rows(lines: Iterator[str], delimiter: str, mark: DecimalMark | None) -> Iterator[DraftRow]:
    typed = printed_cell(mark)
    for number, fields in enumerate(_records(lines, delimiter), start=1):
        row = printed(number, fields, typed)
        if row is not None:
            yield row
