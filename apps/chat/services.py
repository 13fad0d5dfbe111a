"""Ask, ask in another way, stop, retry; conversations renamed, pinned, deleted; deleted documents scrubbed.

Inside the tenant context. Each act ends by telling the person's other open pages (desks.py).
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import readable_collections, require
from apps.agents import services as agents
from apps.agents.contracts import StatementKind
from apps.chat import branches, line
from apps.chat.contracts import OPEN_STATES, Asked, FeedbackKind, MessageState
from apps.chat.desks import conversations_changed, notices_changed
from apps.chat.models import Citation, Conversation, Feedback, Message, Notice, Statement
from apps.core.errors import Conflict, InputError, KeyReused, NotFound
from apps.core.text import clean_input
from apps.jobs import services as jobs
from apps.tenants import audit

LONGEST_QUESTION = 20_000  # longer input is refused; the engine's own limit answers with a hint
LONGEST_TITLE = 200
TITLE_FROM_QUESTION = 80
LONGEST_COMMENT = 2000
SCRUBBED = (StatementKind.QUOTED, StatementKind.REWORDED)  # kinds whose words are a document's


@dataclass(frozen=True, slots=True)
class _Asking:
    """A question on its way into a conversation."""

    text: str
    language: str
    key: str | None
    parent_id: UUID | None
    collection_ids: Sequence[UUID]
    document_ids: Sequence[UUID]


def ask(
    *,
    actor: Actor,
    question: str,
    conversation_id: UUID | None = None,
    after_id: UUID | None = None,
    collection_ids: Sequence[UUID] = (),
    document_ids: Sequence[UUID] = (),
    language: str = "",
    idempotency_key: str = "",
) -> Asked:
    """The question stands in a conversation (a new one unless given) and its answer job waits, or it waits in line
    behind the conversation's earlier questions and gets its job when they are answered.

    `after_id`: the question it follows up, the newest one unless given. The same key of the same person gives the same
    question; with other words: KeyReused. `language`: of the answer's frame, detected when "".
    Rows written: Conversation, Message, Job, AuditEvent. Raises NotAllowed, NotFound, InputError.
    """
    require(actor, Permission.ASK)
    text = _question_text(question)

    def add(key: str | None) -> Asked:
        if conversation_id is None:
            conversation = _new_conversation(actor, text, collection_ids, document_ids)
        else:
            conversation = _locked_conversation(actor, conversation_id)
            if collection_ids or document_ids:
                set_scope(
                    actor=actor,
                    conversation_id=conversation_id,
                    collection_ids=collection_ids,
                    document_ids=document_ids,
                )
                conversation.collection_ids, conversation.document_ids = list(collection_ids), list(document_ids)
        parent_id = _parent(conversation.id, after_id)
        scope = (conversation.collection_ids, conversation.document_ids)
        return _add(actor, conversation, _Asking(text, language, key, parent_id, *scope))

    return _once(actor, idempotency_key, text, add)


def ask_instead(*, actor: Actor, message_id: UUID, question: str, idempotency_key: str = "") -> Asked:
    """The question stands in the place of another, in the scope of that one; the old branch is kept as it is.

    Rows written as by `ask`. Raises NotAllowed, NotFound, InputError, Conflict while the old one is being answered.
    """
    require(actor, Permission.ASK)
    text = _question_text(question)
    old = _own_message(actor, message_id)

    def add(key: str | None) -> Asked:
        conversation = _locked_conversation(actor, old.conversation_id)
        if Message.objects.filter(id=old.id, state__in=OPEN_STATES).exists():
            raise Conflict(
                _("Wait for its answer, or stop it, before you ask it in another way."), code="answer_is_open"
            )
        asking = _Asking(text, "", key, old.parent_id, old.collection_ids, old.document_ids)
        return _add(actor, conversation, asking, instead_of=old.id)

    return _once(actor, idempotency_key, text, add)


def take_back(*, actor: Actor, message_id: UUID) -> str:
    """A question that waits in line was never asked; returns its words. Raises NotFound, Conflict once it has begun."""
    found = _own_message(actor, message_id)
    _locked_conversation(actor, found.conversation_id)
    message = Message.objects.get(id=message_id)
    if message.state not in OPEN_STATES or message.job_id is not None:
        raise Conflict(code="answer_has_begun")
    Message.objects.filter(parent=message).update(parent=message.parent_id)
    message.delete()
    conversations_changed(person_id=actor.user_id)
    return message.question


def stop(*, actor: Actor, message_id: UUID) -> None:
    """The answer stops at its next step; what stands stays. Raises NotFound, Conflict when it is over."""
    message = _own_message(actor, message_id)
    if message.state not in OPEN_STATES or message.job_id is None:
        raise Conflict(code="answer_is_over")
    jobs.cancel_in_transaction(job_id=message.job_id)
    conversations_changed(person_id=actor.user_id)


def retry(*, actor: Actor, message_id: UUID) -> None:
    """The answer runs again from its recorded steps. Raises NotFound, Conflict unless it failed or was stopped."""
    message = _own_message(actor, message_id)
    if message.state not in (MessageState.FAILED, MessageState.STOPPED) or message.job_id is None:
        raise Conflict(code="answer_not_interrupted")
    jobs.requeue(job_id=message.job_id)
    Message.objects.filter(id=message.id).update(state=MessageState.WAITING, error_code="", finished_at=None)
    conversations_changed(person_id=actor.user_id)


def rename_conversation(*, actor: Actor, conversation_id: UUID, title: str) -> None:
    """Raises NotFound, InputError."""
    cleaned = " ".join(clean_input(title).split())[:LONGEST_TITLE]
    if not cleaned:
        raise InputError(_("Give the conversation a title."), field="title")
    own_conversation(actor, conversation_id)
    Conversation.objects.filter(id=conversation_id).update(title=cleaned)
    conversations_changed(person_id=actor.user_id)


def pin_conversation(*, actor: Actor, conversation_id: UUID) -> None:
    """It is listed first. Raises NotFound."""
    own_conversation(actor, conversation_id)
    Conversation.objects.filter(id=conversation_id, pinned_at=None).update(pinned_at=timezone.now())
    conversations_changed(person_id=actor.user_id)


def unpin_conversation(*, actor: Actor, conversation_id: UUID) -> None:
    """It is listed by its date again. Raises NotFound."""
    own_conversation(actor, conversation_id)
    Conversation.objects.filter(id=conversation_id).update(pinned_at=None)
    conversations_changed(person_id=actor.user_id)


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
    messages = Message.objects.filter(conversation=conversation)
    messages.filter(job_id=None, state__in=OPEN_STATES).update(state=MessageState.STOPPED)  # nothing moves up the line
    message_ids = list(messages.values_list("id", flat=True))
    for message_id in message_ids:
        jobs.cancel_for_subject(subject_id=message_id)
    agents.forget_runs(run_ids=message_ids)
    for model, path in ((Citation, "statement__message__conversation"), (Statement, "message__conversation")):
        model.objects.filter(**{path: conversation}).delete()
    Feedback.objects.filter(message__conversation=conversation).delete()
    Message.objects.filter(conversation=conversation).delete()
    conversation.delete()
    if Notice.objects.filter(place_id=conversation_id, person_id=actor.user_id).delete()[0]:
        notices_changed(person_id=actor.user_id)
    audit.record(
        action="conversation.deleted",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="conversation",
        object_id=conversation_id,
    )
    conversations_changed(person_id=actor.user_id)


def give_feedback(*, actor: Actor, message_id: UUID, kind: str, comment: str = "") -> None:
    """One feedback per answer; the later one counts. Raises NotFound, InputError."""
    message = _own_message(actor, message_id)
    if kind not in FeedbackKind.values:
        raise InputError(field="kind")
    Feedback.objects.update_or_create(
        message=message, defaults={"kind": kind, "comment": clean_input(comment)[:LONGEST_COMMENT]}
    )
    conversations_changed(person_id=actor.user_id)


def scrub_document(_document_id: UUID, version_ids: tuple[UUID, ...]) -> None:
    """Nothing verbatim of these versions stands in answers; citations stay as empty, marked places. Idempotent."""
    cited = Citation.objects.filter(version_id__in=version_ids)
    quoted = Statement.objects.filter(id__in=cited.values("statement_id"), kind__in=SCRUBBED)
    quoted.update(text="", numbers=[], is_scrubbed=True)
    cited.update(is_deleted=True, quote="", document_name="", label="", boxes=[])


def follow_moved_pages(_document_id: UUID, version_id: UUID, reading_id: UUID, pages: frozenset[int]) -> None:
    """Citations of pages that read differently since name the reading that they were taken from."""
    Citation.objects.filter(version_id=version_id, page__in=pages).update(version_id=reading_id)


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
    found = Message.objects.filter(id=message_id, conversation__author_id=actor.user_id).first()
    if found is None:
        raise NotFound
    return found


def _locked_conversation(actor: Actor, conversation_id: UUID) -> Conversation:
    """Who adds to a conversation or takes from its line holds it. Raises NotFound."""
    own_conversation(actor, conversation_id)
    return Conversation.objects.select_for_update().get(id=conversation_id)


def _question_text(question: str) -> str:
    text = clean_input(question)
    if len(text) > LONGEST_QUESTION:
        raise InputError(_("The question is too long. Shorten it to 20,000 characters."), field="question")
    return text


def _once(actor: Actor, idempotency_key: str, text: str, add: Callable[[str | None], Asked]) -> Asked:
    """What the same key of the same person made before, else what `add` makes. Raises KeyReused for other words."""
    key = hashlib.sha256(f"{actor.user_id}:{idempotency_key}".encode()).hexdigest() if idempotency_key else None
    known = _asked_before(key, text)
    if known is not None:
        return known
    try:
        with transaction.atomic():
            return add(key)
    except IntegrityError:
        known = _asked_before(key, text)
        if known is None:
            raise
        return known


def _new_conversation(
    actor: Actor, text: str, collection_ids: Sequence[UUID], document_ids: Sequence[UUID]
) -> Conversation:
    _require_readable(actor, collection_ids)
    title = " ".join(text.split())[:TITLE_FROM_QUESTION] or _("Empty question")
    return Conversation.objects.create(
        author_id=actor.user_id, title=title, collection_ids=list(collection_ids), document_ids=list(document_ids)
    )


def _parent(conversation_id: UUID, after_id: UUID | None) -> UUID | None:
    """The last question of the branch that is gone on with. Raises NotFound for one of another conversation."""
    places = line.places_of(conversation_id)
    if after_id is not None and after_id not in {place.id for place in places}:
        raise NotFound
    branch = branches.shown(places, after_id)
    return branch[-1] if branch else None


def _add(actor: Actor, conversation: Conversation, asking: _Asking, *, instead_of: UUID | None = None) -> Asked:
    last = Message.objects.filter(conversation=conversation).order_by("-ordinal").first()
    language = asking.language
    message = Message.objects.create(
        conversation=conversation,
        parent_id=asking.parent_id,
        ordinal=last.ordinal + 1 if last else 1,
        question=asking.text,
        language=language if language in ("en", "tr") else agents.detect_language(text=asking.text),
        idempotency_key=asking.key,
        collection_ids=list(asking.collection_ids),
        document_ids=list(asking.document_ids),
    )
    Conversation.objects.filter(id=conversation.id).update(updated_at=timezone.now())
    audit.record(
        action="question.asked",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="message",
        object_id=message.id,
        detail={"conversation_id": str(conversation.id), "characters": len(asking.text)}
        | ({"rewording_of": str(instead_of)} if instead_of else {}),
    )
    line.start_next(conversation_id=conversation.id)
    conversations_changed(person_id=actor.user_id)
    message.refresh_from_db(fields=["job_id"])
    return Asked(conversation.id, message.id, message.job_id, is_new=True)


def _require_readable(actor: Actor, collection_ids: Sequence[UUID]) -> None:
    if set(collection_ids) - readable_collections(actor):
        raise NotFound


def _asked_before(key: str | None, text: str) -> Asked | None:
    found = Message.objects.filter(idempotency_key=key).first() if key else None
    if found is None:
        return None
    if found.question != text:
        raise KeyReused
    return Asked(found.conversation_id, found.id, found.job_id, is_new=False)
