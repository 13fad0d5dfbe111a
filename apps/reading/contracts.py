"""What a file becomes when it is read. Frozen, JSON-able, free of Django and of any parser's types.

Every place in a document is an **anchor**: page number + code-point offsets into that page's `text`.
Boxes follow from the words that the offsets cover, so a quote, a cell and a sentence are all located alike.
"""

from dataclasses import dataclass
from enum import StrEnum

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in PDF points on the page as shown (rotation applied), origin top left."""


class MediaType(StrEnum):
    PDF = "application/pdf"
    TEXT = "text/plain"
    MARKDOWN = "text/markdown"


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    FOOTNOTE = "footnote"
    HEADER = "header"  # running page header, kept out of chunks
    FOOTER = "footer"  # running page footer, kept out of chunks


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    start: int  # code-point offset of its first character in PageContent.text
    box: Box

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Block:
    """A run of a page's text in reading order: text is PageContent.text[start:end]."""

    ordinal: int  # from 0, reading order within the page
    kind: BlockKind
    start: int
    end: int
    box: Box | None  # None for formats without geometry
    level: int = 0  # headings: 1 is the highest


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a table row as printed: "(1,234)", "12.5%", "—". Text is PageContent.text[start:end]."""

    text: str
    start: int
    end: int
    column: int  # index into Table.columns
    box: Box | None


@dataclass(frozen=True, slots=True)
class Row:
    label: str  # the row's words left of its values; "" when it has none
    start: int
    end: int
    cells: tuple[Cell, ...]
    section: str = ""  # the label-only line above that heads this row's group ("Current assets:"), "" when none


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with at least one value cell, under the header words found above them."""

    block: int  # ordinal of its block on the page
    columns: tuple[str, ...]  # joined header path of each value column, e.g. "2021" or "52 weeks ended 2021"
    rows: tuple[Row, ...]
    title: str  # nearest heading or caption, "" when none
    scale_note: str  # printed words on unit and scale ("in millions, except per share data"), "" when none


@dataclass(frozen=True, slots=True)
class PageContent:
    number: int  # physical page, from 1. Text files: a section of lines, from 1
    label: str  # printed page label; "" when the format has none
    width: float  # points as shown; 0 for formats without geometry
    height: float
    rotation: int
    text: str  # NFC, lines separated by "\n", blocks by a blank line, reading order
    words: tuple[Word, ...]  # () for formats without geometry
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    language: str  # "en", "tr", … ; "" when undecided
    first_line: int = 0  # text files: line number (from 1) of this section's first line


class WarningCode(StrEnum):
    BLANK_PAGE = "blank_page"
    NO_TEXT_LAYER = "no_text_layer"  # page is an image; OCR comes with the reading issue
    UNREADABLE_FONT = "unreadable_font"
    PAGE_FAILED = "page_failed"
    REPAIRED = "repaired"
    DECODED_WITH_REPLACEMENT = "decoded_with_replacement"
    NUL_REMOVED = "nul_removed"
    MEANING_STOPPED = "meaning_stopped"  # of ingestion: the meaning index was stopped half-way; text search is whole


@dataclass(frozen=True, slots=True)
class ReadingWarning:
    code: WarningCode
    page: int | None
    detail: str = ""  # for the log and the explanation; never document text


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What opening a file tells before any page is read."""

    media_type: MediaType
    page_count: int
    title: str
    reader: str  # "pymupdf 2.0"
    warnings: tuple[ReadingWarning, ...]


class ReadingFailure(StrEnum):
    """Why a file cannot be read; the state it leads to is ingestion's business."""

    EMPTY = "empty"
    NO_PAGES = "no_pages"
    UNSUPPORTED = "unsupported"
    DISGUISED = "disguised"  # the bytes are another type than the name says
    NEEDS_PASSWORD = "needs_password"
    WRONG_PASSWORD = "wrong_password"
    DAMAGED = "damaged"
    TOO_LARGE = "too_large"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"


class ReadingError(Exception):
    """A file, or one window of it, could not be read. `detail` is for the log and holds no document text."""

    def __init__(self, failure: ReadingFailure, detail: str = "") -> None:
        super().__init__(f"{failure}: {detail}")
        self.failure = failure
        self.detail = detail
