"""Numbers as they are printed in both conventions, in words, as ranges and dates; units that do not mix."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from apps.finance.dates import Order, read_date
from apps.finance.evidence import Decision, Evidence, Ground, decide, read_column, read_with
from apps.finance.expressions import NumberRange, Ratio, read_range, read_ratio
from apps.finance.numbers import DecimalMark, NumberState, find_numbers, read_number
from apps.finance.units import Count, Money, Percent, PercentagePoints, PerShare, Printed, Scale, UnitMismatchError
from apps.finance.words import read_number_words

amounts = st.decimals(min_value=-(10**13), max_value=10**13, places=2, allow_nan=False, allow_infinity=False)
marks = st.sampled_from(DecimalMark)
spaces = st.sampled_from([" ", "\u00a0", "\u202f", "\u2009", "\u2007", "'", "’"])


def printed(value: Decimal, mark: DecimalMark, *, group: str = "", decimals: int = 2) -> str:
    """The value as a document of that convention prints it; `group` replaces the thousands sign."""
    text = f"{abs(value):,.{decimals}f}"
    comma, point = (",", ".") if mark is DecimalMark.POINT else (".", ",")
    return text.replace(",", "\0").replace(".", point).replace("\0", group or comma)


@given(amounts, marks)
def test_what_is_printed_is_read_again_in_both_conventions(value: Decimal, mark: DecimalMark) -> None:
    reading = read_number(("-" if value < 0 else "") + printed(value, mark), mark=mark)

    assert (reading.state, reading.value) == (NumberState.VALUE, value)


@given(amounts, marks, st.sampled_from(["({})", "-{}", "{}-", "−{}", "[{}]", "$({})", "({} TL)", "(€{})"]))
def test_every_way_to_write_a_negative_is_negative(value: Decimal, mark: DecimalMark, form: str) -> None:
    assume(value != 0)

    reading = read_number(form.format(printed(value, mark)), mark=mark)

    assert reading.value == -abs(value)


@given(amounts, spaces, marks)
def test_exotic_spaces_and_apostrophes_part_thousands(value: Decimal, space: str, mark: DecimalMark) -> None:
    assert read_number(printed(value, mark, group=space), mark=mark).value == abs(value)


@given(st.integers(1, 999), st.integers(0, 999))
def test_one_group_of_three_is_ambiguous_until_evidence_decides(head: int, tail: int) -> None:
    text = f"{head}.{tail:03d}"

    reading = read_number(text)

    assert reading.state is NumberState.AMBIGUOUS
    assert reading.readings == (Decimal(f"{head}{tail:03d}"), Decimal(text))
    assert reading.reason
    turkish = read_with(text, Evidence(language="tr"))
    assert (turkish.value, turkish.readings, turkish.reason) == (reading.readings[0], reading.readings, "language")
    assert read_with(text, Evidence(neighbours=("1,234.56",), language="tr")).value == Decimal(text)


@pytest.mark.parametrize(
    ("evidence", "decision"),
    [
        (Evidence(neighbours=("12,5", "3,75")), Decision(DecimalMark.COMMA, Ground.NEIGHBOURS)),
        (Evidence(document=("1.234,56",), language="en"), Decision(DecimalMark.COMMA, Ground.DOCUMENT)),
        (Evidence(language="en", issuer="TR"), Decision(DecimalMark.POINT, Ground.LANGUAGE)),
        (Evidence(issuer="TR"), Decision(DecimalMark.COMMA, Ground.ISSUER)),
        (Evidence(), Decision(None, Ground.UNDECIDED)),
    ],
)
def test_the_strongest_evidence_decides_and_is_named(evidence: Evidence, decision: Decision) -> None:
    assert decide(evidence) == decision


def test_a_column_is_read_as_one_writer_wrote_it() -> None:
    values = [reading.value for reading in read_column(["1.234", "12,5", "—", "n/a", ""], Evidence())]

    assert values == [Decimal(1234), Decimal("12.5"), Decimal(0), None, None]


@pytest.mark.parametrize(
    ("text", "value", "unit", "note"),
    [
        ("50 basis points", "50", "basis_points", ""),
        ("250 baz puan", "250", "basis_points", ""),
        ("3 percentage points", "3", "percentage_points", ""),
        ("2 puan", "2", "percentage_points", ""),
        ("1.5 pp", "1.5", "percentage_points", ""),
        ("yüzde 12,5", "12.5", "percent", ""),
        ("¥1,000", "1000", "JPY", ""),
        ("₩2,500", "2500", "KRW", ""),
        ("CHF 5.50", "5.50", "CHF", ""),
        ("12 K", "12000", "", ""),
        ("1,2 milyar TL", "1200000000", "TRY", ""),
        ("88(a)", "88", "", "(a)"),
        ("(1,234.5) (2)", "-1234.5", "", "(2)"),
        ("250¹", "250", "", "¹"),
        ("1,204.5*", "1204.5", "", "*"),
    ],
)
def test_units_scales_and_footnote_marks_stand_apart_from_the_number(
    text: str, value: str, unit: str, note: str
) -> None:
    reading = read_number(text)

    assert (reading.value, reading.unit, reading.note) == (Decimal(value), unit, note)


def test_names_of_forms_are_no_thousands() -> None:
    found = [reading.text for reading in find_numbers("The 10K says that 5K people and 3 puan matter.")]

    assert found == ["5K", "3 puan"]


_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = [".", ".", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_BIR = [".", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz"]
_ON = [".", "on", "yirmi", "otuz", "kırk", "elli", "altmış", "yetmiş", "seksen", "doksan"]


def english(number: int) -> str:
    if number < 20:
        return _ONES[number]
    if number < 100:
        return _TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else "")
    if number < 1000:
        return f"{_ONES[number // 100]} hundred" + (f" and {english(number % 100)}" if number % 100 else "")
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if number >= size:
            rest = f" {english(number % size)}" if number % size else ""
            return f"{english(number // size)} {name}{rest}"
    raise AssertionError


def turkish(number: int) -> str:
    parts: list[str] = []
    for size, name in ((10**9, "milyar"), (10**6, "milyon"), (1000, "bin")):
        if number >= size:
            parts += ([] if size == 1000 and number // size == 1 else [turkish(number // size)]) + [name]
            number %= size
    if number >= 100:
        parts += ([_BIR[number // 100]] if number >= 200 else []) + ["yüz"]
    if number % 100 >= 10:
        parts.append(_ON[number % 100 // 10])
    if number % 10:
        parts.append(_BIR[number % 10])
    return " ".join(parts)


@given(st.integers(1, 10**12 - 1))
def test_numbers_in_words_are_read_in_both_languages(number: int) -> None:
    assert read_number_words(english(number)) == number
    assert read_number_words(turkish(number)) == number
    assert read_number_words(turkish(number).replace(" ", "").upper()) == number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("bir buçuk milyon", "1500000"), ("iki buçuk", "2.5"), ("Yüz Yirmi Üç Bin", "123000"), ("yüzyirmi", "120"),
        ("bin", "1000"), ("two hundred thousand", "200000"), ("zero", "0"),
        ("two million and banana", None), ("one two", None), ("", None), ("a", None), ("one bin", None),
        ("million thousand", None),
    ],
)  # fmt: skip
def test_words_that_are_no_number_are_none(text: str, value: str | None) -> None:
    assert read_number_words(text) == (None if value is None else Decimal(value))


def test_ranges_and_ratios_are_more_than_their_first_number() -> None:
    assert read_range("12–15 %") == NumberRange(Decimal(12), Decimal(15), "percent")
    assert read_range("between $1.2 and $1.4 million") == NumberRange(Decimal(1200000), Decimal(1400000), "USD")
    assert read_range("5 ila 7") == NumberRange(Decimal(5), Decimal(7), "")
    assert read_range("%5-%7") == NumberRange(Decimal(5), Decimal(7), "percent")
    assert read_range("7 to 5") is None
    assert read_range("$5 to €7") is None
    assert read_ratio("3:1") == Ratio(Decimal(3), Decimal(1))
    assert read_ratio("1.5 to 1") == Ratio(Decimal("1.5"), Decimal(1))
    assert read_ratio("14:30") is None


_MONTHS = [
    "ocak",
    "şubat",
    "mart",
    "nisan",
    "mayıs",
    "haziran",
    "temmuz",
    "ağustos",
    "eylül",
    "ekim",
    "kasım",
    "aralık",
]


@given(st.dates(date(1970, 1, 1), date(2069, 12, 31)))
def test_dates_are_read_again_and_undecided_ones_keep_both_days(day: date) -> None:
    month = _MONTHS[day.month - 1]
    for text in (
        day.isoformat(),
        f"{day:%d.%m.%Y}",
        f"{day.day} {month} {day.year}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day:%d.%m.%y}",
    ):
        assert read_date(text).value == day, text
    slashed = read_date(f"{day:%d/%m/%Y}")
    assert day in slashed.readings
    assert slashed.is_ambiguous is (day.day <= 12 and day.day != day.month)
    assert read_date(f"{day:%d/%m/%Y}", order=Order.DAY_FIRST).value == day
    assert read_date(f"{day:%m/%d/%Y}", order=Order.MONTH_FIRST).value == day


def test_days_that_do_not_exist_are_no_dates() -> None:
    assert read_date("31.02.2024").value is None
    assert read_date("2024-13-01").value is None
    assert read_date("net 30 days").readings == ()
    assert date(2024, 2, 28) + timedelta(days=1) == read_date("29 February 2024").value


def test_units_of_different_kinds_never_mix() -> None:
    with pytest.raises(UnitMismatchError):
        Money(Decimal(1), "TRY") + Money(Decimal(1), "USD")
    with pytest.raises(UnitMismatchError):
        Printed(Decimal(1), Scale.MILLION) + Printed(Decimal(1), Scale.THOUSAND)
    with pytest.raises(UnitMismatchError):
        PerShare(Decimal(1), "USD").times(Count(Decimal(2), "employees"))
    with pytest.raises(UnitMismatchError):
        Count(Decimal(1), "shares") + Count(Decimal(1), "stores")
    with pytest.raises(UnitMismatchError):
        Money(Decimal(1), "TRY").ratio_to(Money(Decimal(1), "EUR"))


def test_points_and_percent_are_told_apart() -> None:
    before, after = Percent(Decimal(40)), Percent(Decimal(44))

    assert after - before == PercentagePoints(Decimal(4))
    assert after.relative_to(before) == Percent(Decimal(10))
    assert PercentagePoints.of_basis_points(Decimal(25)) == PercentagePoints(Decimal("0.25"))
    assert Percent(Decimal("4.75")) - Percent(Decimal("4.25")) == PercentagePoints.of_basis_points(Decimal(50))
    assert before + PercentagePoints(Decimal(4)) == after


@given(amounts, st.sampled_from(Scale), st.sampled_from(Scale))
def test_a_change_of_scale_changes_no_value(value: Decimal, one: Scale, other: Scale) -> None:
    figure = Printed(value, one)

    assert figure.to(other).whole() == figure.whole()
    assert PerShare(Decimal("1.46"), "EUR").times(Count(Decimal(10), "shares")) == Money(Decimal("14.60"), "EUR")
    assert Money(Decimal(10), "USD").exchanged(Decimal("32.5"), "TRY") == Money(Decimal("325.0"), "TRY")
