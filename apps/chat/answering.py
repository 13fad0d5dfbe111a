"""The answer job: runs the graph for a question and keeps what was checked. Called outside any transaction."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from apps.accounts.contracts import Actor
from apps.accounts.selectors import actor_in
from apps.agents import services as agents
from apps.agents.contracts import (
    Answer,
    Question,
    ScopeChoice,
    SearchedStep,
    StatementCitation,
    StatementNumber,
    Verdict,
)
from apps.agents.contracts import Statement as CheckedStatement
from apps.chat import branches, line
from apps.chat.contracts import ANSWER_KIND, MessageState
from apps.chat.models import Citation, Message, Statement
from apps.core import failpoints
from apps.core.errors import NotFound
from apps.documents import selectors as documents
from apps.jobs.contracts import JobEventRecord, JobSummary
from apps.jobs.run import JobPutOff, JobRun
from apps.jobs.selectors import is_among_first
from apps.providers import selectors as providers
from apps.tenants.context import tenant_context

MOST_WITH_MODELS = 2  # answers of one organisation that wait for its models; one process stays for the others
TURN_AFTER = timedelta(seconds=2)
QUESTIONS_REMEMBERED = 4  # of the conversation: what a follow-up may refer to


def run_answer(run: JobRun) -> None:
    """The message holds the answer. Running it twice changes nothing; raises AirisError when it cannot be given."""
    message_id = UUID(run.payload["message_id"])
    with tenant_context(run.tenant_id):
        is_in_turn = not providers.models_asked() or is_among_first(
            job_id=run.job_id, kind=ANSWER_KIND, most=MOST_WITH_MODELS
        )
    if not is_in_turn:  # a slow model would hold every process, those of other organisations too
        raise JobPutOff(TURN_AFTER, code="others_first")
    with run.write():
        message = Message.objects.select_related("conversation").filter(id=message_id).first()
        if message is None:
            raise NotFound
        actor = actor_in(user_id=message.conversation.author_id, tenant_id=run.tenant_id)
        if actor is None:
            raise NotFound
        Message.objects.filter(id=message_id).update(state=MessageState.RUNNING, error_code="")
        previous = _questions_before(message)
    question = Question(message.question, message.language, previous)
    choice = ScopeChoice(tuple(message.collection_ids), tuple(message.document_ids))
    door = AnswerDoor(run, message_id)
    answer = agents.answer_question(run_id=message_id, question=question, actor=actor, choice=choice, door=door)
    keep_answer(run, message_id, answer)


def _questions_before(message: Message) -> tuple[str, ...]:
    """The last questions before this one in its branch, oldest first."""
    branch = branches.ancestors(line.places_of(message.conversation_id), message.id)[-QUESTIONS_REMEMBERED:]
    questions = dict(Message.objects.filter(id__in=branch).values_list("id", "question"))
    return tuple(questions[message_id] for message_id in branch)


class AnswerDoor:
    """The job's door for the graph: what was searched and read stands on the message as it happens."""

    def __init__(self, run: JobRun, message_id: UUID) -> None:
        self._run = run
        self._message_id = message_id
        self.tenant_id = run.tenant_id

    def write(self) -> AbstractContextManager[None]:
        return self._run.write()

    def check(self) -> None:
        self._run.check()

    def event(self, type_: str, payload: dict[str, object]) -> None:
        with self._run.write():
            messages = Message.objects.filter(id=self._message_id)
            if type_ == "searched":
                steps: list[object] = messages.values_list("searched", flat=True).get()
                messages.update(searched=[*steps, payload])
            if type_ == "read":
                messages.update(pages_read=payload["pages"])
            self._run.event_in_write(type_, payload)


def keep_answer(run: JobRun, message_id: UUID, answer: Answer) -> None:
    """Statements appear whole, one after another; the last write ends the answer."""
    kept = len(answer.statements)
    for ordinal, statement in enumerate(answer.statements, start=1):
        with run.write():
            _put_statement(message_id, ordinal, statement)
            run.event_in_write("statement", {"ordinal": ordinal})
        failpoints.reach("answer.statement")
    with run.write():
        Statement.objects.filter(message_id=message_id, ordinal__gt=kept).delete()
        Message.objects.filter(id=message_id).update(
            state=MessageState(answer.state.value),
            missing=list(answer.missing),
            searched=[_searched(step) for step in answer.searched],
            engine=answer.engine,
            seconds=answer.seconds,
            finished_at=timezone.now(),
        )
        _move_up_the_line(message_id)
        run.event_in_write("answered", {"state": answer.state.value, "statements": kept})


