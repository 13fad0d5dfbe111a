"""Types that cross the Reasoner seam and the answer graph. Frozen, JSON-able, free of Django."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from apps.reading.contracts import Block, Box, Table
from apps.retrieval.contracts import Passage


class AnswerState(StrEnum):
    ANSWERED = "answered"
    PARTLY = "partly"
    ABSTAINED = "abstained"
    FAILED = "failed"


class Verdict(StrEnum):
    SUPPORTED = "supported"
    PARTLY = "partly"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"


class StatementKind(StrEnum):
    QUOTED = "quoted"  # verbatim words of a document: scrubbed when it is deleted
    REWORDED = "reworded"  # a model's sentence around cited words: scrubbed like them, its numbers read again
    COMPUTED = "computed"  # the engine's own frame around typed values: kept, marked
    REPLY = "reply"  # greeting, help, hint: no claim, no citation


class QuestionKind(StrEnum):
    SMALL_TALK = "small_talk"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    NUMBER = "number"
    DATE = "date"
    YES_NO = "yes_no"
    WHY = "why"
    LIST = "list"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    language: str  # "en" | "tr": language of the answer's frame
    previous: tuple[str, ...] = ()  # the conversation's questions before it, oldest first


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """What the person narrowed the question to; both empty: everything they may read."""

    collection_ids: tuple[UUID, ...] = ()
    document_ids: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    kind: QuestionKind
    queries: tuple[str, ...]  # sent to the search tool, in order
    terms: tuple[str, ...]  # distinct content words that an answer must touch
    entities: tuple[str, ...]
    periods: tuple[str, ...]  # "2021", "Q2 2023", …
    reply: str = ""  # for kinds that need no search


@dataclass(frozen=True, slots=True)
class EvidencePage:
    """A page a tool has read for the run, with everything needed to quote it exactly."""

    document_id: UUID
    version_id: UUID
    document_name: str
    number: int
    label: str
    text: str
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    language: str
    first_line: int = 0
    opening: str = ""  # how the document calls itself: its title and the first words of its first page


@dataclass(frozen=True, slots=True)
class Evidence:
    id: str  # "E1", "E2", … unique in the run; a citation of any other id is dropped
    passage: Passage
    pages: tuple[EvidencePage, ...]  # the pages that the passage touches


@dataclass(frozen=True, slots=True)
class StatementCitation:
    """Claims: page text[start:end] == quote. Grounding verifies it; a false one is never shown."""

    evidence_id: str
    document_id: UUID
    version_id: UUID
    page: int
    start: int
    end: int
    quote: str
    document_name: str = ""  # these three are filled in when the citation has been checked
    label: str = ""
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class StatementNumber:
    text: str  # as it stands in the statement
    value: Decimal
    unit: str  # ISO currency, "percent", "" …
    citation: int | None  # index into the statement's citations: where it is printed
    verified: bool = False  # set by grounding: read again from the cited cell and equal
    formula: str = ""  # of a computed number, over n0, n1, … = the statement's cited numbers in order


@dataclass(frozen=True, slots=True)
class Statement:
    text: str
    kind: StatementKind
    citations: tuple[StatementCitation, ...]
    numbers: tuple[StatementNumber, ...] = ()
    verdict: Verdict = Verdict.UNSUPPORTED
    low_confidence: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    statements: tuple[Statement, ...]
    confidence: float  # 0…1, calibrated; below the engine's threshold the run abstains
    missing: tuple[str, ...] = ()  # what was asked and not found, in the question's language
    written_by: str = ""  # the mind that wrote it, when another one stepped in


@dataclass(frozen=True, slots=True)
class Reflection:
    is_enough: bool
    next_queries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchedStep:
    query: str
    documents: int
    passages: int
    meaning_coverage: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Answer:
    state: AnswerState
    statements: tuple[Statement, ...]
    missing: tuple[str, ...]
    searched: tuple[SearchedStep, ...]
    engine: str  # "built-in 1" or the model's name
    seconds: float
