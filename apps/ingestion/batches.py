"""Loads of many files: announced, brought one by one, read behind everybody who waits; paused, resumed, retried."""

import hashlib
from collections.abc import Iterable
from uuid import UUID

from django.utils import timezone

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import require
from apps.core.errors import AirisError, InputError, NotFound
from apps.core.text import clean_input
from apps.documents import intake, members
from apps.documents import services as documents
from apps.documents.contracts import OnSameName, UploadResult, VersionState
from apps.ingestion.contracts import KNOWN, TAKEN, AnnouncedFile
from apps.ingestion.models import LONGEST_PATH, Batch, BatchFile
from apps.jobs import services as jobs
from apps.jobs.selectors import open_jobs
from apps.tenants import audit
from apps.tenants.context import tenant_context

LARGEST_FILE = 2**40  # bytes that a file may be said to have; what may really come is an upload's limit
_AT_ONCE = 500


def begin(*, actor: Actor, collection_id: UUID, name: str, source: str = "") -> UUID:
    """A load of the collection. With a source, the one that was begun from there before: it goes on."""
    require(actor, Permission.CONTRIBUTE, collection_id=collection_id)
    digest = hashlib.sha256(source.encode()).hexdigest() if source else ""
    if digest:
        found = Batch.objects.filter(collection_id=collection_id, source=digest).order_by("-created_at").first()
        if found is not None:
            return found.id
    made = Batch.objects.create(
        collection_id=collection_id,
        name=clean_input(name)[:200] or "…",
        source=digest,
        created_by_id=actor.user_id,
    )
    _record(actor, "batch.begun", made)
    return made.id


def announce(*, actor: Actor, batch_id: UUID, files: Iterable[AnnouncedFile]) -> None:
    """These files will come; what was announced before is left as it is. Written in pieces. Raises InputError."""
    batch = own_batch(actor, batch_id)
    rows: list[BatchFile] = []
    for file in files:
        if file.size > LARGEST_FILE:
            raise InputError(field="files")
        rows.append(BatchFile(batch=batch, path=path_of(file.path), size=max(0, file.size)))
        if len(rows) == _AT_ONCE:
            BatchFile.objects.bulk_create(rows, ignore_conflicts=True)
            rows = []
    BatchFile.objects.bulk_create(rows, ignore_conflicts=True)


def bring(
    *,
    actor: Actor,
    batch_id: UUID,
    path: str,
    chunks: Iterable[bytes],
    on_same_name: OnSameName = OnSameName.KEEP_BOTH,
) -> str:
    """The file is a document that is read when nobody waits, or its refusal stands in the load; the outcome.

    The same bytes twice give one document. Holds no transaction while bytes arrive. Raises NotFound, NotAllowed.
    """
    path = path_of(path)
    with tenant_context(actor.tenant_id):
        batch = own_batch(actor, batch_id)
        file, _is_new = BatchFile.objects.get_or_create(batch=batch, path=path)
    try:
        result = documents.receive_upload(
            actor=actor,
            collection_id=batch.collection_id,
            name=path.rsplit("/", 1)[-1],
            chunks=chunks,
            stored_name=members.member_name(path),
            on_same_name=on_same_name,
            is_bulk=True,
        )
    except AirisError as exc:
        if exc.status in (403, 404) or exc.code == "storage_full":
            raise
        with tenant_context(actor.tenant_id):
            BatchFile.objects.filter(id=file.id).update(outcome=exc.code[:40])
        return exc.code
    with tenant_context(actor.tenant_id):
        return _note(actor, batch_id, file, result, members.member_name(path))


def refuse(*, batch_id: UUID, path: str, code: str) -> None:
    """The file cannot come, for this reason. For code that checked the right."""
    BatchFile.objects.filter(batch_id=batch_id, path=path_of(path)).update(outcome=code[:40])


def waiting_paths(*, batch_id: UUID, paths: Iterable[str]) -> frozenset[str]:
    """Which of these announced files have not come yet. For code that checked the right."""
    rows = BatchFile.objects.filter(batch_id=batch_id, path__in=[path_of(path) for path in paths], outcome="")
    return frozenset(rows.values_list("path", flat=True))


def pause(*, actor: Actor, batch_id: UUID) -> None:
    """Nothing more of the load begins; what is being read is read to its end."""
    batch = own_batch(actor, batch_id)
    if Batch.objects.filter(id=batch_id, paused_at=None).update(paused_at=timezone.now()):
        jobs.pause(job_ids=_open_jobs(batch_id))
        _record(actor, "batch.paused", batch)


def resume(*, actor: Actor, batch_id: UUID) -> None:
    """The load goes on."""
    batch = own_batch(actor, batch_id)
    held = Batch.objects.filter(id=batch_id, paused_at__isnull=False)
    if held.update(paused_at=None, resumed_at=timezone.now()):
        jobs.go_on(job_ids=_open_jobs(batch_id))
        _record(actor, "batch.resumed", batch)


def retry_failed(*, actor: Actor, batch_id: UUID) -> int:
    """Documents of the load whose reading failed wait to be read again; how many. Rejected ones would fail alike."""
    batch = own_batch(actor, batch_id)
    failed = BatchFile.objects.filter(
        batch_id=batch_id,
        document__deleted_at=None,
        document__binned_at=None,
        document__current_version__state=VersionState.FAILED,
    )
    found = list(failed.values_list("document_id", "document__current_version_id"))
    for document_id, version_id in found:
        if document_id is not None and version_id is not None:
            intake.mark_waiting(version_id=version_id)
            documents.enqueue_ingestion(actor.user_id, document_id, version_id, is_bulk=True)
    if batch.paused_at is not None:
        jobs.pause(job_ids=_open_jobs(batch_id))
    _record(actor, "batch.retried", batch)
    return len(found)


def own_batch(actor: Actor, batch_id: UUID) -> Batch:
    """A load of a collection that the actor may add to. Raises NotFound, NotAllowed."""
    batch = Batch.objects.filter(id=batch_id).first()
    if batch is None:
        raise NotFound
    require(actor, Permission.CONTRIBUTE, collection_id=batch.collection_id)
    return batch


def path_of(path: str) -> str:
    """The path of a file of a load: forward slashes, no steps up, the end of a long one."""
    parts = [part for part in path.replace("\\", "/").replace("\0", "").split("/") if part not in ("", ".", "..")]
    return "/".join(parts)[-LONGEST_PATH:] or "…"


def _note(actor: Actor, batch_id: UUID, file: BatchFile, result: UploadResult, name: str) -> str:
    batch = Batch.objects.select_for_update().get(id=batch_id)
    document, outcome = result.document, TAKEN if result.is_new else KNOWN
    if document is None and result.elsewhere is not None:
        document = documents.add_here(
            actor=actor, document_id=result.elsewhere.id, collection_id=batch.collection_id, name=name, is_bulk=True
        )
        outcome = TAKEN
    BatchFile.objects.filter(id=file.id).update(outcome=outcome, document_id=document.id if document else None)
    if batch.paused_at is not None and document is not None:
        jobs.pause(job_ids=open_jobs(subject_ids=[document.id]))
    return outcome


def _open_jobs(batch_id: UUID) -> tuple[UUID, ...]:
    taken = BatchFile.objects.filter(batch_id=batch_id, outcome=TAKEN).exclude(document=None)
    return open_jobs(subject_ids=[found for found in taken.values_list("document_id", flat=True) if found])


def _record(actor: Actor, action: str, batch: Batch) -> None:
    audit.record(
        action=action,
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="batch",
        object_id=batch.id,
        detail={"name": batch.name, "collection": str(batch.collection_id)},
    )
