"""API tokens: shown once, kept as a hash, no more than they were made for, dead at once when revoked or expired."""

import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient, Client
from django.utils import timezone

from apps.accounts import api_tokens, services
from apps.accounts.contracts import Actor, Role, Scope
from apps.accounts.models import ApiToken
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.tenants.audit import list_events
from apps.tenants.context import tenant_context
from tests.factories.people import make_actor, make_organisation, signed_in, slug_of

pytestmark = pytest.mark.django_db(transaction=True)


def make(actor: Actor, *scopes: Scope, days: int = 1) -> tuple[Client, str]:
    token, row = services.issue_token(
        user_id=actor.user_id,
        tenant_id=actor.tenant_id,
        label="t",
        scopes=scopes or tuple(Scope),
        expires_at=timezone.now() + timedelta(days=days),
    )
    return Client(headers={"authorization": f"Bearer {token}"}), str(row.id)


def test_a_token_made_on_the_page_is_shown_once_works_and_is_revoked_there() -> None:
    actor = make_actor(make_organisation())
    browser, form = signed_in(actor), {"label": "Nightly upload", "scopes": ["read"], "days": "7"}

    made = browser.post("/account/tokens/", form | {"organisation": slug_of(actor.tenant_id)})
    row = ApiToken.objects.get(user_id=actor.user_id)
    text = made.content.decode()
    token = text.partition('value="airis_')[2].partition('"')[0]
    client = Client(headers={"authorization": f"Bearer airis_{token}"})
    before = client.get("/api/v1/me/")
    again = browser.get("/account/tokens/").content.decode()
    stranger = signed_in(make_actor(make_organisation())).post(f"/account/tokens/{row.id}/revoke/")
    browser.post(f"/account/tokens/{row.id}/revoke/")

    assert before.json()["scopes"] == ["read"]
    assert row.digest not in text
    assert token not in again
    assert "Nightly upload" in again
    assert stranger.status_code == 404
    assert client.get("/api/v1/me/").status_code == 401
    with tenant_context(actor.tenant_id):
        assert [event.action for event in list_events(limit=9)][:2] == ["token.revoked", "token.made"]


def test_the_page_says_what_is_missing() -> None:
    actor = make_actor(make_organisation())
    browser, slug = signed_in(actor), slug_of(actor.tenant_id)

    for form in (
        {},
        {"label": "x", "days": "4000", "scopes": ["read"]},
        {"label": " ", "days": "1", "scopes": ["all"]},
    ):
        refused = browser.post("/account/tokens/", form | {"organisation": slug})
        assert refused.status_code == 400
        assert b'class="error"' in refused.content
    assert not ApiToken.objects.filter(user_id=actor.user_id).exists()


def test_a_token_makes_no_stronger_and_no_longer_lived_one() -> None:
    actor = make_actor(make_organisation(), Role.OWNER)
    client, own = make(actor, Scope.READ, Scope.MANAGE, days=3)

    stronger = post(client, "tokens/", {"label": "x", "scopes": ["read", "ask"], "days": 1})
    longer = post(client, "tokens/", {"label": "x", "scopes": ["read"], "days": 60})
    listed = client.get("/api/v1/tokens/").json()["items"]

    assert (stronger.status_code, stronger.json()["code"]) == (403, "scope_missing")
    assert longer.json()["expires_at"] == next(t for t in listed if t["id"] == own)["expires_at"]
    assert [set(t) & {"token", "digest"} for t in listed] == [set(), set()]


def test_expired_and_revoked_tokens_are_dead_at_once() -> None:
    actor = make_actor(make_organisation())
    expired, expired_id = make(actor)
    revoked, revoked_id = make(actor)
    assert expired.get("/api/v1/me/").status_code == revoked.get("/api/v1/me/").status_code == 200

    ApiToken.objects.filter(id=expired_id).update(expires_at=timezone.now())
    api_tokens.revoke_token(actor=actor, token_id=ApiToken.objects.get(id=revoked_id).id)

    for client in (expired, revoked):
        reply = client.get("/api/v1/me/")
        assert (reply.status_code, reply["WWW-Authenticate"]) == (401, "Bearer")
        assert reply["Content-Type"] == "application/problem+json"


