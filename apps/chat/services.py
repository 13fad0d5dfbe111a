"""Ask, stop, retry; conversations renamed and deleted; deleted documents scrubbed. Inside the tenant context."""

import hashlib
from collections.abc import Sequence
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import readable_collections, require
from apps.agents import services as agents
from apps.chat.contracts import ANSWER_KIND, OPEN_STATES, Asked, FeedbackKind, MessageState
from apps.chat.models import Citation, Conversation, Feedback, Message, Statement
from apps.core.errors import Conflict, InputError, KeyReused, NotFound
from apps.core.text import clean_input
from apps.jobs import services as jobs
from apps.tenants import audit

LONGEST_QUESTION = 20_000  # longer input is refused; the engine's own limit answers with a hint
LONGEST_TITLE = 200
TITLE_FROM_QUESTION = 80
LONGEST_COMMENT = 2000


def ask(
    *,
    actor: Actor,
    question: str,
    conversation_id: UUID | None = None,
    collection_ids: Sequence[UUID] = (),
    document_ids: Sequence[UUID] = (),
    language: str = "",
    idempotency_key: str = "",
) -> Asked:
    """The question stands in a conversation (a new one unless given) and its answer job waits.

    The same key of the same person gives the same question; with other words: KeyReused. `language`: of the
    answer's frame, detected when "".
    Rows written: Conversation, Message, Job, AuditEvent. Raises NotAllowed, NotFound, InputError.
    """
    require(actor, Permission.ASK)
    text = clean_input(question)
    if len(text) > LONGEST_QUESTION:
        raise InputError(_("The question is too long. Shorten it to 20,000 characters."), field="question")
    key = _key(actor, idempotency_key)
    known = _asked_before(key, text)
    if known is not None:
        return known
    try:
        with transaction.atomic():
            return _ask(actor, text, conversation_id, collection_ids, document_ids, language, key)
    except IntegrityError:
        known = _asked_before(key, text)
        if known is None:
            raise
        return known


def stop(*, actor: Actor, message_id: UUID) -> None:
    """The answer stops at its next step; what stands stays. Raises NotFound, Conflict when it is over."""
    message = _own_message(actor, message_id)
    if message.state not in OPEN_STATES or message.job_id is None:
        raise Conflict(code="answer_is_over")
    jobs.cancel_in_transaction(job_id=message.job_id)


def retry(*, actor: Actor, message_id: UUID) -> None:
    """The answer runs again from its recorded steps. Raises NotFound, Conflict unless it failed or was stopped."""
    message = _own_message(actor, message_id)
    if message.state not in (MessageState.FAILED, MessageState.STOPPED) or message.job_id is None:
        raise Conflict(code="answer_not_interrupted")
    jobs.requeue(job_id=message.job_id)
    Message.objects.filter(id=message.id).update(state=MessageState.WAITING, error_code="", finished_at=None)


def rename_conversation(*, actor: Actor, conversation_id: UUID, title: str) -> None:
    """Raises NotFound, InputError."""
    cleaned = " ".join(clean_input(title).split())[:LONGEST_TITLE]
    if not cleaned:
        raise InputError(_("Give the conversation a title."), field="title")
    own_conversation(actor, conversation_id)
    Conversation.objects.filter(id=conversation_id).update(title=cleaned)


def set_scope(
    *, actor: Actor, conversation_id: UUID, collection_ids: Sequence[UUID], document_ids: Sequence[UUID]
) -> None:
    """Later questions of the conversation search only there. Raises NotFound for collections not readable."""
    own_conversation(actor, conversation_id)
    _require_readable(actor, collection_ids)
    Conversation.objects.filter(id=conversation_id).update(
        collection_ids=list(collection_ids), document_ids=list(document_ids)
    )


def delete_conversation(*, actor: Actor, conversation_id: UUID) -> None:
    """The conversation, its answers and the records of its runs are gone; open answers stop. Raises NotFound."""
    conversation = own_conversation(actor, conversation_id)
    messages = list(Message.objects.filter(conversation=conversation).values_list("id", "job_id"))
    for message_id, job_id in messages:
        jobs.cancel_for_subject(subject_id=message_id)
        del job_id
    agents.forget_runs(run_ids=[message_id for message_id, _job in messages])
    for model, path in ((Citation, "statement__message__conversation"), (Statement, "message__conversation")):
        model.objects.filter(**{path: conversation}).delete()
    Feedback.objects.filter(message__conversation=conversation).delete()
    Message.objects.filter(conversation=conversation).delete()
    conversation.delete()
    audit.record(
        action="conversation.deleted",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="conversation",
        object_id=conversation_id,
    )


