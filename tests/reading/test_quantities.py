"""What a table's figures mean: scale and unit by note, head and row; rows that notes leave out; continued tables."""

from decimal import Decimal

import pytest

from apps.finance.units import Scale
from apps.reading.contracts import MediaType, PageContent
from apps.reading.plain import TextReader
from apps.reading.quantities import carried, quantity_of
from apps.reading.scale_notes import RowKind, currency_of, kind_of_row, read_note


@pytest.mark.parametrize(
    ("words", "general", "shares", "currency"),
    [
        ("in thousands, except per share data", Scale.THOUSAND, None, ""),
        ("(in millions of euro, except share and per share amounts)", Scale.MILLION, Scale.ONE, "EUR"),
        (
            "(In millions, except number of shares, which are reflected in thousands, and per-share amounts)",
            Scale.MILLION, Scale.THOUSAND, "",
        ),
        ("USD ($), shares in thousands", Scale.ONE, Scale.THOUSAND, "USD"),
        ("(dollars and shares in thousands)", Scale.THOUSAND, Scale.THOUSAND, "USD"),
        ("Tutarlar bin Türk Lirası olarak ifade edilmiştir", Scale.THOUSAND, None, "TRY"),
        ("milyon TL", Scale.MILLION, None, "TRY"),
        ("$000", Scale.THOUSAND, None, "USD"),
        ("Amounts in US$ m", Scale.MILLION, None, "USD"),
        ("For the year ended 31 December 2024", Scale.ONE, None, ""),
    ],
)  # fmt: skip
def test_a_scale_note_is_taken_apart(words: str, general: Scale, shares: Scale | None, currency: str) -> None:
    note = read_note(words)

    assert (note.general, note.shares, note.currency) == (general, shares, currency)


@pytest.mark.parametrize(
    ("label", "header", "kind"),
    [
        ("Net income", "2024", RowKind.MONEY),
        ("Basic earnings per share", "2024", RowKind.PER_UNIT),
        ("Hisse başına kazanç", "2024", RowKind.PER_UNIT),
        ("Weighted average shares outstanding", "2024", RowKind.SHARES),
        ("Repurchase of shares", "2024", RowKind.MONEY),
        ("Çalışan sayısı", "2024", RowKind.COUNT),
        ("Head count", "2024", RowKind.COUNT),
        ("Effective tax rate", "2024", RowKind.PERCENT),
        ("Net income", "% change", RowKind.PERCENT),
    ],
)
def test_a_row_says_what_it_counts(label: str, header: str, kind: RowKind) -> None:
    assert kind_of_row(label, header) is kind


def page(text: str) -> PageContent:
    return TextReader(text.encode(), MediaType.MARKDOWN).page(1)[0]


INCOME = """(in millions of euro, except per share amounts)

| Item | 2024 |
| --- | --- |
| Net income | 287 |
| Earnings per share | 1.46 |
| Average shares (thousands) | 196.6 |
| Tax rate | 21.4% |
| Dividends | n/a |
"""


def test_every_row_has_its_own_unit_and_scale() -> None:
    content = page(INCOME)
    (table,) = content.tables

    found = {row.label: quantity_of(content, table, row, row.cells[0]) for row in table.rows}

    assert {label: (q.value, q.unit, q.scale) for label, q in found.items()} == {
        "Net income": (Decimal(287), "EUR", Scale.MILLION),
        "Earnings per share": (Decimal("1.46"), "EUR", Scale.ONE),
        "Average shares (thousands)": (Decimal("196.6"), "", Scale.THOUSAND),
        "Tax rate": (Decimal("21.4"), "percent", Scale.ONE),
        "Dividends": (None, "", Scale.ONE),
    }


def test_a_continued_table_keeps_the_note_and_another_one_does_not() -> None:
    rest = "Table continued from the previous page.\n\n| Item | 2024 |\n| --- | --- |\n| Cash | 5 |\n"
    other = "| Staff | 2024 |\n| --- | --- |\n| Offices | 7 |\n"

    (first, second, third), _note = carried([page(INCOME), page(rest), page(other)])

    assert read_note(second.tables[0].scale_note).general is Scale.MILLION
    assert third.tables[0].scale_note == ""
    assert first.tables == page(INCOME).tables


def test_currencies_are_words_and_signs_and_nothing_inside_other_words() -> None:
    assert currency_of("bin TL") == "TRY"
    assert currency_of("total liabilities") == ""
    assert currency_of("US$ million") == "USD"
    assert currency_of("europe") == ""
