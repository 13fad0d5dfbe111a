"""Outline, figures, finds, history and the inspector of a document; headers of chunks."""

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.core.errors import NotAllowed, NotFound
from apps.documents import figures, finding, headers, history, inspector, selectors
from apps.documents.contracts import HeaderMode
from apps.reading._pymupdf import pymupdf
from apps.retrieval import inspector as chunks
from apps.retrieval import selectors as retrieval
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk
from tests.factories.documents import ingest
from tests.factories.people import slug_of

pytestmark = pytest.mark.django_db(transaction=True)

KAP = """KAMUYU AYDINLATMA PLATFORMU
IŞIK TEKSTİL SANAYİ VE TİCARET A.Ş.
Finansal Rapor
2024 - 2. 3 Aylık Bildirim

Dönemde hasılat arttı ve borçlar azaldı; ayrıntılar dipnotlarda yer alır.
"""


def illustrated_pdf() -> bytes:
    """Two pages: a picture with its caption on the second, and an outline of three entries."""
    document = pymupdf.open()
    for number in (1, 2):
        page = document.new_page(width=595, height=842)
        page.insert_text((60, 80), f"Chapter {number}", fontsize=18)
        page.insert_text((60, 110), f"Words about chapter {number} that fill a line of the page.", fontsize=10)
    picture = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 80, 60))
    picture.clear_with(120)
    page.insert_image(pymupdf.Rect(100, 200, 340, 380), pixmap=picture)
    page.insert_image(pymupdf.Rect(500, 20, 520, 35), pixmap=picture)  # a mark, no figure
    page.insert_text((100, 398), "Figure 3. Claims paid by year", fontsize=9)
    document.set_toc([[1, "Chapter 1", 1], [1, "Chapter 2", 2], [2, "Claims", 2]])
    made = bytes(document.tobytes())
    document.close()
    return made


def test_the_files_own_outline_and_its_pictures_with_captions(desk: Desk, client: Client) -> None:
    document = ingest(desk.member, desk.shared, "book.pdf", illustrated_pdf())
    client.force_login(User.objects.get(id=desk.reader.user_id))

    with tenant_context(desk.tenant_id):
        outline = selectors.outline(actor=desk.reader, document_id=document.id)
        [figure] = figures.list_figures(actor=desk.reader, document_id=document.id)
        with pytest.raises(NotFound):
            figures.list_figures(actor=desk.stranger, document_id=document.id)
    html = client.get(
        reverse("documents:document", args=[slug_of(desk.tenant_id), document.id]) + "?page=2&panel=figures"
    ).content.decode()

    assert [(entry.level, entry.text, entry.page) for entry in outline] == [
        (1, "Chapter 1", 1),
        (1, "Chapter 2", 2),
        (2, "Claims", 2),
    ]
    assert (figure.page, figure.kind, figure.caption) == (2, "picture", "Figure 3. Claims paid by year")
    assert figure.box is not None
    assert [round(value) for value in figure.box] == [100, 200, 340, 380]
    assert html.count('class="figure"') == 1


def test_a_chart_of_a_slide_is_a_figure_with_its_data(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "deck.pptx")

    with tenant_context(desk.tenant_id):
        charts = [
            figure
            for figure in figures.list_figures(actor=desk.reader, document_id=document.id)
            if figure.kind == "chart"
        ]

    assert charts
    assert all(chart.table_key for chart in charts)


def test_words_are_found_whatever_their_case_and_turkish_i(desk: Desk, client: Client) -> None:
    document = ingest(desk.member, desk.shared, "kap.txt", KAP.encode())
    client.force_login(User.objects.get(id=desk.reader.user_id))

    with tenant_context(desk.tenant_id):
        [place] = finding.find_in_document(actor=desk.reader, document_id=document.id, words="ISIK tekstil")
        text = selectors.get_page(actor=desk.reader, document_id=document.id, number=1).text
        nothing = finding.find_in_document(actor=desk.reader, document_id=document.id, words="q")
    html = client.get(
        reverse("documents:document", args=[slug_of(desk.tenant_id), document.id]), {"find": "hasılat"}
    ).content.decode()

    assert text[place.start : place.end] == "IŞIK TEKSTİL"
    assert nothing == ()
    assert "<mark>hasılat</mark>" in html


def test_history_says_who_did_what(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "kap.txt", KAP.encode())

    with tenant_context(desk.tenant_id):
        found = history.list_history(actor=desk.reader, document_id=document.id)

    assert [(event.who, str(event.act)) for event in found] == [(desk.member.name, "added")]


def test_the_inspector_is_for_those_who_manage_the_collection(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "book.pdf", illustrated_pdf())

    with tenant_context(desk.tenant_id):
        page = inspector.inspect_page(actor=desk.admin, document_id=document.id, number=2)
        indexed = chunks.chunks_of_document(actor=desk.admin, document_id=document.id, page=2)
        for refused in (desk.member, desk.reader):
            with pytest.raises(NotAllowed):
                inspector.inspect_page(actor=refused, document_id=document.id, number=1)
            with pytest.raises(NotAllowed):
                chunks.chunks_of_document(actor=refused, document_id=document.id)
        with pytest.raises(NotFound):
            inspector.inspect_page(actor=desk.stranger, document_id=document.id, number=1)

    assert page.blocks[0].words == "Chapter 2"
    assert page.words > 5
    assert indexed
    assert all(any(span.page == 2 for span in chunk.spans) for chunk in indexed)


def test_chunk_headers_say_entity_and_period_and_are_searched_or_left_out_by_collection(desk: Desk) -> None:
    ingest(desk.member, desk.shared, "rapor.txt", KAP.encode())
    with tenant_context(desk.tenant_id):
        with pytest.raises(NotAllowed):
            headers.set_header_mode(actor=desk.member, collection_id=desk.shared, mode=HeaderMode.NONE)
        headers.set_header_mode(actor=desk.admin, collection_id=desk.shared, mode=HeaderMode.NONE)
    ingest(desk.member, desk.shared, "sade.txt", KAP.replace("borçlar", "giderler").encode())

    with tenant_context(desk.tenant_id):
        scope = retrieval.scope_for(actor=desk.reader)
        by_header = retrieval.search_passages(scope=scope, query="half", limit=5).passages
        by_text = retrieval.search_passages(scope=scope, query="giderler azaldı", limit=5).passages

    assert {passage.document_name for passage in by_header} == {"rapor.txt"}
    assert "IŞIK TEKSTİL SANAYİ VE TİCARET A.Ş." in by_header[0].header
    assert "half 2024-06-30" not in by_header[0].text
    [plain] = [passage for passage in by_text if passage.document_name == "sade.txt"]
    assert plain.header == ""
