"""Reads of tables: the list of a document's tables, and one of them whole, joined over the pages that it runs over."""

from dataclasses import dataclass, replace
from decimal import Decimal
from uuid import UUID

from apps.accounts.contracts import Actor
from apps.core.errors import NotFound
from apps.documents.models import DocumentVersion, Table
from apps.documents.rows import readable, whole_pages
from apps.documents.table_lines import TableLine, lines_of, width_of
from apps.finance.units import Scale
from apps.reading.contracts import MediaType
from apps.reading.quantities import note_of
from apps.reading.scale_notes import read_note

_WINDOW = 32  # pages read at once
LINES_SHOWN = 300  # of a table beside its page; files hold more


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table of a document, named by the page and block where it begins."""

    page: int
    block: int
    label: str  # printed page label, or the sheet's name
    title: str
    scale_note: str
    columns: tuple[str, ...]
    row_count: int
    confidence: int  # percent
    last_page: int

    @property
    def key(self) -> str:
        return f"{self.page}-{self.block}"


@dataclass(frozen=True, slots=True)
class TableView:
    """A table with its lines. `line_count` of all pages may be more than the lines that were asked for."""

    summary: TableSummary
    document_id: UUID
    document_name: str
    version_id: UUID
    version_number: int
    currency: str  # ISO 4217, "" when nothing names one
    scale: Scale  # of most of its figures: not applied to the values
    lines: tuple[TableLine, ...]
    labels: tuple[tuple[int, str], ...]  # printed label of each page
    width: int
    is_cut: bool
    has_images: bool  # whether its pages are images


@dataclass(frozen=True, slots=True)
class _Part:
    page: int
    block: int
    label: str
    title: str
    scale_note: str
    columns: tuple[str, ...]
    row_count: int
    continues: bool
    confidence: int


def list_tables(*, actor: Actor, document_id: UUID, page: int | None = None) -> tuple[TableSummary, ...]:
    """Tables in reading order, one entry for a table that runs over several pages; those on one page when it is given.

    Raises NotFound for a document that the actor may not read.
    """
    version = readable(actor, document_id).current_version
    assert version is not None
    found = (_summary(parts) for parts in _logical(version.id, version.media_type))
    return tuple(table for table in found if page is None or table.page <= page <= table.last_page)


def count_tables(*, version_id: UUID) -> int:
    """Tables of a version, one for a table that runs over several pages. The caller checked the right."""
    rows = Table.objects.filter(page__version_id=version_id, continues=False)
    return rows.values("page__label", "columns").distinct().count() if _is_sheets(version_id) else rows.count()


def _is_sheets(version_id: UUID) -> bool:
    kinds = [kind for kind in MediaType if kind.is_grid]
    return DocumentVersion.objects.filter(id=version_id, media_type__in=kinds).exists()


def get_table(*, actor: Actor, document_id: UUID, page: int, block: int, most_lines: int = LINES_SHOWN) -> TableView:
    """The table that has a part there, with at most so many lines. Raises NotFound."""
    row = readable(actor, document_id)
    version = row.current_version
    assert version is not None
    logical = _logical(version.id, version.media_type)
    parts = next((parts for parts in logical if any((p.page, p.block) == (page, block) for p in parts)), None)
    if parts is None:
        raise NotFound
    lines, notes, is_cut = _lines(version.id, parts, most_lines)
    units = [cell.unit for line in lines for cell in line.cells if len(cell.unit) == 3]
    return TableView(
        summary=_summary(parts),
        document_id=document_id,
        document_name=row.name,
        version_id=version.id,
        version_number=version.number,
        currency=max(set(units), key=units.count) if units else read_note(notes).currency,
        scale=_common_scale(lines),
        lines=tuple(lines),
        labels=tuple((part.page, part.label) for part in parts),
        width=width_of(lines),
        is_cut=is_cut,
        has_images=MediaType(version.media_type).has_page_images,
    )


def _logical(version_id: UUID, media_type: str) -> list[list[_Part]]:
    """Parts of tables, those that go on with the one before joined to it. One query, without rows."""
    rows = Table.objects.filter(page__version_id=version_id).order_by("page__number", "block")
    fields = ("page__number", "block", "page__label", "title", "scale_note", "columns", "row_count", "continues")
    is_grid = media_type in tuple(kind for kind in MediaType if kind.is_grid)
    joined: list[list[_Part]] = []
    for number, block, label, title, note, columns, count, continues, confidence in rows.values_list(
        *fields, "confidence"
    ):
        part = _Part(number, block, label, title, note, tuple(columns), count, continues, confidence)
        before = joined[-1][-1] if joined else None
        if before is not None and before.page == number - 1 and (continues or (is_grid and _goes_on(before, part))):
            joined[-1].append(part)
        else:
            joined.append([part])
    return joined


def _goes_on(before: _Part, part: _Part) -> bool:
    """Whether a window of a sheet's rows holds the same table as the window before."""
    return (before.label, before.columns) == (part.label, part.columns)


def _summary(parts: list[_Part]) -> TableSummary:
    first = parts[0]
    return TableSummary(
        page=first.page,
        block=first.block,
        label=first.label,
        title=first.title,
        scale_note=next((part.scale_note for part in parts if part.scale_note), ""),
        columns=first.columns,
        row_count=sum(part.row_count for part in parts),
        confidence=min(part.confidence for part in parts),
        last_page=parts[-1].page,
    )


def _lines(version_id: UUID, parts: list[_Part], most: int) -> tuple[list[TableLine], str, bool]:
    """(lines, words on scale and unit, whether lines were left out). Heads printed again are dropped."""
    lines: list[TableLine] = []
    notes = ""
    for start in range(0, len(parts), _WINDOW):
        window = {part.page: part for part in parts[start : start + _WINDOW]}
        for page in whole_pages(version_id, list(window)):
            table = next(table for table in page.tables if table.block == window[page.number].block)
            notes = notes or note_of(page, table)
            if notes and not table.scale_note:
                table = replace(table, scale_note=notes)
            found = lines_of(page, table)
            lines += [line for line in found if not (lines and line.is_head)]
        if len(lines) > most:
            return lines[:most], notes, True
    return lines, notes, False


def _common_scale(lines: list[TableLine]) -> Scale:
    counts: dict[Scale, int] = {}
    for line in lines:
        for cell in line.cells:
            if cell.value is not None and cell.unit not in ("percent", "times", "basis_points"):
                counts[cell.scale] = counts.get(cell.scale, 0) + 1
    return max(counts, key=lambda scale: counts[scale]) if counts else Scale.ONE


def in_whole_units(value: Decimal, scale: Scale) -> Decimal:
    """The value with its scale applied."""
    return value * scale.value
