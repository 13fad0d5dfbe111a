"""Tables leave the page: every cell with value, unit and place; files with numbers, formats and links."""

import csv
from decimal import Decimal
from io import BytesIO, StringIO

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from apps.accounts.models import User
from apps.core.errors import NotFound
from apps.core.export import Sheet, SheetCell, xlsx_bytes
from apps.documents import selectors, table_files, tables
from apps.documents.table_files import exact_value, number_format_of
from apps.documents.table_lines import TableCell
from apps.finance.units import Scale
from apps.tenants.context import tenant_context
from apps.tenants.models import AuditEvent
from tests.documents.pages import statement_pdf
from tests.factories.desk import Desk
from tests.factories.documents import ingest
from tests.factories.people import slug_of
from tests.reading.office import workbook

database = pytest.mark.django_db(transaction=True)


@database
def test_a_table_of_a_pdf_gives_every_value_with_unit_scale_and_box(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "report.pdf", statement_pdf())

    with tenant_context(desk.tenant_id):
        [summary] = tables.list_tables(actor=desk.reader, document_id=document.id)
        view = tables.get_table(actor=desk.reader, document_id=document.id, page=1, block=summary.block)
        text = selectors.get_page(actor=desk.reader, document_id=document.id, number=1).text
        with pytest.raises(NotFound):
            tables.get_table(actor=desk.stranger, document_id=document.id, page=1, block=summary.block)

    assert view.currency == "USD"
    assert view.scale is Scale.MILLION
    [revenue] = [line for line in view.lines if line.cells[0].text == "Revenue"]
    assert [cell.value for cell in revenue.cells[1:]] == [Decimal(12345), Decimal(11222)]
    [loss] = [line for line in view.lines if line.cells[0].text.startswith("Other loss")]
    assert [cell.value for cell in loss.cells[1:]] == [Decimal(-310), Decimal(0)]
    [margin] = [line for line in view.lines if line.cells[0].text == "Gross margin"]
    assert [(cell.value, cell.unit) for cell in margin.cells[1:]] == [
        (Decimal("41.5"), "percent"),
        (Decimal("40.2"), "percent"),
    ]
    for line in view.lines:
        for cell in line.cells:
            if cell.value is not None:
                assert text[cell.start : cell.end] == cell.text
                assert cell.boxes


@database
def test_xlsx_with_sources_holds_numbers_formats_and_links_and_is_recorded(desk: Desk, client: Client) -> None:
    document = ingest(desk.member, desk.shared, "report.pdf", statement_pdf())
    client.force_login(User.objects.get(id=desk.reader.user_id))
    with tenant_context(desk.tenant_id):
        [summary] = tables.list_tables(actor=desk.reader, document_id=document.id)
    address = reverse("documents:table_file", args=[slug_of(desk.tenant_id), document.id, 1, summary.block, "xlsx"])

    answer = client.get(address)
    book = load_workbook(BytesIO(answer.content))
    client.force_login(User.objects.get(id=desk.stranger.user_id))
    refused = client.get(address)

    assert answer["Content-Disposition"].startswith("attachment;")
    assert refused.status_code == 404
    table, sources = book.worksheets
    facts = {row[0].value: row[1].value for row in table.iter_rows(min_row=1, max_row=12, max_col=2) if row[0].value}
    assert facts["Document"] == "report.pdf"
    assert facts["Currency"] == "USD"
    assert facts["Scale"] == "1,000,000"
    rows = {row[0].value: row for row in table.iter_rows()}
    assert [cell.value for cell in rows["Revenue"][1:3]] == [12345, 11222]
    assert rows["Revenue"][1].number_format == "#,##0"
    assert [cell.value for cell in rows["Gross margin"][1:3]] == [0.415, 0.402]
    assert rows["Gross margin"][1].number_format == "0.0%"
    link = rows["Revenue"][3].hyperlink.target
    assert f"/documents/{document.id}/?page=1&start=" in link
    head, *listed = [[cell.value for cell in row] for row in sources.iter_rows()]
    by_cell = {row[0]: dict(zip(head, row, strict=True)) for row in listed}
    revenue = by_cell[rows["Revenue"][1].coordinate]
    assert (revenue["Row"], revenue["As printed"], revenue["In whole units"]) == ("Revenue", "12,345", 12345000000)
    with tenant_context(desk.tenant_id):
        assert AuditEvent.objects.filter(action="table.exported", object_id=document.id).count() == 1


@database
def test_a_table_that_does_not_say_its_scale_claims_no_whole_units(desk: Desk, client: Client) -> None:
    rows = (
        "<tr><td>Item</td><td>2031</td></tr><tr><td>Assets</td><td>12,345</td></tr><tr><td>Debt</td><td>345</td></tr>"
    )
    html = f"<!doctype html><html><body><h1>Segments</h1><table>{rows}</table></body></html>"
    document = ingest(desk.member, desk.shared, "segments.html", html.encode())
    client.force_login(User.objects.get(id=desk.reader.user_id))
    with tenant_context(desk.tenant_id):
        [summary] = tables.list_tables(actor=desk.reader, document_id=document.id)

    answer = client.get(
        reverse("documents:table_file", args=[slug_of(desk.tenant_id), document.id, 1, summary.block, "xlsx"])
    )
    head, *listed = [[cell.value for cell in row] for row in load_workbook(BytesIO(answer.content)).worksheets[1]]

    values = [dict(zip(head, row, strict=True)) for row in listed]
    assert [(row["As printed"], row["In whole units"]) for row in values] == [("12,345", None), ("345", None)]


