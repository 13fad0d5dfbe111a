"""The job `reread_version`: the file is read again by today's reader while the old reading answers, then swapped.

Killed at any place, it goes on from the windows that are stored, or ends with the version as it was.
"""

from uuid import UUID

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import require
from apps.core.errors import IngestionError
from apps.core.failpoints import reach
from apps.documents import intake, readings
from apps.documents import selectors as documents
from apps.documents import services as document_services
from apps.documents.contracts import INGEST_KIND, REREAD_KIND, SEARCHABLE_STATES, VersionState
from apps.ingestion import meaning, recognition, stages
from apps.ingestion.structure import Structure
from apps.jobs import services as jobs
from apps.jobs.run import JobRun
from apps.jobs.selectors import in_work
from apps.retrieval import selectors as retrieval
from apps.retrieval import services as retrieval_services
from apps.tenants import audit
from apps.tenants.context import tenant_context

_NOT_READ = (VersionState.REJECTED, VersionState.FAILED)


def reread_collection(*, actor: Actor, collection_id: UUID) -> int:
    """Every document of the collection will be read again; how many. Those in work already are left alone."""
    require(actor, Permission.MANAGE, collection_id=collection_id)
    audit.record(
        action="collection.reread",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="collection",
        object_id=collection_id,
    )
    return enqueue_collection(collection_id=collection_id, by_id=actor.user_id)


def enqueue_collection(*, collection_id: UUID, by_id: UUID | None) -> int:
    """As reread_collection, for code that checked the right. What could not be read is tried anew."""
    found = documents.current_versions(collection_id=collection_id)
    busy = in_work(subject_ids=[row[0] for row in found], kinds_of_work=(INGEST_KIND, REREAD_KIND))
    count = 0
    for document_id, version_id, state in found:
        if document_id in busy:
            continue
        if state in _NOT_READ:
            intake.mark_waiting(version_id=version_id)
            document_services.enqueue_ingestion(by_id, document_id, version_id, is_bulk=True)
        elif state in SEARCHABLE_STATES:
            jobs.enqueue(
                kind=REREAD_KIND,
                payload={"version_id": str(version_id), "document_id": str(document_id)},
                subject_id=document_id,
                created_by_id=by_id,
                is_bulk=True,
            )
        else:
            continue
        count += 1
    return count


def reread(run: JobRun) -> None:
    """The version says what today's reader reads. Running it again changes nothing."""
    version_id = UUID(str(run.payload["version_id"]))
    with run.write():
        source = intake.source_of(version_id=version_id)
        if source is None or source.is_deleted or source.state not in SEARCHABLE_STATES:
            return
        reading_id = readings.begin(version_id=version_id)
    reach("ingestion.reread.begun")
    _read_all(run, reading_id)
    reach("ingestion.reread.read")
    with tenant_context(run.tenant_id):
        fresh = intake.source_of(version_id=reading_id)
    assert fresh is not None
    structure = Structure(run, fresh)
    rows = [row for batch in structure.batches() for row in batch]
    for row in rows:
        row.version_id = version_id
    run.check()
    with run.write():
        readings.swap(version_id=version_id, reading_id=reading_id)
        reach("ingestion.reread.half")
        count, _kept = retrieval_services.merge_chunks(version_id=version_id, rows=rows)
        intake.describe(version_id=version_id, language=structure.language, title=structure.title)
        intake.store_found(version_id=version_id, found=structure.found())
        intake.mark_searchable(version_id=version_id, chunk_count=count)
        intake.mark_embedded(version_id=version_id, embedded_count=retrieval.counts_of(version_id=version_id).done)
        meaning.follow(run, source, count)
        reach("ingestion.reread.before_commit")


def _read_all(run: JobRun, reading_id: UUID) -> None:
    """Pages and, where they are images, the words of these: nothing is swapped in that says less than before."""
    with tenant_context(run.tenant_id):
        reading = intake.source_of(version_id=reading_id)
    assert reading is not None
    try:
        stages.read(run, reading)
    except stages.Stopped as stopped:
        raise IngestionError(code=stopped.failure, stage="reread", is_retryable=False, detail="") from stopped
    while True:
        with tenant_context(run.tenant_id):
            waiting = intake.pages_to_recognise(version_id=reading_id)
        if not waiting:
            return
        run.give_way()
        recognition.read_images(run, reading, waiting[: recognition.SLICE_PAGES])
