"""The job `ingest_document`: detect, read, structure, index. Every write goes through `run.write()`.

Reading children are started with no transaction open. A killed run leaves whole windows of pages; the next attempt
reads only the windows that are missing. The index stage replaces all chunks of the version in one transaction, so
that a document is searchable completely or not at all.
"""

from collections import Counter
from collections.abc import Iterator
from uuid import UUID

from django.conf import settings

from apps.core.disk import require_room
from apps.core.errors import IngestionError
from apps.core.failpoints import reach
from apps.documents import intake, storage
from apps.documents import selectors as documents
from apps.documents.contracts import OPEN_STATES, IngestionSource, VersionState
from apps.documents.unlock import reading_limits
from apps.ingestion import meaning, unpacking
from apps.jobs.run import JobRun
from apps.reading.client import ReadingClient
from apps.reading.contracts import FileFacts, PageContent, ReadingError, ReadingFailure
from apps.reading.quantities import carried
from apps.retrieval import services as retrieval
from apps.retrieval.chunker import ChunkDraft, chunks_of, identity_of, title_of
from apps.tenants.context import tenant_context

WINDOW_PAGES = 16
_STRUCTURE_PAGES = 64
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
    if facts.page_count > settings.READING_MAX_PAGES:
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

    run.progress("indexing")
    with tenant_context(run.tenant_id):
        current = intake.source_of(version_id=source.version_id)
        assert current is not None
        drafts, language, title = structured(current)
        rows = retrieval.prepare_chunks(
            drafts=drafts,
            document_id=source.document_id,
            version_id=source.version_id,
            collection_id=source.collection_id,
            language=language,
        )
    run.check()
    with run.write():
        count = retrieval.replace_chunks(
            version_id=source.version_id, rows=rows, at_half=lambda: reach("ingestion.index.half")
        )
        intake.describe(version_id=source.version_id, language=language, title=title)
        intake.mark_searchable(version_id=source.version_id, chunk_count=count)
        if not recognition.follow(run, source):
            meaning.follow(run, source, count)
        reach("ingestion.index.before_commit")
    reach("ingestion.index.after")


def structured(source: IngestionSource) -> tuple[list[ChunkDraft], str, str]:
    """(chunks in reading order, commonest language of the pages, what the file calls itself)."""
    languages: Counter[str] = Counter()
    first = next(iter(documents.read_pages(version_id=source.version_id, numbers=[1])), None)

    def pages() -> Iterator[PageContent]:
        for start in range(1, source.page_count + 1, _STRUCTURE_PAGES):
            numbers = range(start, min(start + _STRUCTURE_PAGES, source.page_count + 1))
            for page in documents.read_pages(version_id=source.version_id, numbers=numbers):
                if page.language:
                    languages[page.language] += 1
                yield page

    title = title_of(source.title, first)
    drafts = list(chunks_of(pages(), identity=identity_of(source.name, title)))
    return drafts, languages.most_common(1)[0][0] if languages else "", title
