"""The web process: daphne with request bodies bounded where they arrive, before anything is spooled.

Daphne reads a whole body before it calls the ASGI application, so a limit there comes too late. `python -m airis.web
-b HOST -p PORT airis.asgi:application` takes daphne's own arguments.
"""

import os
import tempfile
import time
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "airis.settings.development")

import daphne.server  # noqa: I001  (installs the asyncio reactor; must come before other parts of Twisted)
import daphne.cli
import django
from daphne import http_protocol
from daphne.access import AccessLogGenerator
from daphne.cli import CommandLineInterface
from django.conf import settings
from twisted.internet import reactor

from apps.core.disk import is_disk_full
from apps.core.bodies import is_too_slow, longest_body, refusal
from apps.core.logging import mask_secrets

LINGER_S = 1.0  # a refused sender gets this long to read why


class MaskedAccessLog(AccessLogGenerator):
    """Lines of requests without the one-time keys that stand in some addresses."""

    def write_entry(self, host: str, date: Any, request: str, *rest: Any, **named: Any) -> None:
        super().write_entry(host, date, mask_secrets(request), *rest, **named)


class BoundedRequest(http_protocol.WebRequest):
    """Too long: 413 as soon as it is known. Too slow: 408. The connection is closed after both."""

    def __init__(self, *args: Any, **named: Any) -> None:  # Any: Twisted's channel
        # Forms are Django's to parse: Twisted's own parser takes ten times a file's size of memory.
        super().__init__(*args, **{**named, "parsePOSTFormSubmission": False})

    def gotLength(self, length: int | None) -> None:  # noqa: N802  (Twisted's name)
        channel = self.channel
        path = getattr(channel, "_path", b"").split(b"?", 1)[0].decode("latin-1")
        self._limit = longest_body(getattr(channel, "_command", b"").decode("latin-1"), path)
        self._seen, self._since = 0, time.monotonic()
        self._is_refused = False
        self._watch: Any = None  # Any: Twisted's delayed call
        super().gotLength(length if length is None or length <= self._limit else 0)
        if length is not None and length > self._limit:
            self._refuse(413, "too_large")
        elif length != 0:
            self._watch = _call_later(settings.BODY_IDLE_TIMEOUT_S, self._check_pace)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802  (Twisted's name)
        if self._is_refused:
            return
        self._seen += len(data)
        if self._seen > self._limit:
            self._refuse(413, "too_large")
            return
        try:
            super().handleContentChunk(data)
        except OSError as exc:
            if not is_disk_full(exc):
                raise
            self._refuse(507, "storage_full")

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802  (Twisted's name)
        self._stop_watching()
        if not self._is_refused:
            super().requestReceived(command, path, version)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802  (Twisted's name; Any: its Failure)
        self._stop_watching()
        super().connectionLost(reason)

    def _check_pace(self) -> None:
        self._watch = None
        if is_too_slow(self._seen, time.monotonic() - self._since):
            self._refuse(408, "too_slow")
        else:
            self._watch = _call_later(settings.BODY_IDLE_TIMEOUT_S, self._check_pace)

    def _refuse(self, status: int, code: str) -> None:
        self._is_refused = True
        self._stop_watching()
        body = refusal(status, code)
        head = f"HTTP/1.1 {status} Refused\r\nContent-Type: application/problem+json\r\nContent-Length: {len(body)}\r\n"
        self.channel.transport.write(head.encode() + b"Connection: close\r\n\r\n" + body)
        _call_later(LINGER_S, self.channel.transport.abortConnection)

    def _stop_watching(self) -> None:
        watch = getattr(self, "_watch", None)
        if watch is not None and watch.active():
            watch.cancel()
        self._watch = None


def _call_later(seconds: float, work: Any) -> Any:  # Any: Twisted's reactor has no types
    return reactor.callLater(seconds, work)


def main() -> None:
    django.setup()
    from apps.core.checks import refuse_unsafe_start

    refuse_unsafe_start()
    http_protocol.WebRequest = BoundedRequest
    daphne.cli.AccessLogGenerator = MaskedAccessLog
    tempfile.tempdir = str(settings.FILE_UPLOAD_TEMP_DIR)  # bodies are spooled inside var/
    CommandLineInterface.entrypoint()


if __name__ == "__main__":
    main()
