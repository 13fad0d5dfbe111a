"""Reads of conversations: contracts ready for pages and for the API. Inside the tenant context."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import Count, F

from apps.accounts.contracts import Actor
from apps.agents.contracts import Verdict
from apps.chat import branches
from apps.chat.contracts import (
    AnswerObject,
    CitationView,
    ConversationSummary,
    ConversationView,
    MessageState,
    MessageView,
    NumberView,
    ScopeView,
    SearchedView,
    StatementView,
)
from apps.chat.masking import mask_hidden
from apps.chat.models import Citation, Conversation, Feedback, Message, Statement
from apps.core.errors import NotFound
from apps.jobs.contracts import JobSummary
from apps.jobs.selectors import latest_jobs


def list_conversations(*, actor: Actor, limit: int = 100) -> tuple[ConversationSummary, ...]:
    """The actor's conversations: pinned ones, then the latest first."""
    found = Conversation.objects.filter(author_id=actor.user_id).annotate(count=Count("messages"))
    ordered = found.order_by(F("pinned_at").desc(nulls_last=True), "-updated_at", "id")
    return tuple(_summary(row, row.count) for row in ordered[:limit])


def get_conversation(*, actor: Actor, conversation_id: UUID, at: UUID | None = None) -> ConversationView:
    """A branch of the conversation, questions in order: the one through the question `at`, else the one asked in last.

    Raises NotFound unless the actor is its author, and for an `at` that is no question of it.
    """
    conversation = Conversation.objects.filter(id=conversation_id, author_id=actor.user_id).first()
    if conversation is None:
        raise NotFound
    messages = {message.id: message for message in Message.objects.filter(conversation=conversation)}
    if at is not None and at not in messages:
        raise NotFound
    branch = branches.shown(map(_place, messages.values()), at)
    views = views_of([messages[message_id] for message_id in branch], among=tuple(messages.values()))
    return ConversationView(_summary(conversation, len(messages)), views)


def get_message(*, actor: Actor, message_id: UUID) -> MessageView:
    """One question with its answer so far. Raises NotFound unless the actor asked it."""
    message = Message.objects.filter(id=message_id, conversation__author_id=actor.user_id).first()
    if message is None:
        raise NotFound
    return views_of([message])[0]


def answer_object(message: MessageView) -> AnswerObject:
    """The answer as the object that commands and the API give out (house: commands that stay stable)."""
    return {
        "id": str(message.id),
        "question": message.question,
        "state": str(message.state.value),
        "answer": " ".join(s.text for s in message.statements if s.text and (s.kind != "reply" or _is_reply(message))),
        "statements": [_statement_object(s) for s in message.statements],
        "missing": list(message.missing),
        "searched": [
            {"query": s.query, "documents": s.documents, "passages": s.passages, "meaning_percent": s.meaning_percent}
            for s in message.searched
        ],
        "engine": message.engine,
        "seconds": message.seconds,
    }


def _is_reply(message: MessageView) -> bool:
    return all(statement.kind == "reply" for statement in message.statements)


def _statement_object(statement: StatementView) -> dict[str, object]:
    return {
        "text": statement.text,
        "kind": statement.kind,
        "verdict": statement.verdict,
        "marked_low_confidence": statement.is_low_confidence,
        "citations": [
            {
                "document": citation.document_name,
                "document_id": str(citation.document_id),
                "version": str(citation.version_id),
                "page": citation.page,
                "label": citation.label,
                "anchor": citation.anchor,
                "quote": citation.quote,
                "boxes": [list(box) for box in citation.boxes],
                "deleted": citation.is_deleted,
                "superseded": citation.is_superseded,
            }
            for citation in statement.citations
        ],
        "numbers": [
            {
                "text": number.text,
                "value": number.value,
                "unit": number.unit,
                "verified": number.verified,
                "source": number.formula or (f"citation {number.citation}" if number.citation is not None else ""),
            }
            for number in statement.numbers
        ],
    }


def _summary(conversation: Conversation, count: int) -> ConversationSummary:
    return ConversationSummary(
        id=conversation.id,
        title=conversation.title,
        updated_at=conversation.updated_at,
        message_count=count,
        scope=ScopeView(tuple(conversation.collection_ids), tuple(conversation.document_ids)),
        is_pinned=conversation.pinned_at is not None,
    )


