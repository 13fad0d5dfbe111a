"""Events of a job as server-sent events (WHATWG HTML, "Server-sent events").

Like the socket, a stream reads rows, follows hints and polls every 3 s. The token, the membership and the right are
read again with each look: a revoked token ends its streams at once.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.core.serializers.json import DjangoJSONEncoder
from django.http import StreamingHttpResponse
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from apps.accounts.contracts import Actor, Scope, TokenAccess
from apps.accounts.selectors import access_of
from apps.accounts.sockets import person_group
from apps.core.errors import AirisError, InputError
from apps.jobs import selectors
from apps.jobs.contracts import JobEventRecord
from apps.jobs.hints import reader_group
from apps.tenants.context import tenant_context

POLL_EVERY_S = 3.0
LONGEST_S = 3600.0  # then the client comes again with Last-Event-ID
MEDIA_TYPE = "text/event-stream"
FindJob = Callable[[Actor], UUID | None]


class EventStreamRenderer(JSONRenderer):
    """Makes DRF accept `Accept: text/event-stream`; errors before the stream are JSON all the same."""

    media_type = MEDIA_TYPE
    format = "events"


@dataclass(frozen=True, slots=True)
class _Look:
    events: tuple[JobEventRecord, ...]
    state: str
    is_over: bool


def wants_stream(request: Request) -> bool:
    return getattr(request, "accepted_renderer", None) is not None and isinstance(
        request.accepted_renderer, EventStreamRenderer
    )


def after_of(request: Request) -> int:
    """The number of the last event that the client has: `after`, or the header Last-Event-ID. Raises InputError."""
    text = request.query_params.get("after") or request.headers.get("Last-Event-ID") or "0"
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise InputError(field="after")
    return int(text)


def stream_events(*, access: TokenAccess, scope: Scope, find_job: FindJob, after: int) -> StreamingHttpResponse:
    """`find_job` gives the job that the actor may follow, or raises; called with each look."""

    def look(job_id: UUID, seq: int) -> _Look | None:
        return _look(access.token_id, scope, find_job, job_id, seq)

    with tenant_context(access.actor.tenant_id):
        job_id = find_job(access.actor)
    response = StreamingHttpResponse(_frames(access.actor, job_id, look, after), content_type=MEDIA_TYPE)
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"  # proxies must not hold events back
    return response


def _look(token_id: UUID, scope: Scope, find_job: FindJob, job_id: UUID, seq: int) -> _Look | None:
    """What is new; None when the token, the membership, the right or the job is gone."""
    access = access_of(token_id=token_id)
    if access is None or scope not in access.scopes:
        return None
    try:
        with tenant_context(access.actor.tenant_id):
            if find_job(access.actor) != job_id:
                return None
            job = selectors.read_job(job_id=job_id)
            events = selectors.events_after(job_id=job_id, seq=seq)
    except AirisError:
        return None
    if job is None:
        return None
    last = events[-1].seq if events else seq
    return _Look(events, job.state.value, not job.is_open and last >= job.last_seq)


async def _frames(
    actor: Actor, job_id: UUID | None, look: Callable[[UUID, int], _Look | None], after: int
) -> AsyncIterator[bytes]:
    if job_id is None:
        yield _frame("end", {"state": "none"})
        return
    layer = get_channel_layer()
    channel = await layer.new_channel()
    groups = (reader_group(actor.tenant_id, job_id), person_group(actor.user_id))
    until = asyncio.get_running_loop().time() + LONGEST_S
    try:
        for group in groups:
            with suppress(Exception):  # any broker failure: the poll goes on
                await layer.group_add(group, channel)
        while asyncio.get_running_loop().time() < until:
            found = await database_sync_to_async(look)(job_id, after)
            if found is None:
                yield _frame("gone", {})
                return
            for event in found.events:
                after = event.seq
                yield _frame(event.type, {"payload": dict(event.payload), "at": event.at}, seq=event.seq)
            if found.is_over:
                yield _frame("end", {"state": found.state})
                return
            if not found.events:
                yield b": still here\n\n"  # a client that went away is noticed
            await _wait(layer, channel)
    finally:
        for group in groups:
            with suppress(Exception):  # any broker failure: the group dies with the connection
                await layer.group_discard(group, channel)


async def _wait(layer: Any, channel: str) -> None:  # Any: channel layers share no type
    """Until a hint comes or POLL_EVERY_S have passed."""
    try:
        await asyncio.wait_for(layer.receive(channel), POLL_EVERY_S)
    except TimeoutError:
        return
    except Exception:  # noqa: BLE001  (any broker failure: hints are lost, the poll goes on)
        await asyncio.sleep(POLL_EVERY_S)


def _frame(type_: str, data: dict[str, Any], *, seq: int | None = None) -> bytes:
    number = f"id: {seq}\n" if seq is not None else ""
    return f"{number}event: {type_}\ndata: {json.dumps(data, cls=DjangoJSONEncoder)}\n\n".encode()
