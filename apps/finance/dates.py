"""Printed dates, English and Turkish. "03/04/2024" is two days until somebody says which comes first: both are kept."""

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from apps.finance.folding import folded

_MONTHS = (
    ("january", "jan", "ocak", "oca"), ("february", "feb", "subat", "sub"), ("march", "mar", "mart"),
    ("april", "apr", "nisan", "nis"), ("may", "mayis"), ("june", "jun", "haziran", "haz"),
    ("july", "jul", "temmuz", "tem"), ("august", "aug", "agustos", "agu"),
    ("september", "sept", "sep", "eylul", "eyl"), ("october", "oct", "ekim", "eki"),
    ("november", "nov", "kasim", "kas"), ("december", "dec", "aralik", "ara"),
)  # fmt: skip
_MONTH = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names}
_NAMES = "|".join(sorted(_MONTH, key=len, reverse=True))
_ISO = re.compile(r"^(\d{4})[-./](\d{1,2})[-./](\d{1,2})$")
_NUMBERS = re.compile(r"^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$")
_DAY_MONTH = re.compile(rf"^(\d{{1,2}})(?:st|nd|rd|th)?[. ]+(?:of )?({_NAMES})\.?,? (\d{{4}})$")
_MONTH_DAY = re.compile(rf"^({_NAMES})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})$")
_CENTURY = 70  # "69" is 2069, "70" is 1970 (POSIX strptime)


class Order(StrEnum):
    DAY_FIRST = "day_first"
    MONTH_FIRST = "month_first"


@dataclass(frozen=True, slots=True)
class DateReading:
    """`value` is None while more than one day is possible (see `readings`), or when the text is no date."""

    value: date | None
    readings: tuple[date, ...]
    reason: str = ""

    @property
    def is_ambiguous(self) -> bool:
        return len(self.readings) > 1 and self.value is None


def read_date(text: str, *, order: Order | None = None) -> DateReading:
    """The day that the whole text prints. Points mean day first; slashes stay undecided where both may be months."""
    words = " ".join(folded(text).split())
    iso = _ISO.match(words)
    if iso:
        return _one(int(iso[1]), int(iso[2]), int(iso[3]))
    named = _DAY_MONTH.match(words)
    if named:
        return _one(int(named[3]), _MONTH[named[2]], int(named[1]))
    named = _MONTH_DAY.match(words)
    if named:
        return _one(int(named[3]), _MONTH[named[1]], int(named[2]))
    numbers = _NUMBERS.match(words)
    return _by_order(numbers, order) if numbers else DateReading(None, (), "no date")


def _by_order(numbers: "re.Match[str]", order: Order | None) -> DateReading:
    first, second, year = int(numbers[1]), int(numbers[3]), int(numbers[4])
    if len(numbers[4]) == 2:
        year += 1900 if year >= _CENTURY else 2000
    day_first, month_first = _day(year, second, first), _day(year, first, second)
    if numbers[2] == "." and order is None:
        order = Order.DAY_FIRST
    possible = tuple(dict.fromkeys(found for found in (day_first, month_first) if found is not None))
    chosen = {Order.DAY_FIRST: day_first, Order.MONTH_FIRST: month_first}.get(order) if order else None
    if chosen is not None:
        return DateReading(chosen, possible, order.value if order else "")
    if len(possible) == 1 and order is None:
        return DateReading(possible[0], possible)
    reason = "day and month may be either way round" if possible else "no such day"
    return DateReading(None, possible if order is None else (), reason)


def _one(year: int, month: int, day: int) -> DateReading:
    found = _day(year, month, day)
    return DateReading(found, (found,)) if found is not None else DateReading(None, (), "no such day")


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
