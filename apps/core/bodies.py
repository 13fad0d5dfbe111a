"""Request bodies are bounded in size and slowness before anything spools them.

The rules, and an ASGI wrapper for servers that stream bodies. `airis/web.py` applies the same rules in the protocol,
because daphne reads a whole body before it calls the application.
"""

import asyncio
import re
import time
from typing import Any

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope
from django.conf import settings

UPLOAD_PATHS = re.compile(r"^(/t/[^/]+/collections/[^/]+/upload/|/api/v1/documents/?)$")
MULTIPART_MARGIN = 64 * 1024


class BoundedBodies:
    """ASGI wrapper. Too long: 413 as soon as it is known. Too slow: 408. The connection is closed after both."""

    def __init__(self, application: Any) -> None:  # Any: Django's and Channels' application types differ
        self.application = application

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        limit = longest_body(scope["method"], scope["path"])
        declared = _content_length(scope)
        if declared is not None and declared > limit:
            await _refuse(send, 413, "too_large")
            return
        body = _Body(receive, limit)
        started = False

        async def watched_send(message: Any) -> None:  # Any: union of ASGI send events
            nonlocal started
            started = True
            await send(message)

        try:
            await self.application(scope, body.receive, watched_send)
        except _BodyRefused as exc:
            if not started:
                await _refuse(send, exc.status, exc.code)
            return
        if body.refused is not None and not started:
            await _refuse(send, body.refused.status, body.refused.code)


def longest_body(method: str, path: str) -> int:
    """Bytes that the body of a request may have."""
    if method == "POST" and UPLOAD_PATHS.match(path):
        return int(settings.MAX_UPLOAD_BYTES) + MULTIPART_MARGIN
    return int(settings.MAX_BODY_BYTES)


def is_too_slow(received: int, seconds: float) -> bool:
    """Whether an unfinished body came slower than allowed, once the idle timeout has passed."""
    return seconds >= settings.BODY_IDLE_TIMEOUT_S and received < seconds * settings.BODY_LEAST_BYTES_PER_S


def refusal(status: int, code: str) -> bytes:
    """The problem details of a refused body."""
    return b'{"type":"about:blank","status":%d,"code":"%s"}' % (status, code.encode())


class _BodyRefused(Exception):
    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status = status
        self.code = code


class _Body:
    def __init__(self, receive: ASGIReceiveCallable, limit: int) -> None:
        self._receive = receive
        self._limit = limit
        self._seen = 0
        self._is_complete = False
        self._since = time.monotonic()
        self.refused: _BodyRefused | None = None

    async def receive(self) -> Any:  # Any: union of ASGI receive events
        if self._is_complete:
            return await self._receive()
        try:
            message = await asyncio.wait_for(self._receive(), settings.BODY_IDLE_TIMEOUT_S)
        except TimeoutError:
            raise self._refuse(408, "too_slow") from None
        if message["type"] != "http.request":
            return message
        self._seen += len(message.get("body", b""))
        self._is_complete = not message.get("more_body", False)
        if self._seen > self._limit:
            raise self._refuse(413, "too_large")
        seconds = time.monotonic() - self._since
        if not self._is_complete and is_too_slow(self._seen, seconds):
            raise self._refuse(408, "too_slow")
        return message

    def _refuse(self, status: int, code: str) -> _BodyRefused:
        self.refused = _BodyRefused(status, code)
        return self.refused


def _content_length(scope: HTTPScope) -> int | None:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else None
    return None


async def _refuse(send: Any, status: int, code: str) -> None:  # Any: union of ASGI send events
    body = refusal(status, code)
    headers = [(b"content-type", b"application/problem+json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
