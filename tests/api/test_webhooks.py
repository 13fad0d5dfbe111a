"""Webhooks: signed, tried again, switched off after failures, sent again by hand; ids only, to allowed hosts only."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.conf import LazySettings
from django.utils import timezone

from apps.accounts.contracts import Actor, Role
from apps.api import selectors, services
from apps.api.contracts import CHOSEN_KINDS, DELIVER_KIND, DISABLED_AFTER, TRIES_AFTER, DeliveryState, EventKind
from apps.api.models import Webhook, WebhookDelivery
from apps.core.errors import InputError, NotAllowed
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.tenants.audit import list_events
from apps.tenants.context import tenant_context
from tests.api.receiver import Receiver, is_signed, receiving
from tests.factories.desk import Desk, make_desk
from tests.factories.documents import run_jobs, upload
from tests.factories.people import make_actor, signed_in, slug_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def receiver(settings: LazySettings) -> Iterator[Receiver]:
    with receiving() as found:
        settings.PRIVATE_HOSTS = [f"127.0.0.1:{found.port}"]
        yield found


def add(desk: Desk, url: str) -> tuple[UUID, str]:
    with tenant_context(desk.tenant_id):
        return services.add_webhook(actor=desk.admin, url=url, kinds=CHOSEN_KINDS)


def deliver(tenant_id: UUID) -> int:
    """Every delivery that waits was tried once, those that were put off too."""
    with tenant_context(tenant_id):
        waiting = Job.objects.filter(kind=DELIVER_KIND, state="queued")
        waiting.exclude(not_before=None).update(not_before=timezone.now())
        ids = list(waiting.values_list("id", flat=True))
    for job_id in ids:
        jobs.execute(tenant_id=tenant_id, job_id=job_id)
    return len(ids)


def deliveries(desk: Desk, webhook_id: UUID) -> tuple[Any, ...]:
    with tenant_context(desk.tenant_id):
        return selectors.deliveries_after(actor=desk.admin, webhook_id=webhook_id, limit=50)


def test_a_read_document_is_told_signed_and_without_its_name(receiver: Receiver) -> None:
    desk = make_desk()
    webhook_id, secret = add(desk, receiver.url)
    document = upload(desk.member, desk.shared, "Secret merger.txt", b"The price is 5 euro.\n")

    run_jobs(desk.tenant_id)
    deliver(desk.tenant_id)

    [(headers, body)] = receiver.taken
    assert is_signed(headers, body, secret)
    assert not is_signed(headers, body + b" ", secret)
    assert json.loads(body)["type"] == "document.finished"
    assert receiver.body(0)["data"] == {
        "document_id": str(document.id),
        "job_id": str(document.job_id),
        "state": "succeeded",
    }
    assert b"merger" not in body
    [told] = deliveries(desk, webhook_id)
    assert (told.state, told.status, told.tries) == (DeliveryState.DELIVERED, 204, 1)
    assert str(told.id) == headers["webhook-id"]


def test_a_refused_delivery_is_tried_again_later_with_the_same_id(receiver: Receiver) -> None:
    desk = make_desk()
    webhook_id, secret = add(desk, receiver.url)
    receiver.statuses += [500, 302]  # a redirect is no success and is not followed
    with tenant_context(desk.tenant_id):
        services.try_webhook(actor=desk.admin, webhook_id=webhook_id)

    deliver(desk.tenant_id)
    with tenant_context(desk.tenant_id):
        job = Job.objects.get(kind=DELIVER_KIND)
        assert jobs.dispatch() == 0  # put off: nobody is hinted before its time
    wait = job.not_before - timezone.now() if job.not_before else timedelta()
    jobs.execute(tenant_id=desk.tenant_id, job_id=job.id)
    assert len(receiver.taken) == 1
    deliver(desk.tenant_id)
    deliver(desk.tenant_id)

    assert timedelta() < wait <= TRIES_AFTER[0]
    assert [is_signed(headers, body, secret) for headers, body in receiver.taken] == [True] * 3
    assert len({headers["webhook-id"] for headers, _body in receiver.taken}) == 1
    [told] = deliveries(desk, webhook_id)
    assert (told.state, told.tries) == (DeliveryState.DELIVERED, 3)


def test_failures_in_a_row_switch_it_off_on_the_record_and_a_resend_starts_anew(receiver: Receiver) -> None:
    desk = make_desk()
    webhook_id, _secret = add(desk, receiver.url)
    with tenant_context(desk.tenant_id):
        Webhook.objects.filter(id=webhook_id).update(failures=DISABLED_AFTER - 1)
        delivery_id = services.try_webhook(actor=desk.admin, webhook_id=webhook_id)
    receiver.statuses += [503] * (len(TRIES_AFTER) + 1)

    tried = sum(deliver(desk.tenant_id) for _ in range(len(TRIES_AFTER) + 3))
    with tenant_context(desk.tenant_id):
        off = selectors.get_webhook(actor=desk.admin, webhook_id=webhook_id)
        acts = [event.action for event in list_events(limit=3)]
        services.resend(actor=desk.admin, webhook_id=webhook_id, delivery_id=delivery_id)
    deliver(desk.tenant_id)

    assert tried == len(TRIES_AFTER) + 1
    assert (off.is_on, off.disabled_at is not None, acts[0]) == (False, True, "webhook.disabled")
    [told] = deliveries(desk, webhook_id)
    assert (told.state, told.tries) == (DeliveryState.DELIVERED, len(TRIES_AFTER) + 2)
    with tenant_context(desk.tenant_id):
        assert selectors.get_webhook(actor=desk.admin, webhook_id=webhook_id).failures == 0


def test_a_failed_job_is_told_once_and_a_delivery_that_fails_is_not(receiver: Receiver) -> None:
    desk = make_desk()
    add(desk, receiver.url)
    upload(desk.member, desk.shared, "a.txt", b"The price is 5 euro.\n")
    with tenant_context(desk.tenant_id):
        job = Job.objects.get(kind="ingest_document")
        Job.objects.filter(id=job.id).update(
            state="running", attempt=3, lease_until=timezone.now() - timedelta(seconds=1)
        )
    jobs.dispatch()
    receiver.statuses += [500] * 20
    while deliver(desk.tenant_id):
        pass

    with tenant_context(desk.tenant_id):
        told = sorted(WebhookDelivery.objects.values_list("kind", "body__data__state", "body__data__code"))
    assert told == [("document.finished", "failed", None), ("job.failed", None, "worker_lost")]


def test_addresses_of_the_own_network_are_refused_when_named_and_when_called(settings: LazySettings) -> None:
    desk = make_desk()

    with receiving() as receiver:
        with pytest.raises(InputError):
            add(desk, receiver.url)
        settings.PRIVATE_HOSTS = [f"127.0.0.1:{receiver.port}"]
        webhook_id, _secret = add(desk, receiver.url)
        settings.PRIVATE_HOSTS = []
        with tenant_context(desk.tenant_id):
            services.try_webhook(actor=desk.admin, webhook_id=webhook_id)
        deliver(desk.tenant_id)
        assert receiver.taken == []

    [told] = deliveries(desk, webhook_id)
    assert (told.state, told.failure, told.status) == (DeliveryState.FAILED, "host_forbidden", None)


def test_the_page_adds_shows_the_secret_once_tries_and_removes(receiver: Receiver) -> None:
    desk = make_desk()
    browser, base = signed_in(desk.admin), f"/t/{slug_of(desk.tenant_id)}/webhooks/"

    added = browser.post(base, {"url": receiver.url, "kinds": ["job.failed"]})
    bad = browser.post(base, {"url": "http://192.168.0.1/", "kinds": ["job.failed"]})
    with tenant_context(desk.tenant_id):
        [webhook] = selectors.list_webhooks(actor=desk.admin)
    page = f"{base}{webhook.id}/"
    browser.post(f"{page}try/")
    deliver(desk.tenant_id)
    shown = browser.get(page)
    renewed = browser.post(f"{page}secret/")
    browser.post(page, {"kinds": ["question.finished"]})
    changed = browser.get(page).content
    removed = browser.post(f"{page}remove/", follow=True)

    assert b"whsec_" in added.content
    assert b"whsec_" not in browser.get(base).content + shown.content
    assert bad.status_code == 400
    assert b"ping" in shown.content
    assert b"204" in shown.content
    assert b"whsec_" in renewed.content
    assert b'value="question.finished" checked' in changed
    assert receiver.url.encode() not in removed.content
    assert signed_in(desk.member).get(base).status_code == 403


def test_only_owners_and_administrators_decide_and_sealed_secrets_stay_sealed(receiver: Receiver) -> None:
    desk = make_desk()
    webhook_id, secret = add(desk, receiver.url)
    auditor: Actor = make_actor(desk.tenant_id, Role.AUDITOR)

    with tenant_context(desk.tenant_id):
        for person in (desk.member, auditor):
            with pytest.raises(NotAllowed):
                services.add_webhook(actor=person, url=receiver.url, kinds=[EventKind.JOB_FAILED])
            with pytest.raises(NotAllowed):
                selectors.list_webhooks(actor=person)
        assert secret not in Webhook.objects.get(id=webhook_id).sealed_secret


def test_a_third_delivery_of_an_organisation_waits_for_its_turn(receiver: Receiver) -> None:
    desk = make_desk()
    webhook_id, _secret = add(desk, receiver.url)
    with tenant_context(desk.tenant_id):
        for _n in range(3):
            services.try_webhook(actor=desk.admin, webhook_id=webhook_id)
        [first, second, _third] = Job.objects.filter(kind=DELIVER_KIND).order_by("queued_at")
        running = {"state": "running", "lease_until": timezone.now() + timedelta(minutes=1)}
        Job.objects.filter(id__in=[first.id, second.id]).update(**running)

    deliver(desk.tenant_id)

    assert receiver.taken == []
    with tenant_context(desk.tenant_id):
        put_off = Job.objects.get(kind=DELIVER_KIND, state="queued")
    assert put_off.not_before is not None
    assert {told.tries for told in deliveries(desk, webhook_id)} == {0}
