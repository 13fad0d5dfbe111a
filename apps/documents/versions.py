"""Versions of a document: a new file takes over when it is searchable; earlier ones stay, citable and marked."""

from uuid import UUID

from django.db.models import F, Max
from django.utils import timezone

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import require
from apps.core.errors import NotFound
from apps.documents import followers
from apps.documents.contracts import INGEST_KIND, SEARCHABLE_STATES, VersionState, VersionView
from apps.documents.models import Document, DocumentVersion, StoredFile
from apps.documents.rows import readable
from apps.jobs import services as jobs


def of_same_name(*, collection_id: UUID, name: str) -> Document | None:
    """The newest live document of the collection of this name."""
    rows = Document.objects.filter(collection_id=collection_id, name=name, deleted_at=None, binned_at=None)
    return rows.order_by("-created_at", "id").first()


def add(*, actor: Actor, document_id: UUID, collection_id: UUID, file_id: UUID, is_bulk: bool = False) -> UUID:
    """The stored file waits to be read as the document's newest version; the current one answers until then.

    Inside the upload's transaction. Raises NotFound for a document that is not in the collection.
    """
    live = Document.objects.filter(id=document_id, collection_id=collection_id, deleted_at=None, binned_at=None)
    if not live.exists():
        raise NotFound
    require(actor, Permission.CONTRIBUTE, collection_id=collection_id)
    current = DocumentVersion.objects.filter(id__in=live.values("current_version_id")).first()
    is_idle = current is None or current.state not in SEARCHABLE_STATES
    if is_idle:  # nobody has found anything in it: what is being read or failed is not worth the work any more
        jobs.cancel_for_subject(subject_id=document_id)
    document = live.select_for_update().first()
    if document is None:
        raise NotFound
    last = DocumentVersion.objects.filter(document_id=document_id).aggregate(last=Max("number"))["last"] or 0
    made = DocumentVersion.objects.create(
        document=document, file_id=file_id, number=last + 1, created_by_id=actor.user_id
    )
    sha256 = StoredFile.objects.values_list("sha256", flat=True).get(id=file_id)
    Document.objects.filter(id=document_id).update(sha256=sha256)
    if is_idle:
        _supersede(document_id, made)
    enqueue_ingestion(actor.user_id, document_id, made.id, is_bulk=is_bulk)
    return document_id


def take_over(version: DocumentVersion) -> None:
    """Inside the write that makes a version searchable: it is the current one, unless a newer one is already."""
    if version.reading_of_id is not None:
        return
    current = Document.objects.values_list("current_version_id", "current_version__number").get(id=version.document_id)
    if current[0] == version.id:
        return
    if current[1] is not None and current[1] > version.number:
        DocumentVersion.objects.filter(id=version.id).update(superseded_at=timezone.now())
        followers.tell_superseded(version.document_id, (version.id,))
        return
    _supersede(version.document_id, version)


def enqueue_ingestion(person_id: UUID | None, document_id: UUID, version_id: UUID, *, is_bulk: bool = False) -> None:
    """The version waits to be read; its job is the one to follow."""
    job_id = jobs.enqueue(
        kind=INGEST_KIND,
        payload={"version_id": str(version_id), "document_id": str(document_id)},
        subject_id=document_id,
        created_by_id=person_id,
        is_bulk=is_bulk,
    )
    DocumentVersion.objects.filter(id=version_id).update(job_id=job_id)


def list_versions(*, actor: Actor, document_id: UUID) -> tuple[VersionView, ...]:
    """The document's history, newest first; under each version what an earlier reading of it said. Two queries."""
    document = readable(actor, document_id)
    rows = (
        DocumentVersion.objects.filter(document_id=document_id)
        .exclude(reading_of__isnull=False, superseded_at=None)  # a reading that is not done yet
        .select_related("created_by")
        .annotate(file_size=F("file__size"))
        .order_by("-number", F("reading_of").asc(nulls_first=True), "-created_at")
    )
    return tuple(_view(row, document) for row in rows)


def version_of(*, actor: Actor, document_id: UUID, version_id: UUID) -> VersionView:
    """One of them. Raises NotFound, word for word like an unknown document."""
    found = next((v for v in list_versions(actor=actor, document_id=document_id) if v.id == version_id), None)
    if found is None:
        raise NotFound
    return found


def _supersede(document_id: UUID, version: DocumentVersion) -> None:
    before = DocumentVersion.objects.filter(
        document_id=document_id, number__lt=version.number, reading_of=None, superseded_at=None
    )
    ids = tuple(before.order_by("number").values_list("id", flat=True))
    before.update(superseded_at=timezone.now())
    Document.objects.filter(id=document_id).update(current_version=version)
    followers.tell_superseded(document_id, ids)


def _view(row: DocumentVersion, document: Document) -> VersionView:
    return VersionView(
        id=row.id,
        number=row.number,
        state=VersionState(row.state),
        failure=row.failure,
        is_current=row.id == document.current_version_id,
        is_reading=row.reading_of_id is not None,
        page_count=row.page_count,
        size=getattr(row, "file_size", None) or 0,
        created_at=row.created_at,
        created_by_name=row.created_by.name if row.created_by else "",
        superseded_at=row.superseded_at,
        job_id=row.job_id,
    )
