"""The list of conversations as the API reads it: the latest first, piece by piece."""

from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q

from apps.accounts.contracts import Actor
from apps.chat.contracts import ConversationSummary
from apps.chat.models import Conversation
from apps.chat.selectors import _summary


def conversations_after(
    *, actor: Actor, limit: int, after: tuple[datetime, UUID] | None = None
) -> tuple[ConversationSummary, ...]:
    """The actor's conversations that were touched before a place (touched, id)."""
    found = Conversation.objects.filter(author_id=actor.user_id)
    if after is not None:
        found = found.filter(Q(updated_at__lt=after[0]) | Q(updated_at=after[0], id__lt=after[1]))
    rows = found.annotate(count=Count("messages")).order_by("-updated_at", "-id")[:limit]
    return tuple(_summary(row, row.count) for row in rows)
