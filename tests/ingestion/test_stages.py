"""From bytes to a searchable document: states with reasons, and the same result whatever dies in between."""

import os
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings
from django.utils import timezone

from apps.documents import intake, selectors, services
from apps.documents.contracts import INGEST_KIND, DocumentSummary
from apps.documents.models import Block, Page, Table
from apps.ingestion import stages, structure
from apps.ingestion.meaning import EMBED_KIND
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.reading import client as reading
from apps.reading.contracts import ReadingError, ReadingFailure
from apps.reading.scale_notes import read_note
from apps.retrieval import chunker
from apps.retrieval import selectors as retrieval
from apps.retrieval.models import Chunk, ChunkEmbedding, TermFrequency
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk
from tests.factories.documents import FILES, ingest, reload, run_jobs, upload

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[2]


def long_pages(count: int) -> bytes:
    """A text file of `count` sections."""
    return "\n".join(f"Line {n} of the ledger says {n * 13}." for n in range(count * 200)).encode()


def run_and_die(desk: Desk, job_id: UUID, failpoint: str) -> int:
    """Runs the job in a process that dies at the failpoint; its exit status."""
    wanted = Path(settings.CACHE_DIRECTORY) / "failpoint"
    wanted.parent.mkdir(parents=True, exist_ok=True)
    wanted.write_text(f"{failpoint} always")
    environment = os.environ | {
        "AIRIS_FAILPOINTS": str(wanted),
        "DATABASE_URL": _test_url(),
        "DJANGO_SETTINGS_MODULE": "airis.settings.test",
        "PYTHONPATH": str(ROOT),
        "AIRIS_TEST_FILES": str(settings.FILES_DIRECTORY),
    }
    command = [sys.executable, "-m", "tests.ingestion.killed", str(desk.tenant_id), str(job_id)]
    return subprocess.run(command, env=environment, cwd=ROOT, check=False, capture_output=True).returncode


def _test_url() -> str:
    name = settings.DATABASES["default"]["NAME"]
    head, _, query = os.environ["DATABASE_URL"].partition("?")
    return f"{head.rsplit('/', 1)[0]}/{name}?{query}"


def expire_lease(desk: Desk, job_id: UUID) -> None:
    with tenant_context(desk.tenant_id):
        Job.objects.filter(id=job_id).update(lease_until=timezone.now() - timedelta(seconds=1))


def index_of(desk: Desk, document: DocumentSummary) -> list[tuple[int, str, object]]:
    with tenant_context(desk.tenant_id):
        rows = Chunk.objects.filter(version_id=document.version_id).order_by("ordinal")
        return list(rows.values_list("ordinal", "text", "spans"))


_clean: list[list[tuple[int, str, object]]] = []


def _clean_index(desk: Desk) -> list[tuple[int, str, object]]:
    """The index of an undisturbed run, made once for all failpoints."""
    if not _clean:
        document = ingest(desk.admin, desk.secret, "clean.txt", long_pages(20))
        _clean.append(index_of(desk, document))
        assert len(_clean[0]) > 20
    return _clean[0]


@pytest.mark.parametrize(
    "failpoint",
    [
        "ingestion.read.window",
        "ingestion.read.after",
        "ingestion.index.half",
        "ingestion.index.before_commit",
    ],
)
def test_a_killed_worker_changes_nothing_about_the_result(desk: Desk, failpoint: str) -> None:
    expected = _clean_index(desk)
    document = upload(desk.member, desk.shared, "killed.txt", long_pages(20))
    assert document.job_id is not None

    status = run_and_die(desk, document.job_id, failpoint)
    assert status == -signal.SIGKILL
    expire_lease(desk, document.job_id)
    jobs.dispatch()
    jobs.execute(tenant_id=desk.tenant_id, job_id=document.job_id)

    finished = reload(desk.member, document.id)
    assert finished.is_searchable
    assert finished.pages_read == finished.page_count == 20
    assert index_of(desk, finished) == expected
    with tenant_context(desk.tenant_id):
        assert Page.objects.filter(version_id=document.version_id).count() == 20


