"""Scanned pages get their words behind a document that is searchable already."""

import pytest

from apps.documents import intake
from apps.documents.contracts import RECOGNISE_KIND, DocumentSummary
from apps.documents.models import DocumentVersion, Page
from apps.jobs.models import Job
from apps.reading import ocr
from apps.reading._pymupdf import pymupdf
from apps.retrieval.models import Chunk
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk
from tests.factories.documents import ingest, reload, run_jobs

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not ocr.is_installed(), reason="no recogniser is installed"),
]
PRINTED, SCANNED = "Printed: the deposit is 81,250 euro.", "Scanned invoice total 47,310.00 euro"


def mixed() -> bytes:
    """One page of text, one that is a picture of text, one without anything."""
    drawn = pymupdf.open()
    drawn.new_page().insert_text((60, 100), SCANNED, fontsize=16)
    document = pymupdf.open()
    document.new_page().insert_text((60, 100), PRINTED, fontsize=16)
    page = document.new_page()
    page.insert_image(page.rect, pixmap=drawn[0].get_pixmap(dpi=200))
    document.new_page()
    return bytes(document.tobytes())


def warnings_of(desk: Desk, document: DocumentSummary) -> dict[int, set[str]]:
    with tenant_context(desk.tenant_id):
        found: dict[int, set[str]] = {}
        for code, page, _detail in DocumentVersion.objects.get(id=document.version_id).warnings:
            found.setdefault(page, set()).add(code)
        return found


def test_printed_pages_are_searchable_before_the_scanned_one_is_read(desk: Desk) -> None:
    document = ingest(desk.admin, desk.secret, "mixed.pdf", mixed())

    with tenant_context(desk.tenant_id):
        texts = list(Chunk.objects.filter(version_id=document.version_id).values_list("text", flat=True))
        assert intake.pages_to_recognise(version_id=document.version_id) == (2,)
        assert Job.objects.filter(kind=RECOGNISE_KIND, subject_id=document.id).count() == 1
    assert any("81,250" in text for text in texts)
    assert reload(desk.admin, document.id).state == "searchable"


def test_the_scanned_page_is_searchable_once_it_is_read(desk: Desk) -> None:
    document = ingest(desk.admin, desk.secret, "mixed.pdf", mixed())

    run_jobs(desk.tenant_id, RECOGNISE_KIND)

    with tenant_context(desk.tenant_id):
        texts = " ".join(Chunk.objects.filter(version_id=document.version_id).values_list("text", flat=True))
        assert intake.pages_to_recognise(version_id=document.version_id) == ()
        assert Page.objects.filter(version_id=document.version_id).count() == 3
    assert "81,250" in texts
    assert "47,310.00" in texts
    found = warnings_of(desk, document)
    assert "text_recognised" in found[2]
    assert "no_text_layer" not in found[2]
    assert found[3] == {"blank_page"}
    assert reload(desk.admin, document.id).pages_read == 3
