"""Writes on documents by people: upload, password, rename, retry, delete. What ingestion writes: intake.py."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import readable_collections, require
from apps.core.errors import Conflict, InputError, LimitExceeded, NotFound
from apps.core.text import clean_file_name
from apps.documents import followers, images, selectors, storage, versions
from apps.documents.contracts import (
    PURGE_KIND,
    DocumentSummary,
    OnSameName,
    UploadResult,
    VersionState,
)
from apps.documents.models import Document, DocumentVersion, Page, StoredFile
from apps.documents.unlock import decrypted_copy
from apps.documents.versions import enqueue_ingestion
from apps.jobs import services as jobs
from apps.jobs.selectors import latest_jobs
from apps.reading.contracts import MediaType, WarningCode
from apps.tenants import audit
from apps.tenants.context import tenant_context

LONGEST_NAME = 255


def receive_upload(
    *,
    actor: Actor,
    collection_id: UUID,
    name: str,
    chunks: Iterable[bytes],
    new_version_of: UUID | None = None,
    on_same_name: OnSameName = OnSameName.KEEP_BOTH,
    stored_name: str = "",
    is_bulk: bool = False,
) -> UploadResult:
    """The bytes are a document of the collection and wait to be read, unless the person can read them elsewhere.

    The same bytes in the same collection give the same document, however many uploads run at once. As a new version
    they become the document's current one once they are searchable. `stored_name`: a clean name with folders, as
    members.member_name makes it. `is_bulk`: one of many that nobody waits for.
    Holds no transaction while bytes arrive. Raises InputError("empty"), TooLarge, LimitExceeded("quota"), NotFound,
    NotAllowed.
    """
    with tenant_context(actor.tenant_id):
        require(actor, Permission.CONTRIBUTE, collection_id=collection_id)
    stored = storage.write(tenant_id=actor.tenant_id, chunks=_not_empty(chunks), limit=settings.MAX_UPLOAD_BYTES)
    is_kept = False
    try:
        with tenant_context(actor.tenant_id):
            require(actor, Permission.CONTRIBUTE, collection_id=collection_id)
            lock_uploads(actor.tenant_id)
            file, is_kept = file_of(stored)
            found = document_of_bytes(file.sha256, [collection_id])
            if found is not None:
                return UploadResult(selectors.summary(document_id=found.id), is_new=False)
            brought = _Brought(collection_id, stored_name or clean_file_name(name, longest=LONGEST_NAME), file, is_bulk)
            result = _received(actor, brought, new_version_of, on_same_name)
            if is_kept and not result.is_new:
                is_kept = False
                file.delete()
            return result
    except BaseException:
        is_kept = False
        raise
    finally:
        if not is_kept:
            storage.delete(stored.key)


@dataclass(frozen=True, slots=True)
class _Brought:
    """Bytes that the collection has not got."""

    collection_id: UUID
    name: str
    file: StoredFile
    is_bulk: bool


def _received(actor: Actor, brought: _Brought, new_version_of: UUID | None, on_same_name: OnSameName) -> UploadResult:
    """What becomes of them: a version, a document, or nothing until the person chooses."""
    same = versions.of_same_name(collection_id=brought.collection_id, name=brought.name)
    target = new_version_of or (same.id if same is not None and on_same_name == OnSameName.NEW_VERSION else None)
    if target is not None:
        document_id = versions.add(
            actor=actor,
            document_id=target,
            collection_id=brought.collection_id,
            file_id=brought.file.id,
            is_bulk=brought.is_bulk,
        )
        _record(actor, "document.new_version", document_id, name=brought.name)
        return UploadResult(selectors.summary(document_id=document_id), is_new=True, is_version=True)
    elsewhere = document_of_bytes(brought.file.sha256, readable_collections(actor))
    if elsewhere is not None:
        return UploadResult(None, is_new=False, elsewhere=selectors.summary(document_id=elsewhere.id))
    same_name = selectors.summary(document_id=same.id) if same is not None else None
    if same_name is not None and on_same_name == OnSameName.ASK:
        return UploadResult(None, is_new=False, same_name=same_name)
    document_id = _create(actor, brought)
    return UploadResult(selectors.summary(document_id=document_id), is_new=True, same_name=same_name)


def forget_files(*, tenant_id: UUID) -> None:
    """No stored byte and no page image of the organisation is left. Its rows are the caller's business."""
    storage.delete_all(tenant_id=tenant_id)
    images.forget_all(tenant_id=tenant_id)


