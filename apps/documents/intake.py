"""What ingestion writes about a version. Every function runs inside `JobRun.write()`: one transaction, lease held."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from apps.documents import figures, followers, headers, metadata_store, versions
from apps.documents.contracts import HeaderMode, IngestionSource, VersionState
from apps.documents.metadata.fields import Found
from apps.documents.models import Block, Document, DocumentVersion, Figure, Page, StoredFile, Table
from apps.reading import codec
from apps.reading.contracts import WAITING, FileFacts, PageContent, ReadingWarning, WarningCode

_BATCH = 1000
_WITHOUT_WORDS = (WarningCode.NO_TEXT_LAYER, WarningCode.UNREADABLE_FONT)


def source_of(*, version_id: UUID) -> IngestionSource | None:
    """What is to be read; None when there is no such version."""
    version = DocumentVersion.objects.filter(id=version_id).select_related("document").first()
    if version is None:
        return None
    document = version.document
    file_id = version.working_file_id or version.file_id
    file = StoredFile.objects.filter(id=file_id).first() if file_id else None
    return IngestionSource(
        version_id=version.id,
        document_id=document.id,
        collection_id=document.collection_id,
        name=document.name,
        storage_key=file.storage_key if file else "",
        size=file.size if file else 0,
        state=VersionState(version.state),
        page_count=version.page_count,
        pages_read=version.pages_read,
        is_deleted=document.deleted_at is not None or document.binned_at is not None,
        title=version.title,
        language=version.language,
        created_by_id=document.created_by_id,
        media_type=version.media_type,
        details=tuple((str(name), str(said)) for name, said in version.details),
        is_reading=version.reading_of_id is not None,
        is_superseded=version.superseded_at is not None,
    )


def is_in_force(*, version_id: UUID) -> bool:
    """Whether no newer version took over; none does before the transaction ends."""
    held = DocumentVersion.objects.select_for_update().filter(id=version_id, superseded_at=None)
    return held.first() is not None


def begin_reading(*, version_id: UUID, facts: FileFacts) -> None:
    """The version is being read; pages of an earlier attempt by another reader are gone."""
    version = DocumentVersion.objects.select_for_update().get(id=version_id)
    if version.reader and (version.reader != facts.reader or version.page_count != facts.page_count):
        Page.objects.filter(version_id=version_id).delete()
    version.state = VersionState.READING
    version.media_type = facts.media_type.value
    version.page_count = facts.page_count
    version.reader = facts.reader
    version.title = facts.title
    version.details = [list(detail) for detail in facts.details]
    version.outline = codec.outline_to_json(facts.outline)
    version.failure = ""
    if len(version.members) != len(facts.members):
        version.members = [[m.name, m.size, m.refusal.value if m.refusal else "", ""] for m in facts.members]
    kept = [w for w in version.warnings if w[1] is not None]
    version.warnings = [codec.warning_to_json(w) for w in facts.warnings] + kept
    version.pages_read = Page.objects.filter(version_id=version_id).count()
    version.save()


def stored_pages(*, version_id: UUID) -> frozenset[int]:
    """Numbers of the pages that an earlier attempt stored."""
    return frozenset(Page.objects.filter(version_id=version_id).values_list("number", flat=True))


def pages_to_recognise(*, version_id: UUID) -> tuple[int, ...]:
    """Pages that are images or set in fonts without letters, and that no recogniser has looked at, in order."""
    version = DocumentVersion.objects.get(id=version_id)
    return tuple(sorted({w[1] for w in version.warnings if w[0] in _WITHOUT_WORDS and w[2] == WAITING and w[1]}))


def unrecognised(number: int, reason: str) -> ReadingWarning:
    """What is said of an image page whose recognition failed."""
    return ReadingWarning(WarningCode.NO_TEXT_LAYER, number, reason)


def store_recognised(
    *, version_id: UUID, number: int, page: PageContent | None, warnings: Iterable[ReadingWarning]
) -> None:
    """The page has the words of its image, when some were found. It waits no more; its warnings say what happened."""
    version = DocumentVersion.objects.select_for_update().get(id=version_id)
    kept = [w for w in version.warnings if not (w[0] in _WITHOUT_WORDS and w[1] == number)]
    gone = [[w[0], w[1], ""] for w in version.warnings if w[0] in _WITHOUT_WORDS and w[1] == number]
    added = [codec.warning_to_json(warning) for warning in warnings]
    version.warnings = kept + (added or gone)
    version.save(update_fields=["warnings"])
    if page is not None and page.text:
        Page.objects.filter(version_id=version_id, number=number).delete()
        _store([page], version_id)


def store_pages(
    *, version_id: UUID, first: int, last: int, pages: Iterable[PageContent], warnings: Iterable[ReadingWarning]
) -> None:
    """Pages first … last with blocks and tables are stored; a failed page is stored empty, with its warning."""
    by_number = {page.number: page for page in pages}
    contents = [by_number.get(number) or _empty_page(number) for number in range(first, last + 1)]
    _store(contents, version_id)
    version = DocumentVersion.objects.select_for_update().get(id=version_id)
    added = [codec.warning_to_json(warning) for warning in warnings]
    DocumentVersion.objects.filter(id=version_id).update(
        pages_read=F("pages_read") + len(contents), warnings=version.warnings + added
    )


def _store(contents: list[PageContent], version_id: UUID) -> None:
    rows = [_page_row(version_id, content) for content in contents]
    Page.objects.bulk_create(rows)
    Block.objects.bulk_create(
        [
            Block(
                page_id=row.id,
                ordinal=block.ordinal,
                kind=block.kind.value,
                level=block.level,
                start=block.start,
                end=block.end,
                box=list(block.box) if block.box else None,
            )
            for row, content in zip(rows, contents, strict=True)
            for block in content.blocks
        ],
        batch_size=_BATCH,
    )
    Table.objects.bulk_create(
        [
            Table(
                page_id=row.id,
                block=table.block,
                columns=list(table.columns),
                title=table.title[:400],
                scale_note=table.scale_note[:400],
                row_count=len(content.uniform.numbers if content.uniform else table.rows),
                rows=codec.encode_body(table, content.uniform),
                continues=table.continues,
                confidence=table.confidence,
            )
            for row, content in zip(rows, contents, strict=True)
            for table in content.tables
        ],
        batch_size=_BATCH,
    )
    Figure.objects.bulk_create(
        [figure for row, content in zip(rows, contents, strict=True) for figure in figures.rows_of(row.id, content)],
        batch_size=_BATCH,
    )


def describe(*, version_id: UUID, language: str, title: str) -> None:
    """Language of most pages, and what the file calls itself: shown, and matched when a question names it."""
    DocumentVersion.objects.filter(id=version_id).update(language=language, title=title[:300])


def store_found(*, version_id: UUID, found: Sequence[Found]) -> None:
    """What rules found in the version is stored; what people set stays."""
    metadata_store.store_found(version_id=version_id, found=found)


def header_mode(*, collection_id: UUID) -> HeaderMode:
    """What stands in the headers of the collection's chunks."""
    return headers.header_mode_of(collection_id=collection_id)


