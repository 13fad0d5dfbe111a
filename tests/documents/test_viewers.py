"""Viewers of sheets, running text, mails and pictures: the cited place lit, nothing of a file's markup alive."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.documents import images, selectors
from apps.documents.contracts import DocumentSummary, Span
from apps.documents.layouts import Light, sheet_grid
from apps.reading._pymupdf import pymupdf
from apps.reading.contracts import CellKind, Grid, GridCell, GridRow
from apps.tenants.context import tenant_context
from apps.tenants.models import Tenant
from tests.factories.desk import Desk
from tests.factories.documents import ingest
from tests.reading.office import document as word
from tests.reading.office import mail, workbook

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def reader(desk: Desk, client: Client) -> Client:
    client.force_login(User.objects.get(id=desk.reader.user_id))
    return client


def address(desk: Desk, name: str, *arguments: Any) -> str:
    return reverse(f"documents:{name}", args=[Tenant.objects.get(id=desk.tenant_id).slug, *arguments])


def place_of(desk: Desk, document: DocumentSummary, words: str, page: int = 1) -> tuple[str, str]:
    """(query that lights the words, name of the place)."""
    with tenant_context(desk.tenant_id):
        text = selectors.get_page(actor=desk.reader, document_id=document.id, number=page).text
        start = text.index(words)
        span = Span(document.version_id, page, start, start + len(words))
        return f"?page={page}&start={span.start}&end={span.end}", selectors.names_of_places(spans=[span])[0]


def test_a_sheet_shows_its_cell_lit_under_letters_and_numbers(desk: Desk, reader: Client) -> None:
    rows = [["Region", "2024"], ["North", 1200], ["<b>South</b>", 5]]
    document = ingest(desk.member, desk.shared, "s.xlsx", workbook({"Sales": rows, "Other": [["a", 1]]}))
    query, place = place_of(desk, document, "1200")

    html = reader.get(address(desk, "document", document.id) + query).content.decode()

    assert place == "Sales!B2"
    assert "Sales!B2" in html
    assert re.search(r'<td class="number is-lit"[^>]*><mark>1200</mark></td>', html)
    assert "&lt;b&gt;South&lt;/b&gt;" in html
    assert ">Other</a>" in html  # its tab


def test_further_rows_of_a_large_sheet_come_in_windows(desk: Desk, reader: Client) -> None:
    rows = [["Entry", "Amount"], *([f"Entry {n}", n] for n in range(1, 250))]
    document = ingest(desk.member, desk.shared, "s.xlsx", workbook({"Ledger": rows, "End": [["x", 1]]}))
    url = address(desk, "document", document.id)

    first = reader.get(url).content.decode()
    second = reader.get(f"{url}?page=2&rows=below&columns=9").content.decode()
    above = reader.get(f"{url}?page=2&rows=above&columns=9").content.decode()
    last = reader.get(f"{url}?page=3&rows=below&columns=9").content.decode()

    assert "Entry 99" in first
    assert "Entry 100<" not in first
    assert f"{url}?page=2&amp;rows=below" in first
    assert "<html" not in second
    assert [text in second for text in ("Entry 100<", "Entry 199<", "page=3&amp;rows=below")] == [True] * 3
    assert second.count("<td") % 9 == 1  # nine columns a row, and the row that loads the next window
    assert "page=1&amp;rows=above" in above
    assert "rows=below" not in last  # the next page is another sheet


def test_running_text_shows_headings_tables_and_comments_with_the_place_lit(desk: Desk, reader: Client) -> None:
    def write(made: Any) -> None:
        made.add_heading("Rent", 1)
        paragraph = made.add_paragraph("The rent is 5,400 euro <script>alert(1)</script> a month.")
        made.add_comment(paragraph.runs, text="to be checked", author="M. Aydın")
        table = made.add_table(rows=2, cols=2)
        for cell, text in zip([c for row in table.rows for c in row.cells], ["Item", "EUR", "Deposit", "9,000"], strict=True):  # fmt: skip  # noqa: E501
            cell.text = text

    document = ingest(desk.member, desk.shared, "lease.docx", word(write))
    query, place = place_of(desk, document, "5,400 euro")
    in_table, _name = place_of(desk, document, "9,000")
    url = address(desk, "document", document.id)

    html = reader.get(url + query).content.decode()
    table = reader.get(url + in_table).content.decode()

    assert place == "Rent · ¶ 2"
    assert "The rent is <mark>5,400 euro</mark> &lt;script&gt;" in html
    assert "<script>alert" not in html
    assert 'class="flow__note"' in html
    assert "<mark>9,000</mark></td>" in table


def test_html_and_mail_show_words_only_and_load_nothing_from_outside(desk: Desk, reader: Client) -> None:
    page = ingest(desk.member, desk.shared, "body.html")
    html_body = "<p>Rent 18.500 TL</p><img src='https://tracker.invalid/p.gif'><a href='javascript:alert(1)'>x</a><table><tr><td>a<td>1</table>"  # noqa: E501
    letter = ingest(
        desk.member, desk.shared, "m.eml", mail("<i>Kira</i>", "", {"ek.csv": b"a;b\nx;1\n"}, html=html_body)
    )

    shown = [reader.get(address(desk, "document", d.id)) for d in (page, letter)]

    assert "Cost 77" in shown[0].content.decode()
    assert "Rent 18.500 TL" in shown[1].content.decode()
    assert "&lt;i&gt;Kira&lt;/i&gt;" in shown[1].content.decode()
    assert "ek.csv" in shown[1].content.decode()
    for response in shown:
        body = response.content.decode()
        assert not any(
            bad in body for bad in ("document.title", "onclick", "onerror", "javascript:", "tracker.invalid")
        )
        assert "script-src 'self'" in response["Content-Security-Policy"]
        assert "unsafe" not in response["Content-Security-Policy"]


def test_originals_come_as_attachments_that_no_browser_runs(desk: Desk, reader: Client) -> None:
    document = ingest(desk.member, desk.shared, "body.html")

    response = reader.get(address(desk, "original", document.id))
    content = b"".join(response.streaming_content)  # type: ignore[attr-defined]  # a StreamingHttpResponse

    assert b"<script>" in content  # as it was brought
    assert response["Content-Disposition"].startswith("attachment;")
    assert response["Content-Type"] == "application/octet-stream"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "sandbox"


def test_a_picture_is_a_page_with_its_image(desk: Desk, reader: Client) -> None:
    picture = pymupdf.open().new_page(width=300, height=200).get_pixmap(dpi=72).tobytes("png")
    document = ingest(desk.member, desk.shared, "scan.png", bytes(picture))

    page = reader.get(address(desk, "document", document.id)).content.decode()
    try:
        image = reader.get(address(desk, "page_image", document.id, 1))
    finally:
        images.close_warm()

    assert address(desk, "page_image", document.id, 1) in page
    assert image.content.startswith(b"\x89PNG")
    assert document.warning_count == 1


def test_the_list_of_members_is_for_those_who_may_read_the_container(desk: Desk, client: Client) -> None:
    document = ingest(desk.member, desk.shared, "m.eml", mail("s", "b", {"ek.csv": b"a;b\nx;1\n"}))
    url = address(desk, "members", document.id)

    client.force_login(User.objects.get(id=desk.stranger.user_id))
    stranger = client.get(url)
    client.force_login(User.objects.get(id=desk.reader.user_id))
    allowed = client.get(url)

    assert stranger.status_code == 404
    assert "ek.csv" in allowed.content.decode()


@pytest.mark.parametrize("end", [5, 9])
def test_nothing_is_lit_when_less_than_half_of_the_quote_can_be_placed(end: int) -> None:
    text = "ab | xxxxxxxx"  # only "ab" is a cell
    grid = Grid(-1, "S", (GridRow(1, (GridCell(0, 0, 2, CellKind.TEXT),)),))

    slot = sheet_grid(text, [grid], Light(0, end)).lines[0].slots[0]

    assert bool(slot.words.lit) is (end == 5)


def test_slides_and_records_have_a_viewer_and_hidden_slides_are_marked(desk: Desk, reader: Client) -> None:
    slides = ingest(desk.member, desk.shared, "deck.pptx")
    records = ingest(
        desk.member, desk.shared, "r.json", b'[{"kalem": "Kira", "tutar": 1250.5}, {"kalem": "Su", "tutar": 3}]'
    )

    first = reader.get(address(desk, "document", slides.id)).content.decode()
    hidden = reader.get(address(desk, "document", slides.id) + "?page=2").content.decode()
    grid = reader.get(address(desk, "document", records.id)).content.decode()

    assert "9 points came from Izmir" in first
    assert "Hidden in the file" in hidden
    assert "Backup: pricing idea" in hidden
    assert 'class="grid' in grid
    assert "1250.5" in grid
    assert place_of(desk, slides, "9 points came from Izmir")[1] == "slide 1"


def test_what_was_struck_and_what_was_put_in_stands_beside_its_paragraph(desk: Desk, reader: Client) -> None:
    contract = ingest(desk.member, desk.shared, "contract.docx")

    html = reader.get(address(desk, "document", contract.id)).content.decode()

    assert "<del>Reviewer: 4.2 million</del>" in html
    assert "<ins>Reviewer: 3.9 million</ins>" in html
