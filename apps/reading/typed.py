"""What a printed or stored cell value is: kind, plain value, unit. Shared by all readers of tables and sheets."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from apps.finance.numbers import DecimalMark, NumberState, decide_decimal_mark, read_number
from apps.finance.units import Scale
from apps.reading.contracts import CellKind

_ISO_DATE = re.compile(r"^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?))?$")
_DAY_FIRST = re.compile(r"^(\d{1,2})\.(\d{1,2})\.(\d{4})$")
_SLASHED = re.compile(r"^\d{1,2}/\d{1,2}/\d{4}$")
_DIGIT = re.compile(r"\d")
_IDENTIFIER = re.compile(r"^0\d+$|^\d{16,}$")  # leading zeros or more digits than a spreadsheet number holds
_CURRENCY_FORMAT = (
    ("₺", "TRY"), ("TL", "TRY"), ("TRY", "TRY"), ("€", "EUR"), ("EUR", "EUR"), ("£", "GBP"), ("GBP", "GBP"),
    ("$", "USD"), ("USD", "USD"),
)  # fmt: skip
_LOCALE_TAG = re.compile(r"\[\$-[0-9A-Fa-f]+\]")
_CURRENCY_TAG = re.compile(r"\[\$([^\]-]*)(?:-[0-9A-Fa-f]+)?\]")


@dataclass(frozen=True, slots=True)
class Typed:
    """`text` is what the page says; see contracts.Cell for `value` and `unit`."""

    text: str
    kind: CellKind
    value: str = ""
    unit: str = ""


def mark_of(texts: Iterable[str]) -> DecimalMark | None:
    """The decimal mark that the printed cells of one file or table agree on."""
    return decide_decimal_mark(text for text in texts if not _is_date(text))


def from_text(text: str, mark: DecimalMark | None) -> Typed:
    """A printed cell. An undecided "1.234" is a number without a value; identifiers stay text digit by digit."""
    if not _DIGIT.search(text) or _IDENTIFIER.match(text):
        return Typed(text, CellKind.TEXT)
    dated = _date_value(text)
    if dated is not None:
        return Typed(text, CellKind.DATE, dated)
    reading = read_number(text, mark=mark)
    if reading.state is NumberState.AMBIGUOUS:
        return Typed(text, CellKind.NUMBER, "", reading.unit)
    if reading.state is not NumberState.VALUE or reading.value is None:
        return Typed(text, CellKind.TEXT)
    if reading.scale is not Scale.ONE:  # "1.2 million": the reader of the table applies the word
        return Typed(text, CellKind.NUMBER, "", reading.unit)
    return Typed(text, CellKind.NUMBER, plain(reading.value), reading.unit)


def from_number(stored: float | int, number_format: str) -> Typed:
    """A stored spreadsheet number in 15 significant digits; "%" formats say it as a percentage, nothing is rounded."""
    value = Decimal(stored) if isinstance(stored, int) else Decimal(format(stored, ".15g"))
    bare = _LOCALE_TAG.sub("", re.sub(r'"[^"]*"|\\.', "", number_format))
    if "%" in bare:
        text = plain(value * 100)
        return Typed(f"{text}%", CellKind.NUMBER, text, "percent")
    unit = _currency(number_format)
    text = _at_least(value, bare)
    return Typed(f"{text} {unit}" if unit else text, CellKind.NUMBER, plain(value), unit)


def from_moment(moment: datetime | date | time | timedelta, number_format: str) -> Typed:
    """A stored date; without day or time of day where its format shows none."""
    if isinstance(moment, timedelta):
        return Typed(str(moment), CellKind.TEXT)
    if isinstance(moment, time):
        return Typed(moment.isoformat("minutes"), CellKind.DATE, moment.isoformat())
    if not isinstance(moment, datetime):
        return Typed(moment.isoformat(), CellKind.DATE, moment.isoformat())
    bare = re.sub(r'"[^"]*"|\[[^\]]*\]|\\.', "", number_format.lower())
    if "h" in bare or (moment.hour or moment.minute or moment.second):
        seconds = "seconds" if moment.second else "minutes"
        return Typed(moment.isoformat(" ", seconds), CellKind.DATE, moment.isoformat("T", seconds))
    if "d" not in bare and "m" in bare:
        return Typed(f"{moment:%Y-%m}", CellKind.DATE, f"{moment:%Y-%m}")
    return Typed(f"{moment:%Y-%m-%d}", CellKind.DATE, f"{moment:%Y-%m-%d}")


def plain(value: Decimal) -> str:
    """Digits without exponent or trailing zeros: Decimal("1E+2") becomes "100"."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _at_least(value: Decimal, number_format: str) -> str:
    """All digits of the value, and trailing zeros up to the decimals of its format."""
    text = plain(value)
    shown = re.search(r"0\.(0+)", number_format)
    decimals = len(text.partition(".")[2])
    if shown is None or decimals >= len(shown[1]) or "E" in number_format.upper():
        return text
    return format(value, f".{len(shown[1])}f")


def _currency(number_format: str) -> str:
    tagged = _CURRENCY_TAG.search(number_format)
    said = tagged[1] if tagged and tagged[1] else _LOCALE_TAG.sub("", number_format)
    return next((code for sign, code in _CURRENCY_FORMAT if sign in said), "")


def _is_date(text: str) -> bool:
    return bool(_ISO_DATE.match(text) or _DAY_FIRST.match(text) or _SLASHED.match(text))


def _date_value(text: str) -> str | None:
    """ISO form, "" when day and month cannot be told apart, None when the text is no date."""
    iso = _ISO_DATE.match(text)
    turkish = _DAY_FIRST.match(text)
    try:
        if iso:
            day = date(int(iso[1]), int(iso[2]), int(iso[3])).isoformat()
            return f"{day}T{iso[4]}" if iso[4] else day
        if turkish:
            return date(int(turkish[3]), int(turkish[2]), int(turkish[1])).isoformat()
    except ValueError:
        return None
    return "" if _SLASHED.match(text) else None