def give_feedback(*, actor: Actor, message_id: UUID, kind: str, comment: str = "") -> None:
    """One feedback per answer; the later one counts. Raises NotFound, InputError."""
    message = _own_message(actor, message_id)
    if kind not in FeedbackKind.values:
        raise InputError(field="kind")
    Feedback.objects.update_or_create(
        message=message, defaults={"kind": kind, "comment": clean_input(comment)[:LONGEST_COMMENT]}
    )


def scrub_document(_document_id: UUID, version_ids: tuple[UUID, ...]) -> None:
    """Nothing verbatim of these versions stands in answers; citations stay as empty, marked places. Idempotent."""
    cited = Citation.objects.filter(version_id__in=version_ids)
    quoted = Statement.objects.filter(id__in=cited.values("statement_id"), kind="quoted")
    quoted.update(text="", numbers=[], is_scrubbed=True)
    cited.update(is_deleted=True, quote="", document_name="", label="", boxes=[])


def scrub_records(document_id: UUID, version_ids: tuple[UUID, ...]) -> None:
    """As scrub_document, and the recorded steps of all runs too. Idempotent; runs in the purge job."""
    scrub_document(document_id, version_ids)
    agents.forget_versions(version_ids=version_ids)


def own_conversation(actor: Actor, conversation_id: UUID) -> Conversation:
    """Raises NotFound for another person's, word for word like an unknown one."""
    found = Conversation.objects.filter(id=conversation_id, author_id=actor.user_id).first()
    if found is None:
        raise NotFound
    return found


def _own_message(actor: Actor, message_id: UUID) -> Message:
    found = (
        Message.objects.select_for_update(of=("self",))
        .filter(id=message_id, conversation__author_id=actor.user_id)
        .first()
    )
    if found is None:
        raise NotFound
    return found


def _ask(
    actor: Actor,
    text: str,
    conversation_id: UUID | None,
    collection_ids: Sequence[UUID],
    document_ids: Sequence[UUID],
    language: str,
    key: str | None,
) -> Asked:
    if conversation_id is None:
        _require_readable(actor, collection_ids)
        title = " ".join(text.split())[:TITLE_FROM_QUESTION] or _("Empty question")
        conversation = Conversation.objects.create(
            author_id=actor.user_id, title=title, collection_ids=list(collection_ids), document_ids=list(document_ids)
        )
    else:
        own_conversation(actor, conversation_id)
        conversation = Conversation.objects.select_for_update().get(id=conversation_id)
        if collection_ids or document_ids:
            set_scope(
                actor=actor, conversation_id=conversation_id, collection_ids=collection_ids, document_ids=document_ids
            )
            conversation.collection_ids, conversation.document_ids = list(collection_ids), list(document_ids)
    last = Message.objects.filter(conversation=conversation).order_by("-ordinal").first()
    message = Message.objects.create(
        conversation=conversation,
        ordinal=last.ordinal + 1 if last else 1,
        question=text,
        language=language if language in ("en", "tr") else agents.detect_language(text=text),
        idempotency_key=key,
        collection_ids=conversation.collection_ids,
        document_ids=conversation.document_ids,
    )
    job_id = jobs.enqueue(
        kind=ANSWER_KIND,
        payload={"message_id": str(message.id)},
        subject_id=message.id,
        created_by_id=actor.user_id,
        idempotency_key=str(message.id),
    )
    Message.objects.filter(id=message.id).update(job_id=job_id)
    Conversation.objects.filter(id=conversation.id).update(updated_at=timezone.now())
    audit.record(
        action="question.asked",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="message",
        object_id=message.id,
        detail={"conversation_id": str(conversation.id), "characters": len(text)},
    )
    return Asked(conversation.id, message.id, job_id, is_new=True)


def _require_readable(actor: Actor, collection_ids: Sequence[UUID]) -> None:
    if set(collection_ids) - readable_collections(actor):
        raise NotFound


def _key(actor: Actor, key: str) -> str | None:
    return hashlib.sha256(f"{actor.user_id}:{key}".encode()).hexdigest() if key else None


def _asked_before(key: str | None, text: str) -> Asked | None:
    found = Message.objects.filter(idempotency_key=key).first() if key else None
    if found is None or found.job_id is None:
        return None
    if found.question != text:
        raise KeyReused
    return Asked(found.conversation_id, found.id, found.job_id, is_new=False)
