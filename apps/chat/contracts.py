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
    is_deleted: bool

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
    def mark(self) -> str:
        """What the mark beside it says: the verdict, "doubtful" when it is supported but perhaps not what was asked."""
        if self.has_deleted_source:
            return "unsupported"
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

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_STATES

    @property
    def can_retry(self) -> bool:
        return self.state in (MessageState.FAILED, MessageState.STOPPED)


@dataclass(frozen=True, slots=True)
class ConversationView:
    summary: ConversationSummary
    messages: tuple[MessageView, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of `ask`: the same key gives the same question."""

    conversation_id: UUID
    message_id: UUID
    job_id: UUID
    is_new: bool


AnswerObject = Mapping[str, object]
"""The answer as the JSON object of the commands and the API."""