def test_requests_of_a_token_are_counted_by_the_minute(settings: Any) -> None:
    settings.API_REQUESTS_PER_MINUTE = 2
    client, _id = make(make_actor(make_organisation()))
    other, _id = make(make_actor(make_organisation()))

    replies = [client.get("/api/v1/me/") for _ in range(5)]  # five: the minute may turn between two of them
    refused = [reply for reply in replies if reply.status_code == 429]

    assert refused
    assert 1 <= int(refused[0]["Retry-After"]) <= 60
    assert refused[0].json()["code"] == "throttled"
    assert other.get("/api/v1/me/").status_code == 200


async def test_a_stream_replays_from_the_last_event_and_ends_when_its_token_is_revoked() -> None:
    actor = await sync_to_async(make_actor)(await sync_to_async(make_organisation)())
    token, row = await sync_to_async(services.issue_token)(user_id=actor.user_id, tenant_id=actor.tenant_id, label="t")
    job_id = await sync_to_async(_question)(actor)
    headers = {"authorization": f"Bearer {token}", "accept": "text/event-stream", "last-event-id": "1"}

    stream = await AsyncClient().get(f"/api/v1/jobs/{job_id}/events/", headers=headers)
    frames = stream.streaming_content.__aiter__()
    first = (await anext(frames)).decode()
    await sync_to_async(api_tokens.revoke_token)(actor=actor, token_id=row.id)
    rest = [frame.decode() async for frame in frames]

    assert stream["Content-Type"] == "text/event-stream"
    assert first.startswith("id: 2\nevent: second\n")
    assert json.loads(first.partition("data: ")[2])["payload"] == {"n": 2}
    assert rest[-1] == "event: gone\ndata: {}\n\n"


async def test_a_stream_of_something_finished_ends_by_itself_and_anothers_is_unknown() -> None:
    actor = await sync_to_async(make_actor)(await sync_to_async(make_organisation)())
    stranger = await sync_to_async(make_actor)(actor.tenant_id)
    job_id = await sync_to_async(_question)(actor)
    await sync_to_async(_cancel)(actor, job_id)

    frames, refused = [], None
    for person in (actor, stranger):
        token, _row = await sync_to_async(services.issue_token)(
            user_id=person.user_id, tenant_id=person.tenant_id, label="t"
        )
        headers = {"authorization": f"Bearer {token}", "accept": "text/event-stream"}
        reply = await AsyncClient().get(f"/api/v1/jobs/{job_id}/events/", headers=headers)
        if reply.streaming:
            frames = [frame.decode() async for frame in reply.streaming_content]
        else:
            refused = reply

    assert [frame.partition("\n")[0] for frame in frames] == ["id: 1", "id: 2", "id: 3", "event: end"]
    assert refused is not None
    assert (refused.status_code, refused["Content-Type"]) == (404, "application/problem+json")


def _question(actor: Actor) -> Any:
    """A job that waits, with two events."""
    from apps.chat.contracts import ANSWER_KIND
    from apps.chat.services import ask
    from apps.jobs.run import append_event

    with tenant_context(actor.tenant_id):
        job_id = ask(actor=actor, question="What is the option price?").job_id
        assert Job.objects.get(id=job_id).kind == ANSWER_KIND
        append_event(job_id, "first", {"n": 1})
        append_event(job_id, "second", {"n": 2})
    return job_id


def _cancel(actor: Actor, job_id: Any) -> None:
    with tenant_context(actor.tenant_id):
        jobs.cancel(actor=actor, job_id=job_id)


def post(client: Client, path: str, body: Any) -> Any:
    return client.post(f"/api/v1/{path}", body, content_type="application/json")