def test_three_deaths_in_a_row_fail_with_a_reason_and_a_retry_that_works(desk: Desk) -> None:
    document = upload(desk.member, desk.shared, "poison.txt", long_pages(2))
    assert document.job_id is not None

    for _ in range(3):
        assert run_and_die(desk, document.job_id, "ingestion.detect.after") == -signal.SIGKILL
        expire_lease(desk, document.job_id)
        jobs.dispatch()

    failed = reload(desk.member, document.id)
    assert (failed.state, failed.failure) == ("failed", "worker_lost")
    with tenant_context(desk.tenant_id):
        services.retry_ingestion(actor=desk.member, document_id=document.id)
    run_jobs(desk.tenant_id)
    assert reload(desk.member, document.id).is_searchable


def test_pages_already_read_are_not_read_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    document = upload(desk.member, desk.shared, "long.txt", long_pages(40))
    assert document.job_id is not None
    run_and_die(desk, document.job_id, "ingestion.read.window")
    expire_lease(desk, document.job_id)
    asked: list[int] = []
    original = reading.ReadingClient.pages

    def pages(self: reading.ReadingClient, first: int, last: int) -> reading.Window:
        asked.append(first)
        return original(self, first, last)

    monkeypatch.setattr(reading.ReadingClient, "pages", pages)
    jobs.execute(tenant_id=desk.tenant_id, job_id=document.job_id)

    assert asked == [17, 33]
    assert reload(desk.member, document.id).is_searchable


def test_a_job_that_runs_twice_changes_nothing(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "loan_book.pdf")
    before = index_of(desk, document)
    with tenant_context(desk.tenant_id):
        again = jobs.enqueue(kind=INGEST_KIND, payload={"version_id": str(document.version_id)}, subject_id=document.id)

    jobs.execute(tenant_id=desk.tenant_id, job_id=again)

    assert index_of(desk, document) == before
    with tenant_context(desk.tenant_id):
        assert Job.objects.filter(kind=EMBED_KIND).count() == 1


@pytest.mark.parametrize(
    ("name", "data", "state", "failure"),
    [
        ("zero_pages.pdf", None, "rejected", ("no_pages", "damaged")),
        ("report.pdf", b"MZ\x90 program", "rejected", ("disguised",)),
        ("huge_dims.png", None, "rejected", ("too_large",)),
        ("broken.pdf", b"%PDF-1.4\nnothing here", "rejected", ("damaged", "no_pages")),
        ("blanks.txt", b" \n \n", "rejected", ("no_pages",)),
        ("locked.pdf", None, "needs_password", ("needs_password",)),
    ],
)
def test_a_file_that_cannot_be_read_says_why(
    desk: Desk, name: str, data: bytes | None, state: str, failure: tuple[str, ...]
) -> None:
    document = ingest(desk.member, desk.shared, name, data)

    assert document.state == state
    assert document.failure in failure
    assert selectors.FAILURES[document.failure]
    with tenant_context(desk.tenant_id):
        assert not Chunk.objects.exists()
        assert Job.objects.get(id=document.job_id).state == "succeeded"  # nothing to retry


def test_a_blank_page_ends_ready_with_a_note_and_without_chunks(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "blank.pdf")

    assert (document.state, document.chunk_count, document.warning_count) == ("ready_with_warnings", 0, 1)


def test_a_file_with_too_many_pages_is_rejected(desk: Desk, settings: object) -> None:
    settings.READING_MAX_PAGES = 2  # type: ignore[attr-defined]

    assert ingest(desk.member, desk.shared, "loan_book.pdf").failure == "too_large"


