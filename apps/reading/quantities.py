"""What a table cell means: value, unit and scale, from its own words, its row, its head and the words above the table.

Pure. The value stays as printed; multiply by the scale only where a sum in whole units is wanted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from apps.finance.numbers import DecimalMark, NumberState, decide_decimal_mark, read_number
from apps.finance.units import Scale
from apps.reading.contracts import Cell, CellKind, PageContent, Row, Table
from apps.reading.scale_notes import Note, RowKind, currency_of, kind_of_row, read_note, scale_in_label

_CONTINUES = re.compile(r"continued|devam", re.IGNORECASE)
_LARGE = re.compile(r"\d[.,\u00a0\u202f ]\d{3}(?!\d)|\d{4}")
_UNITLESS = ("percent", "times", "basis_points")


@dataclass(frozen=True, slots=True)
class Quantity:
    """`value` as printed, None when the cell holds no number; `text` is what it holds then."""

    value: Decimal | None
    unit: str  # ISO 4217, "percent", "times", "basis_points" or ""
    scale: Scale
    text: str


def quantity_of(page: PageContent, table: Table, row: Row, cell: Cell, *, note: str = "") -> Quantity:
    """The cell's quantity. `note` is the scale note that a table without one continues (see `note_of`)."""
    value, unit, scale = _read(page, table, cell)
    if value is None:
        return Quantity(None, "", Scale.ONE, cell.value or cell.text)
    header = table.columns[cell.column] if 0 <= cell.column < len(table.columns) else ""
    kind = RowKind.PERCENT if unit == "percent" else kind_of_row(row.label, header, row.section)
    if kind is RowKind.PERCENT and unit != "percent" and (_is_large(row) or _prints_percent(table)):
        kind = RowKind.MONEY  # "Gross margin  180,683": an amount of it, not a rate
    said = read_note(note or note_of(page, table))
    if not unit:
        unit = _unit(kind, said, row, header, table, page)
    if scale is Scale.ONE and unit not in _UNITLESS:
        scale = _scale(kind, said, row, header)
    return Quantity(value, unit, scale, cell.text)


def note_of(page: PageContent, table: Table, before: str = "") -> str:
    """The words that state the table's scale: its note, its title, else those of the table that it continues."""
    if table.scale_note or read_note(table.title).general is not Scale.ONE:
        return f"{table.scale_note} {table.title}".strip()
    heads = " ".join(table.columns)
    if read_note(heads).general is not Scale.ONE:
        return heads
    return before if before and _CONTINUES.search(page.text) else ""


def carried(pages: Sequence[PageContent], before: str = "") -> tuple[tuple[PageContent, ...], str]:
    """(pages whose tables carry on the scale note of the one that they say they continue, the note so far)."""
    done: list[PageContent] = []
    for page in pages:
        tables: list[Table] = []
        for table in page.tables:
            own = note_of(page, table)
            said = own or note_of(page, table, before)
            tables.append(table if own or not said else replace(table, scale_note=said))
            before = said or before
        done.append(replace(page, tables=tuple(tables)) if tables else page)
    return tuple(done), before


def mark_of_page(page: PageContent) -> DecimalMark:
    """The page's decimal mark: by its unambiguous numbers, else by its language."""
    decided = decide_decimal_mark([page.text])
    return decided or (DecimalMark.COMMA if page.language == "tr" else DecimalMark.POINT)


def _read(page: PageContent, table: Table, cell: Cell) -> tuple[Decimal | None, str, Scale]:
    """(value as printed, unit, scale word printed in the cell)."""
    if cell.kind is CellKind.NUMBER and cell.value:
        return Decimal(cell.value), cell.unit, Scale.ONE
    if cell.kind not in (None, CellKind.NUMBER):
        is_dash = read_number(cell.text).state is NumberState.DASH_ZERO
        return (Decimal(0) if is_dash else None), "", Scale.ONE
    mark = decide_decimal_mark(found.text for row in table.rows for found in row.cells) or mark_of_page(page)
    reading = read_number(cell.text, mark=mark)
    if reading.state not in (NumberState.VALUE, NumberState.DASH_ZERO) or reading.value is None:
        return None, "", Scale.ONE
    return reading.value / reading.scale.value, reading.unit, reading.scale


def _is_large(row: Row) -> bool:
    """Whether a figure of the row has four digits before its decimal mark."""
    return any(_LARGE.search(cell.text) for cell in row.cells)


def _prints_percent(table: Table) -> bool:
    """Whether its rates carry their sign: what has none is no rate then."""
    return any(cell.unit == "percent" or "%" in cell.text for row in table.rows for cell in row.cells)


def _unit(kind: RowKind, said: Note, row: Row, header: str, table: Table, page: PageContent) -> str:
    if kind is RowKind.PERCENT:
        return "percent"
    if kind in (RowKind.SHARES, RowKind.COUNT):
        return ""
    found = currency_of(row.label) or currency_of(header) or said.currency or currency_of(" ".join(table.columns))
    if found or not table.rows:
        return found
    return currency_of(page.text[table.rows[0].start : table.rows[-1].end])


def _scale(kind: RowKind, said: Note, row: Row, header: str) -> Scale:
    own = scale_in_label(row.label) or scale_in_label(header)
    if own is not None:
        return own
    if kind in (RowKind.PER_UNIT, RowKind.PERCENT, RowKind.COUNT):
        return Scale.ONE
    if kind is RowKind.SHARES:
        return said.shares if said.shares is not None else said.general
    return said.general
