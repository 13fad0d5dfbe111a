"""Events on their way to webhooks: made in the transaction that ends a job, sent by jobs of their own.

A body holds ids and states, never names or text: whoever receives it asks the API, with a token, for the rest.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx2
from django.db.models import F
from django.utils import timezone

from apps.api.contracts import DELIVER_KIND, DISABLED_AFTER, TRIES_AFTER, DeliveryState, EventKind
from apps.api.models import Webhook, WebhookDelivery
from apps.api.signing import signature
from apps.chat.contracts import ANSWER_KIND
from apps.core.errors import ProviderError
from apps.core.secrets import unseal
from apps.documents.contracts import INGEST_KIND
from apps.jobs import services as jobs
from apps.jobs.contracts import JobState, JobSummary
from apps.jobs.run import JobPutOff, JobRun
from apps.jobs.selectors import is_among_first
from apps.providers.http import GuardedClient
from apps.tenants import audit
from apps.tenants.context import tenant_context

TIMEOUT_S = 10.0  # in all
MOST_AT_ONCE = 2  # deliveries of one organisation
TURN_AFTER = timedelta(seconds=3)
MOST_REPLY_BYTES = 200_000  # of heads and what comes with them; the body is not read
_FINISHED = {
    INGEST_KIND: (EventKind.DOCUMENT_FINISHED, "document_id"),
    ANSWER_KIND: (EventKind.QUESTION_FINISHED, "question_id"),
}


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int | None
    failure: str  # "" when it was taken
    seconds: float


def follow(job: JobSummary) -> None:
    """Told by jobs at their end, in the ending transaction. A delivery that fails makes no event: it would go on."""
    if job.kind == DELIVER_KIND:
        return
    wanted = list(Webhook.objects.filter(is_on=True))
    if not wanted:
        return
    if job.kind in _FINISHED:
        kind, name = _FINISHED[job.kind]
        _tell(wanted, kind, {name: str(job.subject_id), "job_id": str(job.id), "state": job.state.value})
    if job.state == JobState.FAILED:
        data = {"job_id": str(job.id), "kind": job.kind, "subject_id": str(job.subject_id), "code": job.error_code}
        _tell(wanted, EventKind.JOB_FAILED, data)


def send(webhook: Webhook, kind: EventKind, data: Mapping[str, str]) -> UUID:
    """The event waits to be sent. Returns the delivery's id."""
    body = {"type": kind.value, "timestamp": timezone.now().isoformat(), "data": dict(data)}
    delivery = WebhookDelivery.objects.create(webhook=webhook, kind=kind, body=body)
    _enqueue(delivery)
    return delivery.id


def send_again(delivery: WebhookDelivery) -> None:
    """The same event waits to be sent, with all its tries."""
    delivery.state, delivery.tries_before_resend = DeliveryState.WAITING, delivery.tries
    delivery.save(update_fields=["state", "tries_before_resend"])
    _enqueue(delivery)


def deliver(run: JobRun) -> None:
    """The event was taken, or the job is put off to the next try, or the delivery failed to the end."""
    delivery_id = UUID(str(run.payload["delivery_id"]))
    with tenant_context(run.tenant_id):
        found = WebhookDelivery.objects.select_related("webhook").filter(id=delivery_id).first()
        if found is None or found.state != DeliveryState.WAITING:
            return
        if not is_among_first(job_id=run.job_id, kind=DELIVER_KIND, most=MOST_AT_ONCE):
            raise JobPutOff(TURN_AFTER, code="others_first")  # the organisation's others are still being sent
        address, secret = unseal(found.webhook.sealed_url), unseal(found.webhook.sealed_secret)
    answer = _post(address, secret, str(found.id), found.body)
    with run.write():
        wait = _note(delivery_id, answer)
    if wait is not None:
        raise JobPutOff(wait, code=answer.failure)


def mark_failed(_job_id: UUID, payload: Mapping[str, Any], code: str) -> None:
    """The job itself could not go on: the delivery ends with its code."""
    waiting = WebhookDelivery.objects.filter(id=payload["delivery_id"], state=DeliveryState.WAITING)
    waiting.update(state=DeliveryState.FAILED, failure=code[:40])


def _tell(webhooks: list[Webhook], kind: EventKind, data: Mapping[str, str]) -> None:
    for webhook in webhooks:
        if kind.value in webhook.kinds:
            send(webhook, kind, data)


def _enqueue(delivery: WebhookDelivery) -> None:
    jobs.enqueue(
        kind=DELIVER_KIND, payload={"delivery_id": str(delivery.id)}, subject_id=delivery.id, created_by_id=None
    )


def _post(url: str, secret: str, message_id: str, body: Mapping[str, Any]) -> _Answer:
    """One try. The answer's body is not read: nothing of the receiver's comes in but a status."""
    content, now = json.dumps(body, separators=(",", ":")).encode(), int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "AIris",
        "webhook-id": message_id,
        "webhook-timestamp": str(now),
        "webhook-signature": signature(secret=secret, message_id=message_id, timestamp=now, body=content),
    }
    started, status, failure = time.monotonic(), None, ""
    try:
        with (
            GuardedClient(timeout_s=TIMEOUT_S, connect_timeout_s=5.0) as client,
            client.bounded(total_s=TIMEOUT_S, most_bytes=MOST_REPLY_BYTES),
            client.stream("POST", url, content=content, headers=headers) as reply,
        ):
            status = reply.status_code
            failure = "" if 200 <= status < 300 else "refused"
    except ProviderError as exc:
        failure = exc.code
    except httpx2.TimeoutException:
        failure = "timed_out"
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError):
        failure = "unreachable"
    return _Answer(status, failure, round(time.monotonic() - started, 3))


def _note(delivery_id: UUID, answer: _Answer) -> timedelta | None:
    """Writes the try down; how long to wait before the next one, None when there is none."""
    delivery = WebhookDelivery.objects.select_for_update(of=("self",)).filter(id=delivery_id).first()
    if delivery is None:
        return None  # removed meanwhile, with its webhook
    delivery.tries += 1
    delivery.status, delivery.failure, delivery.seconds = answer.status, answer.failure, answer.seconds
    delivery.tried_at = timezone.now()
    used = delivery.tries - delivery.tries_before_resend
    has_next = bool(answer.failure) and used <= len(TRIES_AFTER) and answer.failure != "host_forbidden"
    if not has_next:
        delivery.state = DeliveryState.FAILED if answer.failure else DeliveryState.DELIVERED
    delivery.save()
    if has_next:
        return TRIES_AFTER[used - 1]
    _count(delivery.webhook_id, has_failed=bool(answer.failure))
    return None


def _count(webhook_id: UUID, *, has_failed: bool) -> None:
    """Failures in a row switch the webhook off; what was taken starts the count anew."""
    row = Webhook.objects.filter(id=webhook_id)
    if not has_failed:
        row.update(failures=0)
        return
    row.update(failures=F("failures") + 1)
    if not row.filter(is_on=True, failures__gte=DISABLED_AFTER).update(is_on=False, disabled_at=timezone.now()):
        return
    waiting = WebhookDelivery.objects.filter(webhook_id=webhook_id, state=DeliveryState.WAITING)
    waiting.update(state=DeliveryState.FAILED, failure="switched_off")
    audit.record(
        action="webhook.disabled",
        actor_id=None,
        object_type="webhook",
        object_id=webhook_id,
        detail={"host": urlsplit(row.get().shown_url).netloc},
    )