def views_of(messages: Sequence[Message], among: Sequence[Message] = ()) -> tuple[MessageView, ...]:
    """The questions with their answers so far. For this app: the right to read them was checked before.

    `among`: all questions of their one conversation, where they were read already.
    """
    if not among:
        among = list(Message.objects.filter(conversation_id__in={message.conversation_id for message in messages}))
    places = [_place(message) for message in among]
    ids = [message.id for message in messages]
    statements: dict[UUID, list[Statement]] = defaultdict(list)
    for statement in Statement.objects.filter(message_id__in=ids).order_by("ordinal"):
        statements[statement.message_id].append(statement)
    citations: dict[UUID, list[Citation]] = defaultdict(list)
    for citation in Citation.objects.filter(statement__message_id__in=ids).order_by("ordinal"):
        citations[citation.statement_id].append(citation)
    superseded = mask_hidden([row for own in statements.values() for row in own], citations)
    feedback = dict(Feedback.objects.filter(message_id__in=ids).values_list("message_id", "kind"))
    jobs = latest_jobs(subject_ids=tuple(ids))
    return tuple(
        replace(
            _message(
                message,
                tuple(_statements(statements[message.id], citations, superseded)),
                jobs.get(message.id),
                feedback.get(message.id, ""),
            ),
            behind=branches.behind(places, message.id),
            versions=branches.versions(places, message.id),
        )
        for message in messages
    )


def _place(message: Message) -> branches.Place:
    return branches.Place(message.id, message.parent_id, message.ordinal, message.state, message.job_id)


def _statements(
    statements: Sequence[Statement], citations: dict[UUID, list[Citation]], superseded: frozenset[UUID]
) -> Iterator[StatementView]:
    """Citations are numbered through the answer."""
    number = 0
    for statement in statements:
        own = citations[statement.id]
        yield _statement(statement, own, number, superseded)
        number += len(own)


def _message(
    message: Message, statements: tuple[StatementView, ...], job: JobSummary | None, feedback: str
) -> MessageView:
    return MessageView(
        id=message.id,
        conversation_id=message.conversation_id,
        question=message.question,
        language=message.language,
        state=MessageState(message.state),
        job_id=message.job_id,
        last_seq=job.last_seq if job else 0,
        position=job.position if job else None,
        statements=statements,
        missing=tuple(message.missing),
        searched=tuple(_searched(step) for step in message.searched),
        pages_read=message.pages_read,
        engine=message.engine,
        seconds=message.seconds,
        error_code=message.error_code,
        created_at=message.created_at,
        feedback=feedback,
    )


def _statement(
    statement: Statement, citations: Sequence[Citation], before: int, superseded: frozenset[UUID]
) -> StatementView:
    """What rests on a document that is gone is not supported by anything that could be opened, here as on the page."""
    is_checkable = not any(citation.is_deleted for citation in citations)
    return StatementView(
        id=statement.id,
        text=statement.text,
        kind=statement.kind,
        verdict=statement.verdict if is_checkable else Verdict.UNSUPPORTED.value,
        is_low_confidence=statement.is_low_confidence,
        is_scrubbed=statement.is_scrubbed,
        citations=tuple(
            _citation(citation, before + place, citation.version_id in superseded)
            for place, citation in enumerate(citations, start=1)
        ),
        numbers=tuple(_number(number, before, is_checkable) for number in statement.numbers),
    )


def _citation(citation: Citation, number: int, is_superseded: bool) -> CitationView:
    return CitationView(
        number=number,
        document_id=citation.document_id,
        document_name=citation.document_name,
        version_id=citation.version_id,
        page=citation.page,
        label=citation.label,
        start=citation.start,
        end=citation.end,
        quote=citation.quote,
        boxes=tuple((box[0], box[1], box[2], box[3]) for box in citation.boxes),
        is_deleted=citation.is_deleted,
        is_superseded=is_superseded and not citation.is_deleted,
    )


def _number(number: dict[str, Any], before: int, is_checkable: bool) -> NumberView:  # Any: a JSON column
    place = number.get("citation")
    return NumberView(
        text=number["text"],
        value=number["value"],
        unit=number["unit"],
        verified=is_checkable and bool(number.get("verified")),
        citation=before + place + 1 if place is not None else None,
        formula=number.get("formula", ""),
    )


def _searched(step: dict[str, Any]) -> SearchedView:  # Any: a JSON column
    return SearchedView(
        query=step["query"],
        documents=step["documents"],
        passages=step["passages"],
        meaning_percent=round(100 * step.get("meaning_coverage", 0)),
        seconds=step.get("seconds", 0.0),
    )
