"""Bodies over the limits, against the real web process: refused as they arrive, not after."""

import os
import re
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from tests.live.conftest import Desk
from tests.live.stack import LiveStack

pytestmark = pytest.mark.services
MEBIBYTE = b"x" * 1024 * 1024


def exchange(stack: LiveStack, head: str, chunks: list[bytes]) -> tuple[bytes, int]:
    """The first bytes of the answer, and how many chunks could be sent before it."""
    with socket.create_connection(("127.0.0.1", stack.port), timeout=60) as line:
        line.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n")
        sent = 0
        with suppress(BrokenPipeError, ConnectionResetError):
            for chunk in chunks:
                line.sendall(chunk)
                sent += 1
        try:
            return line.recv(200), sent
        except ConnectionResetError:
            return b"", sent


def test_a_declared_length_over_the_limit_is_refused_at_once(stack: LiveStack) -> None:
    answer, _ = exchange(stack, "POST /api/v1/search/ HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 419430400", [b"few"])

    assert answer.startswith(b"HTTP/1.1 413")


def test_chunks_without_a_length_stop_at_the_limit(stack: LiveStack) -> None:
    chunk = b"100000\r\n" + MEBIBYTE + b"\r\n"

    answer, sent = exchange(stack, "POST /healthz HTTP/1.1\nHost: 127.0.0.1\nTransfer-Encoding: chunked", [chunk] * 200)

    assert sent > 0
    assert answer.startswith(b"HTTP/1.1 413") or answer == b""  # a reset when the sender did not stop to read


def test_a_body_that_does_not_come_is_closed(stack: LiveStack) -> None:
    answer, _ = exchange(stack, "POST /api/v1/search/ HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 4000", [b"a", b"b"])

    assert answer.startswith(b"HTTP/1.1 408")


def test_an_upload_does_not_take_many_times_its_size_of_memory(stack: LiveStack, desk: Desk) -> None:
    size = 40 * len(MEBIBYTE)
    status = Path(f"/proc/{stack.pid_of('web')}/status")
    before = _most_bytes(status)

    reply = desk.admin.upload(desk.collection, "noise.bin", os.urandom(size))

    assert reply["document"]["id"]
    assert _most_bytes(status) - before < 3 * size


def _most_bytes(status: Path) -> int:
    """High-water mark of a process's memory."""
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
    assert found is not None
    return int(found[1]) * 1024
