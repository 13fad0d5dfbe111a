"""Members of archives and mails become documents of the same collection, each with its parent and its folder path.

Called by ingestion inside `JobRun.write()`; the person who brought the container is their maker.
"""

from uuid import UUID

from apps.core.text import clean_file_name
from apps.documents import services, storage
from apps.documents.contracts import MemberOutcome, MemberSource
from apps.documents.models import Document, DocumentVersion
from apps.reading.contracts import MemberRefusal
from apps.tenants import audit

MANY = 20  # members from which on a container is a load that nobody waits for, file by file
DEEPEST = 2  # a mail in an archive has attachments; what those hold stays inside them


def waiting_members(*, version_id: UUID) -> tuple[MemberSource, ...]:
    """Members that no earlier attempt took or refused."""
    version = DocumentVersion.objects.get(id=version_id)
    return tuple(
        MemberSource(index, name, size)
        for index, (name, size, outcome, _document_id) in enumerate(version.members)
        if outcome == MemberOutcome.WAITING
    )


def is_too_deep(*, document_id: UUID) -> bool:
    """Whether a container lies inside so many others that its members are left where they are."""
    depth = 0
    parent_id = Document.objects.values_list("parent_id", flat=True).get(id=document_id)
    while parent_id is not None and depth <= DEEPEST:
        depth += 1
        parent_id = Document.objects.values_list("parent_id", flat=True).get(id=parent_id)
    return depth >= DEEPEST


def take_member(*, tenant_id: UUID, version_id: UUID, index: int, stored: storage.StoredBytes) -> bool:
    """The bytes are a document of the container's collection, or point at the one that holds them already.

    Returns whether the stored bytes are used; the caller removes them otherwise. Raises LimitExceeded("quota").
    """
    version = DocumentVersion.objects.select_for_update().select_related("document").get(id=version_id)
    parent = version.document
    services.lock_uploads(tenant_id)
    known = services.document_of_bytes(stored.sha256, [parent.collection_id])
    if known is not None:
        _note(version, index, MemberOutcome.KNOWN.value, known.id)
        return False
    file, is_kept = services.file_of(stored)
    document = Document.objects.create(
        collection_id=parent.collection_id,
        name=member_name(version.members[index][0]),
        sha256=file.sha256,
        created_by_id=parent.created_by_id,
        parent=parent,
    )
    own = DocumentVersion.objects.create(document=document, file=file)
    Document.objects.filter(id=document.id).update(current_version=own)
    is_bulk = len(version.members) > MANY
    services.enqueue_ingestion(parent.created_by_id, document.id, own.id, is_bulk=is_bulk)
    _note(version, index, MemberOutcome.TAKEN.value, document.id)
    _record(parent, document, file.size)
    return is_kept


def refuse_member(*, version_id: UUID, index: int, refusal: MemberRefusal) -> None:
    """The list of the container says why this member is no document."""
    version = DocumentVersion.objects.select_for_update().get(id=version_id)
    _note(version, index, refusal.value, None)


def member_name(path: str) -> str:
    """The folder path as a name: clean parts, the longest folders cut first. "a/b.pdf" stays so."""
    *folders, last = path.split("/")
    name = clean_file_name(last, longest=services.LONGEST_NAME)
    before = "/".join(clean_file_name(folder, longest=60) for folder in folders)
    room = services.LONGEST_NAME - len(name) - 1
    if not before or room < 8:
        return name
    return f"{before}/{name}" if len(before) <= room else f"…{before[-(room - 1) :]}/{name}"


def _note(version: DocumentVersion, index: int, outcome: str, document_id: UUID | None) -> None:
    name, size, _outcome, _document = version.members[index]
    version.members[index] = [name, size, outcome, str(document_id or "")]
    version.save(update_fields=["members"])


def _record(parent: Document, document: Document, size: int) -> None:
    audit.record(
        action="document.unpacked",
        actor_id=parent.created_by_id,
        actor_name=parent.created_by.name if parent.created_by else "",
        object_type="document",
        object_id=document.id,
        detail={"name": document.name, "parent": str(parent.id), "size": size},
    )
