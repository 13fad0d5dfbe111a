"""The reconciler: finds each kind of disagreement, mends it, says so once, and leaves a sound house alone."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings

from apps.documents import readings, storage
from apps.documents.contracts import INGEST_KIND, REREAD_KIND, DocumentSummary
from apps.documents.models import Document, DocumentVersion, Page
from apps.ingestion.meaning import EMBED_KIND
from apps.ingestion.reconciling import Finding, reconcile
from apps.jobs.models import Job
from apps.retrieval import chunker
from apps.retrieval.models import Chunk, ChunkEmbedding
from apps.tenants.audit import list_events
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk
from tests.factories.documents import ingest, reload, run_jobs
from tests.ingestion.test_stages import index_of

pytestmark = pytest.mark.django_db(transaction=True)


def look(desk: Desk, *, mend: bool) -> dict[str, Finding]:
    found = reconcile(tenant_id=desk.tenant_id, mend=mend, settled_for=timedelta(0))
    return {finding.kind: finding for finding in found}


def read(desk: Desk) -> DocumentSummary:
    """A document with nothing left to do but its meaning index."""
    return ingest(desk.member, desk.shared, "old_offer.txt")


def lose_job(desk: Desk, document: DocumentSummary) -> None:
    DocumentVersion.objects.filter(id=document.version_id).update(state="reading")


def lose_chunks(desk: Desk, document: DocumentSummary) -> None:
    Job.objects.all().delete()
    ChunkEmbedding.objects.filter(version_id=document.version_id).delete()
    Chunk.objects.filter(version_id=document.version_id).delete()


def supersede(desk: Desk, document: DocumentSummary) -> None:
    other = DocumentVersion.objects.create(document_id=document.id, number=2, state="ready")
    DocumentVersion.objects.filter(id=document.version_id).update(superseded_at="2020-01-01T00:00Z")
    Document.objects.filter(id=document.id).update(current_version=other)


def delete_by_halves(desk: Desk, document: DocumentSummary) -> None:
    Document.objects.filter(id=document.id).update(deleted_at="2020-01-01T00:00Z")


def miscount(desk: Desk, document: DocumentSummary) -> None:
    Job.objects.all().delete()
    DocumentVersion.objects.filter(id=document.version_id).update(chunk_count=77)


def leave_a_reading(desk: Desk, document: DocumentSummary) -> None:
    readings.begin(version_id=document.version_id)


def test_a_sound_house_is_left_alone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunker, "PAGES_WITH_MEANING", 1)
    rows = "\n".join(f"PL-{n:05d},{n}" for n in range(300))
    read(desk)
    ingest(desk.member, desk.shared, "ledger.csv", f"Policy,Premium\n{rows}".encode())  # most rows need no vector
    run_jobs(desk.tenant_id, EMBED_KIND)

    assert look(desk, mend=True) == {}
    with tenant_context(desk.tenant_id):
        assert "organisation.reconciled" not in {event.action for event in list_events(limit=50)}


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        (lose_job, "stuck_versions"),
        (lose_chunks, "pages_without_index"),
        (supersede, "chunks_of_gone_versions"),
        (delete_by_halves, "pages_of_deleted_versions"),
        (miscount, "counts_that_disagree"),
        (leave_a_reading, "unfinished_readings"),
    ],
)
def test_what_disagrees_is_reported_and_then_mended(
    desk: Desk, damage: Callable[[Desk, DocumentSummary], None], kind: str
) -> None:
    document = read(desk)
    whole = index_of(desk, document)
    with tenant_context(desk.tenant_id):
        damage(desk, document)

    reported = look(desk, mend=False)
    mended = look(desk, mend=True)
    run_jobs(desk.tenant_id, INGEST_KIND, REREAD_KIND)

    assert (reported[kind].count, reported[kind].mended) == (1, 0)
    assert (mended[kind].count, mended[kind].mended) == (1, 1)
    assert kind not in look(desk, mend=False)
    with tenant_context(desk.tenant_id):
        assert "organisation.reconciled" in {event.action for event in list_events(limit=50)}
        if kind in ("pages_of_deleted_versions", "chunks_of_gone_versions"):
            assert not Chunk.objects.filter(version_id=document.version_id).exists()
            assert Page.objects.exists() == (kind == "chunks_of_gone_versions")  # a superseded version stays citable
    if kind in ("stuck_versions", "pages_without_index"):
        assert index_of(desk, document) == whole
        assert reload(desk.member, document.id).is_searchable


def test_bytes_without_a_row_go_and_rows_without_bytes_are_said(desk: Desk) -> None:
    read(desk)
    root = Path(settings.FILES_DIRECTORY) / str(desk.tenant_id)
    [kept] = [path for path in root.rglob("*") if path.is_file()]
    orphan = storage.write(tenant_id=desk.tenant_id, chunks=[b"nobody's"], limit=100)

    mended = look(desk, mend=True)
    there = storage.exists(orphan.key)
    kept.unlink()
    lost = look(desk, mend=True)

    assert (mended["files_without_rows"].mended, there) == (1, False)
    assert (lost["rows_without_files"].count, lost["rows_without_files"].mended) == (1, 0)
