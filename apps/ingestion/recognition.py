"""The job `recognise_version`: pages that are images get their words by OCR, while the others are searchable already.

Runs on the embedding queue, a few pages a job, so that neither uploads nor other documents wait for a thick scan. When
no page waits any more, the version is indexed again with the new words and its meaning index begins.
"""

from uuid import UUID

from django.conf import settings

from apps.core.failpoints import reach
from apps.documents import intake, storage
from apps.documents.contracts import RECOGNISE_KIND, IngestionSource, VersionState
from apps.documents.unlock import reading_limits
from apps.ingestion import stages
from apps.jobs import services as jobs
from apps.jobs.run import JobRun
from apps.reading.client import ReadingClient
from apps.reading.contracts import ReadingError, ReadingFailure
from apps.tenants.context import tenant_context

SLICE_PAGES = 8  # about half a minute of one core


def follow(run: JobRun, source: IngestionSource) -> bool:
    """Inside a write: whether pages wait for their words; then a job is enqueued that reads some of them."""
    waiting = intake.pages_to_recognise(version_id=source.version_id)
    if not waiting:
        return False
    jobs.enqueue(
        kind=RECOGNISE_KIND,
        payload={"version_id": str(source.version_id), "document_id": str(source.document_id)},
        subject_id=source.document_id,
        created_by_id=run.created_by_id,
        is_bulk=run.is_bulk,
        idempotency_key=f"recognise-{source.version_id}-{len(waiting)}-{run.job_id}",
    )
    return True


def recognise(run: JobRun) -> None:
    """Some waiting pages have their words, or say that none were found. Running it again changes nothing."""
    version_id = UUID(str(run.payload["version_id"]))
    with tenant_context(run.tenant_id):
        source = intake.source_of(version_id=version_id)
        if source is None or source.is_deleted or source.is_superseded or source.state != VersionState.SEARCHABLE:
            return
        waiting = intake.pages_to_recognise(version_id=version_id)
    read_images(run, source, waiting[:SLICE_PAGES])
    with run.write():
        is_more = follow(run, source)
    if not is_more:
        stages.index(run, source)


def read_images(run: JobRun, source: IngestionSource, numbers: tuple[int, ...]) -> None:
    """Each of these pages has the words of its image, or says that none were found."""
    with ReadingClient(
        storage.read(source.storage_key),
        name=source.name,
        limits=reading_limits(),
        window_timeout_s=settings.READING_WINDOW_TIMEOUT_S,
    ) as client:
        for position, number in enumerate(numbers, start=1):
            run.check()
            try:
                window = client.recognise(number)
                pages, warnings = window.pages, window.warnings
            except ReadingError as exc:
                is_missing = exc.failure is ReadingFailure.UNSUPPORTED
                pages, warnings = (), () if is_missing else (intake.unrecognised(number, exc.failure.value),)
            with run.write():
                intake.store_recognised(
                    version_id=source.version_id, number=number, page=next(iter(pages), None), warnings=warnings
                )
            run.progress("recognising", position, len(numbers))
            reach("ingestion.recognise.page")
