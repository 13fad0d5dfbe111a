"""Bodies are bounded before anything is spooled: length, chunks without a length, slowness."""

import asyncio
from typing import Any

import pytest
from django.conf import LazySettings

from apps.core.bodies import MULTIPART_MARGIN, BoundedBodies

UPLOAD = "/t/x/collections/00000000-0000-0000-0000-000000000000/upload/"


class Recorder:
    """An application that reads the whole body, and the client around it."""

    def __init__(self, chunks: list[bytes], *, pause_s: float = 0) -> None:
        self.chunks = chunks
        self.pause_s = pause_s
        self.read = 0
        self.sent: list[dict[str, Any]] = []

    async def application(self, scope: Any, receive: Any, send: Any) -> None:
        more = True
        while more:
            message = await receive()
            self.read += len(message.get("body", b""))
            more = message.get("more_body", False)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"})

    async def receive(self) -> dict[str, Any]:
        await asyncio.sleep(self.pause_s)
        chunk = self.chunks.pop(0)
        return {"type": "http.request", "body": chunk, "more_body": bool(self.chunks)}

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    async def request(self, path: str, headers: list[tuple[bytes, bytes]] | None = None) -> int:
        scope: Any = {"type": "http", "method": "POST", "path": path, "headers": headers or []}
        await BoundedBodies(self.application)(scope, self.receive, self.send)  # type: ignore[arg-type]  # a test client
        return int(self.sent[0]["status"])


@pytest.fixture(autouse=True)
def small(settings: LazySettings) -> None:
    settings.MAX_BODY_BYTES = 1000
    settings.MAX_UPLOAD_BYTES = 100_000
    settings.BODY_IDLE_TIMEOUT_S = 0.05


async def test_a_declared_length_over_the_limit_is_refused_unread() -> None:
    client = Recorder([b"x"])

    status = await client.request("/t/x/ask/send/", [(b"content-length", b"1001")])

    assert (status, client.read) == (413, 0)


async def test_chunks_without_a_length_stop_at_the_limit() -> None:
    client = Recorder([b"x" * 400] * 50)

    status = await client.request("/t/x/ask/send/")

    assert status == 413
    assert client.read <= 1000


@pytest.mark.parametrize(("size", "expected"), [(100_000, 200), (100_000 + MULTIPART_MARGIN + 1, 413)])
async def test_uploads_have_their_own_limit(size: int, expected: int) -> None:
    client = Recorder([b"x" * size])

    assert await client.request(UPLOAD) == expected


async def test_a_body_that_trickles_is_closed() -> None:
    client = Recorder([b"x"] * 100, pause_s=0.03)

    status = await client.request(UPLOAD)

    assert status == 408
    assert client.read < 100