def add_here(
    *, actor: Actor, document_id: UUID, collection_id: UUID, name: str = "", is_bulk: bool = False
) -> DocumentSummary:
    """A document that the person can read stands in a second collection too; its bytes are not copied."""
    require(actor, Permission.CONTRIBUTE, collection_id=collection_id)
    source = live_document(document_id)
    require(actor, Permission.READ, collection_id=source.collection_id)
    lock_uploads(actor.tenant_id)
    found = document_of_bytes(source.sha256, [collection_id])
    if found is not None:
        return selectors.summary(document_id=found.id)
    version = _current(source)
    file = selectors.stored_file(version.file_id)
    clean = clean_file_name(name, longest=LONGEST_NAME) if name and not is_bulk else name or source.name
    brought = _Brought(collection_id, clean, file, is_bulk)
    return selectors.summary(document_id=_create(actor, brought))


def supply_password(*, actor: Actor, document_id: UUID, password: str) -> None:
    """A decrypted working copy exists and the document waits to be read. The password is kept nowhere.

    Takes about two seconds in a reading child and holds no transaction meanwhile. Raises
    InputError("wrong_password"), Conflict, NotFound, NotAllowed.
    """
    with tenant_context(actor.tenant_id):
        version, name = _waiting_for_password(actor, document_id)
        key = selectors.stored_file(version.file_id).storage_key
    plain = decrypted_copy(key=key, name=name, password=password)
    stored = storage.write(tenant_id=actor.tenant_id, chunks=plain, limit=2 * settings.MAX_UPLOAD_BYTES)
    is_kept = False
    try:
        with tenant_context(actor.tenant_id):
            _waiting_for_password(actor, document_id)
            lock_uploads(actor.tenant_id)
            file, is_kept = file_of(stored)
            DocumentVersion.objects.filter(id=version.id).update(
                working_file_id=file.id, state=VersionState.QUEUED, failure=""
            )
            enqueue_ingestion(actor.user_id, document_id, version.id)
            _record(actor, "document.unlocked", document_id)
    except BaseException:
        is_kept = False
        raise
    finally:
        if not is_kept:
            storage.delete(stored.key)


def retry_ingestion(*, actor: Actor, document_id: UUID) -> None:
    """What stopped goes on: the reading of a failed document, or a meaning index that was stopped half-way.

    What was read or indexed already is kept. Raises Conflict when nothing stopped.
    """
    document = live_document(document_id)
    require(actor, Permission.CONTRIBUTE, collection_id=document.collection_id)
    version = _current(document)
    if version.state == VersionState.READY_WITH_WARNINGS and version.embedded_count < version.chunk_count:
        if not continue_meaning_index(version):
            raise Conflict(code="not_failed")
        return
    if version.state != VersionState.FAILED:
        raise Conflict(code="not_failed")
    DocumentVersion.objects.filter(id=version.id).update(state=VersionState.QUEUED, failure="")
    enqueue_ingestion(actor.user_id, document_id, version.id)
    _record(actor, "document.retried", document_id)


def continue_meaning_index(version: DocumentVersion) -> bool:
    """What was stopped half-way goes on, and the version says no more that it stopped; False when nothing can."""
    last = latest_jobs(subject_ids=(version.document_id,)).get(version.document_id)
    if last is None or last.is_open:
        return False
    warnings = [warning for warning in version.warnings if warning[0] != WarningCode.MEANING_STOPPED]
    DocumentVersion.objects.filter(id=version.id).update(state=VersionState.SEARCHABLE, warnings=warnings)
    jobs.requeue(job_id=last.id)
    return True


