"""Reads of documents. Those that take an actor check the right; the others serve code that works inside a scope."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from django.db.models import F, Sum
from django.db.models.functions import Substr
from django.utils.translation import gettext_lazy as _

from apps.accounts.contracts import Actor
from apps.accounts.permissions import readable_collections
from apps.core.collation import ordered
from apps.core.errors import NotFound
from apps.core.text import fold
from apps.documents import places, storage
from apps.documents.contracts import (
    EVERYTHING,
    SEARCHABLE_STATES,
    DocumentDetail,
    DocumentFilter,
    DocumentOrder,
    DocumentPage,
    DocumentSummary,
    MemberView,
    OriginalFile,
    Span,
    VersionIdentity,
    VersionStanding,
    VersionState,
)
from apps.documents.models import Document, DocumentVersion, Page
from apps.documents.page_selectors import (
    boxes_for_span as boxes_for_span,
)
from apps.documents.page_selectors import (
    boxes_in_version as boxes_in_version,
)
from apps.documents.page_selectors import (
    get_page as get_page,
)
from apps.documents.page_selectors import (
    get_version_page as get_version_page,
)
from apps.documents.page_selectors import (
    outline as outline,
)
from apps.documents.page_selectors import (
    page_blocks as page_blocks,
)
from apps.documents.page_selectors import (
    page_changes as page_changes,
)
from apps.documents.page_selectors import (
    page_grids as page_grids,
)
from apps.documents.page_selectors import (
    page_image as page_image,
)
from apps.documents.page_selectors import (
    page_labels as page_labels,
)
from apps.documents.page_selectors import (
    page_words as page_words,
)
from apps.documents.page_selectors import (
    sheet_tabs as sheet_tabs,
)
from apps.documents.page_selectors import (
    version_words as version_words,
)
from apps.documents.rows import listed, live, page_contents, readable, summary_of
from apps.documents.rows import stored_file as stored_file
from apps.reading import codec
from apps.reading.contracts import (
    PageContent,
    ReadingWarning,
)
from apps.reading.uniform import expanded
from apps.tenants import audit

FAILURES = {  # reading and ingestion failures in words; codes are stable
    "empty": _("The file is empty (0 bytes)."),
    "no_pages": _(
        "There is nothing to read in the file: it has no pages, or no words on them. Check that it is the right one."
    ),
    "unsupported": _(
        "Files of this type cannot be read. PDF, Office files (Word, Excel, PowerPoint, OpenDocument, RTF), CSV, JSON, "
        "HTML, SEC submissions, e-mail (EML, MSG, mbox), pictures, text, Markdown and ZIP can."
    ),
    "disguised": _(
        "The content of the file is not what its name says. Save it again in its own program, or give it its right "
        "name."
    ),
    "encrypted_office": _(
        "The file is protected in a way that no password opens here, by a certificate or by rights management. Open it "
        "in its program, save a copy without protection and add that."
    ),
    "needs_converter": _(
        "Old Word and PowerPoint files (DOC, PPT) are read with LibreOffice, which is not installed on this server. "
        "Save the file as DOCX, PPTX or PDF and add that, or ask for LibreOffice to be installed."
    ),
    "needs_password": _("The file is encrypted: a password is needed to read it."),
    "wrong_password": _("This password does not open the file."),
    "damaged": _("The file is damaged and could not be repaired. Open it in its program, save it anew and add that."),
    "too_large": _("The file is over a limit of the installation: pages, entries, pixels or unpacked size."),
    "timed_out": _("Reading the file took longer than allowed."),
    "out_of_memory": _("Reading the file needed more memory than allowed."),
    "crashed": _("The reader stopped on this file."),
    "worker_lost": _("The work was interrupted several times. It can be tried again."),
    "cancelled": _("The reading was stopped. It can be tried again."),
    "unexpected": _("Something unforeseen stopped the work. It can be tried again."),
}
PAGE_SIZE = 50
MOST_PAGES = 2**31 - 1  # what a column of page numbers holds
COVER_CHARACTERS = 2500  # of a first page that is a cover
OPENING_CHARACTERS = 160  # of a first line
COVERED_FROM = 4  # pages
_ORDERS = {
    DocumentOrder.NEWEST: ("-created_at", "id"),
    DocumentOrder.NAME: (ordered("name"), "name", "id"),
    DocumentOrder.STATE: ("current_version__state", "-created_at", "id"),
    DocumentOrder.KIND: ("current_version__kind", "-created_at", "id"),
    DocumentOrder.ENTITY: ("current_version__entity_key", "-created_at", "id"),
    DocumentOrder.PERIOD: (F("current_version__period_end").desc(nulls_last=True), "id"),
    DocumentOrder.PAGES: ("-current_version__page_count", "id"),
}


def list_documents(
    *,
    actor: Actor,
    collection_id: UUID | None = None,
    order: DocumentOrder = DocumentOrder.NEWEST,
    number: int = 1,
    page_size: int = PAGE_SIZE,
    narrowed: DocumentFilter = EVERYTHING,
) -> DocumentPage:
    """A page of the documents that the actor may read, of one collection or all. Three queries."""
    documents = listed(actor, collection_id, narrowed)
    total = documents.count()
    pages = max(1, -(-total // page_size))
    number = min(max(1, number), pages)
    rows = documents.order_by(*_ORDERS[order])[(number - 1) * page_size : number * page_size]
    return DocumentPage(tuple(map(summary_of, rows)), total, number, pages)


def find_by_name(*, actor: Actor, query: str, limit: int = 20) -> tuple[DocumentSummary, ...]:
    """Documents whose name holds the query, whatever its case, accents or spelling of the Turkish i."""
    wanted = fold(query.strip())
    rows = live().filter(collection_id__in=readable_collections(actor)).order_by(ordered("name"), "name", "id")
    return tuple(summary_of(row) for row in rows if wanted in fold(row.name))[:limit]


def names_of_documents(*, actor: Actor, document_ids: Iterable[UUID]) -> dict[UUID, str]:
    """Names of those documents that the actor may read."""
    rows = live().filter(id__in=list(document_ids), collection_id__in=readable_collections(actor))
    return dict(rows.values_list("id", "name"))


def summaries_of(*, actor: Actor, document_ids: Iterable[UUID]) -> dict[UUID, DocumentSummary]:
    """Those documents that the actor may read."""
    rows = live().filter(id__in=list(document_ids), collection_id__in=readable_collections(actor))
    return {row.id: summary_of(row) for row in rows}


def languages(*, collection_id: UUID) -> tuple[str, ...]:
    """Languages of the collection's documents, sorted. The caller checked the right."""
    rows = Document.objects.filter(collection_id=collection_id, deleted_at=None, binned_at=None).exclude(
        current_version__language=""
    )
    return tuple(sorted(set(rows.values_list("current_version__language", flat=True))))