def test_a_reader_that_dies_fails_with_its_reason_and_can_be_retried(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(self: reading.ReadingClient) -> None:
        raise ReadingError(ReadingFailure.OUT_OF_MEMORY, "killed")

    with monkeypatch.context() as patched:
        patched.setattr(reading.ReadingClient, "open", crash)
        document = ingest(desk.member, desk.shared, "ops.txt")
    assert (document.state, document.failure) == ("failed", "out_of_memory")

    with tenant_context(desk.tenant_id):
        services.retry_ingestion(actor=desk.member, document_id=document.id)
    run_jobs(desk.tenant_id)

    assert reload(desk.member, document.id).is_searchable


class Died(BaseException):
    """Stands for the end of the process."""


def test_a_long_document_is_found_by_nobody_before_its_last_batch_and_begins_anew_after_a_death(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = _clean_index(desk)
    monkeypatch.setattr(structure, "BATCH", 7)
    document = upload(desk.member, desk.shared, "long.txt", long_pages(20))
    assert document.job_id is not None
    deaths: list[int] = []

    def reach(name: str) -> None:
        if name == "ingestion.index.batch" and len(deaths) < 2:
            with tenant_context(desk.tenant_id):
                deaths.append(Chunk.objects.filter(version_id=document.version_id).count())
                scope = retrieval.scope_for(actor=desk.reader)
                assert document.version_id not in scope.version_ids
            if len(deaths) == 2:
                raise Died

    monkeypatch.setattr(stages, "reach", reach)
    with pytest.raises(Died):
        jobs.execute(tenant_id=desk.tenant_id, job_id=document.job_id)
    expire_lease(desk, document.job_id)
    jobs.dispatch()
    jobs.execute(tenant_id=desk.tenant_id, job_id=document.job_id)

    assert deaths == [7, 14]
    finished = reload(desk.member, document.id)
    assert finished.is_searchable
    assert finished.chunk_count == len(expected)
    assert index_of(desk, finished) == expected


def test_a_long_sheet_is_stored_as_text_found_by_its_rows_and_shown_as_cells(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunker, "PAGES_WITH_MEANING", 2)
    lines = [f"PL-{n:06d};Customer {n % 7};{n * 3}.50" for n in range(6000)]
    data = "\n".join(["Policy no;Customer;Premium", *lines]).encode()

    document = ingest(desk.member, desk.shared, "ledger.csv", data)
    run_jobs(desk.tenant_id, EMBED_KIND)

    finished = reload(desk.member, document.id)
    assert (finished.state, finished.page_count, finished.meaning_percent) == ("ready", 61, 100)
    with tenant_context(desk.tenant_id):
        scope = retrieval.scope_for(actor=desk.reader)
        found = retrieval.search_passages(scope=scope, query="PL-005771", limit=3).passages[0]
        grid = selectors.page_grids(actor=desk.reader, document_id=document.id, number=58)[0]
        page = selectors.read_pages(version_id=document.version_id, numbers=[58])[0]
        kinds = set(Chunk.objects.filter(version_id=document.version_id).values_list("kind", flat=True))
        vectors = ChunkEmbedding.objects.filter(version_id=document.version_id).count()
        chunks = Chunk.objects.filter(version_id=document.version_id, kind="table").count()
    assert "PL-005771 | Customer 3 | 17313.50" in found.text
    assert kinds == {"table", "rows"}
    assert vectors == chunks
    row = next(row for row in grid.rows if row.number == 5773)
    assert [page.text[cell.start : cell.end] for cell in row.cells] == ["PL-005771", "Customer 3", "17313.50"]
    premium = next(row for row in page.tables[0].rows if row.label == "PL-005771").cells[1]
    assert (premium.value, premium.ref, page.tables[0].columns[premium.column]) == ("17313.5", "C5773", "Premium")


@pytest.mark.parametrize(
    "moment",
    ["ingestion.detect.after", "ingestion.read.half", "ingestion.index.batch", "ingestion.index.before_commit"],
)
def test_a_document_deleted_while_it_is_ingested_leaves_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    monkeypatch.setattr(structure, "BATCH", 3)
    document = upload(desk.member, desk.shared, "long.txt")
    deleted: list[bool] = []

    def reach(name: str) -> None:
        if name == moment.replace("index.before_commit", "read.after") and not deleted:
            deleted.append(True)
            with tenant_context(desk.tenant_id):
                services.delete_document(actor=desk.member, document_id=document.id)

    monkeypatch.setattr(stages, "reach", reach)
    run_jobs(desk.tenant_id)
    run_jobs(desk.tenant_id, "purge_document")

    assert deleted
    with tenant_context(desk.tenant_id):
        assert Job.objects.get(id=document.job_id).state == "cancelled"
        assert not any(m.objects.exists() for m in (Page, Block, Table, Chunk, TermFrequency, ChunkEmbedding))
        assert not Job.objects.filter(state__in=("queued", "running")).exists()
    assert not [p for p in (Path(settings.FILES_DIRECTORY) / str(desk.tenant_id)).rglob("*") if p.is_file()]


def test_a_document_is_searchable_before_its_meaning_index_and_ready_after_it(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "span.pdf")
    assert (document.state, document.meaning_percent) == ("searchable", 0)

    run_jobs(desk.tenant_id, EMBED_KIND)

    finished = reload(desk.member, document.id)
    assert (finished.state, finished.meaning_percent) == ("ready", 100)
    with tenant_context(desk.tenant_id):
        scope = retrieval.scope_for(actor=desk.reader)
        result = retrieval.search_passages(scope=scope, query="When must the convertible be repaid?", limit=3)
    assert result.meaning_coverage == 1.0
    assert any(rank.route == "meaning" for passage in result.passages for rank in passage.ranks)


def test_embedding_goes_on_where_it_was_killed_and_stops_for_a_deleted_document(desk: Desk) -> None:
    data = (FILES / "doc.txt").read_bytes()[:16_000]
    document = ingest(desk.member, desk.shared, "doc.txt", data)
    with tenant_context(desk.tenant_id):
        job_id = Job.objects.get(kind=EMBED_KIND).id

    assert run_and_die(desk, job_id, "ingestion.embed.half") == -signal.SIGKILL
    with tenant_context(desk.tenant_id):
        half = ChunkEmbedding.objects.count()
        source = intake.source_of(version_id=document.version_id)
    assert 0 < half <= document.chunk_count
    assert source is not None
    assert source.state == "searchable"
    expire_lease(desk, job_id)
    jobs.execute(tenant_id=desk.tenant_id, job_id=job_id)

    with tenant_context(desk.tenant_id):
        assert ChunkEmbedding.objects.count() == document.chunk_count
        services.delete_document(actor=desk.member, document_id=document.id)
        assert ChunkEmbedding.objects.count() == 0


def test_a_stopped_reading_says_so_and_can_be_tried_again(desk: Desk) -> None:
    document = upload(desk.member, desk.shared, "ops.txt")
    assert document.job_id is not None
    with tenant_context(desk.tenant_id):
        jobs.cancel(actor=desk.member, job_id=document.job_id)

    stopped = reload(desk.member, document.id)
    assert (stopped.state, stopped.failure) == ("failed", "cancelled")
    with tenant_context(desk.tenant_id):
        services.retry_ingestion(actor=desk.member, document_id=document.id)
    run_jobs(desk.tenant_id)
    assert reload(desk.member, document.id).is_searchable


def test_a_stopped_meaning_index_is_a_warning_until_it_is_finished(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "ops.txt")
    with tenant_context(desk.tenant_id):
        job_id = Job.objects.get(kind=EMBED_KIND).id
        jobs.cancel(actor=desk.member, job_id=job_id)
    stopped = reload(desk.member, document.id)

    with tenant_context(desk.tenant_id):
        jobs.retry(actor=desk.member, job_id=job_id)
    run_jobs(desk.tenant_id, EMBED_KIND)

    assert (stopped.state, stopped.warning_count, stopped.is_searchable) == ("ready_with_warnings", 1, True)
    finished = reload(desk.member, document.id)
    assert (finished.state, finished.warning_count, finished.meaning_percent) == ("ready", 0, 100)


def test_a_table_that_continues_over_the_page_keeps_its_scale(desk: Desk) -> None:
    first = "(in millions of euro)\n\n| Item | 2024 |\n| --- | --- |\n| Net income | 287 |\n"
    filler = "\n".join(f"Line {n} of the notes." for n in range(1, 260))
    rest = "\n\nTable continued from the previous page.\n\n| Item | 2024 |\n| --- | --- |\n| Receivables | 512 |\n"
    document = ingest(desk.member, desk.shared, "income.md", (first + "\n" + filler + rest).encode())

    with tenant_context(desk.tenant_id):
        pages = selectors.read_pages(version_id=document.version_id, numbers=range(1, document.page_count + 1))

    tables = [table for page in pages for table in page.tables]
    assert document.page_count > 1
    assert [read_note(table.scale_note or table.title).general.name for table in tables] == ["MILLION", "MILLION"]
