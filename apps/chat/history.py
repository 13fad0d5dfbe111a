"""Search in one's own questions and answers: words folded (case, accents, the two Turkish i's), ranked, marked."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.accounts.contracts import Actor
from apps.chat.contracts import History, HistoryHit, Segment
from apps.chat.models import Citation, Message, Statement
from apps.chat.services import SCRUBBED
from apps.core.text import clean_input, fold
from apps.documents import selectors as documents

LONGEST_QUERY = 200
MOST_WORDS = 8
LOOKED_THROUGH = 3000  # newest questions; older ones are left out, and the page says so
SHOWN = 50
EXCERPT = 220
_EDGE = "\"'`“”„‚‘’«»()[]{}<>.,;:!?…*|/\\=+–—-"


@dataclass(frozen=True, slots=True)
class _Word:
    pattern: re.Pattern[str]  # in folded text, from the beginning of a word: Turkish adds its endings behind
    whole: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Candidate:
    message_id: UUID
    conversation_id: UUID
    title: str  # "" but for a first question: the others would all be found by it
    question: str
    asked_at: datetime
    answer: str


def search_history(*, actor: Actor, query: str) -> History:
    """Own questions that hold every word, they or their answers; best first, the newer of equals first.

    Two queries over at most 3,000 questions of the actor alone. Words of deleted documents are not in the rows.
    """
    words = _words(query)
    if not words:
        return History((), 0, is_whole=True)
    candidates, is_whole = _candidates(actor)
    scored = [(score, candidate) for candidate in candidates if (score := _score(words, candidate)) > 0]
    scored.sort(key=lambda pair: (-pair[0], -pair[1].asked_at.timestamp()))
    hits = tuple(_hit(words, candidate) for _, candidate in scored[:SHOWN])
    return History(hits, len(candidates), is_whole)


def segments(words: Iterable[_Word], text: str) -> tuple[Segment, ...]:
    """The text in pieces, those that hold a word of the query apart. Joined, they are the text."""
    folded = fold(text)
    spans = sorted(match.span() for word in words for match in word.pattern.finditer(folded))
    pieces: list[Segment] = []
    at = 0
    for start, end in spans:
        if end <= at:
            continue
        start = max(start, at)
        if start > at:
            pieces.append(Segment(text[at:start], is_hit=False))
        pieces.append(Segment(text[start:end], is_hit=True))
        at = end
    if at < len(text):
        pieces.append(Segment(text[at:], is_hit=False))
    return tuple(pieces)


def _words(query: str) -> tuple[_Word, ...]:
    cleaned = [word.strip(_EDGE) for word in fold(clean_input(query)[:LONGEST_QUERY]).split()]
    unique = list(dict.fromkeys(word for word in cleaned if word))[:MOST_WORDS]
    return tuple(
        _Word(re.compile(rf"(?<!\w){re.escape(word)}\w*"), re.compile(rf"(?<!\w){re.escape(word)}(?!\w)"))
        for word in unique
    )


def _candidates(actor: Actor) -> tuple[list[_Candidate], bool]:
    newest = (
        Message.objects.filter(conversation__author_id=actor.user_id)
        .order_by("-created_at")
        .values_list("id", "conversation_id", "conversation__title", "question", "created_at", "parent_id")
    )
    rows = list(newest[: LOOKED_THROUGH + 1])
    found = rows[:LOOKED_THROUGH]
    answers: dict[UUID, list[str]] = defaultdict(list)
    statements = Statement.objects.filter(message_id__in=[row[0] for row in found]).exclude(text="")
    statements = statements.exclude(id__in=_in_bin(actor), kind__in=SCRUBBED)
    for message_id, text in statements.order_by("message_id", "ordinal").values_list("message_id", "text"):
        answers[message_id].append(text)
    candidates = [
        _Candidate(message_id, conversation_id, "" if parent_id else title, question, at, " ".join(answers[message_id]))
        for message_id, conversation_id, title, question, at, parent_id in found
    ]
    return candidates, len(rows) <= LOOKED_THROUGH


def _in_bin(actor: Actor) -> list[UUID]:
    """The actor's statements that cite a document in the bin."""
    hidden = documents.binned_versions()
    cited = Citation.objects.filter(
        version_id__in=hidden, statement__message__conversation__author_id=actor.user_id, is_deleted=False
    )
    return list(cited.values_list("statement_id", flat=True)) if hidden else []


def _score(words: tuple[_Word, ...], candidate: _Candidate) -> float:
    """0 unless every word stands somewhere. The question counts three times the answer, a whole word twice a part."""
    question, answer, title = fold(candidate.question), fold(candidate.answer), fold(candidate.title)
    score = 0.0
    for word in words:
        found = 3 * _weight(word, question) + _weight(word, answer) + _weight(word, title)
        if not found:
            return 0.0
        score += found
    return score


def _weight(word: _Word, folded: str) -> float:
    if word.whole.search(folded):
        return 2.0
    return 1.0 if word.pattern.search(folded) else 0.0


def _hit(words: tuple[_Word, ...], candidate: _Candidate) -> HistoryHit:
    return HistoryHit(
        conversation_id=candidate.conversation_id,
        message_id=candidate.message_id,
        title=() if candidate.question.startswith(candidate.title) else segments(words, candidate.title),
        asked_at=candidate.asked_at,
        question=segments(words, candidate.question[:500]),
        excerpt=_excerpt(words, candidate.answer),
    )


def _excerpt(words: tuple[_Word, ...], answer: str) -> tuple[Segment, ...]:
    """The answer around the first word found in it."""
    folded = fold(answer)
    starts = [match.start() for word in words if (match := word.pattern.search(folded))]
    if not starts:
        return ()
    begin = max(0, min(starts) - EXCERPT // 3)
    begin = answer.rfind(" ", 0, begin) + 1 if begin else 0
    text = answer[begin : begin + EXCERPT]
    return segments(words, f"{'… ' if begin else ''}{text}{' …' if begin + EXCERPT < len(answer) else ''}")
