"""Reading another person's conversation: by an auditor, where the organisation allows it, with a reason, on record."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count
from django.utils.translation import gettext as _

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import allows, require
from apps.accounts.selectors import allows_conversation_review
from apps.chat import selectors
from apps.chat.contracts import MessageView
from apps.chat.models import Conversation, Message
from apps.core.errors import InputError, NotAllowed, NotFound
from apps.core.text import clean_input
from apps.tenants import audit

SHORTEST_REASON = 10
LONGEST_REASON = 500
LISTED = 200


@dataclass(frozen=True, slots=True)
class ConversationFact:
    """That a conversation took place: no word of it, its title is its first question."""

    id: UUID
    author_name: str
    started_at: datetime
    updated_at: datetime
    question_count: int


@dataclass(frozen=True, slots=True)
class Review:
    fact: ConversationFact
    reason: str
    messages: tuple[MessageView, ...]


def list_conversation_facts(*, actor: Actor) -> tuple[ConversationFact, ...]:
    """Who asked when and how often, the latest first; () where the organisation does not allow reading."""
    require(actor, Permission.REVIEW_CONVERSATIONS)
    if not allows_conversation_review(tenant_id=actor.tenant_id):
        return ()
    rows = Conversation.objects.select_related("author").annotate(count=Count("messages")).order_by("-updated_at")
    return tuple(_fact(row, row.count) for row in rows[:LISTED])


def read_conversation(*, actor: Actor, conversation_id: UUID, reason: str) -> Review:
    """The conversation, once; the act, its reason and its author stand in the trail, which the author sees.

    Raises NotFound for everybody who is no auditor, NotAllowed where the organisation forbids it, InputError for no
    real reason.
    """
    if not allows(actor, Permission.REVIEW_CONVERSATIONS):
        raise NotFound
    row = Conversation.objects.select_related("author").filter(id=conversation_id).first()
    if row is None:
        raise NotFound
    if not allows_conversation_review(tenant_id=actor.tenant_id):
        raise NotAllowed(_("The organisation does not let auditors read conversations."), code="review_off")
    cleaned = " ".join(clean_input(reason).split())[:LONGEST_REASON]
    if len(cleaned) < SHORTEST_REASON:
        raise InputError(_("Say why you read it, in a few words."), code="reason_needed", field="reason")
    messages = selectors.views_of(list(Message.objects.filter(conversation=row).order_by("ordinal")))
    audit.record(
        action="conversation.reviewed",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="conversation",
        object_id=row.id,
        detail={
            "author": str(row.author_id),
            "author_name": row.author.name,
            "reason": cleaned,
            "questions": len(messages),
        },
    )
    return Review(_fact(row, len(messages)), cleaned, messages)


def _fact(row: Conversation, count: int) -> ConversationFact:
    return ConversationFact(row.id, row.author.name, row.created_at, row.updated_at, count)
