"""What a person's open pages watch: their conversations and their notices, each a number that grows with changes.

The counting update is the last write but events: its row lock orders writers, so that numbers commit in order.
"""

from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F

from apps.chat.models import Desk
from apps.jobs.hints import hint_topics


def conversations_changed(*, person_id: UUID) -> None:
    """Every open tab of the person shows the conversations anew."""
    _count(person_id, "conversations")


def notices_changed(*, person_id: UUID) -> None:
    """Every open page of the person shows the number of unread notices anew."""
    _count(person_id, "notices")


def revisions(*, person_id: UUID) -> tuple[int, int]:
    """Of the conversations, of the notices."""
    row = Desk.objects.filter(person_id=person_id).values_list("conversations", "notices").first()
    return row or (0, 0)


def _count(person_id: UUID, field: str) -> None:
    desk = Desk.objects.filter(person_id=person_id)
    if not desk.update(**{field: F(field) + 1}):
        try:
            with transaction.atomic():
                Desk.objects.create(person_id=person_id, **{field: 1})
        except IntegrityError:
            desk.update(**{field: F(field) + 1})
    hint_topics(person_id)
