"""Reads of one page, or of all pages of one document: what the viewers show. Part of selectors, which names them."""

from datetime import timedelta
from uuid import UUID

from django.db.models import Min
from django.utils import timezone

from apps.accounts.contracts import Actor
from apps.core.errors import NotFound
from apps.documents import images
from apps.documents.contracts import SEARCHABLE_STATES, OutlineEntry, PageView, PageWord
from apps.documents.layouts import Light
from apps.documents.models import Block, Document, DocumentVersion, Page
from apps.documents.rows import block_contents, grids_of, readable, stored_file
from apps.documents.table_lines import merged
from apps.reading import codec
from apps.reading.contracts import Block as BlockContent
from apps.reading.contracts import BlockKind, Box, Grid, MediaType, ReadingError, TrackedChange
from apps.tenants import audit
from apps.tenants.context import tenant_context

_LEAST_OWN_OUTLINE = 3  # entries; one or two are the file's name
_WITH_IMAGES = tuple(kind for kind in MediaType if kind.has_page_images)


def get_page(*, actor: Actor, document_id: UUID, number: int) -> PageView:
    """A page of the current version; the viewing is recorded once per person, document and minute."""
    row = readable(actor, document_id)
    version = row.current_version
    assert version is not None
    page = Page.objects.filter(version_id=version.id, number=number).defer("words", "grids").first()
    if page is None:
        raise NotFound
    _record_view(actor, document_id, row.name, number)
    return _page_view(row, version, page)


def _page_view(row: Document, version: DocumentVersion, page: Page) -> PageView:
    return PageView(
        document_id=row.id,
        document_name=row.name,
        version_id=version.id,
        number=page.number,
        label=page.label,
        width=page.width,
        height=page.height,
        text=page.text,
        language=page.language,
        first_line=page.first_line,
        page_count=version.page_count,
        has_image=page.width > 0,
        media_type=version.media_type,
    )


def get_version_page(*, actor: Actor, document_id: UUID, version_id: UUID, number: int) -> PageView:
    """As get_page, of any version of the document that was read, or of an earlier reading. Raises NotFound."""
    row = readable(actor, document_id)
    version = DocumentVersion.objects.filter(id=version_id, document_id=document_id).first()
    page = Page.objects.filter(version_id=version_id, number=number).defer("words", "grids").first()
    if version is None or page is None or version.state not in SEARCHABLE_STATES:
        raise NotFound
    _record_view(actor, document_id, row.name, number)
    return _page_view(row, version, page)


def version_words(*, actor: Actor, document_id: UUID, version_id: UUID, number: int) -> tuple[PageWord, ...]:
    """As page_words, of any version."""
    readable(actor, document_id)
    found = Page.objects.filter(version_id=version_id, version__document_id=document_id, number=number)
    blob = found.values_list("words", flat=True).first()
    return tuple(PageWord(w.text, w.start, w.box) for w in codec.decode_words(bytes(blob))) if blob else ()


def page_words(*, actor: Actor, document_id: UUID, number: int) -> tuple[PageWord, ...]:
    """Words of a page with their places, for selecting text over its image."""
    version_id = readable(actor, document_id).current_version_id
    blob = Page.objects.filter(version_id=version_id, number=number).values_list("words", flat=True).first()
    if blob is None:
        raise NotFound
    return tuple(PageWord(w.text, w.start, w.box) for w in codec.decode_words(bytes(blob)))


def boxes_for_span(*, actor: Actor, document_id: UUID, number: int, start: int, end: int) -> tuple[Box, ...]:
    """Where page text[start:end] stands: one box per line. () for text files."""
    version_id = readable(actor, document_id).current_version_id
    assert version_id is not None
    return boxes_in_version(version_id=version_id, number=number, start=start, end=end)


def boxes_in_version(*, version_id: UUID, number: int, start: int, end: int) -> tuple[Box, ...]:
    """As boxes_for_span, for code that works inside a scope. () when less than half of the span can be placed."""
    found = Page.objects.filter(version_id=version_id, number=number).values_list("words", "text").first()
    blob, text = found or (b"", "")
    words = [w for w in (codec.decode_words(bytes(blob)) if blob else ()) if w.start < end and w.end > start]
    placed = Light(start, end).placed(text, ((word.start, word.end) for word in words))
    return merged([word.box for word in words]) if placed.end else ()