def rename_document(*, actor: Actor, document_id: UUID, name: str) -> None:
    """The document has this name, cleaned. Its chunks keep the old one in their header until it is read again."""
    document = live_document(document_id)
    require(actor, Permission.CONTRIBUTE, collection_id=document.collection_id)
    if not name.strip():
        raise InputError(code="empty_name", field="name")
    Document.objects.filter(id=document_id).update(name=clean_file_name(name, longest=LONGEST_NAME))
    _record(actor, "document.renamed", document_id)


def delete_document(*, actor: Actor, document_id: UUID) -> None:
    """Nothing of the document can be found, read or opened from this commit on; a job removes the bytes.

    A mail's attachments go with it; the members of an archive are documents in their own right and stay.
    One transaction: ingestion is cancelled, pages, chunks, vectors and index rows go, the row becomes a shell.
    """
    document = live_document(document_id)
    require(actor, Permission.CONTRIBUTE, collection_id=document.collection_id)
    delete_row(document_id=document_id, by_id=actor.user_id, by_name=actor.name)


def delete_row(*, document_id: UUID, by_id: UUID | None, by_name: str) -> None:
    """As delete_document, for code that checked the right: a document in the bin, or one whose days there are over."""
    jobs.cancel_for_subject(subject_id=document_id)  # its jobs before its row, as every write of a run locks them
    document = Document.objects.select_for_update().filter(id=document_id, deleted_at=None).first()
    if document is None:
        raise NotFound
    versions = DocumentVersion.objects.filter(document_id=document_id)
    version_ids = tuple(versions.values_list("id", flat=True))
    media_types = set(versions.values_list("media_type", flat=True))
    followers.tell_hidden(document_id, version_ids)
    Page.objects.filter(version_id__in=version_ids).delete()
    DocumentVersion.objects.filter(id__in=version_ids).update(
        state=VersionState.DELETED, title="", warnings=[], members=[], chunk_count=0, embedded_count=0, pages_read=0
    )
    audit.record(
        action="document.deleted",
        actor_id=by_id,
        actor_name=by_name,
        object_type="document",
        object_id=document_id,
        detail={"name": document.name} | ({"from": "bin"} if document.binned_at else {}),
    )
    Document.objects.filter(id=document_id).update(
        deleted_at=timezone.now(), current_version=None, name="", sha256="", parent=None
    )
    _release_members(document, by_id, by_name, is_mail=bool({MediaType.EML, MediaType.MSG} & media_types))
    jobs.enqueue(
        kind=PURGE_KIND,
        payload={"document_id": str(document_id)},
        created_by_id=by_id,
        idempotency_key=f"purge-{document_id}",
    )


def _release_members(document: Document, by_id: UUID | None, by_name: str, *, is_mail: bool) -> None:
    """A mail's attachments go with it, unless they came back from the bin alone; those of an archive stay."""
    members = Document.objects.filter(parent_id=document.id, deleted_at=None)
    if is_mail:
        together = members if document.binned_at is None else members.filter(binned_at__isnull=False)
        for member_id in list(together.order_by("id").values_list("id", flat=True)):
            delete_row(document_id=member_id, by_id=by_id, by_name=by_name)
    members.update(parent=None)


def purge_document(*, document_id: UUID, tenant_id: UUID) -> None:
    """Copied text is scrubbed, cached images and the bytes that no other document uses are gone. May run twice."""
    with tenant_context(tenant_id):
        document = Document.objects.filter(id=document_id).exclude(deleted_at=None).first()
        if document is None:
            return
        version_ids = tuple(DocumentVersion.objects.filter(document_id=document_id).values_list("id", flat=True))
        followers.tell_deleted(document_id, version_ids)
    for version_id in version_ids:
        images.forget(tenant_id=tenant_id, version_id=version_id)
    with tenant_context(tenant_id):
        lock_uploads(tenant_id)
        keys = _release_files(version_ids)
    for key in keys:
        storage.delete(key)


