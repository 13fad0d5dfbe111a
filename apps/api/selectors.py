"""Reads of webhooks. Owners and administrators only."""

from datetime import datetime
from uuid import UUID

from django.db.models import Q

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import require
from apps.api.contracts import DeliveryState, DeliveryView, EventKind, WebhookView
from apps.api.models import Webhook, WebhookDelivery
from apps.core.errors import NotFound


def list_webhooks(*, actor: Actor) -> tuple[WebhookView, ...]:
    """In the order in which they were made."""
    require(actor, Permission.MANAGE_WEBHOOKS)
    return tuple(_webhook(row) for row in Webhook.objects.order_by("created_at", "id"))


def get_webhook(*, actor: Actor, webhook_id: UUID) -> WebhookView:
    """Raises NotFound, NotAllowed."""
    require(actor, Permission.MANAGE_WEBHOOKS)
    row = Webhook.objects.filter(id=webhook_id).first()
    if row is None:
        raise NotFound
    return _webhook(row)


def deliveries_after(
    *, actor: Actor, webhook_id: UUID, limit: int, after: tuple[datetime, UUID] | None = None
) -> tuple[DeliveryView, ...]:
    """What became of each event, newest first."""
    get_webhook(actor=actor, webhook_id=webhook_id)
    rows = WebhookDelivery.objects.filter(webhook_id=webhook_id).order_by("-created_at", "-id")
    if after is not None:
        rows = rows.filter(Q(created_at__lt=after[0]) | Q(created_at=after[0], id__lt=after[1]))
    return tuple(_delivery(row) for row in rows[:limit])


def _webhook(row: Webhook) -> WebhookView:
    return WebhookView(
        id=row.id,
        url=row.shown_url,
        kinds=tuple(kind for kind in EventKind if kind.value in row.kinds),
        is_on=row.is_on,
        failures=row.failures,
        disabled_at=row.disabled_at,
        created_at=row.created_at,
    )


def _delivery(row: WebhookDelivery) -> DeliveryView:
    return DeliveryView(
        id=row.id,
        webhook_id=row.webhook_id,
        kind=EventKind(row.kind),
        state=DeliveryState(row.state),
        tries=row.tries,
        status=row.status,
        failure=row.failure,
        seconds=row.seconds,
        body=row.body,
        created_at=row.created_at,
        tried_at=row.tried_at,
    )
