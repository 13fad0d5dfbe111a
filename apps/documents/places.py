"""What a place in a page is called: "Sales!B7" in a sheet, heading and paragraph in running text, a line in text.

The place itself is always page number + offsets; this is its name for people. Pages with images keep their label.
"""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from apps.documents.contracts import Span
from apps.documents.models import Block, DocumentVersion, Page
from apps.documents.rows import grids_of
from apps.reading.contracts import BlockKind, Grid, GridCell, GridRow, MediaType
from apps.reading.writing import reference

LONGEST = 40


def names_of(spans: Sequence[Span]) -> tuple[str, ...]:
    """A name for each span, at most 40 characters; "" where the page's own number and label say it."""
    types = dict(
        DocumentVersion.objects.filter(id__in={span.version_id for span in spans}).values_list("id", "media_type")
    )
    pages: dict[tuple[UUID, int], Page] = {}
    for version_id in types:
        if not _is_named_by_page(types[version_id]):
            numbers = {span.page for span in spans if span.version_id == version_id}
            found = Page.objects.filter(version_id=version_id, number__in=numbers).defer("words")
            pages |= {(version_id, page.number): page for page in found}
    return tuple(_name(span, types.get(span.version_id, ""), pages)[:LONGEST] for span in spans)


def range_of(grids: Iterable[Grid], start: int, end: int) -> str:
    """ "Sales!B7" or "Sales!A2:C4" for the cells that the span touches, "" for none."""
    for grid in grids:
        touched = cells_in(grid, start, end)
        if not touched:
            continue
        columns = [cell.column for _row, cell in touched]
        first, last = touched[0][0], touched[-1][0]
        corner, opposite = reference(min(columns), first.number), reference(max(columns), last.number)
        place = corner if corner == opposite else f"{corner}:{opposite}"
        is_hidden = grid.is_hidden or first.is_hidden or columns[0] in grid.hidden_columns
        named = f"{grid.name}!{place}" if grid.name else place
        return _("%(place)s (hidden)") % {"place": named} if is_hidden else named
    return ""


def cells_in(grid: Grid, start: int, end: int) -> list[tuple[GridRow, GridCell]]:
    """Cells that the span touches, in reading order."""
    return [(row, cell) for row in grid.rows for cell in row.cells if cell.start < end and cell.end > start]


def _is_named_by_page(media_type: str) -> bool:
    return media_type in ("", *(kind for kind in MediaType if kind.has_page_images))


def _name(span: Span, media_type: str, pages: Mapping[tuple[UUID, int], Page]) -> str:
    page = pages.get((span.version_id, span.page))
    if page is None:
        return ""
    if media_type in (MediaType.TEXT, MediaType.MARKDOWN):
        line = max(page.first_line, 1) + page.text.count("\n", 0, span.start)
        return _("line %(number)d") % {"number": line}
    if media_type == MediaType.PPTX:
        return _("slide %(number)d") % {"number": span.page}
    grids = grids_of(page)
    if MediaType(media_type).is_grid or any(grid.block < 0 for grid in grids):
        return range_of(grids, span.start, span.end)
    return _paragraph(page, span.start)


def _paragraph(page: Page, start: int) -> str:
    """The nearest heading above and the number of the paragraph, counted through the document."""
    blocks = list(Block.objects.filter(page_id=page.id, start__lte=start).order_by("ordinal"))
    count = page.first_line + max(len(blocks) - 1, 0)
    number = _("¶ %(number)d") % {"number": count}
    head = next((b for b in reversed(blocks) if b.kind == BlockKind.HEADING), None)
    text = page.text
    if head is None:
        earlier = Block.objects.filter(
            page__version_id=page.version_id, page__number__lt=page.number, kind=BlockKind.HEADING
        )
        head = earlier.select_related("page").order_by("-page__number", "-ordinal").first()
        text = head.page.text if head is not None else ""
    if head is None:
        return number
    words = " ".join(text[head.start : head.end].split())
    room = LONGEST - len(number) - 3
    return f"{words if len(words) <= room else words[: room - 1] + '…'} · {number}"
