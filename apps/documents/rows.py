"""Rows of documents as contracts: the queries behind the selectors. Never called from outside the app."""

from dataclasses import replace
from uuid import UUID

from django.db.models import F, QuerySet

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import readable_collections, require
from apps.core.errors import NotFound
from apps.core.text import fold
from apps.documents.contracts import DocumentFilter, DocumentSummary, VersionState
from apps.documents.models import Block, Document, Page, StoredFile, Table
from apps.reading import codec
from apps.reading.contracts import Block as BlockContent
from apps.reading.contracts import BlockKind, Box, Grid, PageContent, Uniform
from apps.reading.contracts import Table as TableContent
from apps.reading.uniform import expanded


def live() -> QuerySet[Document]:
    return (
        Document.objects.filter(deleted_at=None, binned_at=None)
        .select_related("current_version", "collection", "created_by", "parent")
        .annotate(file_size=F("current_version__file__size"))
    )


def listed(actor: Actor, collection_id: UUID | None, narrowed: DocumentFilter) -> QuerySet[Document]:
    """Documents that the actor may read, of one collection or all, as far as the filter lets them; in no order.

    Raises NotFound for a collection that is not open to them.
    """
    if collection_id is None:
        documents = live().filter(collection_id__in=readable_collections(actor))
    else:
        require(actor, Permission.READ, collection_id=collection_id)
        documents = live().filter(collection_id=collection_id)
    exact = {"kind": narrowed.kind, "language": narrowed.language}
    documents = documents.filter(**{f"current_version__{name}": value for name, value in exact.items() if value})
    if narrowed.entity.strip():
        documents = documents.filter(current_version__entity_key__contains=fold(narrowed.entity.strip()))
    if narrowed.period_from is not None:
        documents = documents.filter(current_version__period_end__gte=narrowed.period_from)
    if narrowed.period_to is not None:
        documents = documents.filter(current_version__period_end__lte=narrowed.period_to)
    wanted = fold(narrowed.name.strip())
    if not wanted:
        return documents
    names = documents.values_list("id", "name")
    return documents.filter(id__in=[found for found, name in names if wanted in fold(name)])


def readable(actor: Actor, document_id: UUID) -> Document:
    row = live().filter(id=document_id, collection_id__in=readable_collections(actor)).first()
    if row is None or row.current_version is None:
        raise NotFound
    return row


def summary_of(row: Document) -> DocumentSummary:
    version = row.current_version
    assert version is not None
    return DocumentSummary(
        id=row.id,
        collection_id=row.collection_id,
        collection_name=row.collection.name,
        name=row.name,
        state=VersionState(version.state),
        version_id=version.id,
        job_id=version.job_id,
        media_type=version.media_type,
        size=getattr(row, "file_size", None) or 0,
        page_count=version.page_count,
        pages_read=version.pages_read,
        chunk_count=version.chunk_count,
        embedded_count=version.embedded_count,
        warning_count=len(version.warnings),
        failure=version.failure,
        language=version.language,
        created_at=row.created_at,
        created_by_name=row.created_by.name if row.created_by else "",
        parent_id=row.parent_id if row.parent and not row.parent.binned_at else None,
        parent_name=row.parent.name if row.parent and not row.parent.binned_at else "",
        kind=version.kind,
        entity=version.entity,
        period=version.period,
    )


def block_contents(pages: list[Page]) -> dict[UUID, list[BlockContent]]:
    found: dict[UUID, list[BlockContent]] = {}
    for row in Block.objects.filter(page_id__in=[page.id for page in pages]).order_by("page_id", "ordinal"):
        box: Box | None = (row.box[0], row.box[1], row.box[2], row.box[3]) if row.box else None
        content = BlockContent(row.ordinal, BlockKind(row.kind), row.start, row.end, box, row.level)
        found.setdefault(row.page_id, []).append(content)
    return found


def page_contents(pages: list[Page]) -> list[PageContent]:
    """The pages with blocks and tables, without words and grids. Two queries."""
    blocks, tables = block_contents(pages), table_contents(pages)
    return [_content(page, blocks.get(page.id, []), tables.get(page.id, [])) for page in pages]


def grids_of(page: Page) -> tuple[Grid, ...]:
    """What a viewer lays out; `page` with its text and grids."""
    blob = bytes(page.grids)
    return expanded(page_contents([page])[0]).grids if blob == codec.UNIFORM else codec.decode_grids(blob)


def table_contents(pages: list[Page]) -> dict[UUID, list[tuple[TableContent, Uniform | None]]]:
    """Tables by page; of a uniform page without rows, with what they follow from."""
    found: dict[UUID, list[tuple[TableContent, Uniform | None]]] = {}
    for row in Table.objects.filter(page_id__in=[page.id for page in pages]).order_by("page_id", "block"):
        bare = TableContent(row.block, tuple(row.columns), (), row.title, row.scale_note)
        body = codec.decode_body(bytes(row.rows), bare)
        found.setdefault(row.page_id, []).append((bare, body) if isinstance(body, Uniform) else (body, None))
    return found


def _content(page: Page, blocks: list[BlockContent], tables: list[tuple[TableContent, Uniform | None]]) -> PageContent:
    return PageContent(
        number=page.number,
        label=page.label,
        width=page.width,
        height=page.height,
        rotation=page.rotation,
        text=page.text,
        words=(),
        blocks=tuple(blocks),
        tables=tuple(table for table, _uniform in tables),
        language=page.language,
        first_line=page.first_line,
        uniform=next((uniform for _table, uniform in tables if uniform), None),
    )


def whole_pages(version_id: UUID, numbers: list[int]) -> list[PageContent]:
    """Pages with words and grids, blocks and tables, in order. Three queries."""
    pages = list(Page.objects.filter(version_id=version_id, number__in=numbers).order_by("number"))
    return [
        expanded(content)
        if content.uniform
        else replace(
            content,
            words=codec.decode_words(bytes(page.words)),
            grids=codec.decode_grids(bytes(page.grids)),
        )
        for page, content in zip(pages, page_contents(pages), strict=True)
    ]


def stored_file(file_id: UUID | None) -> StoredFile:
    """The row of stored bytes. Raises NotFound when they were released."""
    found = StoredFile.objects.filter(id=file_id).first() if file_id else None
    if found is None:
        raise NotFound
    return found