def mark_searchable(*, version_id: UUID, chunk_count: int) -> None:
    """The text index is committed with this transaction: the document can be found and cited."""
    version = DocumentVersion.objects.select_for_update().get(id=version_id)
    DocumentVersion.objects.filter(id=version_id).update(
        state=VersionState.SEARCHABLE,
        chunk_count=chunk_count,
        embedded_count=0,
        searchable_at=version.searchable_at or timezone.now(),
    )
    versions.take_over(version)
    followers.tell_ready(version.document_id, (version_id,))


def mark_embedded(*, version_id: UUID, embedded_count: int) -> None:
    DocumentVersion.objects.filter(id=version_id).update(embedded_count=embedded_count)


def mark_ready(*, version_id: UUID) -> None:
    """Nothing is left to do; with warnings when some concern the reading."""
    version = DocumentVersion.objects.select_for_update().get(id=version_id)
    if version.state not in (VersionState.SEARCHABLE, VersionState.READY_WITH_WARNINGS):
        return
    warnings = [w for w in version.warnings if w[0] != WarningCode.MEANING_STOPPED]
    state = VersionState.READY_WITH_WARNINGS if warnings else VersionState.READY
    DocumentVersion.objects.filter(id=version_id).update(state=state, warnings=warnings)


def mark_meaning_stopped(*, version_id: UUID, reason: str) -> None:
    """The meaning index ended half-way: text search is whole, the document says so, trying again goes on from there."""
    version = DocumentVersion.objects.select_for_update().filter(id=version_id).first()
    if version is None or version.state != VersionState.SEARCHABLE:
        return
    warning = codec.warning_to_json(ReadingWarning(WarningCode.MEANING_STOPPED, None, reason))
    DocumentVersion.objects.filter(id=version_id).update(
        state=VersionState.READY_WITH_WARNINGS, warnings=[*version.warnings, warning]
    )


def mark_waiting(*, version_id: UUID) -> None:
    """What stopped waits to be read again, from what was read already."""
    DocumentVersion.objects.filter(id=version_id).update(state=VersionState.QUEUED, failure="")


def mark_stopped(*, version_id: UUID, state: VersionState, failure: str) -> None:
    """The reading ended for good (rejected, needs password) or failed. A deleted version stays deleted."""
    DocumentVersion.objects.filter(id=version_id).exclude(state=VersionState.DELETED).update(
        state=state, failure=failure
    )


def searchable_document(*, version_id: UUID) -> Document | None:
    """The live document whose current version this is."""
    return Document.objects.filter(current_version_id=version_id, deleted_at=None, binned_at=None).first()


def _empty_page(number: int) -> PageContent:
    return PageContent(number, "", 0.0, 0.0, 0, "", (), (), (), "")


def _page_row(version_id: UUID, content: PageContent) -> Page:
    return Page(
        version_id=version_id,
        number=content.number,
        label=content.label[:40],
        width=content.width,
        height=content.height,
        rotation=content.rotation,
        text=content.text,
        words=codec.encode_words(content.words) if content.words else b"",
        language=content.language,
        first_line=content.first_line,
        grids=codec.UNIFORM if content.uniform else codec.encode_grids(content.grids) if content.grids else b"",
        changes=codec.changes_to_json(content.changes),
    )
