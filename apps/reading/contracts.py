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
    CSV = "text/csv"
    HTML = "text/html"
    EML = "message/rfc822"
    DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    XLS = "application/vnd.ms-excel"
    ODS = "application/vnd.oasis.opendocument.spreadsheet"
    PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    DOC = "application/msword"
    ODT = "application/vnd.oasis.opendocument.text"
    RTF = "application/rtf"
    PPT = "application/vnd.ms-powerpoint"
    MSG = "application/vnd.ms-outlook"
    MBOX = "application/mbox"
    JSON = "application/json"
    SEC = "text/x-sec-submission"
    PNG = "image/png"
    JPEG = "image/jpeg"
    GIF = "image/gif"
    BMP = "image/bmp"
    TIFF = "image/tiff"
    WEBP = "image/webp"
    ZIP = "application/zip"

    @property
    def is_grid(self) -> bool:
        """Whether its pages are windows of a sheet's rows."""
        return self in (MediaType.XLSX, MediaType.XLS, MediaType.ODS, MediaType.CSV)

    @property
    def has_page_images(self) -> bool:
        return self is MediaType.PDF or self.is_picture

    @property
    def is_picture(self) -> bool:
        return self.value.startswith("image/")


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    FOOTNOTE = "footnote"
    HEADER = "header"  # running page header, kept out of chunks
    FOOTER = "footer"  # running page footer, kept out of chunks
    NOTE = "note"  # a comment of a reviewer: said beside the text, never part of it
    HIDDEN = "hidden"  # hidden rows, columns, sheets, slides: shown and marked, kept out of chunks and answers


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    start: int  # code-point offset of its first character in PageContent.text
    box: Box
    confidence: int = 100  # percent, of a recogniser that read it from an image; 100 for a text layer

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


class CellKind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    BOOLEAN = "boolean"
    ERROR = "error"  # "#DIV/0!", or a formula without a stored result


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a table row as printed: "(1,234)", "12.5%", "—". Text is PageContent.text[start:end]."""

    text: str
    start: int
    end: int
    column: int  # index into Table.columns
    box: Box | None
    kind: CellKind | None = None  # None: only printed words are known, as on a PDF page
    value: str = ""  # NUMBER: plain decimal, percent as printed ("12.5"); DATE: ISO 8601; "" when not decided
    unit: str = ""  # ISO 4217 or "percent", as the number format or the printed value says
    ref: str = ""  # "B7" in a sheet


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
    continues: bool = (
        False  # goes on with the last table of the page before: one logical table, its heads printed again
    )
    confidence: int = 100  # percent: how sure it is that every value stands in its row and column


@dataclass(frozen=True, slots=True)
class GridCell:
    """One filled cell of a sheet or table, heads and labels included. Its text is PageContent.text[start:end]."""

    column: int  # from 0, as the sheet counts
    start: int
    end: int
    kind: CellKind
    value: str = ""  # as Cell.value
    format: str = ""  # number format of the spreadsheet, "" for General
    formula: str = ""  # "=SUM(B2:B7)"
    span: int = 1  # columns that it covers
    text: str = ""  # its words, where they do not stand in one stretch: a cell of several lines beside others


@dataclass(frozen=True, slots=True)
class GridRow:
    number: int  # from 1, as the sheet counts
    cells: tuple[GridCell, ...]
    is_head: bool = False
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """What a viewer lays out as rows and columns. `block` is the table's block, -1 when it is the whole page."""

    block: int
    name: str  # of the sheet, "" for tables in text
    rows: tuple[GridRow, ...]
    is_hidden: bool = False
    hidden_columns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Uniform:
    """How cells follow from the text of a sheet's page: a line a row, nothing hidden. See uniform.expanded.

    A million typed rows are never made, stored or sent: only those of a page that somebody looks at.
    """

    name: str  # of the sheet
    numbers: tuple[int, ...]  # sheet row of each line
    columns: tuple[int, ...]  # sheet columns of the cells of a line
    others: tuple[tuple[int, tuple[int, ...]], ...]  # (line, its columns) where some are blank
    label: int  # as Shape
    values: tuple[int, ...]
    identifiers: tuple[int, ...]
    mark: str  # decimal mark of the file, "" when undecided


@dataclass(frozen=True, slots=True)
class TrackedChange:
    """What somebody put in or took out and nobody has accepted yet. The page's text has insertions, no deletions."""

    block: int  # ordinal of the block that it stands in, or behind
    is_deletion: bool
    text: str
    author: str = ""
    date: str = ""  # as the file has it, ISO 8601


