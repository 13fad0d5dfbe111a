"""Types of webhooks."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

DELIVER_KIND = "deliver_webhook"
TRIES_AFTER = (  # waits before the second try, the third …; the last failure ends the delivery
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=6),
)
DISABLED_AFTER = 5  # deliveries in a row that failed to the end


class EventKind(TextChoices):
    DOCUMENT_FINISHED = "document.finished", _("a document was read, or could not be")
    QUESTION_FINISHED = "question.finished", _("a question was answered, or could not be")
    JOB_FAILED = "job.failed", _("any work failed")
    PING = "ping", _("a trial")


CHOSEN_KINDS = (EventKind.DOCUMENT_FINISHED, EventKind.QUESTION_FINISHED, EventKind.JOB_FAILED)


class DeliveryState(TextChoices):
    WAITING = "waiting", _("waiting")
    DELIVERED = "delivered", _("delivered")
    FAILED = "failed", _("failed")


@dataclass(frozen=True, slots=True)
class WebhookView:
    id: UUID
    url: str  # shortened: the end of a longer path may be a key
    kinds: tuple[EventKind, ...]
    is_on: bool
    failures: int  # deliveries in a row that failed to the end
    disabled_at: datetime | None  # switched off by the program
    created_at: datetime


@dataclass(frozen=True, slots=True)
class DeliveryView:
    id: UUID
    webhook_id: UUID
    kind: EventKind
    state: DeliveryState
    tries: int
    status: int | None  # of the last answer; None when there was none
    failure: str  # code of the last failure
    seconds: float | None
    body: Mapping[str, Any]
    created_at: datetime
    tried_at: datetime | None
