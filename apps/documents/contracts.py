"""Types of documents that cross to other apps."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from apps.reading.contracts import Box, ReadingWarning

INGEST_KIND = "ingest_document"  # registered by ingestion
RECOGNISE_KIND = "recognise_version"  # words of pages that are images, after the ingestion
PURGE_KIND = "purge_document"
REREAD_KIND = "reread_version"


class VersionState(TextChoices):
    QUEUED = "queued", _("waiting")
    READING = "reading", _("reading")
    SEARCHABLE = "searchable", _("searchable")
    READY = "ready", _("ready")
    READY_WITH_WARNINGS = "ready_with_warnings", _("ready, with warnings")
    NEEDS_PASSWORD = "needs_password", _("needs password")
    REJECTED = "rejected", _("rejected")
    FAILED = "failed", _("failed")
    DELETED = "deleted", _("deleted")


SEARCHABLE_STATES = (VersionState.SEARCHABLE, VersionState.READY, VersionState.READY_WITH_WARNINGS)
OPEN_STATES = (VersionState.QUEUED, VersionState.READING)


class DocumentOrder(StrEnum):
    NEWEST = "newest"
    NAME = "name"
    STATE = "state"
    PAGES = "pages"
    KIND = "kind"
    ENTITY = "entity"
    PERIOD = "period"


class HeaderMode(TextChoices):
    """What stands in the header of a chunk, beside its text. A third mode, written by a model, comes with models."""

    NONE = "none", _("nothing")
    RULES = "rules", _("title, entity, period, section, page; of tables unit, scale and columns")


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """What a list is narrowed to; empty fields narrow nothing."""

    name: str = ""
    kind: str = ""
    entity: str = ""  # words of its name
    period_from: date | None = None  # by the last day of the period
    period_to: date | None = None
    language: str = ""

    @property
    def is_empty(self) -> bool:
        return self == DocumentFilter()


EVERYTHING = DocumentFilter()


@dataclass(frozen=True, slots=True)
class MetadataValue:
    """A value of a field with its evidence. `is_used`: what the document goes by, a person's over a rule's."""

    field: str
    value: str
    confidence: int
    rule: str
    page: int
    start: int
    end: int
    quote: str
    set_by_name: str
    set_at: datetime | None
    is_used: bool

    @property
    def is_by_person(self) -> bool:
        return self.set_at is not None


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """A row of the document table."""

    id: UUID
    collection_id: UUID
    collection_name: str
    name: str
    state: VersionState
    version_id: UUID
    job_id: UUID | None  # of the ingestion: follow it for live progress
    media_type: str
    size: int
    page_count: int
    pages_read: int
    chunk_count: int
    embedded_count: int
    warning_count: int
    failure: str  # code, "" unless rejected or failed
    language: str
    created_at: datetime
    created_by_name: str
    parent_id: UUID | None = None  # the mail or archive that it came in
    parent_name: str = ""
    kind: str = ""  # see metadata.fields.DocumentKind
    entity: str = ""
    period: str = ""  # "year:2024-12-31"

    @property
    def is_searchable(self) -> bool:
        return self.state in SEARCHABLE_STATES

    @property
    def has_stopped_meaning_index(self) -> bool:
        return self.state == VersionState.READY_WITH_WARNINGS and self.embedded_count < self.chunk_count

    @property
    def is_settled(self) -> bool:
        """Nothing more will change by itself: no stage and no meaning index is under way."""
        return self.state not in (*OPEN_STATES, VersionState.SEARCHABLE)

    @property
    def meaning_percent(self) -> int:
        """How much of the meaning index exists, 0 … 100."""
        return self.embedded_count * 100 // self.chunk_count if self.chunk_count else 0


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """One page of a list."""

    items: tuple[DocumentSummary, ...]
    total: int
    number: int  # from 1
    pages: int


@dataclass(frozen=True, slots=True)
class DocumentDetail:
    summary: DocumentSummary
    title: str
    reader: str
    warnings: tuple[ReadingWarning, ...]


@dataclass(frozen=True, slots=True)
class BinnedDocument:
    id: UUID
    name: str
    collection_id: UUID
    collection_name: str
    binned_at: datetime
    binned_by_name: str
    goes_at: datetime  # deleted for good by the first sweep after it


@dataclass(frozen=True, slots=True)
class VersionView:
    """A version in the history of its document, or what an earlier reading of it said."""

    id: UUID
    number: int
    state: VersionState
    failure: str
    is_current: bool
    is_reading: bool  # not another file: pages of the same one, as an earlier reader read them
    page_count: int
    size: int
    created_at: datetime
    created_by_name: str
    superseded_at: datetime | None
    job_id: UUID | None

    @property
    def may_open(self) -> bool:
        return self.state in SEARCHABLE_STATES


@dataclass(frozen=True, slots=True)
class VersionStanding:
    """What has become of a version that somebody cites."""

    is_hidden: bool  # its document is deleted or in the bin
    is_superseded: bool


class MemberOutcome(StrEnum):
    """What became of a member of an archive or mail; refusals have the codes of reading.contracts.MemberRefusal."""

    WAITING = ""
    TAKEN = "taken"  # it is a document now
    KNOWN = "known"  # the collection held these bytes already


@dataclass(frozen=True, slots=True)
class MemberView:
    name: str
    size: int
    outcome: str
    document: DocumentSummary | None  # None: refused, waiting, or deleted since


@dataclass(frozen=True, slots=True)
class MemberSource:
    """A member that has not become a document yet."""

    index: int
    name: str
    size: int


class OnSameName(StrEnum):
    """What to do with a file whose name the collection has got, with other content."""

    ASK = "ask"  # make nothing
    KEEP_BOTH = "both"
    NEW_VERSION = "version"


@dataclass(frozen=True, slots=True)
class UploadResult:
    """What became of an upload.

    document: the new document, or the one that already holds these bytes in this collection.
    elsewhere: set instead when the person can already read these bytes in another collection and nothing was
      made: they choose to use that one or to `add_here`.
    same_name: a document of this name with other content stands in the collection; without a document, nothing was
      made: they choose between a new version of it and a document beside it.
    is_version: the bytes are a new version of the document.
    """

    document: DocumentSummary | None
    is_new: bool
    elsewhere: DocumentSummary | None = None
    same_name: DocumentSummary | None = None
    is_version: bool = False


@dataclass(frozen=True, slots=True)
class PageView:
    """What a viewer shows of a page."""

    document_id: UUID
    document_name: str
    version_id: UUID
    number: int
    label: str
    width: float  # points as shown; 0 for text files
    height: float
    text: str
    language: str
    first_line: int
    page_count: int
    has_image: bool
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class PageWord:
    text: str
    start: int
    box: Box


@dataclass(frozen=True, slots=True)
class Span:
    """page.text[start:end] of a version: a place, to be named."""

    version_id: UUID
    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """`start`, `end`: the heading's place on its page; 0, 0 for an entry of the file's own outline."""

    page: int
    label: str
    level: int
    text: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class OriginalFile:
    name: str
    media_type: str
    size: int
    chunks: Iterator[bytes]


@dataclass(frozen=True, slots=True)
class VersionIdentity:
    """A version in a search scope."""

    version_id: UUID
    name: str
    title: str
    chunk_count: int
    embedded_count: int


@dataclass(frozen=True, slots=True)
class IngestionSource:
    """What ingestion needs to know of a version; read once per run."""

    version_id: UUID
    document_id: UUID
    collection_id: UUID
    name: str
    storage_key: str
    size: int
    state: VersionState
    page_count: int
    pages_read: int
    is_deleted: bool
    title: str = ""
    language: str = ""
    created_by_id: UUID | None = None
    media_type: str = ""
    details: tuple[tuple[str, str], ...] = ()
    is_reading: bool = False  # another reading of a version that is there already
    is_superseded: bool = False
