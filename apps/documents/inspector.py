"""Structure of a version as the readers gave it, for those who manage the collection: pages, blocks, tables, facts."""

from dataclasses import dataclass
from uuid import UUID

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import require
from apps.core.errors import NotFound
from apps.documents.rows import readable, whole_pages
from apps.documents.selectors import page_changes
from apps.reading.codec import warning_from_json
from apps.reading.contracts import Block, PageContent, ReadingWarning

_LONGEST = 200  # characters of a block's words


@dataclass(frozen=True, slots=True)
class InspectedBlock:
    block: Block
    words: str
    length: int


@dataclass(frozen=True, slots=True)
class InspectedTable:
    block: int
    title: str
    scale_note: str
    columns: tuple[str, ...]
    rows: int
    cells: int
    confidence: int
    continues: bool


@dataclass(frozen=True, slots=True)
class InspectedPage:
    """One page of a version, and what is known of the whole version."""

    number: int
    label: str
    width: float
    height: float
    rotation: int
    language: str
    characters: int
    words: int
    doubtful_words: int  # that a recogniser was not sure of
    grids: int
    changes: int
    blocks: tuple[InspectedBlock, ...]
    tables: tuple[InspectedTable, ...]
    warnings: tuple[ReadingWarning, ...]  # of the page
    page_count: int
    version_id: UUID
    version_number: int
    reader: str
    state: str
    media_type: str
    details: tuple[tuple[str, str], ...]  # what the file's own header says
    warning_count: int  # of the version


def inspect_page(*, actor: Actor, document_id: UUID, number: int) -> InspectedPage:
    """What reading made of a page. Raises NotFound, NotAllowed without the right to manage the collection."""
    document = readable(actor, document_id)
    require(actor, Permission.MANAGE, collection_id=document.collection_id)
    version = document.current_version
    assert version is not None
    pages = whole_pages(version.id, [number])
    if not pages:
        raise NotFound
    page = pages[0]
    warnings = tuple(warning_from_json(data) for data in version.warnings)
    return InspectedPage(
        number=page.number,
        label=page.label,
        width=page.width,
        height=page.height,
        rotation=page.rotation,
        language=page.language,
        characters=len(page.text),
        words=len(page.words),
        doubtful_words=sum(1 for word in page.words if word.confidence < 100),
        grids=len(page.grids),
        changes=len(page_changes(actor=actor, document_id=document_id, number=number)),
        blocks=_blocks(page),
        tables=_tables(page),
        warnings=tuple(warning for warning in warnings if warning.page == number),
        page_count=version.page_count,
        version_id=version.id,
        version_number=version.number,
        reader=version.reader,
        state=version.state,
        media_type=version.media_type,
        details=tuple((str(name), str(said)) for name, said in version.details),
        warning_count=len(warnings),
    )


def _blocks(page: PageContent) -> tuple[InspectedBlock, ...]:
    return tuple(
        InspectedBlock(block, " ".join(page.text[block.start : block.end].split())[:_LONGEST], block.end - block.start)
        for block in page.blocks
    )


def _tables(page: PageContent) -> tuple[InspectedTable, ...]:
    return tuple(
        InspectedTable(
            table.block,
            table.title,
            table.scale_note,
            table.columns,
            len(table.rows),
            sum(len(row.cells) for row in table.rows),
            table.confidence,
            table.continues,
        )
        for table in page.tables
    )