def _release_files(version_ids: tuple[UUID, ...]) -> list[str]:
    """Storage keys of files that nothing uses any more; their rows are gone."""
    versions = DocumentVersion.objects.filter(id__in=version_ids)
    file_ids = {i for pair in versions.values_list("file_id", "working_file_id") for i in pair if i is not None}
    versions.update(file_id=None, working_file_id=None)
    keys = []
    for file in StoredFile.objects.select_for_update().filter(id__in=file_ids).order_by("id"):
        used = DocumentVersion.objects.filter(file_id=file.id) | DocumentVersion.objects.filter(working_file_id=file.id)
        if not used.exists():
            keys.append(file.storage_key)
            file.delete()
    return keys


def _not_empty(chunks: Iterable[bytes]) -> Iterator[bytes]:
    is_empty = True
    for chunk in chunks:
        if chunk:
            is_empty = False
            yield chunk
    if is_empty:
        raise InputError(code="empty", field="file", message=selectors.FAILURES["empty"])


def lock_uploads(tenant_id: UUID) -> None:
    """Uploads and purges of one organisation take turns at the book-keeping, until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"airis files {tenant_id}"])


def file_of(stored: storage.StoredBytes) -> tuple[StoredFile, bool]:
    """The row of these bytes and whether it was made for them. Raises LimitExceeded("quota")."""
    found = StoredFile.objects.select_for_update().filter(sha256=stored.sha256).first()
    if found is not None:
        return found, False
    used = StoredFile.objects.aggregate(total=Sum("size"))["total"] or 0
    if used + stored.size > settings.STORAGE_QUOTA_BYTES:
        raise LimitExceeded(code="quota", detail=f"{used} + {stored.size} bytes")
    made = StoredFile.objects.create(sha256=stored.sha256, size=stored.size, storage_key=stored.key)
    return made, True


def document_of_bytes(sha256: str, collection_ids: Iterable[UUID]) -> Document | None:
    documents = Document.objects.filter(
        sha256=sha256, deleted_at=None, binned_at=None, collection_id__in=list(collection_ids)
    )
    return documents.order_by("created_at").first()


def _create(actor: Actor, brought: _Brought) -> UUID:
    document = Document.objects.create(
        collection_id=brought.collection_id,
        name=brought.name,
        sha256=brought.file.sha256,
        created_by_id=actor.user_id,
    )
    version = DocumentVersion.objects.create(document=document, file=brought.file, created_by_id=actor.user_id)
    Document.objects.filter(id=document.id).update(current_version=version)
    enqueue_ingestion(actor.user_id, document.id, version.id, is_bulk=brought.is_bulk)
    collection = str(brought.collection_id)
    _record(actor, "document.uploaded", document.id, name=brought.name, collection=collection, size=brought.file.size)
    return document.id


def live_document(document_id: UUID) -> Document:
    """Raises NotFound for what is deleted or in the bin."""
    document = Document.objects.filter(id=document_id, deleted_at=None, binned_at=None).first()
    if document is None:
        raise NotFound
    return document


def _current(document: Document) -> DocumentVersion:
    """The newest version: people retry and unlock that one."""
    versions_of = DocumentVersion.objects.select_for_update().filter(document_id=document.id, reading_of=None)
    version = versions_of.order_by("-number").first()
    if version is None:
        raise NotFound
    return version


def _waiting_for_password(actor: Actor, document_id: UUID) -> tuple[DocumentVersion, str]:
    document = live_document(document_id)
    require(actor, Permission.CONTRIBUTE, collection_id=document.collection_id)
    version = _current(document)
    if version.state != VersionState.NEEDS_PASSWORD:
        raise Conflict(code="no_password_needed")
    return version, document.name


def _record(actor: Actor, action: str, document_id: UUID, **detail: object) -> None:
    audit.record(
        action=action,
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="document",
        object_id=document_id,
        detail=detail,
    )


__all__ = [
    "add_here",
    "continue_meaning_index",
    "delete_document",
    "delete_row",
    "enqueue_ingestion",
    "purge_document",
    "receive_upload",
    "rename_document",
    "retry_ingestion",
    "supply_password",
]