def collection_of(*, document_id: UUID) -> UUID | None:
    """Where a live document stands. No right is checked: for notices of one's own act."""
    return live().filter(id=document_id).values_list("collection_id", flat=True).first()


def count_documents(*, collection_ids: Iterable[UUID]) -> dict[UUID, int]:
    """Number of live documents per collection; collections without any are absent."""
    counts: dict[UUID, int] = {}
    documents = Document.objects.filter(deleted_at=None, binned_at=None, collection_id__in=list(collection_ids))
    for collection_id in documents.values_list("collection_id", flat=True):
        counts[collection_id] = counts.get(collection_id, 0) + 1
    return counts


def get_document(*, actor: Actor, document_id: UUID) -> DocumentDetail:
    """Raises NotFound for what the actor may not read, word for word like an unknown id."""
    row = readable(actor, document_id)
    version = row.current_version
    assert version is not None
    warnings = tuple(_warning(data) for data in version.warnings)
    return DocumentDetail(summary_of(row), version.title, version.reader, warnings)


def summary(*, document_id: UUID) -> DocumentSummary:
    """For callers that checked the right themselves. Raises NotFound."""
    row = live().filter(id=document_id).first()
    if row is None:
        raise NotFound
    return summary_of(row)


def searchable_versions(
    *,
    actor: Actor,
    collection_ids: Iterable[UUID] | None = None,
    document_ids: Iterable[UUID] | None = None,
) -> tuple[tuple[UUID, UUID], ...]:
    """(document id, version id) of everything that the actor may search, narrowed by their choice. One rule for all."""
    collections = readable_collections(actor)
    if collection_ids is not None:
        collections &= frozenset(collection_ids)
    documents = Document.objects.filter(
        deleted_at=None, binned_at=None, collection_id__in=collections, current_version__state__in=SEARCHABLE_STATES
    )
    if document_ids is not None:
        documents = documents.filter(id__in=list(document_ids))
    return tuple(documents.order_by("id").values_list("id", "current_version_id"))


def list_members(*, actor: Actor, document_id: UUID) -> tuple[MemberView, ...]:
    """What an archive or mail holds and what became of each: three queries however many there are."""
    version = readable(actor, document_id).current_version
    assert version is not None
    ids = [UUID(found) for _name, _size, _outcome, found in version.members if found]
    rows = live().filter(id__in=ids, collection_id__in=readable_collections(actor))
    documents = {row.id: summary_of(row) for row in rows}
    return tuple(
        MemberView(name, size, outcome, documents.get(UUID(found)) if found else None)
        for name, size, outcome, found in version.members
    )


def names_of_places(*, spans: Sequence[Span]) -> tuple[str, ...]:
    """What each place is called, for code that works inside a scope: "Sales!B7", heading and paragraph, line."""
    return places.names_of(spans)


def original(*, actor: Actor, document_id: UUID) -> OriginalFile:
    """The file as it was brought, as a stream; the download is recorded."""
    row = readable(actor, document_id)
    version = row.current_version
    assert version is not None
    file = stored_file(version.file_id)
    audit.record(
        action="document.downloaded",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="document",
        object_id=document_id,
    )
    media_type = version.media_type or "application/octet-stream"
    return OriginalFile(row.name.rsplit("/", 1)[-1], media_type, file.size, storage.read(file.storage_key))


