"""Types of conversations as pages and the API show them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from apps.reading.contracts import Box

ANSWER_KIND = "answer_question"


class MessageState(TextChoices):
    """Of the answer to one question."""

    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("working")
    ANSWERED = "answered", _("answered")
    PARTLY = "partly", _("partly answered")
    ABSTAINED = "abstained", _("not found in the documents")
    FAILED = "failed", _("interrupted")
    STOPPED = "stopped", _("stopped")


OPEN_STATES = (MessageState.WAITING, MessageState.RUNNING)


class FeedbackKind(TextChoices):
    HELPFUL = "helpful", _("helpful")
    WRONG = "wrong", _("wrong")
    INCOMPLETE = "incomplete", _("incomplete")


class NoticeKind(TextChoices):
    ANSWER = "answer", _("answer")
    DOCUMENT = "document", _("document")


@dataclass(frozen=True, slots=True)
class ScopeView:
    """What a conversation asks; both empty: everything its author may read."""

    collection_ids: tuple[UUID, ...]
    document_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    id: UUID
    title: str
    updated_at: datetime
    message_count: int
    scope: ScopeView
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class CitationView:
    """`quote` and `document_name` are empty when the document was deleted."""

    number: int  # from 1, running through the answer
    document_id: UUID
    document_name: str
    version_id: UUID
    page: int
    label: str
    start: int
    end: int
    quote: str
    boxes: tuple[Box, ...]
    is_deleted: bool  # or in the bin
    is_superseded: bool = False  # a newer version is what search and answers use now

    @property
    def anchor(self) -> str:
        return f"p{self.page}:{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class NumberView:
    text: str
    value: str
    unit: str
    verified: bool
    citation: int | None  # number of the citation that prints it
    formula: str


@dataclass(frozen=True, slots=True)
class StatementView:
    id: UUID
    text: str  # "" when scrubbed
    kind: str  # quoted | computed | reply
    verdict: str  # supported | partly | unsupported | contradicted
    is_low_confidence: bool
    is_scrubbed: bool  # its words were a deleted document's
    citations: tuple[CitationView, ...]
    numbers: tuple[NumberView, ...]

    @property
    def has_deleted_source(self) -> bool:
        return any(citation.is_deleted for citation in self.citations)

    @property
    def has_superseded_source(self) -> bool:
        return any(citation.is_superseded for citation in self.citations)

    @property
    def mark(self) -> str:
        """What the mark beside it says: the verdict, "doubtful" when it is supported but perhaps not what was asked."""
        return "doubtful" if self.is_low_confidence and self.verdict == "supported" else self.verdict


@dataclass(frozen=True, slots=True)
class SearchedView:
    query: str
    documents: int
    passages: int
    meaning_percent: int
    seconds: float


@dataclass(frozen=True, slots=True)
class MessageView:
    """One question and what became of it."""

    id: UUID
    conversation_id: UUID
    question: str
    language: str
    state: MessageState
    job_id: UUID | None
    last_seq: int  # the job's events up to here are in this view: subscribe after it
    position: int | None  # while waiting
    statements: tuple[StatementView, ...]
    missing: tuple[str, ...]
    searched: tuple[SearchedView, ...]
    pages_read: int
    engine: str
    seconds: float
    error_code: str
    created_at: datetime
    feedback: str
    behind: int | None = None  # the person's own questions that are answered first; None once it has a job
    versions: tuple[UUID, ...] = ()  # this question and those asked in its place, oldest first

    @property
    def version(self) -> int:
        """Its number among `versions`, from 1."""
        return self.versions.index(self.id) + 1 if self.id in self.versions else 1

    @property
    def previous_version(self) -> UUID | None:
        return self.versions[self.version - 2] if self.version > 1 else None

    @property
    def next_version(self) -> UUID | None:
        return self.versions[self.version] if self.version < len(self.versions) else None

    @property
    def look(self) -> str:
        """Changes when a page that shows it must draw it anew."""
        state = "open" if self.is_open and self.job_id else self.state.value
        return f"{state}-{self.behind}-{self.version}-{len(self.versions)}-{self.feedback}"

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_STATES

    @property
    def can_retry(self) -> bool:
        return self.state in (MessageState.FAILED, MessageState.STOPPED)


@dataclass(frozen=True, slots=True)
class ConversationView:
    """`messages`: the branch shown, from the first question to the last."""

    summary: ConversationSummary
    messages: tuple[MessageView, ...]

    @property
    def has_own_title(self) -> bool:
        """Its title is not just the beginning of the first question shown."""
        first = " ".join(self.messages[0].question.split()) if self.messages else ""
        return not first.startswith(self.summary.title)

    @property
    def last_id(self) -> UUID | None:
        """What a follow-up comes after."""
        return self.messages[-1].id if self.messages else None


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of `ask`: the same key gives the same question."""

    conversation_id: UUID
    message_id: UUID
    job_id: UUID | None  # None while it is in line behind an earlier question of its conversation
    is_new: bool


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a text; `is_hit` where it holds a word that was looked for."""

    text: str
    is_hit: bool


@dataclass(frozen=True, slots=True)
class HistoryHit:
    """An own question that holds all words looked for, or whose answer does."""

    conversation_id: UUID
    message_id: UUID
    title: tuple[Segment, ...]  # of the conversation, with its first question alone; () where it is that question
    asked_at: datetime
    question: tuple[Segment, ...]
    excerpt: tuple[Segment, ...]  # of the answer; () when the words stand in the question alone


@dataclass(frozen=True, slots=True)
class History:
    hits: tuple[HistoryHit, ...]
    searched: int  # questions looked through
    is_whole: bool  # False when older ones were left out


@dataclass(frozen=True, slots=True)
class SavedScopeView:
    id: UUID
    name: str
    scope: ScopeView  # what of it the person can read now
    lost: int  # collections and documents of it that they cannot

    @property
    def is_usable(self) -> bool:
        return bool(self.scope.collection_ids or self.scope.document_ids)


@dataclass(frozen=True, slots=True)
class NoticeView:
    """`name` is "" when the thing is gone or no longer open to the person; then it cannot be opened."""

    id: UUID
    kind: NoticeKind
    name: str
    subject_id: UUID
    place_id: UUID | None
    state: str  # of the answer or of the document, in words
    has_failed: bool
    is_partial: bool  # an answer that the documents do not hold, or hold in part; a file read with warnings
    at: datetime
    is_read: bool


AnswerObject = Mapping[str, object]
"""The answer as the JSON object of the commands and the API."""
