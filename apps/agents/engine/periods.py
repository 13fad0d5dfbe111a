"""Periods as questions ask for them and as column headers print them, and whether the two agree."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from apps.agents.engine.text import fold


class Span(StrEnum):
    """How much time a figure covers."""

    YEAR = "year"
    HALF = "half"
    NINE_MONTHS = "nine_months"
    QUARTER = "quarter"
    UNKNOWN = "unknown"  # a bare date or year: a balance-sheet day, or the table's own span


@dataclass(frozen=True, slots=True)
class Period:
    """An asked or printed period. month 0: not printed. quarter 0: none."""

    year: int
    month: int = 0
    day: int = 0
    quarter: int = 0
    span: Span = Span.UNKNOWN
    is_fiscal: bool = False
    is_calendar: bool = False
    text: str = ""

    @property
    def name(self) -> str:
        if self.quarter:
            return f"Q{self.quarter} {self.year}" if self.year else f"Q{self.quarter}"
        return str(self.year) if self.year else self.text


MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan ocak", "february feb subat", "march mar mart", "april apr nisan", "may mayis", "june jun haziran",
         "july jul temmuz", "august aug agustos", "september sept sep eylul", "october oct ekim",
         "november nov kasim", "december dec aralik"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
    "birinci": 1, "ikinci": 2, "ucuncu": 3, "dorduncu": 4, "1.": 1, "2.": 2, "3.": 3, "4.": 4,
    "ilk": 1, "son": 4,
}  # fmt: skip
_ORDINAL = "|".join(sorted(map(re.escape, _ORDINALS), key=len, reverse=True))
_YEAR = r"(?:19|20)\d\d"
_DATE = re.compile(
    rf"(?P<m>{_MONTH})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s*(?P<y>{_YEAR})"
    rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<m2>{_MONTH})\.?\s*,?\s*(?P<y2>{_YEAR})"
    rf"|(?P<d3>\d{{1,2}})[./](?P<m3>\d{{1,2}})[./](?P<y3>{_YEAR})"
    rf"|(?P<y4>{_YEAR})-(?P<m4>\d\d)-(?P<d4>\d\d)"
)
_QUARTER = re.compile(
    rf"\bq(?P<q>[1-4])(?!\d)|\b(?P<q2>[1-4])q(?![a-z])|\b(?P<o>{_ORDINAL})[\s-]+(?:fiscal\s+)?(?:quarter|ceyre[kg]\w*)"
    rf"|\b(?P<q3>[1-4])\.\s*ceyre[kg]"
)
_RANGE = re.compile(rf"(?:fy\s*)?({_YEAR})\s*(?:-|–|—|to|through|ile)\s*(?:fy\s*)?({_YEAR})")
_YEARS = re.compile(
    rf"(?<![\d.,$])(?<![a-z]-)(?<![a-z]/)(?!{_YEAR}[-/]\d{{3,}})(?:(?P<fy>fy|fiscal year|fiscal|mali yil)\s*'?)?(?P<y>{_YEAR})(?![\d,]\d|[.]\d)|\bfy\s*'?(?P<yy>\d\d)\b"  # noqa: E501
)
_QUARTER_SPAN = re.compile(
    r"\b3m(?=\W{0,2}(?:19|20)\d\d)|three months|3 months|quarter|1[2346] weeks|thirteen weeks|fourteen weeks|twelve weeks|sixteen weeks|uc ay|3 ay|\bceyrek"  # noqa: E501
)
_HALF_SPAN = re.compile(
    r"\b6m(?=\W{0,2}(?:19|20)\d\d)|six months|6 months|26 weeks|27 weeks|twenty-six weeks|half.year"
    r"|(?:first|second|1st|2nd) half"
    r"|\bh[12]\b|\b[12]h\b|yariyil|(?:ilk|birinci|ikinci) yari|alti ay|6 ay|24 weeks"
)
_NINE_SPAN = re.compile(
    r"nine months|9 months|39 weeks|40 weeks|thirty-nine weeks|36 weeks|dokuz ay|9 ay|\b9m\b|\bm9\b"
)
_YEAR_SPAN = re.compile(
    r"twelve months|12 months|years? ended|fiscal years?|5[23] weeks|fifty-(?:two|three) weeks|full year|\bannual|yillik|12 ay|\bfy"  # noqa: E501
)


def asked_periods(text: str) -> tuple[Period, ...]:
    """The periods a question names, in the order it names them; ranges such as FY2015-FY2017 are spelled out."""
    folded = fold(text)
    calendar = bool(re.search(r"calendar|takvim yil", folded))
    found: list[tuple[int, Period]] = []
    taken: list[tuple[int, int]] = []

    for match in _RANGE.finditer(folded):
        first, last = int(match[1]), int(match[2])
        if 0 < last - first <= 10:
            found += [(match.start() + n, Period(y, is_fiscal="fy" in match[0], text=str(y), span=Span.YEAR))
                      for n, y in enumerate(range(first, last + 1))]  # fmt: skip
            taken.append(match.span())
    for match in _DATE.finditer(folded):
        if not _inside(match.start(), taken):
            year, month, day = _date_of(match)
            if 1 <= month <= 12:
                found.append((match.start(), Period(year, month, day, text=text[match.start() : match.end()])))
                taken.append(match.span())
    for match in re.finditer(rf"\b({_MONTH})\s+({_YEAR})", folded):
        if not _inside(match.start(), taken):
            found.append((match.start(), Period(int(match[2]), MONTHS[match[1]], text=match[0])))
            taken.append(match.span())
    quarters = [(match.start(), _quarter_of(match)) for match in _QUARTER.finditer(folded)]
    years = [match for match in _YEARS.finditer(folded) if not _inside(match.start(), taken)]
    used: set[int] = set()
    for place, quarter in quarters:
        near = min(
            (m for m in years if abs(m.start() - place) <= 40),
            key=lambda m: abs(m.start() - place),
            default=None,
        )
        if near is not None:
            used.add(near.start())
        year = _year_of(near) if near is not None else 0
        fiscal = near is not None and bool(near["fy"] or near["yy"])
        found.append((place, Period(year, quarter=quarter, span=Span.QUARTER, is_fiscal=fiscal, text=f"Q{quarter}")))
    for match in years:
        if match.start() in used and len(years) >= len(quarters):
            continue
        fiscal = bool(match["fy"] or match["yy"])
        found.append((match.start(), Period(_year_of(match), is_fiscal=fiscal, is_calendar=calendar, text=match[0])))
    span = _span_of(folded)
    unique: dict[tuple[int, int, int, int], Period] = {}
    for _, period in sorted(found, key=lambda pair: pair[0]):
        if period.span is Span.UNKNOWN and span is not Span.UNKNOWN and not quarters and not period.month:
            period = _with_span(period, span)
        unique.setdefault((period.year, period.month, period.day, period.quarter), period)
    return tuple(unique.values())


@lru_cache(maxsize=8192)
def printed_period(header: str) -> Period | None:
    """The period that a column header prints; None when it prints none."""
    folded = fold(header)
    span = _span_of(folded)
    dates = [match for match in _DATE.finditer(folded) if 1 <= _date_of(match)[1] <= 12]
    if dates:
        year, month, day = max(map(_date_of, dates))
        if len(dates) == 2:
            span = _between(min(map(_date_of, dates)), (year, month, day), span)
        return Period(year, month, day, span=span, text=header)
    quarter = _QUARTER.search(folded)
    years = [_year_of(match) for match in _YEARS.finditer(folded)]
    if years:
        found_month = re.search(rf"\b({_MONTH})\b", folded)
        return Period(
            max(years),
            month=MONTHS[found_month[1]] if found_month else 0,
            quarter=_quarter_of(quarter) if quarter else 0,
            span=Span.QUARTER if quarter else span,
            is_fiscal="fiscal" in folded or "fy" in folded,
            text=header,
        )
    return None


@lru_cache(maxsize=8192)
def quarter_named(label: str) -> int:
    """1 to 4 when the label names a quarter, else 0."""
    match = _QUARTER.search(fold(label))
    return _quarter_of(match) if match else 0


def fiscal_ends(text: str) -> dict[tuple[int, int], Period]:
    """(fiscal year, quarter) → its printed end; quarter 0 is the year.

    Out of words like "quarter ended December 28, 2024 (second quarter of fiscal 2025)".
    """
    folded = fold(text)
    found: dict[tuple[int, int], Period] = {}
    for match in re.finditer(r"(?:quarter|year|months|weeks) (?:ended|to) ([^.;()]{6,30})\(([^)]{0,60})\)", folded):
        date = _DATE.search(match[1])
        fiscal = re.search(rf"fiscal (?:year )?({_YEAR})", match[2])
        if date is None or fiscal is None:
            continue
        quarter = _QUARTER.search(match[2])
        year, month, day = _date_of(date)
        number = _quarter_of(quarter) if quarter else 0
        span = Span.QUARTER if number else Span.YEAR
        found[(int(fiscal[1]), number)] = Period(year, month, day, number, span, text=date[0])
    return found


def span_named(text: str) -> Span:
    """The one length of time that the words name; UNKNOWN when they name none or several."""
    folded = fold(text)
    patterns = {Span.NINE_MONTHS: _NINE_SPAN, Span.HALF: _HALF_SPAN, Span.YEAR: _YEAR_SPAN, Span.QUARTER: _QUARTER_SPAN}
    found = [span for span, pattern in patterns.items() if pattern.search(folded)]
    return found[0] if len(found) == 1 else Span.UNKNOWN


def is_current_header(header: str) -> bool | None:
    """True for "current period" columns, False for "previous period", None when the header says neither."""
    folded = fold(header)
    if re.search(r"cari donem|current (?:period|year)", folded):
        return True
    return False if re.search(r"onceki donem|gecmis donem|prior (?:period|year)|previous", folded) else None


def agreement(asked: Period, printed: Period, *, fiscal_shift: int = 0) -> float:
    """0 when the printed period is another one, up to 1 when it is surely the asked one.

    `fiscal_shift`: what the document adds to a fiscal year's name to get the year its end is printed with.
    """
    year = printed.year
    if asked.is_fiscal and printed.month and fiscal_shift:
        year -= fiscal_shift
    if asked.year and asked.year != year:
        return 0.0
    if asked.month and printed.month and asked.month != printed.month:
        return 0.0
    if asked.day and printed.day and abs(asked.day - printed.day) > 0:
        return 0.3
    if asked.quarter and printed.quarter and asked.quarter != printed.quarter:
        return 0.0
    if asked.month and printed.quarter and not printed.month:
        return 0.2  # which months a fiscal quarter holds is not printed here
    if asked.quarter and not printed.quarter:
        return _quarter_agreement(asked, printed)
    return _span_agreement(asked, printed)


_SPAN_MONTHS = {Span.QUARTER: (3, 6, 9, 12), Span.HALF: (6,), Span.NINE_MONTHS: (9,)}


def _quarter_agreement(asked: Period, printed: Period) -> float:
    """A numbered quarter against a column that prints no number: by the length and the month of its end."""
    if not printed.month:
        return 0.6 if printed.span is Span.QUARTER else 0.0
    if printed.span not in (Span.QUARTER, Span.UNKNOWN):
        return 0.0
    if printed.month != 3 * asked.quarter:
        return 0.4 if asked.is_fiscal and printed.span is Span.QUARTER else 0.0
    return 1.0 if printed.span is Span.QUARTER else 0.7


def _span_agreement(asked: Period, printed: Period) -> float:
    if asked.span is Span.UNKNOWN:
        short = printed.span in (Span.QUARTER, Span.HALF, Span.NINE_MONTHS)
        return 0.3 if short and not asked.month else 1.0
    if printed.span is Span.UNKNOWN:
        if asked.span is Span.YEAR:
            return 0.9
        return 0.7 if printed.month in _SPAN_MONTHS[asked.span] else 0.0
    return 1.0 if asked.span is printed.span else 0.0


def has_relative_previous(text: str) -> bool:
    return bool(re.search(r"last year|previous year|prior year|gecen yil|onceki yil|bir onceki", fold(text)))


def _inside(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _date_of(match: "re.Match[str]") -> tuple[int, int, int]:
    if match["m"]:
        return int(match["y"]), MONTHS[match["m"]], int(match["d"])
    if match["m2"]:
        return int(match["y2"]), MONTHS[match["m2"]], int(match["d2"])
    if match["y3"]:
        return int(match["y3"]), int(match["m3"]), int(match["d3"])
    return int(match["y4"]), int(match["m4"]), int(match["d4"])


def _quarter_of(match: "re.Match[str]") -> int:
    return int(match["q"] or match["q2"] or match["q3"] or _ORDINALS[match["o"]])


def _year_of(match: "re.Match[str]") -> int:
    return int(match["y"]) if match["y"] else 2000 + int(match["yy"])


def _span_of(folded: str) -> Span:
    for pattern, span in (
        (_NINE_SPAN, Span.NINE_MONTHS), (_HALF_SPAN, Span.HALF), (_YEAR_SPAN, Span.YEAR), (_QUARTER_SPAN, Span.QUARTER),
    ):  # fmt: skip
        if pattern.search(folded):
            return span
    return Span.UNKNOWN


def _between(first: tuple[int, int, int], last: tuple[int, int, int], span: Span) -> Span:
    months = (last[0] - first[0]) * 12 + last[1] - first[1] + 1
    return {3: Span.QUARTER, 6: Span.HALF, 9: Span.NINE_MONTHS, 12: Span.YEAR}.get(months, span)


def _with_span(period: Period, span: Span) -> Period:
    return Period(
        period.year,
        period.month,
        period.day,
        period.quarter,
        span,
        period.is_fiscal,
        period.is_calendar,
        period.text,
    )
