"""Documents in running text (DOCX, HTML, mail): elements in reading order become sections that stand for pages."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from apps.finance.numbers import DecimalMark
from apps.reading.contracts import (
    BlockKind,
    FileFacts,
    MediaType,
    Member,
    PageContent,
    ReadingError,
    ReadingFailure,
    ReadingWarning,
    TrackedChange,
)
from apps.reading.shapes import DraftCell, DraftRow, Placed, last_brackets, says_scale, scale_note_in, shaped
from apps.reading.typed import from_text, mark_of
from apps.reading.writing import PageWriter

_GOOD_CUT = 5_000  # characters after which a heading begins a new section
_HARD_CUT = 9_000
_TABLE_ROWS = 200  # of one table in one section
_BETWEEN_TABLES = _SHORT_LINE = 80
_MAX_PARAGRAPH = 60_000


@dataclass(slots=True)
class Element:
    """A block of words, or a table when `rows` are given."""

    kind: BlockKind
    text: str = ""
    level: int = 0
    rows: list[Placed] = field(default_factory=list)
    changes: list[TrackedChange] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.text) + sum(len(cell.text) + 3 for row, _role, _shape in self.rows for cell in row.cells)


class Elements:
    """Collects elements; a table is named by the heading above it and takes its scale from the line above it."""

    def __init__(self) -> None:
        self.found: list[Element] = []
        self._heading = ""
        self._line = self._before = ""  # the words last met, and those above them
        self._note = ""  # of the table before; a short heading or page number between them does not end it
        self._since = 0  # characters of words since that table

    def words(self, kind: BlockKind, text: str, level: int = 0) -> None:
        """One block; white space alone is none."""
        text = text.strip()[:_MAX_PARAGRAPH]
        if not text:
            return
        if says_scale(text):
            kind, level = BlockKind.PARAGRAPH, 0  # bold or not, "(In millions)" heads nothing
        self.found.append(Element(kind, text, level))
        self._since += len(text)
        if kind is BlockKind.HEADING:
            self._heading = text
        self._before, self._line = self._line, text

    def table(self, rows: list[DraftRow]) -> None:
        """A table; its numbers are read with the one decimal mark that its cells agree on."""
        mark = mark_of(cell.text for row in rows for cell in row.cells)
        for row in rows:
            row.cells = [_typed(cell, mark) for cell in row.cells]
        rows = [row for row in rows if row.cells]
        if not rows:
            return
        if said := scale_note_in(self._line) or (len(self._line) < _SHORT_LINE and last_brackets(self._before)):
            self._note = said
        elif self._since > _BETWEEN_TABLES:
            self._note = ""
        self._since, self._before = 0, ""
        placed = list(shaped(rows, title=self._heading, scale_note=self._note))
        for start in range(0, len(placed), _TABLE_ROWS):
            self.found.append(Element(BlockKind.TABLE, rows=placed[start : start + _TABLE_ROWS]))
        self._line = ""


class FlowReader:
    """The sections of a document that has no pages of its own."""

    def __init__(
        self,
        elements: Iterable[Element],
        media_type: MediaType,
        reader: str,
        *,
        title: str = "",
        warnings: tuple[ReadingWarning, ...] = (),
        members: tuple[Member, ...] = (),
        details: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self._sections = _sections(elements)
        if not self._sections:
            raise ReadingError(ReadingFailure.NO_PAGES, "no words")
        self._facts = FileFacts(media_type, len(self._sections), title[:300], reader, warnings, members, details)

    def facts(self) -> FileFacts:
        return self._facts

    def pages(self, first: int, last: int) -> list[tuple[PageContent, tuple[ReadingWarning, ...]]]:
        """Sections first … last (from 1, inclusive)."""
        return [(self._page(number), ()) for number in range(first, last + 1)]

    def _page(self, number: int) -> PageContent:
        first_paragraph, elements = self._sections[number - 1]
        page = PageWriter()
        for element in elements:
            if element.rows:
                page.table(element.rows)
            else:
                page.block(element.kind, element.text, element.level)
            for change in element.changes:
                page.change(change)
        return page.page(number, first_line=first_paragraph)


def _typed(cell: DraftCell, mark: DecimalMark | None) -> DraftCell:
    typed = from_text(cell.text, mark)
    return DraftCell(cell.column, typed.text, typed.kind, typed.value, typed.unit, span=cell.span, is_head=cell.is_head)


def _sections(elements: Iterable[Element]) -> list[tuple[int, list[Element]]]:
    """(number of its first paragraph, elements) of each section."""
    sections: list[tuple[int, list[Element]]] = []
    size = 0
    for count, element in enumerate(elements, start=1):
        begins = element.kind is BlockKind.HEADING and size > _GOOD_CUT
        if not sections or begins or (size and size + element.size > _HARD_CUT):
            sections.append((count, []))
            size = 0
        sections[-1][1].append(element)
        size += element.size
    return sections