@dataclass(frozen=True, slots=True)
class PageContent:
    number: int  # physical page, from 1. Formats without pages: a section, or a window of rows, from 1
    label: str  # printed page label, or the sheet's name; "" when the format has none
    width: float  # points as shown; 0 for formats without geometry
    height: float
    rotation: int
    text: str  # NFC, lines separated by "\n", blocks by a blank line, reading order
    words: tuple[Word, ...]  # () for formats without geometry
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    language: str  # "en", "tr", … ; "" when undecided
    first_line: int = 0  # text: first line of this section; sheets: first row; DOCX, HTML, mail: first paragraph
    grids: tuple[Grid, ...] = ()
    changes: tuple[TrackedChange, ...] = ()
    uniform: Uniform | None = None  # set: grids and the table's rows are not made yet


class WarningCode(StrEnum):
    BLANK_PAGE = "blank_page"
    NO_TEXT_LAYER = "no_text_layer"  # page is an image; OCR comes with the reading issue
    UNREADABLE_FONT = "unreadable_font"
    PAGE_FAILED = "page_failed"
    REPAIRED = "repaired"
    DECODED_WITH_REPLACEMENT = "decoded_with_replacement"
    NUL_REMOVED = "nul_removed"
    TEXT_RECOGNISED = "text_recognised"  # the words come from OCR
    LOW_CONFIDENCE = "low_confidence"  # OCR doubts words of the page; `detail`: how many of how many
    HIDDEN_CONTENT = "hidden_content"  # hidden sheet, row or column; kept and marked
    FORMULA_NOT_CALCULATED = "formula_not_calculated"
    TRACKED_CHANGES = "tracked_changes"  # read as accepted
    HAS_COMMENTS = "has_comments"
    HAS_MACROS = "has_macros"  # never run
    EXTERNAL_CONTENT = "external_content"  # links to other files or addresses, never followed
    NAME_DIFFERS = "name_differs"  # read by its content, which is not what the name says
    MEMBERS_LEFT_OUT = "members_left_out"  # of an archive or mail: the list says which and why
    CONTENT_CUT = "content_cut"  # beyond a limit of the reader
    HIDDEN_TEXT = "hidden_text"  # words of a page that no reader sees: left out, `detail` counts them by reason
    HAS_ATTACHMENTS = "has_attachments"  # files inside a PDF: documents of their own
    MEANING_STOPPED = "meaning_stopped"  # of ingestion: the meaning index was stopped half-way; text search is whole


WAITING = "waiting"  # detail of a page without words that a recogniser reads later
TRIED = "tried"  # detail of a page in which it found none


@dataclass(frozen=True, slots=True)
class ReadingWarning:
    code: WarningCode
    page: int | None
    detail: str = ""  # for the log and the explanation; never document text


class MemberRefusal(StrEnum):
    ENCRYPTED = "encrypted"
    TOO_LARGE = "too_large"
    TOO_MANY = "too_many"
    DATA = "data"  # pictures, code and XBRL of a submission: kept in the original, no text for a reader
    SUSPICIOUS = "suspicious"  # unpacks to far more than it holds
    DAMAGED = "damaged"
    EMPTY = "empty"
    LINK = "link"
    TOO_DEEP = "too_deep"  # an archive inside an archive inside an archive


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside an archive or mail. The name may hold folders and is safe: relative, no "..", no controls."""

    name: str
    size: int
    refusal: MemberRefusal | None = None
    kind: str = ""  # what its container calls it: "10-K", "EX-21"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What opening a file tells before any page is read."""

    media_type: MediaType
    page_count: int
    title: str
    reader: str  # "pymupdf 2.0"
    warnings: tuple[ReadingWarning, ...]
    members: tuple[Member, ...] = ()  # in order; fetched one by one
    details: tuple[tuple[str, str], ...] = ()  # what the container's header says: ("form", "10-K"), ("subject", …)


class ReadingFailure(StrEnum):
    """Why a file cannot be read; the state it leads to is ingestion's business."""

    EMPTY = "empty"
    NO_PAGES = "no_pages"
    UNSUPPORTED = "unsupported"
    DISGUISED = "disguised"  # the bytes are another type than the name says
    NEEDS_PASSWORD = "needs_password"
    ENCRYPTED_OFFICE = "encrypted_office"  # a password would be needed, and no reader here can use one
    WRONG_PASSWORD = "wrong_password"
    NEEDS_CONVERTER = "needs_converter"  # an old format that only LibreOffice reads, and it is not there
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
