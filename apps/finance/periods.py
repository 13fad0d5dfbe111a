"""Periods of reports and the fiscal calendars that they belong to: 52 or 53 weeks, quarters of 12, 13, 14 or 16 weeks.

A period knows its own length. What is not alike (a quarter and nine months, 12 weeks and 16) is never compared or
added without saying so.
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from apps.finance.units import UnitMismatchError


class PeriodKind(StrEnum):
    INSTANT = "instant"  # a balance at the end of a day
    QUARTER = "quarter"
    HALF = "half"
    YEAR = "year"
    YEAR_TO_DATE = "year_to_date"  # from the start of the fiscal year: nine months, 28 weeks
    TRAILING = "trailing"  # twelve months back from any day
    OTHER = "other"


class PeriodMismatchError(UnitMismatchError):
    """Two figures of different periods or lengths were combined."""


_LENGTHS = (  # days of a period by its kind: 11 to 17 weeks, 25 to 27 weeks, 52 or 53 weeks and calendar years
    (PeriodKind.QUARTER, 77, 119),
    (PeriodKind.HALF, 175, 189),
    (PeriodKind.YEAR, 357, 378),
)
_SAME_LENGTH_DAYS = 3  # months differ by so much and are still alike
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` to `end`, both included; an instant has its end alone. `fiscal_year` 0: not known."""

    kind: PeriodKind
    end: date
    start: date | None = None
    fiscal_year: int = 0
    number: int = 0  # of the quarter or half, 0 when it has none
    is_restated: bool = False  # figures of this period as a later report gives them again

    @classmethod
    def at(cls, day: date) -> "Period":
        return cls(PeriodKind.INSTANT, day)

    @classmethod
    def between(cls, start: date, end: date) -> "Period":
        """The period of these days, its kind by its length. Nine months and the like are YEAR_TO_DATE."""
        days = (end - start).days + 1
        if days < 1:
            raise ValueError("the period ends before it begins")
        kind = next((kind for kind, least, most in _LENGTHS if least <= days <= most), None)
        if kind is None:
            kind = PeriodKind.YEAR_TO_DATE if 119 < days < 357 else PeriodKind.OTHER
        return cls(kind, end, start)

    @property
    def days(self) -> int:
        """0 for an instant."""
        return (self.end - self.start).days + 1 if self.start else 0

    @property
    def weeks(self) -> int:
        """Whole weeks, 0 where the length is not made of weeks: calendar months are not."""
        return self.days // 7 if self.days and self.days % 7 == 0 else 0

    def restated(self) -> "Period":
        return replace(self, is_restated=True)

    def is_comparable(self, other: "Period") -> bool:
        """Whether figures of both may stand side by side without a word: alike in kind and in length."""
        same_length = abs(self.days - other.days) <= _SAME_LENGTH_DAYS
        return self.kind is other.kind and same_length

    def require_comparable(self, other: "Period") -> None:
        """Raises PeriodMismatchError for another kind or length: 16 weeks and 12 weeks, a quarter and nine months."""
        if not self.is_comparable(other):
            raise PeriodMismatchError(f"{self._said()} and {other._said()}")

    def without(self, earlier: "Period") -> "Period":
        """The rest when an earlier part of the same stretch is taken away: nine months less six are a quarter.

        Raises PeriodMismatchError unless both begin on the same day and the other ends first.
        """
        if self.start is None or earlier.start != self.start or earlier.end >= self.end:
            raise PeriodMismatchError(f"{self._said()} less {earlier._said()}")
        rest = Period.between(earlier.end + timedelta(days=1), self.end)
        return replace(rest, fiscal_year=self.fiscal_year)

    def _said(self) -> str:
        return f"{self.kind.value} of {self.days} days" if self.days else f"{self.kind.value} {self.end.isoformat()}"


class YearEnd(StrEnum):
    """The day on which a fiscal year ends."""

    MONTH_END = "month_end"
    LAST_WEEKDAY = "last_weekday"  # the last Saturday (or other day) of the month
    NEAREST_WEEKDAY = "nearest_weekday"  # the one nearest to the end of the month: may fall into the next


