"""Statements as filings write them: spacer rows, "$" in cells of its own, heads over columns, scales anywhere."""

from decimal import Decimal

from apps.finance.units import Scale
from apps.reading.contracts import PageContent
from apps.reading.html import HtmlReader
from apps.reading.quantities import quantity_of

Found = dict[tuple[str, str], tuple[Decimal | None, Scale]]


def page_of(body: str) -> PageContent:
    return HtmlReader(f"<!doctype html><html><body>{body}</body></html>".encode()).pages(1, 1)[0][0]


def cells_of(page: PageContent) -> Found:
    """{(row's label, column's heads): (value, scale)}"""
    return {
        (row.label, table.columns[cell.column]): (quantity.value, quantity.scale)
        for table in page.tables
        for row in table.rows
        for cell in row.cells
        for quantity in [quantity_of(page, table, row, cell)]
    }


def row(label: str, *values: str) -> str:
    """A label over three columns; each value behind a spacer, "$" and ")" in cells of their own."""
    cells = ""
    for value in values:
        if value.startswith("$"):
            cells += f"<td></td><td>$</td><td>{value[1:]}</td><td></td>"
        else:
            cells += f'<td></td><td colspan="2">{value}</td><td></td>'
    return f'<tr><td colspan="3">{label}</td>{cells}</tr>'


SPACER = "<tr><td colspan='11'></td></tr>"
YEARS = "<tr><td colspan='3'></td><td></td><td colspan='3'>2031</td><td></td><td colspan='3'>2030</td></tr>"


def test_a_line_of_words_between_blank_rows_parts_no_table_and_the_dollar_moves_no_column() -> None:
    page = page_of(
        "<p>The table shows results (in millions, except per-share amounts):</p><table>"
        + YEARS
        + row("Sales", "$4,210", "$3,980")
        + SPACER
        + row("Cost of sales:")
        + row("Goods", "1,905", "1,744")
        + row("Gross margin", "2,305", "2,236")
        + SPACER
        + row("Earnings per share:")
        + row("Basic", "$1.25", "$1.10")
        + "</table>"
    )

    assert len(page.tables) == 1
    assert cells_of(page) == {
        ("Sales", "2031"): (Decimal(4210), Scale.MILLION),
        ("Sales", "2030"): (Decimal(3980), Scale.MILLION),
        ("Goods", "2031"): (Decimal(1905), Scale.MILLION),
        ("Goods", "2030"): (Decimal(1744), Scale.MILLION),
        ("Gross margin", "2031"): (Decimal(2305), Scale.MILLION),
        ("Gross margin", "2030"): (Decimal(2236), Scale.MILLION),
        ("Basic", "2031"): (Decimal("1.25"), Scale.ONE),
        ("Basic", "2030"): (Decimal("1.10"), Scale.ONE),
    }


def test_a_line_of_units_below_the_heads_is_the_scale_and_no_row() -> None:
    units = "<tr><td colspan='3'>Plant:</td><td></td><td colspan='7'>(In thousands)</td></tr>"
    page = page_of(
        "<table>" + YEARS + SPACER + units + row("Land", "$511", "$218") + row("Tools", "76", "—") + "</table>"
    )

    found = cells_of(page)
    assert found["Land", "2031"] == (Decimal(511), Scale.THOUSAND)
    assert found["Tools", "2030"] == (Decimal(0), Scale.THOUSAND)
    assert {label for label, _column in found} == {"Land", "Tools"}


def test_heads_over_two_rows_stand_above_their_own_columns() -> None:
    heads = (
        "<tr><td></td><td rowspan='2' colspan='2'>Cost</td><td colspan='4'>Reported as</td></tr>"
        "<tr><td></td><td colspan='2'>Cash</td><td colspan='2'>Securities</td></tr>"
    )
    bonds = "<tr><td>Bonds</td><td>$</td><td>90</td><td>$</td><td>20</td><td>$</td><td>70</td></tr>"
    page = page_of("<table>" + heads + bonds + "</table>")

    assert [(column, value) for (_label, column), (value, _scale) in cells_of(page).items()] == [
        ("Cost", Decimal(90)),
        ("Reported as Cash", Decimal(20)),
        ("Reported as Securities", Decimal(70)),
    ]


def test_the_scale_of_a_sentence_reaches_the_tables_below_it_over_short_heads_but_not_over_prose() -> None:
    table = "<table>" + YEARS + row("Land", "11", "12") + "</table>"
    said = "<p>Details of the statements as of June 30 follow (in millions):</p><p><b>Other assets</b></p>"
    prose = f"<p>{'The company leases offices and stores in many towns. ' * 4}</p>"
    page = page_of(said + table + "<p>Page 36</p>" + table + prose + table)

    scales = [quantity_of(page, t, t.rows[0], t.rows[0].cells[0]).scale for t in page.tables]
    assert scales == [Scale.MILLION, Scale.MILLION, Scale.ONE]
