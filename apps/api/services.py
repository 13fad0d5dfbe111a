"""Writes to webhooks by owners and administrators; each is audited. What is sent: deliveries.py."""

import hashlib
from collections.abc import Iterable
from urllib.parse import urlsplit
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import require
from apps.api import deliveries
from apps.api.contracts import CHOSEN_KINDS, DeliveryState, EventKind
from apps.api.models import Webhook, WebhookDelivery
from apps.api.signing import fresh_secret
from apps.core.errors import Conflict, InputError, LimitExceeded, NotFound
from apps.core.secrets import seal
from apps.providers.http import check_url
from apps.tenants import audit

MOST_WEBHOOKS = 20
LONGEST_URL = 300
SHORT_PATH = 16  # too short to hold a key


def add_webhook(*, actor: Actor, url: str, kinds: Iterable[EventKind]) -> tuple[UUID, str]:
    """An address that is told from now on, and the secret of its signatures, shown this once.

    Raises InputError, Conflict, LimitExceeded, NotAllowed.
    """
    require(actor, Permission.MANAGE_WEBHOOKS)
    address, chosen, secret = _address(url), _chosen(kinds), fresh_secret()
    if Webhook.objects.count() >= MOST_WEBHOOKS:
        raise LimitExceeded(_("There are twenty webhooks already; remove one first."), code="too_many_webhooks")
    try:
        with transaction.atomic():
            row = Webhook.objects.create(
                sealed_url=seal(address),
                url_digest=digest_of(address),
                shown_url=shown(address),
                kinds=chosen,
                sealed_secret=seal(secret),
            )
    except IntegrityError as exc:
        raise Conflict(_("There is a webhook to this address already."), code="url_taken") from exc
    _record(actor, "webhook.added", row, kinds=chosen)
    return row.id, secret


def digest_of(address: str) -> str:
    return hashlib.sha256(address.encode()).hexdigest()


def shown(address: str) -> str:
    """The address as pages and the API show it: of a longer path the last four characters only."""
    parts = urlsplit(address)
    if len(parts.path) <= SHORT_PATH:
        return address
    return f"{parts.scheme}://{parts.netloc}/…{parts.path[-4:]}"


def change_webhook(*, actor: Actor, webhook_id: UUID, kinds: Iterable[EventKind], is_on: bool) -> None:
    """The webhook is told of these events, while it is on. Switching it on forgets earlier failures."""
    row = _webhook(actor, webhook_id)
    row.kinds, row.is_on = _chosen(kinds), is_on
    if is_on:
        row.failures, row.disabled_at = 0, None
    row.save(update_fields=["kinds", "is_on", "failures", "disabled_at"])
    _record(actor, "webhook.changed", row, kinds=row.kinds, allowed=is_on)


def renew_secret(*, actor: Actor, webhook_id: UUID) -> str:
    """A fresh secret, shown this once; the old one signs nothing from now on."""
    row = _webhook(actor, webhook_id)
    secret = fresh_secret()
    Webhook.objects.filter(id=row.id).update(sealed_secret=seal(secret))
    _record(actor, "webhook.changed", row)
    return secret


def remove_webhook(*, actor: Actor, webhook_id: UUID) -> None:
    """The webhook, its secret and its log are gone."""
    row = _webhook(actor, webhook_id)
    _record(actor, "webhook.removed", row)
    WebhookDelivery.objects.filter(webhook=row).delete()
    row.delete()


def try_webhook(*, actor: Actor, webhook_id: UUID) -> UUID:
    """A `ping` is on its way, signed like any event. Returns the delivery's id."""
    return deliveries.send(_webhook(actor, webhook_id), EventKind.PING, {})


def resend(*, actor: Actor, webhook_id: UUID, delivery_id: UUID) -> None:
    """The same event goes out again, with the same id. Raises Conflict while it is still on its way."""
    row = _webhook(actor, webhook_id)
    delivery = WebhookDelivery.objects.select_for_update().filter(id=delivery_id, webhook=row).first()
    if delivery is None:
        raise NotFound
    if delivery.state == DeliveryState.WAITING:
        raise Conflict(_("This delivery is still on its way."), code="delivery_waits")
    deliveries.send_again(delivery)


def _webhook(actor: Actor, webhook_id: UUID) -> Webhook:
    require(actor, Permission.MANAGE_WEBHOOKS)
    row = Webhook.objects.select_for_update().filter(id=webhook_id).first()
    if row is None:
        raise NotFound
    return row


def _address(url: str) -> str:
    if len(url) > LONGEST_URL:
        raise InputError(_("This address is too long."), field="url")
    return check_url(url, field="url")


def _chosen(kinds: Iterable[EventKind]) -> list[str]:
    wanted = set(kinds)
    chosen = [kind.value for kind in CHOSEN_KINDS if kind in wanted]
    if not chosen:
        raise InputError(_("Choose at least one event."), field="kinds")
    return chosen


def _record(actor: Actor, action: str, row: Webhook, **detail: object) -> None:
    audit.record(
        action=action,
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="webhook",
        object_id=row.id,
        detail={"host": urlsplit(row.shown_url).netloc} | detail,
    )