@dataclass(frozen=True, slots=True)
class FiscalCalendar:
    """How a company counts. Its fiscal year is named by the calendar year in which it ends, shifted by `name_shift`.

    `quarter_weeks` of a week calendar, for a year of 52 weeks: (13, 13, 13, 13), (16, 12, 12, 12), (12, 12, 12, 16). A
    53rd week belongs to the last quarter.
    """

    month: int  # of the year end
    rule: YearEnd = YearEnd.MONTH_END
    weekday: int = 5  # Monday is 0
    quarter_weeks: tuple[int, int, int, int] = (13, 13, 13, 13)
    name_shift: int = 0  # 1: the year that ends in January 2025 is called 2024 when this is -1

    def __post_init__(self) -> None:
        if not 1 <= self.month <= 12 or sum(self.quarter_weeks) != 52:
            raise ValueError("a fiscal year ends in one of 12 months and has quarters of 52 weeks")

    def year(self, fiscal_year: int) -> Period:
        """The fiscal year of this name."""
        start = self._end(fiscal_year - 1) + timedelta(days=1)
        return Period(PeriodKind.YEAR, self._end(fiscal_year), start, fiscal_year)

    def weeks(self, fiscal_year: int) -> int:
        """52 or 53 in a week calendar, 0 in a calendar of months."""
        return 0 if self.rule is YearEnd.MONTH_END else self.year(fiscal_year).days // 7

    def quarter(self, fiscal_year: int, number: int) -> Period:
        """Quarter 1 … 4 of the fiscal year."""
        whole = self.year(fiscal_year)
        assert whole.start is not None
        start, end = self._quarter(whole.start, whole.end, number)
        return Period(PeriodKind.QUARTER, end, start, fiscal_year, number)

    def half(self, fiscal_year: int, number: int) -> Period:
        first, last = self.quarter(fiscal_year, 2 * number - 1), self.quarter(fiscal_year, 2 * number)
        return Period(PeriodKind.HALF, last.end, first.start, fiscal_year, number)

    def year_to_date(self, fiscal_year: int, number: int) -> Period:
        """From the start of the year to the end of the quarter."""
        whole, last = self.year(fiscal_year), self.quarter(fiscal_year, number)
        return Period(PeriodKind.YEAR_TO_DATE, last.end, whole.start, fiscal_year, number)

    def trailing(self, fiscal_year: int, number: int) -> Period:
        """Four quarters up to the end of this one."""
        before = self.quarter(fiscal_year - 1, number)
        last = self.quarter(fiscal_year, number)
        return Period(PeriodKind.TRAILING, last.end, before.end + timedelta(days=1), fiscal_year, number)

    def quarter_of(self, day: date) -> Period:
        """The quarter that the day lies in."""
        for fiscal_year in range(day.year - 1 + self.name_shift, day.year + 3 + self.name_shift):
            for number in (1, 2, 3, 4):
                found = self.quarter(fiscal_year, number)
                if found.start is not None and found.start <= day <= found.end:
                    return found
        raise ValueError(f"{day} lies in no fiscal year")

    def _end(self, fiscal_year: int) -> date:
        last = _month_end(fiscal_year - self.name_shift, self.month)
        if self.rule is YearEnd.MONTH_END:
            return last
        back = last - timedelta(days=(last.weekday() - self.weekday) % 7)
        if self.rule is YearEnd.NEAREST_WEEKDAY and (last - back).days > 3:
            return back + _WEEK
        return back

    def _quarter(self, start: date, end: date, number: int) -> tuple[date, date]:
        if not 1 <= number <= 4:
            raise ValueError("a year has four quarters")
        if self.rule is not YearEnd.MONTH_END:
            before = sum(self.quarter_weeks[: number - 1])
            first = start + before * _WEEK
            last = end if number == 4 else first + self.quarter_weeks[number - 1] * _WEEK - timedelta(days=1)
            return first, last
        month = start.month + 3 * (number - 1)
        first = date(start.year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
        ends = month + 2
        return first, _month_end(start.year + (ends - 1) // 12, (ends - 1) % 12 + 1)


def _month_end(year: int, month: int) -> date:
    following = date(year + month // 12, month % 12 + 1, 1)
    return following - timedelta(days=1)
