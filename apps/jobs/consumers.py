"""The one WebSocket consumer: an organisation's jobs, as far as the person may follow them.

The client says {"type": "follow", "job": id, "after": seq} and gets {"type": "events", …} until the job is over, or
{"type": "watch", "topic": name, "about": text, "after": revision} and gets {"type": "topic", …} whenever it changed.
Everything sent is read from rows: on connect it replays, then follows hints (which may be lost) and polls every
3 s. Session, membership and right are read again with each look, so that a sign-out ends the stream. Close codes:
4401 signed out, 4404 unknown organisation or not a member (alike).
"""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.conf import settings
from django.utils import translation

from apps.accounts.contracts import Actor
from apps.accounts.selectors import actor_for
from apps.accounts.sockets import person_group, session_user
from apps.core.errors import NotFound
from apps.core.formats import person_formats
from apps.jobs import kinds, selectors, topics
from apps.jobs.hints import reader_group
from apps.tenants.context import tenant_context

POLL_EVERY_S = 3.0
MOST_FOLLOWED = 50
SIGNED_OUT = 4401
UNKNOWN = 4404
FAILED = 1011

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Look:
    """What one look at the rows found."""

    close: int = 0
    message: dict[str, Any] | None = None
    is_over: bool = False


class JobConsumer(AsyncJsonWebsocketConsumer):
    async def connect(self) -> None:
        self.followed: dict[UUID, int] = {}
        self.groups_of: dict[UUID, str] = {}
        self.watched: dict[str, tuple[str, int]] = {}  # topic → what of it the page shows, and its last revision
        self.look_lock = asyncio.Lock()
        self.poller: asyncio.Task[None] | None = None
        self.person_group = ""
        self.formats = ("", "")  # how the person writes numbers, and their time zone
        self.slug: str = self.scope["url_route"]["kwargs"]["tenant_slug"]
        await self.accept()
        code, actor = await self._who()
        if actor is None:
            await self.close(code)
            return
        self.tenant_id = actor.tenant_id
        self.person_group = person_group(actor.user_id)
        with suppress(Exception):  # any broker failure: the poll goes on
            await self.channel_layer.group_add(self.person_group, self.channel_name)
        self.poller = asyncio.create_task(self._poll())

    async def disconnect(self, code: int) -> None:
        if self.poller is not None:
            self.poller.cancel()
        for group in (*self.groups_of.values(), self.person_group):
            await self._leave(group)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any) -> None:
        try:
            await super().receive(text_data=text_data, bytes_data=bytes_data, **kwargs)
        except (ValueError, RecursionError):
            await self.send_json({"type": "error", "code": "invalid"})

    async def receive_json(self, content: Any, **kwargs: Any) -> None:
        if self.poller is None:  # refused: what still arrives is nobody's
            return
        wanted = _watch_request(content)
        if wanted is not None:
            self.watched[wanted[0]] = wanted[1:]
            await self._look_at_topics()
            return
        request = _follow_request(content)
        if request is None or (len(self.followed) >= MOST_FOLLOWED and request[0] not in self.followed):
            await self.send_json({"type": "error", "code": "invalid"})
            return
        job_id, after = request
        self.followed[job_id] = after
        group = reader_group(self.tenant_id, job_id)
        self.groups_of[job_id] = group
        with suppress(Exception):  # any broker failure: hints are lost, the poll goes on
            await self.channel_layer.group_add(group, self.channel_name)
        await self._look(job_id)

    async def job_changed(self, message: dict[str, Any]) -> None:
        """A hint from the channel layer."""
        job_id = UUID(message["job_id"])
        if job_id in self.followed:
            await self._look(job_id)

    async def topics_changed(self, message: dict[str, Any]) -> None:
        """A hint: something that the person's pages watch has changed."""
        await self._look_at_topics()

    async def person_changed(self, message: dict[str, Any]) -> None:
        """A hint: a session was ended, a membership or role changed."""
        code, actor = await self._who()
        if actor is None:
            await self.close(code)

    async def _poll(self) -> None:
        try:
            while True:
                await asyncio.sleep(POLL_EVERY_S)
                await self._look_at_all()
        except Exception:
            # Outermost edge of the task: the database is restarting, say. The page connects again and replays.
            logger.exception("poll of a socket failed")
            await self.close(FAILED)

    async def _look_at_all(self) -> None:
        for job_id in list(self.followed):
            await self._look(job_id)
        await self._look_at_topics()
        if not self.followed and not self.watched:
            code, actor = await self._who()
            if actor is None:
                await self.close(code)

    async def _look(self, job_id: UUID) -> None:
        async with self.look_lock:
            after = self.followed.get(job_id)
            if after is None:
                return
            look = await self._read(job_id, after)
            if look.close:
                self.followed.clear()
                await self.close(look.close)
                return
            if look.message is not None:
                self.followed[job_id] = look.message.get("seq", after)
                await self.send_json(look.message)
            if look.is_over:
                self.followed.pop(job_id, None)
                await self._leave(self.groups_of.pop(job_id))

    async def _look_at_topics(self) -> None:
        async with self.look_lock:
            if not self.watched:
                return
            watched = dict(self.watched)
            code, messages = await self._read_topics(watched)
            if code:
                self.watched.clear()
                await self.close(code)
                return
            for message in messages:
                name = message["topic"]
                if self.watched.get(name) != watched[name]:
                    continue  # the page went elsewhere meanwhile; its new wish waits for the lock
                self.watched[name] = (watched[name][0], message["revision"])
                await self.send_json(message)

    async def _leave(self, group: str) -> None:
        if not group:
            return
        with suppress(Exception):  # any broker failure: the group dies with the connection
            await self.channel_layer.group_discard(group, self.channel_name)

    @database_sync_to_async
    def _who(self) -> tuple[int, Actor | None]:
        return self._actor()

    def _actor(self) -> tuple[int, Actor | None]:
        user = session_user(self.scope["session_key"])
        if user is None:
            return SIGNED_OUT, None
        self.formats = (user.number_format, user.time_zone)
        return UNKNOWN, actor_for(user_id=user.pk, tenant_slug=self.slug)

    @database_sync_to_async
    def _read(self, job_id: UUID, after: int) -> _Look:
        code, actor = self._actor()
        if actor is None:
            return _Look(close=code)
        number_format, time_zone = self.formats
        with (
            tenant_context(actor.tenant_id),
            translation.override(self._language()),
            person_formats(number_format=number_format, time_zone=time_zone),
        ):
            try:
                job = selectors.get_job(actor=actor, job_id=job_id)
            except NotFound:
                return _Look(message={"type": "gone", "job": str(job_id)}, is_over=True)
            events = selectors.events_after(job_id=job_id, seq=after)
            html = kinds.get(job.kind).render_event(job, events, actor)
        is_caught_up = not events or events[-1].seq >= job.last_seq
        message = {
            "type": "events",
            "job": str(job_id),
            "state": job.state.value,
            "seq": events[-1].seq if events else after,
            "stage": job.stage,
            "done": job.done,
            "total": job.total,
            "position": job.position,
            "events": [{"seq": e.seq, "type": e.type, "payload": dict(e.payload)} for e in events],
            "html": html,
        }
        return _Look(message=message, is_over=not job.is_open and is_caught_up)

    @database_sync_to_async
    def _read_topics(self, watched: dict[str, tuple[str, int]]) -> tuple[int, list[dict[str, Any]]]:
        """A close code, or what changed."""
        code, actor = self._actor()
        if actor is None:
            return code, []
        number_format, time_zone = self.formats
        found = []
        with (
            tenant_context(actor.tenant_id),
            translation.override(self._language()),
            person_formats(number_format=number_format, time_zone=time_zone),
        ):
            for name, (about, after) in watched.items():
                topic = topics.get(name)
                view = topic.look(actor, about, after) if topic is not None else None
                if view is not None:
                    found.append({"type": "topic", "topic": name, "revision": view.revision, "html": view.html})
        return 0, found

    def _language(self) -> str:
        """Of the page that opened the socket; it may come from a cookie or from the browser's preference."""
        query = parse_qs(self.scope.get("query_string", b"").decode("latin-1"))
        wanted = query.get("language", [""])[0] or self.scope["cookies"].get(settings.LANGUAGE_COOKIE_NAME, "")
        return wanted if wanted in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def _follow_request(content: Any) -> tuple[UUID, int] | None:
    if not isinstance(content, dict) or content.get("type") != "follow":
        return None
    after = content.get("after", 0)
    try:
        job_id = UUID(content["job"])
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return (job_id, after) if isinstance(after, int) and 0 <= after < 2**31 else None


def _watch_request(content: Any) -> tuple[str, str, int] | None:
    if not isinstance(content, dict) or content.get("type") != "watch":
        return None
    name, about, after = content.get("topic"), content.get("about", ""), content.get("after", -1)
    if not isinstance(name, str) or not isinstance(about, str) or not isinstance(after, int):
        return None
    return (name, about, after) if topics.get(name) and len(about) <= topics.LONGEST_ABOUT else None
