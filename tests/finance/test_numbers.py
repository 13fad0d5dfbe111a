"""Printed numbers: every way to write one that the product promises to read, and what it refuses to guess."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.finance.numbers import DecimalMark, NumberState, decide_decimal_mark, find_numbers, read_number
from apps.finance.units import Money, Percent, Scale, UnitMismatchError

amounts = st.decimals(min_value=0, max_value=Decimal("999999999999"), places=2, allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("printed", "value", "unit"),
    [
        ("(1,234.50)", "-1234.50", ""),
        ("-1,234.50", "-1234.50", ""),
        ("1,234.50-", "-1234.50", ""),
        ("−987", "-987", ""),
        ("($67.00)", "-67.00", "USD"),
        ("$(67.00)", "-67.00", "USD"),
        ("(12)%", "-12", "percent"),
        ("[305]", "-305", ""),
        ("0.00", "0", ""),
        ("1 234 567,89", "1234567.89", ""),
        ("29 000", "29000", ""),
        ("4 500,5", "4500.5", ""),
        ("10\u202f237,65", "10237.65", ""),
        ("1'250'000.00", "1250000.00", ""),
        ("1’250’000.00", "1250000.00", ""),
        ("%12,5", "12.5", "percent"),
        ("₺1.234.567,89", "1234567.89", "TRY"),
        ("1,2 milyar TL", "1200000000", "TRY"),
        ("362 bin", "362000", ""),
        ("$12.4m", "12400000", "USD"),
        ("€ 1.5 bn", "1500000000", "EUR"),
        ("95 bps", "95", "basis_points"),
        ("50 basis points", "50", "basis_points"),
        ("250 baz puan", "250", "basis_points"),
        ("17 per cent", "17", "percent"),
        ("yüzde 45", "45", "percent"),
        ("3.0x", "3.0", "times"),
        ("12,34,567", "1234567", ""),
    ],
)
def test_a_printed_number_has_its_value_and_unit(printed: str, value: str, unit: str) -> None:
    reading = read_number(printed)

    assert (reading.state, reading.value, reading.unit) == (NumberState.VALUE, Decimal(value), unit)


@pytest.mark.parametrize("printed", ["1.234", "1,234", "-362.638", "$ 59,268"])
def test_one_group_of_three_is_ambiguous_and_comes_with_both_readings(printed: str) -> None:
    reading = read_number(printed)

    assert reading.state is NumberState.AMBIGUOUS
    assert reading.value is None
    assert reading.reason
    whole, fraction = reading.readings
    assert whole == fraction * 1000


@pytest.mark.parametrize(("mark", "value"), [(DecimalMark.COMMA, "1234"), (DecimalMark.POINT, "1.234")])
def test_the_documents_decimal_mark_settles_an_ambiguous_number(mark: DecimalMark, value: str) -> None:
    assert read_number("1.234", mark=mark).value == Decimal(value)


@pytest.mark.parametrize(
    ("printed", "state"),
    [
        ("", NumberState.MISSING),
        ("   ", NumberState.MISSING),
        ("—", NumberState.DASH_ZERO),
        ("-", NumberState.DASH_ZERO),
        ("$ —", NumberState.DASH_ZERO),
        ("n/a", NumberState.NOT_AVAILABLE),
        ("n.m.", NumberState.NOT_MEANINGFUL),
        ("revenue", NumberState.NOT_A_NUMBER),
        ("3 4", NumberState.NOT_A_NUMBER),
        ("1.2.3", NumberState.NOT_A_NUMBER),
        ("(12", NumberState.NOT_A_NUMBER),
    ],
)
def test_dash_is_zero_and_blank_is_not(printed: str, state: NumberState) -> None:
    reading = read_number(printed)

    assert reading.state is state
    assert reading.value == (Decimal(0) if state is NumberState.DASH_ZERO else None)


@given(amounts)
def test_english_and_turkish_prints_of_a_value_read_as_that_value(value: Decimal) -> None:
    english = f"{value:,.2f}"
    turkish = english.replace(",", "_").replace(".", ",").replace("_", ".")

    assert read_number(english, mark=DecimalMark.POINT).value == value
    assert read_number(turkish, mark=DecimalMark.COMMA).value == value
    assert read_number(f"({turkish})", mark=DecimalMark.COMMA).value == -value


@given(st.text(max_size=40))
def test_no_text_makes_the_reader_fail(text: str) -> None:
    read_number(text)
    decide_decimal_mark([text])
    for found in find_numbers(text):
        assert text[found.start : found.end] == found.text


@given(amounts, amounts)
def test_numbers_in_a_sentence_are_found_at_their_places(first: Decimal, second: Decimal) -> None:
    sentence = f"Net sales were ${first:,.2f} million against {second:,.2f} million in the year before."

    found = find_numbers(sentence, mark=DecimalMark.POINT)

    assert [n.value for n in found] == [first * 10**6, second * 10**6]
    assert [sentence[n.start : n.end] for n in found] == [n.text for n in found]


def test_units_in_words_belong_to_the_number_found() -> None:
    found = find_numbers("Offer 88: the discount is 17 per cent, 50 basis points less; prim yüzde 12,5.")

    assert [(n.text, n.unit) for n in found] == [
        ("88", ""),
        ("17 per cent", "percent"),
        ("50 basis points", "basis_points"),
        ("yüzde 12,5", "percent"),
    ]


def test_sentence_brackets_are_not_minus_signs() -> None:
    found = find_numbers("(see note 5) growth of 3.5% (2020: 4.1%)")

    assert [str(n.value) for n in found] == ["5", "3.5", "2020", "4.1"]


@pytest.mark.parametrize(
    ("texts", "mark"),
    [
        (["1.234.567", "1.234"], DecimalMark.COMMA),
        (["1,234.50", "987"], DecimalMark.POINT),
        (["0,75", "12,5"], DecimalMark.COMMA),
        (["1.234", "5.678"], None),
        (["1,5", "1.5"], None),
    ],
)
def test_a_columns_unambiguous_numbers_decide_its_mark(texts: list[str], mark: DecimalMark | None) -> None:
    assert decide_decimal_mark(texts) == mark


def test_money_of_two_currencies_does_not_add() -> None:
    assert (Money(Decimal(1), "USD") + Money(Decimal(2), "USD")).amount == 3
    with pytest.raises(UnitMismatchError):
        Money(Decimal(1), "USD") - Money(Decimal(1), "TRY")


def test_scale_words_and_percent_ratio() -> None:
    assert (Scale.MILLION.word("tr"), Scale.BILLION.word("en"), Scale.ONE.word("en")) == ("milyon", "billion", "")
    assert Percent(Decimal("12.5")).as_ratio() == Decimal("0.125")
