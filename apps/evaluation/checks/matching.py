"""How checks compare: text after NFC with runs of white space as one blank, numbers as Decimal, rows by label."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from apps.evaluation.checks.files import ReadFile
from apps.reading.contracts import PageContent, Row, Table
from apps.reading.quantities import Quantity, note_of, quantity_of

_PUNCTUATION = " .,:;()[]"


def plain(text: str) -> str:
    """NFC, line-end hyphens of soft breaks joined, one blank for every run of white space."""
    joined = re.sub("\u00ad\\s*", "", unicodedata.normalize("NFC", text))
    return " ".join(joined.split())


def decimal_of(text: object) -> Decimal | None:
    try:
        return Decimal(str(text))
    except InvalidOperation:
        return None


@dataclass(frozen=True, slots=True)
class Place:
    """A table of a file, on its page, with the scale note that holds for it."""

    page: PageContent
    table: Table
    note: str


@dataclass(frozen=True, slots=True)
class Found:
    """A row and column that a check names; `quantity` is None where the row has nothing in the column."""

    place: Place
    row: Row
    quantity: Quantity | None


def tables_of(file: ReadFile, *, page: int | None = None, sheet: str = "") -> Iterator[Place]:
    """The tables of the file and its members in reading order; a table that continues one keeps its note."""
    for part in file.family():
        note = ""
        for content in part.pages:
            for table in content.tables:
                note = note_of(content, table, note) or note
                on_page = page is None or (part is file and content.number == page)
                if on_page and (not sheet or content.label == sheet):
                    yield Place(content, table, note_of(content, table, note))


def cells_named(places: Iterator[Place], label: str, column: str) -> Iterator[Found]:
    """Of each table the rows whose label begins so, exact labels first, under the heads that hold all the words."""
    for place in places:
        columns = _columns(place.table, column)
        rows = _rows(place.table, label)
        if not columns:
            continue
        for row in rows:
            cells = [cell for cell in row.cells if cell.column in columns]
            if not cells:
                yield Found(place, row, None)
            for cell in cells:
                yield Found(place, row, quantity_of(place.page, place.table, row, cell, note=place.note))


def _rows(table: Table, label: str) -> list[Row]:
    """Rows by their label, or by group and label: "Paper 2023" is the row 2023 of the group Paper."""
    wanted = plain(label)
    named = [(plain(row.label), plain(f"{row.section} {row.label}"), row) for row in table.rows]
    exact = [row for own, joined, row in named if wanted in (own.strip(_PUNCTUATION), own, joined)]
    return exact or [row for own, joined, row in named if own.startswith(wanted) or joined.startswith(wanted)]


def _columns(table: Table, words: str) -> set[int]:
    """Columns whose head is exactly that, else those that hold all of its words."""
    wanted = plain(words)
    heads = [plain(head) for head in table.columns]
    exact = {index for index, head in enumerate(heads) if head == wanted}
    if exact:
        return exact
    parts = _words(wanted)
    return {index for index, head in enumerate(heads) if parts <= _words(head)}


def _words(text: str) -> set[str]:
    return {word.strip(_PUNCTUATION).casefold() for word in text.split()} - {""}
