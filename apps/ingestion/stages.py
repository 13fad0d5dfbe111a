"""The job `ingest_document`: detect, read, structure, index. Every write goes through `run.write()`.

Reading children are started with no transaction open. A killed run leaves whole windows of pages; the next attempt
reads only the windows that are missing. The index stage replaces all chunks of the version in one transaction, so
that a document is searchable completely or not at all; those of a long one are written in batches, which nobody finds
before the last.
"""

from collections.abc import Iterator
from uuid import UUID

from django.conf import settings

from apps.core.disk import require_room
from apps.core.errors import IngestionError
from apps.core.failpoints import reach
from apps.documents import intake, storage
from apps.documents import selectors as documents
from apps.documents.contracts import OPEN_STATES, SEARCHABLE_STATES, IngestionSource, VersionState
from apps.documents.unlock import reading_limits
from apps.ingestion import meaning, unpacking
from apps.ingestion.structure import Structure
from apps.jobs.run import JobRun
from apps.reading.client import ReadingClient
from apps.reading.contracts import FileFacts, ReadingError, ReadingFailure
from apps.reading.quantities import carried
from apps.retrieval import services as retrieval
from apps.tenants.context import tenant_context

WINDOW_PAGES = 16
_SHEET_PAGES = 4  # a hundred rows are less than a page
_RETRYABLE = (ReadingFailure.TIMED_OUT, ReadingFailure.OUT_OF_MEMORY, ReadingFailure.CRASHED)


def ingest(run: JobRun) -> None:
    """The version is searchable, or stopped with a reason. Running it again changes nothing."""
    version_id = UUID(str(run.payload["version_id"]))
    with tenant_context(run.tenant_id):
        source = intake.source_of(version_id=version_id)
    if source is None or source.is_deleted or source.state not in OPEN_STATES:
        return
    require_room()  # without it the job waits until there is some
    try:
        read(run, source)
    except Stopped as stopped:
        with run.write():
            intake.mark_stopped(version_id=version_id, state=stopped.state, failure=stopped.failure)
        return
    reach("ingestion.read.after")
    index(run, source)


class Stopped(Exception):
    """The file itself ends the ingestion; trying again would end it in the same way."""

    def __init__(self, state: VersionState, failure: str) -> None:
        super().__init__(failure)
        self.state = state
        self.failure = failure


def read(run: JobRun, source: IngestionSource) -> None:
    """Every page that the reader reads is stored. Raises Stopped when the file itself ends the reading."""
    with ReadingClient(
        storage.read(source.storage_key),
        name=source.name,
        limits=reading_limits(),
        window_timeout_s=settings.READING_WINDOW_TIMEOUT_S,
        keeps_uniform=True,
    ) as client:
        facts = _opened(client)
        reach("ingestion.detect.after")
        with run.write():
            intake.begin_reading(version_id=source.version_id, facts=facts)
            stored = intake.stored_pages(version_id=source.version_id)
        run.progress("reading", len(stored), facts.page_count)
        failed = _read_windows(run, source, client, facts, stored)
        if facts.members and not source.is_reading:  # members are documents since the first reading
            unpacking.unpack(run, source, client)
    if failed and failed >= facts.page_count:
        raise Stopped(VersionState.REJECTED, ReadingFailure.DAMAGED.value)


def _opened(client: ReadingClient) -> FileFacts:
    try:
        facts = client.open()
    except ReadingError as exc:
        if exc.failure in (ReadingFailure.NEEDS_PASSWORD, ReadingFailure.ENCRYPTED_OFFICE):
            raise Stopped(VersionState.NEEDS_PASSWORD, exc.failure.value) from exc
        if exc.failure in _RETRYABLE:
            raise IngestionError(code=exc.failure.value, stage="detect", is_retryable=True, detail=exc.detail) from exc
        raise Stopped(VersionState.REJECTED, exc.failure.value) from exc
    most = settings.READING_MAX_PAGES * (_SHEET_PAGES if facts.media_type.is_grid else 1)
    if facts.page_count > most:
        raise Stopped(VersionState.REJECTED, ReadingFailure.TOO_LARGE.value)
    return facts


