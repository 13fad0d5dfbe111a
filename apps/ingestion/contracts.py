"""Types of loads of many files."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

TAKEN, KNOWN = "taken", "known"


@dataclass(frozen=True, slots=True)
class AnnouncedFile:
    path: str  # with its folders
    size: int


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A file that did not become searchable, and why."""

    path: str
    code: str
    document_id: UUID | None
    may_retry: bool


@dataclass(frozen=True, slots=True)
class BatchSummary:
    id: UUID
    name: str
    collection_id: UUID
    collection_name: str
    created_at: datetime
    created_by_name: str
    is_paused: bool


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How far a load is. Files are counted once: announced, waiting, reading, done, known, failed, gone."""

    summary: BatchSummary
    files: int
    announced: int  # their bytes have not come yet
    waiting: int
    reading: int
    done: int  # searchable
    known: int  # the collection held these bytes already
    failed: int
    gone: int  # deleted or in the bin since
    pages: int  # of those done
    files_per_minute: float  # measured; 0 while nothing was
    pages_per_second: float
    seconds_left: int | None  # None when nothing is left or it is paused
    is_measured: bool  # the time left follows from the rate of this load, not from sizes alone
    finish_at: datetime | None
    dead: tuple[DeadLetter, ...]  # the first of the failed
    may_act: bool = True

    @property
    def is_over(self) -> bool:
        return not (self.announced or self.waiting or self.reading)

    @property
    def ended(self) -> int:
        return self.files - self.announced - self.waiting - self.reading
