"""Periods and fiscal calendars: week years, odd quarters, and what may not be compared."""

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.finance.periods import FiscalCalendar, Period, PeriodKind, PeriodMismatchError, YearEnd

JUNE_SATURDAY = FiscalCalendar(6, YearEnd.LAST_WEEKDAY)
RESTAURANT = FiscalCalendar(12, YearEnd.LAST_WEEKDAY, weekday=6, quarter_weeks=(16, 12, 12, 12))
calendars = st.builds(
    FiscalCalendar,
    st.integers(1, 12),
    st.sampled_from(YearEnd),
    st.integers(0, 6),
    st.sampled_from([(13, 13, 13, 13), (16, 12, 12, 12), (12, 12, 12, 16)]),
    st.sampled_from([0, -1]),
)
years = st.integers(1990, 2060)


@given(calendars, years)
def test_quarters_fill_their_year_without_gap_or_overlap(calendar: FiscalCalendar, year: int) -> None:
    whole = calendar.year(year)
    quarters = [calendar.quarter(year, number) for number in (1, 2, 3, 4)]

    assert quarters[0].start == whole.start
    assert quarters[3].end == whole.end
    for earlier, later in pairwise(quarters):
        assert later.start == earlier.end + timedelta(days=1)
    assert sum(quarter.days for quarter in quarters) == whole.days


@given(calendars, years)
def test_years_follow_each_other_and_have_52_or_53_weeks(calendar: FiscalCalendar, year: int) -> None:
    this, following = calendar.year(year), calendar.year(year + 1)

    assert following.start == this.end + timedelta(days=1)
    assert calendar.weeks(year) in ((0,) if calendar.rule is YearEnd.MONTH_END else (52, 53))
    assert Period.between(this.start or this.end, this.end).kind is PeriodKind.YEAR


@given(calendars, years, st.integers(1, 4))
def test_a_day_finds_its_quarter(calendar: FiscalCalendar, year: int, number: int) -> None:
    quarter = calendar.quarter(year, number)

    assert calendar.quarter_of(quarter.end) == quarter
    assert quarter.start is not None
    assert calendar.quarter_of(quarter.start) == quarter


@given(calendars, years, st.integers(2, 4))
def test_year_to_date_less_what_came_before_is_the_quarter(calendar: FiscalCalendar, year: int, number: int) -> None:
    rest = calendar.year_to_date(year, number).without(calendar.year_to_date(year, number - 1))

    quarter = calendar.quarter(year, number)
    assert (rest.start, rest.end, rest.kind) == (quarter.start, quarter.end, PeriodKind.QUARTER)


def test_a_fiscal_year_is_not_the_calendar_year() -> None:
    assert JUNE_SATURDAY.year(2024).end == date(2024, 6, 29)
    assert JUNE_SATURDAY.quarter_of(date(2024, 12, 28)).number == 2
    assert JUNE_SATURDAY.quarter_of(date(2024, 12, 28)).fiscal_year == 2025


def test_a_sixteen_week_quarter_is_a_quarter_and_not_alike_one_of_twelve() -> None:
    first, second = RESTAURANT.quarter(2024, 1), RESTAURANT.quarter(2024, 2)

    assert (first.weeks, second.weeks) == (16, 12)
    assert Period.between(date(2024, 1, 1), date(2024, 4, 21)).kind is PeriodKind.QUARTER
    with pytest.raises(PeriodMismatchError):
        first.require_comparable(second)
    first.require_comparable(RESTAURANT.quarter(2023, 1))


def test_quarters_and_nine_months_and_instants_do_not_mix() -> None:
    quarter = Period.between(date(2024, 7, 1), date(2024, 9, 30))
    months = Period.between(date(2024, 1, 1), date(2024, 9, 30))
    balance = Period.at(date(2024, 9, 30))

    assert (quarter.kind, months.kind) == (PeriodKind.QUARTER, PeriodKind.YEAR_TO_DATE)
    for other in (months, balance):
        with pytest.raises(PeriodMismatchError):
            quarter.require_comparable(other)
    with pytest.raises(PeriodMismatchError):
        quarter.without(months)
    quarter.require_comparable(Period.between(date(2024, 4, 1), date(2024, 6, 30)))


def test_a_restated_period_is_the_same_days_and_says_so() -> None:
    year = FiscalCalendar(12).year(2023)

    assert year.restated().is_restated
    assert year.restated() != year
    year.restated().require_comparable(year)
    assert FiscalCalendar(12).trailing(2024, 1).days == 366