def _read_windows(
    run: JobRun, source: IngestionSource, client: ReadingClient, facts: FileFacts, stored: frozenset[int]
) -> int:
    """Number of pages that could not be read in this run."""
    failed = 0
    count = facts.page_count
    windows = [
        (first, min(first + WINDOW_PAGES - 1, count))
        for first in range(1, count + 1, WINDOW_PAGES)
        if first not in stored  # windows are stored whole
    ]
    note, read_last = "", 0
    for position, (first, last) in enumerate(windows):
        run.check()
        run.give_way()
        if first > 1 and read_last != first - 1:
            note = _note_before(run, source, first)
        try:
            window = client.pages(first, last)
        except ReadingError as exc:
            raise IngestionError(code=exc.failure.value, stage="read", is_retryable=True, detail=exc.detail) from exc
        if position + 1 < len(windows):
            client.read_ahead(*windows[position + 1])
        failed += (last - first + 1) - len(window.pages)
        pages, note = carried(window.pages, note)
        read_last = last
        with run.write():
            intake.store_pages(
                version_id=source.version_id, first=first, last=last, pages=pages, warnings=window.warnings
            )
        run.progress("reading", last, count)
        reach("ingestion.read.window")
        if 2 * last >= count:
            reach("ingestion.read.half")
    return failed


def _note_before(run: JobRun, source: IngestionSource, first: int) -> str:
    """The scale note of the last table before the page, as an earlier attempt stored it."""
    with tenant_context(run.tenant_id):
        pages = documents.read_pages(version_id=source.version_id, numbers=range(max(1, first - 3), first))
    return carried(tuple(pages))[1]


def index(run: JobRun, source: IngestionSource) -> None:
    """The version is searchable by what its pages say now. Pages without words and the meaning index follow."""
    from apps.ingestion import recognition  # it ends with this stage, which begins it

    run.progress("indexing", 0, source.page_count)
    with tenant_context(run.tenant_id):
        current = intake.source_of(version_id=source.version_id)
    assert current is not None
    structure = Structure(run, current)
    batches = structure.batches()
    if current.state in SEARCHABLE_STATES:  # people search it meanwhile: the index is changed in one transaction
        batches = iter([[row for batch in batches for row in batch]])
    frequencies = retrieval.Frequencies()
    last = _all_but_last(run, structure, batches, frequencies)
    run.check()
    with run.write():
        if not intake.is_in_force(version_id=source.version_id):
            last, frequencies = [], retrieval.Frequencies()  # a newer one was first: this one is kept, not searched
        if not frequencies.chunks:
            retrieval.clear_chunks(version_id=source.version_id)
        retrieval.add_chunks(rows=last[: len(last) // 2], frequencies=frequencies)
        reach("ingestion.index.half")
        retrieval.add_chunks(rows=last[len(last) // 2 :], frequencies=frequencies)
        frequencies.save(source.version_id)
        intake.describe(version_id=source.version_id, language=structure.language, title=structure.title)
        intake.store_found(version_id=source.version_id, found=structure.found())
        intake.mark_searchable(version_id=source.version_id, chunk_count=frequencies.chunks)
        if not recognition.follow(run, source):
            meaning.follow(run, source, frequencies.chunks)
        reach("ingestion.index.before_commit")
    reach("ingestion.index.after")


def _all_but_last(
    run: JobRun,
    structure: Structure,
    batches: Iterator[list[retrieval.ChunkRow]],
    frequencies: retrieval.Frequencies,
) -> list[retrieval.ChunkRow]:
    """Batches of a long document are written one by one, found by nobody before the last one, which is returned."""
    source = structure.source
    waiting = next(batches, [])
    for following in batches:
        run.check()
        with run.write():
            if not frequencies.chunks:
                retrieval.clear_chunks(version_id=source.version_id)
            retrieval.add_chunks(rows=waiting, frequencies=frequencies)
        run.progress("indexing", structure.pages_taken, source.page_count)
        reach("ingestion.index.batch")
        waiting = following
    return waiting
