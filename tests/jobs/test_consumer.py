"""The socket: replay without gaps, same stream in two tabs, nothing after sign-out, nothing for strangers."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from typing import Any
from uuid import UUID, uuid4

import pytest
from allauth.usersessions.models import UserSession
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import connections

from airis.asgi import application
from apps.accounts import members, sessions
from apps.accounts import services as services_of_people
from apps.accounts.contracts import Actor, Role
from apps.accounts.models import User
from apps.jobs import consumers, kinds, services, topics
from apps.jobs.contracts import Queue
from apps.jobs.hints import hint_topics
from apps.jobs.kinds import JobKind
from apps.jobs.run import JobRun
from apps.tenants.context import tenant_context
from tests.factories.people import make_actor, make_organisation

pytestmark = pytest.mark.django_db(transaction=True)
EVENTS = 8
world = {"slug": ""}  # of the running test
gate = threading.Event()  # the job goes on after its first event once this is set


@pytest.fixture(autouse=True)
def kind() -> Iterator[None]:
    gate.set()

    def work(run: JobRun) -> None:
        for number in range(EVENTS):
            run.event("step", {"number": number})
            gate.wait(10)

    kinds.register(
        JobKind(name="steps", queue=Queue.ANSWERS, run=work, may_see=lambda job, a: a.user_id == job.created_by_id)
    )
    yield
    kinds._kinds.pop("steps")


def make_session(actor: Actor) -> str:
    user = User.objects.get(id=actor.user_id)
    session = SessionStore()
    session[SESSION_KEY] = str(user.id)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def make_job(actor: Actor) -> UUID:
    with tenant_context(actor.tenant_id):
        return services.enqueue(kind="steps", payload={}, created_by_id=actor.user_id)


def run_job(actor: Actor, job_id: UUID) -> None:
    try:
        services.execute(tenant_id=actor.tenant_id, job_id=job_id)
    finally:
        connections.close_all()  # of the worker's thread


@sync_to_async
def make_world() -> tuple[Actor, str, UUID]:
    world["slug"] = f"sockets-{uuid4().hex[:8]}"
    tenant_id = make_organisation(world["slug"])
    actor = make_actor(tenant_id)
    return actor, make_session(actor), make_job(actor)


Opener = Callable[..., Any]


@pytest.fixture
async def connect() -> AsyncIterator[Opener]:
    opened: list[WebsocketCommunicator] = []

    async def open_socket(session: str, slug: str = "") -> WebsocketCommunicator:
        headers = [
            (b"cookie", f"{settings.SESSION_COOKIE_NAME}={session}".encode()),
            (b"origin", b"http://localhost"),
            (b"host", b"localhost"),
        ]
        socket = WebsocketCommunicator(application, f"/ws/t/{slug or world['slug']}/jobs/", headers=headers)
        opened.append(socket)
        await socket.connect(timeout=10)
        return socket

    yield open_socket
    for socket in opened:
        with suppress(asyncio.CancelledError):  # its application ended before
            await socket.disconnect(timeout=10)


async def follow(socket: WebsocketCommunicator, job_id: UUID, after: int = 0) -> None:
    await socket.send_json_to({"type": "follow", "job": str(job_id), "after": after})


async def collect(socket: WebsocketCommunicator, until: int) -> list[int]:
    seen: list[int] = []
    while not seen or seen[-1] < until:
        message = await socket.receive_json_from(timeout=10)
        seen += [event["seq"] for event in message["events"]]
    return seen


async def test_a_dropped_socket_goes_on_after_the_last_number_without_gaps_or_repeats(connect: Opener) -> None:
    actor, session, job_id = await make_world()
    first = await connect(session)
    await follow(first, job_id)
    await first.receive_json_from(timeout=10)
    gate.clear()
    running = asyncio.create_task(sync_to_async(run_job, thread_sensitive=False)(actor, job_id))
    seen = await collect(first, until=1)
    await first.disconnect(timeout=10)
    gate.set()
    await running

    second = await connect(session)
    await follow(second, job_id, after=seen[-1])
    rest = await collect(second, until=EVENTS + 1)

    assert seen + rest == list(range(1, EVENTS + 2))


async def test_two_tabs_get_the_same_stream_and_a_late_one_gets_all(connect: Opener) -> None:
    actor, session, job_id = await make_world()
    tabs = [await connect(session), await connect(session)]
    for tab in tabs:
        await follow(tab, job_id)
        await tab.receive_json_from(timeout=10)
    await sync_to_async(run_job, thread_sensitive=False)(actor, job_id)
    late = await connect(session)
    await follow(late, job_id)

    streams = [await collect(socket, until=EVENTS + 1) for socket in (*tabs, late)]

    assert streams == [list(range(1, EVENTS + 2))] * 3


async def test_after_sign_out_no_further_content_reaches_the_socket(connect: Opener) -> None:
    actor, session, job_id = await make_world()
    socket = await connect(session)
    await follow(socket, job_id)
    await socket.receive_json_from(timeout=10)

    await sync_to_async(SessionStore(session).delete)()
    await sync_to_async(run_job, thread_sensitive=False)(actor, job_id)
    closing = await socket.receive_output(timeout=10)

    assert (closing["type"], closing["code"]) == ("websocket.close", 4401)


@pytest.mark.parametrize(("end", "code"), [("session", 4401), ("membership", 4404)])
async def test_an_ended_sign_in_or_membership_closes_open_sockets_without_waiting_for_the_poll(
    connect: Opener, monkeypatch: pytest.MonkeyPatch, end: str, code: int
) -> None:
    monkeypatch.setattr(consumers, "POLL_EVERY_S", 3600)
    actor, session, _ = await make_world()
    socket = await connect(session)

    @sync_to_async
    def finish() -> None:
        if end == "session":
            row = UserSession.objects.create(user_id=actor.user_id, session_key=session, ip="10.0.0.1", user_agent="")
            sessions.end_session(user_id=actor.user_id, session_id=row.id)
            return
        services_of_people.add_member(  # elsewhere too: the sign-in itself goes on
            tenant_id=make_organisation(), user_id=actor.user_id, role=Role.VIEWER, added_by=None
        )
        owner = make_actor(actor.tenant_id, Role.OWNER)
        with tenant_context(actor.tenant_id):
            members.deactivate(actor=owner, user_id=actor.user_id)

    await finish()
    closing = await socket.receive_output(timeout=10)

    assert (closing["type"], closing["code"]) == ("websocket.close", code)


async def test_a_foreign_job_and_an_unknown_one_are_gone_alike(connect: Opener) -> None:
    _, _, foreign_job = await make_world()

    def other_world() -> str:
        return make_session(make_actor(make_organisation(f"{world['slug']}-others")))

    socket = await connect(await sync_to_async(other_world)(), f"{world['slug']}-others")
    replies = []
    for job_id in (foreign_job, uuid4()):
        await follow(socket, job_id)
        reply = await socket.receive_json_from(timeout=10)
        assert reply.pop("job") == str(job_id)
        replies.append(reply)

    assert replies == [{"type": "gone"}] * 2


@pytest.mark.parametrize("slug", ["", "nowhere"])
async def test_a_stranger_is_closed_like_at_an_unknown_organisation(connect: Opener, slug: str) -> None:
    await make_world()
    session = await sync_to_async(lambda: make_session(make_actor(make_organisation())))()

    socket = await connect(session, slug)
    closing = await socket.receive_output(timeout=10)

    assert closing["code"] == 4404


@pytest.mark.parametrize(
    "text", ["null", "[]", "{", '{"type": "follow"}', '{"type": "follow", "job": 5, "after": -1}', "\x00"]
)
async def test_nonsense_gets_an_error_and_the_socket_lives_on(connect: Opener, text: str) -> None:
    _, session, job_id = await make_world()
    socket = await connect(session)

    await socket.send_to(text_data=text)
    answer = await socket.receive_json_from(timeout=10)
    await follow(socket, job_id)

    assert answer == {"type": "error", "code": "invalid"}
    assert (await socket.receive_json_from(timeout=10))["type"] == "events"


async def test_a_watched_topic_is_sent_on_each_change_and_only_to_its_person(
    connect: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "POLL_EVERY_S", 3600)
    actor, session, _ = await make_world()
    state = {"revision": 1}

    def look(watcher: Actor, about: str, after: int) -> topics.TopicView | None:
        if watcher.user_id != actor.user_id or after == state["revision"]:
            return None
        return topics.TopicView(state["revision"], f"{about} {state['revision']}")

    topics.register(topics.Topic(name="numbers", look=look))
    tabs = [await connect(session), await connect(session)]
    other = await connect(await sync_to_async(lambda: make_session(make_actor(actor.tenant_id)))())
    for socket in (*tabs, other):
        await socket.send_json_to({"type": "watch", "topic": "numbers", "about": "page", "after": 0})
    first = [await tab.receive_json_from(timeout=10) for tab in tabs]

    def change() -> None:
        state["revision"] = 2
        hint_topics(actor.user_id)

    await sync_to_async(change)()
    second = [await tab.receive_json_from(timeout=10) for tab in tabs]
    await other.send_json_to({"type": "watch", "topic": "unheard of"})
    refused = await other.receive_json_from(timeout=10)

    assert [message["html"] for message in first] == ["page 1"] * 2
    assert [(message["revision"], message["html"]) for message in second] == [(2, "page 2")] * 2
    assert refused == {"type": "error", "code": "invalid"}  # and nothing came before it
    topics._topics.pop("numbers")