@database
def test_csv_holds_plain_numbers_with_page_and_link(
    desk: Desk, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [["Kalem", "2024"], ["Kira", 1250.5], ["@SUM(A1)", -3]]
    document = ingest(desk.member, desk.shared, "gider.xlsx", workbook({"Gider": rows}))
    client.force_login(User.objects.get(id=desk.reader.user_id))
    with tenant_context(desk.tenant_id):
        [summary] = tables.list_tables(actor=desk.reader, document_id=document.id)

    address = reverse("documents:table_file", args=[slug_of(desk.tenant_id), document.id, 1, summary.block, "csv"])
    answer = client.get(address)
    head, *lines = csv.reader(StringIO(answer.content.decode("utf-8-sig"), newline=""))
    monkeypatch.setattr(table_files, "MOST_CELLS", 24)  # the heads and one row
    cut = client.get(address).content.decode("utf-8-sig").splitlines()

    assert len(cut) == 3
    assert "more rows" in cut[-1]
    assert head == ["Kalem", "2024", "Page", "Source"]
    assert [line[:2] for line in lines] == [["Kira", "1250.5"], ["'@SUM(A1)", "-3"]]
    assert all("&start=" in line[3] for line in lines)


@database
def test_windows_of_one_sheet_are_one_table(desk: Desk) -> None:
    rows = [["Entry", "Amount"], *([f"Entry {n}", n] for n in range(1, 250))]
    document = ingest(desk.member, desk.shared, "s.xlsx", workbook({"Ledger": rows, "End": [["x", "y"], ["z", 1]]}))

    with tenant_context(desk.tenant_id):
        found = tables.list_tables(actor=desk.reader, document_id=document.id)
        whole = tables.get_table(actor=desk.reader, document_id=document.id, page=2, block=0)
        cut = tables.get_table(actor=desk.reader, document_id=document.id, page=1, block=found[0].block, most_lines=10)

    assert [(table.label, table.page, table.last_page, table.row_count) for table in found] == [
        ("Ledger", 1, 3, 249),
        ("End", 4, 4, 1),
    ]
    assert len(whole.lines) == 250
    assert (len(cut.lines), cut.is_cut) == (10, True)


@database
def test_the_table_stands_beside_its_page_with_the_same_places_on_both(desk: Desk, client: Client) -> None:
    document = ingest(desk.member, desk.shared, "report.pdf", statement_pdf())
    client.force_login(User.objects.get(id=desk.reader.user_id))
    url = reverse("documents:document", args=[slug_of(desk.tenant_id), document.id])
    with tenant_context(desk.tenant_id):
        [summary] = tables.list_tables(actor=desk.reader, document_id=document.id)
        view = tables.get_table(actor=desk.reader, document_id=document.id, page=1, block=summary.block)

    html = client.get(f"{url}?page=1&panel=table&table={summary.key}").content.decode()
    listed = client.get(f"{url}?panel=tables").content.decode()
    unknown = client.get(f"{url}?panel=table&table=99-1")

    for cell in (cell for line in view.lines for cell in line.cells if cell.value is not None):
        place = f'data-place="{cell.start}-{cell.end}"'
        assert html.count(place) == 1 + len(cell.boxes)
    assert f"panel=table&amp;table={summary.key}" in listed
    assert unknown.status_code == 404


@pytest.mark.parametrize(
    ("text", "value", "unit", "expected", "number_format"),
    [
        ("1,234", "1234", "", "1234", "#,##0"),
        ("(1,234)", "-1234", "", "-1234", "#,##0_);(#,##0)"),
        ("$ 12.50", "12.50", "USD", "12.50", '"$"0.00'),
        ("12,5 %", "12.5", "percent", "0.125", "0.0%"),
        ("1.234.567,89", "1234567.89", "TRY", "1234567.89", "#,##0.00"),
        ("—", "0", "", "0", '#,##0;-#,##0;"–"'),
        ("2024", "2024", "", "2024", "0"),
    ],
)
def test_a_number_keeps_the_look_of_its_print(
    text: str, value: str, unit: str, expected: str, number_format: str
) -> None:
    cell = TableCell(1, text, value=Decimal(value), unit=unit)

    assert exact_value(cell) == Decimal(expected)
    assert number_format_of(cell) == number_format


def test_digits_that_a_spreadsheet_would_round_stay_words() -> None:
    assert exact_value(TableCell(1, "12345678901234567", value=Decimal("12345678901234567"))) is None


@given(st.text(max_size=60))
def test_no_cell_of_a_file_is_a_formula_whatever_its_words(words: str) -> None:
    made = xlsx_bytes([Sheet("t", [[SheetCell(words)]], [("a", SheetCell(words))], [[SheetCell(words)]])])

    cells = [cell for row in load_workbook(BytesIO(made)).worksheets[0].iter_rows() for cell in row]

    assert all(cell.data_type != "f" for cell in cells)
