"""The audit trail's one door. No event, no act: recorded in the act's own transaction."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from apps.tenants.models import AuditEvent

LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class AuditEntry:
    at: datetime
    actor_id: UUID | None
    actor_name: str
    action: str
    object_type: str
    object_id: UUID | None
    detail: Mapping[str, object]
    id: UUID | None = None


def record(
    *,
    action: str,
    actor_id: UUID | None,
    actor_name: str = "",
    object_type: str = "",
    object_id: UUID | None = None,
    detail: Mapping[str, object] | None = None,
) -> None:
    """An audit row is part of the running tenant transaction. `detail`: ids, names, counts; never document text."""
    AuditEvent.objects.create(
        action=action,
        actor_id=actor_id,
        actor_name=actor_name[:LONGEST_NAME],
        object_type=object_type,
        object_id=object_id,
        detail=dict(detail or {}),
    )


def list_events(
    *,
    limit: int,
    before: datetime | None = None,
    actor_id: UUID | None = None,
    action: str = "",
    after: tuple[datetime, UUID] | None = None,
) -> tuple[AuditEntry, ...]:
    """Events of the organisation, newest first, older than `before`; `after`: a place (moment, id) in that order."""
    events = AuditEvent.objects.order_by("-at", "-id")
    if after is not None:
        events = events.filter(Q(at__lt=after[0]) | Q(at=after[0], id__lt=after[1]))
    if before is not None:
        events = events.filter(at__lt=before)
    if actor_id is not None:
        events = events.filter(actor_id=actor_id)
    if action:
        events = events.filter(action=action)
    return _entries(events[:limit])


def list_events_about(*, limit: int, user_id: UUID) -> tuple[AuditEntry, ...]:
    """What the person did, and what others did with the person or read of theirs; newest first."""
    mine = Q(actor_id=user_id) | Q(object_type="user", object_id=user_id) | Q(detail__author=str(user_id))
    return _entries(AuditEvent.objects.filter(mine).order_by("-at", "-id")[:limit])


def list_events_of(*, object_id: UUID, actions: Iterable[str], limit: int) -> tuple[AuditEntry, ...]:
    """Acts of these kinds on one thing, newest first. The caller checked the right to the thing."""
    events = AuditEvent.objects.filter(object_id=object_id, action__in=list(actions))
    return _entries(events.order_by("-at", "-id")[:limit])


def list_actions() -> tuple[str, ...]:
    """Kinds of events that the organisation has, sorted."""
    return tuple(AuditEvent.objects.order_by("action").values_list("action", flat=True).distinct())


def _entries(events: Iterable[AuditEvent]) -> tuple[AuditEntry, ...]:
    return tuple(
        AuditEntry(
            at=event.at,
            actor_id=event.actor_id,
            actor_name=event.actor_name,
            action=event.action,
            object_type=event.object_type,
            object_id=event.object_id,
            detail=event.detail,
            id=event.id,
        )
        for event in events
    )