# --- inside a scope: no actor, the caller's scope is the right ------------------------------------------------


def read_pages(*, version_id: UUID, numbers: Iterable[int], keeps_uniform: bool = False) -> tuple[PageContent, ...]:
    """Pages with blocks and tables, without words, in order; unknown numbers are absent. Three queries.

    `keeps_uniform`: pages of long sheets without the rows of their table (see reading.uniform).
    """
    rows = Page.objects.filter(version_id=version_id, number__in=list(numbers))
    pages = page_contents(list(rows.defer("words", "grids").order_by("number")))
    return tuple(pages if keeps_uniform else (replace(expanded(page), grids=()) for page in pages))


def openings(*, version_ids: Iterable[UUID]) -> dict[UUID, str]:
    """How each document calls itself: title and first line, then, behind a form feed, its cover page. One query."""
    rows = Page.objects.filter(version_id__in=list(version_ids), number=1)
    fields = rows.values_list(
        "version_id", "version__title", "version__page_count", Substr("text", 1, COVER_CHARACTERS)
    )
    return {
        version_id: opening_of(title=title, text=text, page_count=count) for version_id, title, count, text in fields
    }


def opening_of(*, title: str, text: str, page_count: int) -> str:
    """See `openings`. A short document has no cover: its first page already speaks of others."""
    first_line = next((line.strip() for line in text.splitlines() if line.strip()), "")[:OPENING_CHARACTERS]
    cover = text[:COVER_CHARACTERS] if page_count >= COVERED_FROM else ""
    return f"{title.split(' · ')[0]}\n{first_line}\f{cover}"


def names_of_versions(*, version_ids: Iterable[UUID]) -> dict[UUID, str]:
    """Document name per version; deleted ones are absent."""
    rows = DocumentVersion.objects.filter(id__in=list(version_ids), document__deleted_at=None, document__binned_at=None)
    return dict(rows.values_list("id", "document__name"))


def identities(*, version_ids: Iterable[UUID]) -> tuple[VersionIdentity, ...]:
    """What a question may call each document, and how much of it is indexed. One query."""
    rows = DocumentVersion.objects.filter(id__in=list(version_ids), document__deleted_at=None, document__binned_at=None)
    fields = ("id", "document__name", "title", "chunk_count", "embedded_count")
    return tuple(VersionIdentity(*row) for row in rows.values_list(*fields))


def index_counts(*, version_ids: Iterable[UUID]) -> tuple[int, int]:
    """(chunks, chunks with a vector) of the versions."""
    totals = DocumentVersion.objects.filter(id__in=list(version_ids)).aggregate(
        chunks=Sum("chunk_count"), embedded=Sum("embedded_count")
    )
    return totals["chunks"] or 0, totals["embedded"] or 0


def live_documents(*, actor: Actor, document_ids: Iterable[UUID]) -> frozenset[UUID]:
    """Which of the documents still exist and may be read: a citation of any other shows as deleted."""
    rows = Document.objects.filter(
        id__in=list(document_ids), deleted_at=None, binned_at=None, collection_id__in=readable_collections(actor)
    )
    return frozenset(rows.values_list("id", flat=True))


def hold_live_documents(*, document_ids: Iterable[UUID]) -> frozenset[UUID]:
    """Which of the documents still exist; they cannot be deleted before the caller's transaction ends.

    A deletion that waits here finds and scrubs what the transaction wrote; one that came first is seen here.
    """
    rows = Document.objects.select_for_update().filter(id__in=list(document_ids), deleted_at=None, binned_at=None)
    return frozenset(row.id for row in rows.order_by("id"))


def standings(*, version_ids: Iterable[UUID]) -> dict[UUID, VersionStanding]:
    """What has become of cited versions, for code that works inside a scope; unknown ones are absent. One query."""
    rows = DocumentVersion.objects.filter(id__in=list(version_ids)).values_list(
        "id", "document__deleted_at", "document__binned_at", "superseded_at"
    )
    return {
        found: VersionStanding(deleted is not None or binned is not None, superseded is not None)
        for found, deleted, binned, superseded in rows
    }


def current_versions(*, collection_id: UUID) -> tuple[tuple[UUID, UUID, VersionState], ...]:
    """(document, its current version, state) of all live documents of a collection, oldest first. One query."""
    rows = Document.objects.filter(collection_id=collection_id, deleted_at=None, binned_at=None)
    found = rows.exclude(current_version=None).order_by("created_at", "id")
    return tuple(
        (document_id, version_id, VersionState(state))
        for document_id, version_id, state in found.values_list("id", "current_version_id", "current_version__state")
        if version_id is not None
    )


def binned_versions() -> tuple[UUID, ...]:
    """Versions of documents that are in the organisation's bin, for code that hides what was copied of them."""
    rows = DocumentVersion.objects.filter(document__deleted_at=None, document__binned_at__isnull=False)
    return tuple(rows.values_list("id", flat=True))


def _warning(data: list[object]) -> ReadingWarning:
    return codec.warning_from_json(data)