def page_grids(*, actor: Actor, document_id: UUID, number: int) -> tuple[Grid, ...]:
    """Rows and columns of a page: the whole window of a sheet, or each table of running text."""
    version_id = readable(actor, document_id).current_version_id
    page = Page.objects.filter(version_id=version_id, number=number).defer("words").first()
    if page is None:
        raise NotFound
    return grids_of(page)


def page_changes(*, actor: Actor, document_id: UUID, number: int) -> tuple[TrackedChange, ...]:
    """Tracked changes of a page, in reading order."""
    version_id = readable(actor, document_id).current_version_id
    found = Page.objects.filter(version_id=version_id, number=number).values_list("changes", flat=True).first()
    return codec.changes_from_json(found or [])


def page_blocks(*, actor: Actor, document_id: UUID, number: int) -> tuple[BlockContent, ...]:
    """Blocks of a page in reading order."""
    version_id = readable(actor, document_id).current_version_id
    pages = list(Page.objects.filter(version_id=version_id, number=number).only("id"))
    return tuple(block_contents(pages).get(pages[0].id, ())) if pages else ()


def sheet_tabs(*, actor: Actor, document_id: UUID) -> tuple[OutlineEntry, ...]:
    """Sheets of a workbook, each with its first page."""
    version_id = readable(actor, document_id).current_version_id
    firsts = Page.objects.filter(version_id=version_id).values("label").annotate(first=Min("number"))
    return tuple(OutlineEntry(row["first"], "", 1, row["label"]) for row in firsts.order_by("first") if row["label"])


def outline(*, actor: Actor, document_id: UUID) -> tuple[OutlineEntry, ...]:
    """The file's own outline where it has one, else the headings of its pages; in reading order."""
    version = readable(actor, document_id).current_version
    assert version is not None
    own = codec.outline_from_json(version.outline)
    if len(own) >= _LEAST_OWN_OUTLINE:
        labels = dict(Page.objects.filter(version_id=version.id).values_list("number", "label"))
        return tuple(OutlineEntry(item.page, labels.get(item.page, ""), item.level, item.title) for item in own)
    rows = (
        Block.objects.filter(page__version_id=version.id, kind=BlockKind.HEADING)
        .order_by("page__number", "ordinal")
        .values_list("page__number", "page__label", "level", "page__text", "start", "end")
    )
    return tuple(
        OutlineEntry(number, label, level, " ".join(text[start:end].split()), start, end)
        for number, label, level, text, start, end in rows
    )


def page_labels(*, actor: Actor, document_id: UUID, first: int, last: int) -> tuple[tuple[int, str], ...]:
    """(number, printed label) of pages first … last."""
    version_id = readable(actor, document_id).current_version_id
    rows = Page.objects.filter(version_id=version_id, number__range=(first, last)).order_by("number")
    return tuple(rows.values_list("number", "label"))


def page_image(*, actor: Actor, document_id: UUID, number: int, dpi: int, version_id: UUID | None = None) -> bytes:
    """PNG of a page at one of images.DPIS (the nearest above is taken), of the current version or of another.

    Holds no transaction while rendering.
    """
    with tenant_context(actor.tenant_id):
        row = readable(actor, document_id)
        version = row.current_version
        if version_id is not None:
            version = DocumentVersion.objects.filter(id=version_id, document_id=document_id).first()
        if version is None:
            raise NotFound
        if not 1 <= number <= version.page_count or version.media_type not in _WITH_IMAGES:
            raise NotFound
        key = stored_file(version.working_file_id or version.file_id).storage_key
    chosen = next((known for known in images.DPIS if known >= dpi), images.DPIS[-1])
    try:
        return images.page_image(
            tenant_id=actor.tenant_id, version_id=version.id, key=key, name=row.name, page=number, dpi=chosen
        )
    except ReadingError as exc:
        raise NotFound(code="no_page_image", detail=exc.detail) from exc


def _record_view(actor: Actor, document_id: UUID, name: str, number: int) -> None:
    """One event per person, document and minute. A race gives two events, never none."""
    latest = audit.list_events(limit=1, actor_id=actor.user_id, action="document.viewed")
    is_recent = bool(latest) and latest[0].object_id == document_id
    if is_recent and timezone.now() - latest[0].at < timedelta(minutes=1):
        return
    audit.record(
        action="document.viewed",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="document",
        object_id=document_id,
        detail={"name": name, "page": number},
    )
