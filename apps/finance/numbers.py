"""Reads numbers as they are printed in English and Turkish financial documents.

Never guesses silently: "1.234" without a known decimal mark comes back with both readings and the reason.
A dash is a printed zero, a blank is missing, "n/a" and "n.m." are their own states.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from apps.finance.units import Scale


class DecimalMark(StrEnum):
    POINT = "."  # 1,234.56
    COMMA = ","  # 1.234,56


class NumberState(StrEnum):
    VALUE = "value"
    DASH_ZERO = "dash_zero"  # a printed dash: nil
    MISSING = "missing"  # blank
    NOT_AVAILABLE = "not_available"  # n/a, mevcut değil
    NOT_MEANINGFUL = "not_meaningful"  # n.m., anlamlı değil
    AMBIGUOUS = "ambiguous"  # several values are possible: see `readings` and `reason`
    NOT_A_NUMBER = "not_a_number"


@dataclass(frozen=True, slots=True)
class NumberReading:
    """What one printed number says. `value` has the scale word applied ("1.2 million" is 1200000)."""

    text: str
    state: NumberState
    value: Decimal | None = None
    unit: str = ""  # ISO 4217, "percent", "percentage_points", "basis_points", "times" or ""
    scale: Scale = Scale.ONE  # of the scale word printed with the number
    readings: tuple[Decimal, ...] = ()  # both values when ambiguous
    reason: str = ""
    decimals: int = 0  # digits printed after the decimal mark
    start: int = 0
    end: int = 0
    note: str = ""  # the footnote mark printed with it, never part of the number: "(a)", "*", "¹"


CURRENCIES: dict[str, str] = {
    "$": "USD", "us$": "USD", "usd": "USD", "u.s.$": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR", "avro": "EUR",
    "£": "GBP", "gbp": "GBP", "₺": "TRY", "tl": "TRY", "try": "TRY", "¥": "JPY", "jpy": "JPY", "chf": "CHF",
    "cad": "CAD", "c$": "CAD", "aud": "AUD", "a$": "AUD", "₹": "INR", "inr": "INR", "rs.": "INR", "rs": "INR",
    "cny": "CNY", "rmb": "CNY", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "pln": "PLN", "huf": "HUF", "czk": "CZK",
    "rub": "RUB", "₽": "RUB", "krw": "KRW", "₩": "KRW", "₴": "UAH", "uah": "UAH", "aed": "AED", "sar": "SAR",
    "hkd": "HKD", "hk$": "HKD", "sgd": "SGD", "nzd": "NZD", "zar": "ZAR", "mxn": "MXN", "brl": "BRL", "r$": "BRL",
    "ils": "ILS", "₪": "ILS", "azn": "AZN", "₼": "AZN", "kzt": "KZT", "dolar": "USD", "sterlin": "GBP", "yen": "JPY",
    "frank": "CHF", "lira": "TRY",
}  # fmt: skip
SCALES: dict[str, Scale] = {
    "thousand": Scale.THOUSAND, "thousands": Scale.THOUSAND, "bin": Scale.THOUSAND, "k": Scale.THOUSAND,
    "million": Scale.MILLION, "millions": Scale.MILLION, "mn": Scale.MILLION, "mln": Scale.MILLION,
    "m": Scale.MILLION, "mm": Scale.MILLION, "milyon": Scale.MILLION,
    "billion": Scale.BILLION, "billions": Scale.BILLION, "bn": Scale.BILLION, "b": Scale.BILLION,
    "milyar": Scale.BILLION, "mlr": Scale.BILLION, "mr": Scale.BILLION,
    "trillion": Scale.TRILLION, "tn": Scale.TRILLION, "trilyon": Scale.TRILLION,
}  # fmt: skip

_SPACES = "\u0020\u00a0\u2002\u2003\u2007\u2008\u2009\u200a\u202f"
_APOSTROPHES = "'’"
_MINUSES = "-−–‒﹣－"
_DASHES = frozenset({"-", "–", "—", "−", "‒", "―", "--", "$-", "$—", "$–"})
_NOT_AVAILABLE = frozenset({"n/a", "na", "n.a.", "n.a", "#n/a", "md", "m.d.", "mevcut değil", "yok"})
_NOT_MEANINGFUL = frozenset({"n.m.", "n.m", "nm", "n/m", "a.d.", "anlamlı değil", "*"})
_CURRENCY = "|".join(sorted((re.escape(key) for key in CURRENCIES), key=len, reverse=True))
_SCALE = "|".join(sorted(map(re.escape, SCALES), key=len, reverse=True))
_POINTS = r"percentage\ points?|%\ points?|yüzde\ puan|puan|ppt|pp|pts?"
_UNIT_AFTER = rf"{_POINTS}|%|percent|per\ cent|pct|bps|bp|basis\ points?|baz\ puan|x|kat|{_CURRENCY}"
_WORDED = rf"{_POINTS}|percent|per\ cent|pct|bps|basis\ points?|baz\ puan"
_WITHOUT_CENTS = ("JPY", "KRW")  # "¥1,000" is a thousand whatever the mark
_FORMS = frozenset({"10K", "8K", "6K", "11K", "20K", "13K"})  # "10K" is a form of the SEC before it is ten thousand

_BODY = re.compile(rf"^[0-9][0-9.,{_APOSTROPHES}{_SPACES}]*$")
_WHOLE = re.compile(
    rf"""^\s*
    (?P<open>[(\[])?\s*(?P<minus1>[{_MINUSES}+])?\s*
    (?:(?P<before>%|yüzde|{_CURRENCY})\s*)?
    (?P<open2>[(\[])?\s*(?P<minus2>[{_MINUSES}+])?\s*
    (?:(?P<before2>%|{_CURRENCY})\s*)?
    (?P<body>[0-9](?:[0-9.,{_APOSTROPHES}{_SPACES}]*[0-9])?|[.,][0-9]+)
    \s*(?P<scale>(?:{_SCALE})(?![^\W\d_]))?\s*
    (?P<unit>{_UNIT_AFTER})?\s*
    (?P<minus3>[{_MINUSES}])?\s*
    (?P<close>[)\]])?\s*
    (?P<unit2>{_UNIT_AFTER})?\s*(?P<close2>[)\]])?\s*
    (?P<note>\([0-9a-z*†‡]{{1,2}}\)|[0-9a-z]\)|[*†‡§]{{1,3}}|[¹²³⁴⁵⁶⁷⁸⁹⁰]{{1,2}})?\s*$""",
    re.VERBOSE | re.IGNORECASE,
)
_FOUND = re.compile(
    rf"""(?<![\w.,])
    (?:[(\[](?=[^()\[\]]{{1,25}}[)\]]))?
    (?:[{_MINUSES}](?=[\d$€£₺%]))?
    (?:(?:%|(?<![^\W\d_])(?:yüzde|{_CURRENCY}))[{_SPACES}]*)?
    (?:[(\[](?=[\d]))?[{_MINUSES}]?
    (?P<digits>\d{{1,3}}(?:[.,{_APOSTROPHES}\u00a0\u2007\u2009\u202f]\d{{3}})+(?:[.,]\d+)?(?!\d)
      |\d+(?:[.,]\d+)?|(?<=\$)\.\d+)
    (?:[{_SPACES}\n]?[{_SPACES}]*(?:{_SCALE})(?![^\W_]))?
    (?:[{_SPACES}]*(?:%|(?:{_WORDED}|{_CURRENCY}|x)(?![^\W_])))?
    [)\]]?%?
    """,
    re.VERBOSE | re.IGNORECASE,
)


def read_number(text: str, *, mark: DecimalMark | None = None) -> NumberReading:
    """The number that the whole of `text` prints; state says when there is none or more than one reading."""
    stripped = text.strip(" \t\r\n" + _SPACES)
    lowered = stripped.lower()
    if not stripped:
        return NumberReading(text, NumberState.MISSING)
    if lowered.replace(" ", "") in _DASHES:
        return NumberReading(text, NumberState.DASH_ZERO, Decimal(0))
    if lowered in _NOT_AVAILABLE:
        return NumberReading(text, NumberState.NOT_AVAILABLE)
    if lowered in _NOT_MEANINGFUL:
        return NumberReading(text, NumberState.NOT_MEANINGFUL)
    match = _WHOLE.match(stripped)
    if match is None:
        return NumberReading(text, NumberState.NOT_A_NUMBER)
    return _from_match(text, match, mark)


def find_numbers(text: str, *, mark: DecimalMark | None = None) -> tuple[NumberReading, ...]:
    """The numbers inside running text, in order, with `start` and `end` as offsets into `text`."""
    found: list[NumberReading] = []
    for match in _FOUND.finditer(text):
        start, end = match.span()
        printed = text[start:end]
        printed, start, end = _balanced(printed, start, end)
        if printed in _FORMS:
            continue
        reading = read_number(printed.replace("\n", " "), mark=mark)
        if reading.state in (NumberState.VALUE, NumberState.AMBIGUOUS):
            found.append(replace(reading, text=text[start:end], start=start, end=end))
    return tuple(found)


def decide_decimal_mark(texts: Iterable[str]) -> DecimalMark | None:
    """The decimal mark that the unambiguous numbers among `texts` agree on; None when none decides or they differ."""
    votes = {DecimalMark.POINT: 0, DecimalMark.COMMA: 0}
    for text in texts:
        for match in re.finditer(r"\d[\d.,]*\d", text):
            vote = _mark_of(match.group())
            if vote is not None:
                votes[vote] += 1
    point, comma = votes[DecimalMark.POINT], votes[DecimalMark.COMMA]
    if point == comma or min(point, comma) * 4 > max(point, comma):
        return None
    return DecimalMark.POINT if point > comma else DecimalMark.COMMA


def _balanced(printed: str, start: int, end: int) -> tuple[str, int, int]:
    """Brackets that belong to the sentence and not to the number are left out."""
    opened = sum(printed.count(sign) for sign in "([")
    closed = sum(printed.count(sign) for sign in ")]")
    if opened and not closed:
        cut = max(printed.rfind("("), printed.rfind("["))
        tail = printed[cut + 1 :].lstrip(_SPACES)
        return tail, end - len(tail), end
    if closed and not opened:
        cut = min(index for index in (printed.find(")"), printed.find("]")) if index >= 0)
        return printed[:cut], start, start + cut
    return printed, start, end


def _from_match(text: str, match: "re.Match[str]", mark: DecimalMark | None) -> NumberReading:
    values, decimals, reason = _read_body(match["body"], mark)
    if not values:
        return NumberReading(text, NumberState.NOT_A_NUMBER, reason=reason)
    opened = match["open"] or match["open2"]
    closed = match["close"] or match["close2"]
    if bool(opened) != bool(closed):
        return NumberReading(text, NumberState.NOT_A_NUMBER, reason="unbalanced bracket")
    signs = [match["minus1"], match["minus2"], match["minus3"]]
    negative = bool(opened) or any(sign not in (None, "+") for sign in signs)
    scale = SCALES[match["scale"].lower()] if match["scale"] else Scale.ONE
    unit, note = "", match["note"] or ""
    for printed in (match["before"], match["before2"], match["unit"], match["unit2"]):
        unit = unit or _unit(printed)
    signed = tuple(value * scale.value * (-1 if negative else 1) for value in values)
    if len(signed) > 1 and unit in _WITHOUT_CENTS:
        return NumberReading(text, NumberState.VALUE, signed[0], unit, scale, signed, "no smaller coin", note=note)
    if len(signed) > 1:
        return NumberReading(
            text, NumberState.AMBIGUOUS, None, unit, scale, readings=signed, reason=reason, decimals=decimals, note=note
        )
    return NumberReading(text, NumberState.VALUE, signed[0], unit, scale, signed, reason, decimals, note=note)


def _unit(printed: str | None) -> str:
    if not printed:
        return ""
    lowered = printed.lower()
    if lowered in ("%", "percent", "per cent", "pct", "yüzde"):
        return "percent"
    if lowered in ("bps", "bp", "basis point", "basis points", "baz puan"):
        return "basis_points"
    if re.fullmatch(_POINTS, lowered, re.VERBOSE):
        return "percentage_points"
    if lowered in ("x", "kat"):
        return "times"
    return CURRENCIES.get(lowered, "")


def _read_body(body: str, mark: DecimalMark | None) -> tuple[tuple[Decimal, ...], int, str]:
    """All values the digits may mean, printed decimals, and why there is more or less than one."""
    if body[0] in ".,":
        return (Decimal("0." + body[1:]),), len(body) - 1, ""
    if not _BODY.match(body):
        return (), 0, "signs inside the number"
    compact, spaced = _join_spaces(body)
    if compact is None:
        return (), 0, "spaces do not separate groups of three"
    points, commas = compact.count("."), compact.count(",")
    if not points and not commas:
        return (Decimal(compact),), 0, ""
    if points and commas:
        decimal = "." if compact.rfind(".") > compact.rfind(",") else ","
        return _split(compact, DecimalMark(decimal))
    sign = "." if points else ","
    if points + commas > 1:
        return _split(compact, DecimalMark("," if sign == "." else "."))
    head, tail = compact.split(sign)
    if spaced or len(tail) != 3 or len(head) > 3 or head.startswith("0"):
        return _split(compact, DecimalMark(sign))
    grouped, fraction = Decimal(head + tail), Decimal(f"{head}.{tail}")
    if mark is None:
        return (grouped, fraction), 0, f"'{sign}' may separate thousands or decimals"
    return ((fraction,), 3, "") if mark == sign else ((grouped,), 0, "")


def _split(compact: str, mark: DecimalMark) -> tuple[tuple[Decimal, ...], int, str]:
    grouping = "," if mark is DecimalMark.POINT else "."
    whole, _, fraction = compact.partition(mark.value)
    if mark.value in fraction or grouping in fraction:
        return (), 0, "two decimal marks"
    groups = whole.split(grouping)
    western = len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    indian = len(groups) > 2 and len(groups[-1]) == 3 and all(len(group) == 2 for group in groups[1:-1])
    if len(groups) > 1 and not (western or indian):
        return (), 0, "groups are not three digits"
    return (Decimal("".join(groups) + ("." + fraction if fraction else "")),), len(fraction), ""


def _join_spaces(body: str) -> tuple[str | None, bool]:
    """The digits without group spaces or apostrophes; None when they do not part groups of three."""
    parts = re.split(f"[{_SPACES}{_APOSTROPHES}]+", body)
    if len(parts) == 1:
        return body, False
    *middle, last = parts[1:]
    valid = parts[0].isdigit() and len(parts[0]) <= 3 and all(p.isdigit() and len(p) == 3 for p in middle)
    tail = re.split("[.,]", last)
    if not valid or len(tail) > 2 or len(tail[0]) != 3:
        return None, True
    return "".join(parts), True


def _mark_of(compact: str) -> DecimalMark | None:
    points, commas = compact.count("."), compact.count(",")
    if points and commas:
        return DecimalMark.POINT if compact.rfind(".") > compact.rfind(",") else DecimalMark.COMMA
    if points + commas > 1:
        groups = re.split("[.,]", compact)
        if all(len(group) == 3 for group in groups[1:]):
            return DecimalMark.COMMA if points else DecimalMark.POINT
        return None
    sign = "." if points else "," if commas else ""
    if sign and len(compact.split(sign)[1]) in (1, 2):
        return DecimalMark(sign)
    return None
