"""What the reconciler asks of documents, and how it mends them. No right is checked: it is the installation's own."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q

from apps.documents import services, storage
from apps.documents.contracts import OPEN_STATES, SEARCHABLE_STATES, VersionState
from apps.documents.models import Document, DocumentVersion, Page, StoredFile
from apps.documents.sweeping import files_without_rows as files_without_rows
from apps.documents.sweeping import remove_files as remove_files
from apps.tenants.context import tenant_context


def rows_without_files(*, tenant_id: UUID) -> tuple[UUID, ...]:
    """Stored files whose bytes are not where their row says."""
    with tenant_context(tenant_id):
        rows = list(StoredFile.objects.order_by("id").values_list("id", "storage_key"))
    return tuple(file_id for file_id, key in rows if not storage.exists(key))


def open_versions(*, before: datetime) -> tuple[tuple[UUID, UUID], ...]:
    """(document, version) of live documents that wait or are being read since before then."""
    rows = DocumentVersion.objects.filter(
        state__in=OPEN_STATES,
        reading_of=None,
        created_at__lt=before,
        document__deleted_at=None,
        document__binned_at=None,
    )
    return tuple(rows.order_by("created_at").values_list("document_id", "id"))


def unfinished_readings(*, before: datetime) -> tuple[tuple[UUID, UUID], ...]:
    """(document, reading) of readings that were begun before then and neither swapped in nor dropped."""
    rows = DocumentVersion.objects.filter(reading_of__isnull=False, superseded_at=None, created_at__lt=before)
    return tuple(rows.values_list("document_id", "id"))


def drop_readings(reading_ids: tuple[UUID, ...]) -> int:
    Page.objects.filter(version_id__in=reading_ids).delete()
    DocumentVersion.objects.filter(id__in=reading_ids).delete()
    return len(reading_ids)


def gone_versions(*, before: datetime) -> tuple[UUID, ...]:
    """Versions that no search may look into: deleted, superseded before then, or readings beside a version."""
    gone = Q(document__deleted_at__isnull=False) | Q(superseded_at__lt=before) | Q(reading_of__isnull=False)
    return tuple(DocumentVersion.objects.filter(gone | Q(state=VersionState.DELETED)).values_list("id", flat=True))


def deleted_with_pages() -> tuple[UUID, ...]:
    """Versions of deleted documents that have pages."""
    pages = Page.objects.filter(version_id=OuterRef("id"))
    rows = DocumentVersion.objects.filter(Exists(pages), document__deleted_at__isnull=False)
    return tuple(rows.values_list("id", flat=True))


def remove_pages(version_ids: tuple[UUID, ...]) -> int:
    Page.objects.filter(version_id__in=version_ids).delete()
    return len(version_ids)


def settled_versions(*, before: datetime) -> dict[UUID, tuple[int, int]]:
    """Current versions that were searchable before then, with the numbers of chunks and vectors that they say."""
    rows = DocumentVersion.objects.filter(
        state__in=SEARCHABLE_STATES,
        searchable_at__lt=before,
        document__current_version_id=F("id"),
        document__deleted_at=None,
    )
    return {row[0]: (row[1], row[2]) for row in rows.values_list("id", "chunk_count", "embedded_count")}


def set_counts(counts: Mapping[UUID, tuple[int, int]]) -> int:
    for version_id, (chunks, vectors) in counts.items():
        DocumentVersion.objects.filter(id=version_id).update(chunk_count=chunks, embedded_count=vectors)
    return len(counts)


def documents_of(version_ids: Iterable[UUID]) -> dict[UUID, UUID]:
    return dict(DocumentVersion.objects.filter(id__in=list(version_ids)).values_list("id", "document_id"))


def enqueue_again(*, document_id: UUID, version_id: UUID, state: VersionState) -> None:
    """The version waits to be read, with a job that does it."""
    DocumentVersion.objects.filter(id=version_id).update(state=state, failure="")
    owner = Document.objects.values_list("created_by_id", flat=True).get(id=document_id)
    services.enqueue_ingestion(owner, document_id, version_id, is_bulk=True)
