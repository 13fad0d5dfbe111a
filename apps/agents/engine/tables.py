"""Reads what a table prints: a cell's value with the scale, unit and header that its table states."""

import re
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

from apps.agents.contracts import EvidencePage
from apps.agents.engine.text import fold
from apps.finance.numbers import (
    CURRENCIES,
    DecimalMark,
    NumberReading,
    NumberState,
    decide_decimal_mark,
    read_number,
)
from apps.finance.units import Scale
from apps.reading.contracts import Cell, CellKind, Row, Table


@dataclass(frozen=True, slots=True)
class CellReading:
    """A cell's value in whole units, with what was needed to know it."""

    value: Decimal
    printed: Decimal  # as printed, before the table's scale
    scale: Scale
    unit: str
    decimals: int


_SCALE_NOTE = re.compile(
    r"(?<![a-z])(thousand|million|billion|bin|milyon|milyar|mn|000)s?(?![a-z])|(?:\$|us\$|€|£|tl)\s?(m|mn|bn|k)\b"
)


_NO_SCALE = re.compile(
    r"per (?:\w+ )?share|hisse basina|pay basina|per unit|percent|%|\brate\b|\bratio\b|\boran|number of (?:stores|employees|warehouses)|\bemployees\b|\bstores\b"  # noqa: E501
)


_SHARES = re.compile(r"\bshares?\b(?! (?:repurchase|premium))|\bhisse (?:sayisi|adedi)|pay adedi")


def read_cell(
    table: Table, row: Row, cell: Cell, page: EvidencePage, *, mark: DecimalMark | None = None
) -> CellReading | None:
    """The cell's value with the scale and unit that its table states; None when it holds no single number."""
    reading = _stored(cell) or read_number(cell.text, mark=mark or page_mark(page))
    if reading.state not in (NumberState.VALUE, NumberState.DASH_ZERO) or reading.value is None:
        return None
    header = header_of(table, cell)
    words = fold(f"{row.label} {header}")
    unit = reading.unit
    if not unit and ("%" in header or "%" in row.label or re.search(r"\bpercent(?:age)?\b|yuzde", words)):
        unit = "percent"
    scale = reading.scale
    if scale is Scale.ONE and reading.decimals == 2 and mostly_whole(table):
        return CellReading(reading.value, reading.value, scale, unit or table_currency(table, page), reading.decimals)
    if scale is Scale.ONE and unit not in ("percent", "times", "basis_points"):
        scale = table_scale(table, row, header)
    if not unit and not _SHARES.search(fold(row.label)):
        unit = table_currency(table, page)
    printed = reading.value / reading.scale.value
    return CellReading(printed * scale.value, printed, scale, unit, reading.decimals)


def _stored(cell: Cell) -> NumberReading | None:
    """What the reader of a sheet or table knows already: the stored value, whatever its printed form suggests."""
    if cell.kind is None or (cell.kind is CellKind.NUMBER and not cell.value):
        return None
    if cell.kind is not CellKind.NUMBER:
        return NumberReading(cell.text, NumberState.NOT_A_NUMBER)
    value = Decimal(cell.value)
    stored = max(0, -int(value.as_tuple().exponent))
    printed = (read_number(cell.text, mark=mark) for mark in DecimalMark)
    decimals = max((reading.decimals for reading in printed if reading.value == value), default=stored)
    return NumberReading(cell.text, NumberState.VALUE, value, cell.unit, readings=(value,), decimals=decimals)


def mostly_whole(table: Table) -> bool:
    """Whether most of the table's figures have no decimals: one with two is then an amount per share."""
    cells = [cell.text for row in table.rows for cell in row.cells]
    broken = sum(bool(re.search(r"[.,]\d{1,2}\)?%?$", text)) for text in cells)
    return len(cells) >= 8 and broken * 2 < len(cells)


def page_mark(page: EvidencePage) -> DecimalMark:
    """The page's decimal mark: by its unambiguous numbers, else by its language."""
    decided = decide_decimal_mark([page.text])
    return decided or (DecimalMark.COMMA if page.language == "tr" else DecimalMark.POINT)


def table_scale(table: Table, row: Row, header: str) -> Scale:
    """The scale printed for the table, unless the row is of a kind that scale notes leave out."""
    if _NO_SCALE.search(fold(row.label)) or "%" in header:
        return Scale.ONE
    note = fold(f"{header} {row.label}")
    found = re.search(r"\((?:in |\$ ?in )?(thousand|million|billion)s?\)", note) or _SCALE_NOTE.search(
        fold(table.scale_note)
    )
    if found is None:
        return Scale.ONE
    if (
        _SHARES.search(fold(row.label))
        and "shares in" not in fold(table.scale_note)
        and "and shares" not in fold(table.scale_note)
    ):
        return Scale.ONE if "except" in fold(table.scale_note) else _SCALE_OF.get(found[1] or "", Scale.ONE)
    word = next(group for group in found.groups() if group)
    return _SCALE_OF[word]


_SCALE_OF = {
    "thousand": Scale.THOUSAND, "bin": Scale.THOUSAND, "000": Scale.THOUSAND, "k": Scale.THOUSAND,
    "million": Scale.MILLION, "milyon": Scale.MILLION, "mn": Scale.MILLION, "m": Scale.MILLION,
    "billion": Scale.BILLION, "milyar": Scale.BILLION, "bn": Scale.BILLION,
}  # fmt: skip


def table_currency(table: Table, page: EvidencePage) -> str:
    """The currency printed in the scale note, the headers or the table's own text; "" when none."""
    note = fold(f"{table.scale_note} {' '.join(table.columns)}")
    for sign, code in (("turk lirasi", "TRY"), ("tl", "TRY"), ("₺", "TRY"), ("euro", "EUR"), ("eur", "EUR"), ("€", "EUR"),  # noqa: E501
                       ("£", "GBP"), ("gbp", "GBP"), ("chf", "CHF"), ("rupees", "INR"), ("rs.", "INR"), ("us$", "USD"), ("dollar", "USD"), ("usd", "USD"), ("$", "USD")):  # fmt: skip  # noqa: E501
        if re.search(rf"(?<![a-z]){re.escape(sign)}s?(?![a-z])", note):
            return code
    if not table.rows:
        return ""
    body = page.text[table.rows[0].start : table.rows[-1].end]
    signs = Counter(CURRENCIES[sign] for sign in re.findall(r"[$€£₺]", body))
    return signs.most_common(1)[0][0] if signs else ""


def header_of(table: Table, cell: Cell) -> str:
    """The words over the cell's column; years that stand as the table's first row belong to them."""
    header = table.columns[cell.column] if 0 <= cell.column < len(table.columns) else ""
    if not re.search(r"(?:19|20)\d\d", header):
        years = _year_row(table)
        header = f"{header} {years.get(cell.column, '')}".strip()
    return header


def _year_row(table: Table) -> dict[int, str]:
    """Years that stand in the table as its first row ("Fiscal Year 2017 2016 …"), by column."""
    for row in table.rows[:2]:
        years = {cell.column: cell.text for cell in row.cells if re.fullmatch(r"(?:19|20)\d\d", cell.text.strip())}
        heads = re.match(r"notes?\b|dipnot|$", fold(row.label.strip()))
        if (len(years) >= 2 or heads) and years and len(years) >= len(row.cells) - 1:
            return years
    return {}


def table_mark(table: Table, page: EvidencePage) -> DecimalMark:
    """The decimal mark by the table's own unambiguous figures, else the page's."""
    decided = decide_decimal_mark(cell.text for row in table.rows for cell in row.cells)
    return decided or page_mark(page)