def may_see(job: JobSummary, actor: Actor) -> bool:
    """Only the author follows an answer."""
    if job.subject_id is None:
        return False
    return Message.objects.filter(id=job.subject_id, conversation__author_id=actor.user_id).exists()


def render_event(job: JobSummary, events: tuple[JobEventRecord, ...], actor: Actor) -> str:
    """The message's fragment, rendered from rows."""
    from django.template.loader import render_to_string

    from apps.chat.selectors import get_message

    if job.subject_id is None:
        return ""
    message = get_message(actor=actor, message_id=job.subject_id)
    return render_to_string("chat/_message.html", {"message": message, "tenant_slug": actor.tenant_slug})


def mark_failed(_job_id: UUID, payload: Mapping[str, Any], error_code: str) -> None:
    """The answer is shown as interrupted, with what stands and a retry."""
    message_id = UUID(payload["message_id"])
    Message.objects.filter(id=message_id).update(
        state=MessageState.FAILED, error_code=error_code, finished_at=timezone.now()
    )
    _move_up_the_line(message_id)


def mark_stopped(_job_id: UUID, payload: Mapping[str, Any]) -> None:
    message_id = UUID(payload["message_id"])
    Message.objects.filter(id=message_id).update(state=MessageState.STOPPED, finished_at=timezone.now())
    _move_up_the_line(message_id)


def _move_up_the_line(message_id: UUID) -> None:
    """The answer ended, one way or another: the conversation's next question begins, in the same transaction."""
    conversation_id = Message.objects.values_list("conversation_id", flat=True).filter(id=message_id).first()
    if conversation_id is not None:
        line.start_next(conversation_id=conversation_id)


def _put_statement(message_id: UUID, ordinal: int, checked: CheckedStatement) -> None:
    """One statement with its citations. Words of a document that was deleted meanwhile are not written."""
    cited = {citation.document_id for citation in checked.citations}
    gone = cited - documents.hold_live_documents(document_ids=cited)
    if gone:
        Statement.objects.update_or_create(
            message_id=message_id,
            ordinal=ordinal,
            defaults={
                "text": "",
                "kind": checked.kind.value,
                "verdict": Verdict.UNSUPPORTED.value,
                "is_scrubbed": True,
                "numbers": [],
            },
        )
        Citation.objects.filter(statement__message_id=message_id, statement__ordinal=ordinal).delete()
        return
    statement, _ = Statement.objects.update_or_create(
        message_id=message_id,
        ordinal=ordinal,
        defaults={
            "text": checked.text,
            "kind": checked.kind.value,
            "verdict": checked.verdict.value,
            "is_low_confidence": checked.low_confidence,
            "is_scrubbed": False,
            "numbers": [_number(number) for number in checked.numbers],
        },
    )
    Citation.objects.filter(statement=statement).delete()
    Citation.objects.bulk_create(
        _citation(statement, place, citation) for place, citation in enumerate(checked.citations, start=1)
    )


def _number(number: StatementNumber) -> dict[str, object]:
    return {
        "text": number.text,
        "value": str(number.value),
        "unit": number.unit,
        "citation": number.citation,
        "verified": number.verified,
        "formula": number.formula,
    }


def _searched(step: SearchedStep) -> dict[str, object]:
    return {
        "query": step.query,
        "documents": step.documents,
        "passages": step.passages,
        "meaning_coverage": step.meaning_coverage,
        "seconds": step.seconds,
    }


def _citation(statement: Statement, place: int, citation: StatementCitation) -> Citation:
    return Citation(
        statement=statement,
        ordinal=place,
        document_id=citation.document_id,
        document_name=citation.document_name,
        version_id=citation.version_id,
        page=citation.page,
        label=citation.label,
        start=citation.start,
        end=citation.end,
        quote=citation.quote,
        boxes=[list(box) for box in citation.boxes],
    )
