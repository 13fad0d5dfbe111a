"""The parent's side of the reading child: one child for one file, restarted when it dies, killed when it
hangs.
"""

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import TracebackType
from typing import IO, Any, Self

from apps.reading import children, codec, protocol
from apps.reading.contracts import (
    FileFacts,
    PageContent,
    ReadingError,
    ReadingFailure,
    ReadingWarning,
    WarningCode,
)
from apps.reading.limits import Limits
from apps.reading.uniform import expanded

_MOST_TIMEOUTS = 4


@dataclass(frozen=True, slots=True)
class Window:
    """What reading a stretch of pages gave. `pages` may miss some: each has a PAGE_FAILED warning."""

    first: int
    last: int
    pages: tuple[PageContent, ...]
    warnings: tuple[ReadingWarning, ...]


class ReadingClient:
    """Reads one untrusted file in a limited child process. Use as a context manager.

    `chunks` are the file's bytes (already decrypted from storage); they go into an anonymous file that only
    the
    child inherits. The child serves all windows: starting one costs about a second.
    """

    def __init__(
        self,
        chunks: Iterator[bytes],
        *,
        name: str,
        password: str = "",
        limits: Limits | None = None,
        window_timeout_s: float = 120.0,
        keeps_uniform: bool = False,
    ) -> None:
        """`keeps_uniform`: pages of long sheets come as their text, to be stored so (see uniform.py)."""
        self._name = name
        self._keeps_uniform = keeps_uniform
        self._password = password
        self._limits = limits or Limits()
        self._timeout_s = window_timeout_s
        self._child: children.Child | None = None
        self._ahead: tuple[int, int] | None = None  # the window that the child works on unasked
        self._timeouts = 0
        self._file = _anonymous_file()
        try:
            for chunk in chunks:
                self._file.write(chunk)
            self._file.flush()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """The child is gone and the anonymous file with it."""
        self._stop()
        self._file.close()

    @property
    def child_pid(self) -> int | None:
        """Process id of the running child, for measuring and for tests."""
        return self._child.process.pid if self._child is not None else None

    def open(self) -> FileFacts:
        """Facts of the file. Raises ReadingError with the reason why it cannot be read."""
        self._start()
        return codec.facts_from_json(self._open_in_child()["facts"])

    def pages(self, first: int, last: int) -> Window:
        """Pages first … last. A window that fails is read again page by page: bad pages become warnings.

        Raises ReadingError(TIMED_OUT) when pages hung too often for the file to be worth more time.
        """
        try:
            return self._window(first, last)
        except ReadingError as error:
            if first == last:
                return Window(first, last, (), (_page_failed(first, error),))
        pages: list[PageContent] = []
        warnings: list[ReadingWarning] = []
        for number in range(first, last + 1):
            try:
                window = self._window(number, number)
            except ReadingError as error:
                if self._timeouts > _MOST_TIMEOUTS:
                    raise
                warnings.append(_page_failed(number, error))
                continue
            pages.extend(window.pages)
            warnings.extend(window.warnings)
        return Window(first, last, tuple(pages), tuple(warnings))

    def read_ahead(self, first: int, last: int) -> None:
        """The child begins with a window that `pages` will ask for next, while the caller stores the one before."""
        if self._child is None or self._ahead is not None:
            return
        try:
            self._send({"op": "pages", "first": first, "last": last})
        except OSError:
            return  # `pages` will find the child dead and start another
        self._ahead = (first, last)

    def recognise(self, page: int) -> Window:
        """The page read from its image by OCR. Raises ReadingError (UNSUPPORTED: no recogniser is installed)."""
        self._ensure_open()
        header, _body = self._ask({"op": "recognise", "page": page})
        return _window_of(page, page, header)

    def render(self, page: int, dpi: int) -> bytes:
        """PNG of a page. Raises ReadingError."""
        self._ensure_open()
        return self._ask({"op": "render", "page": page, "dpi": dpi})[1]

    def decrypt(self) -> bytes:
        """The file's bytes without encryption; `password` must have opened it. Raises ReadingError."""
        self._ensure_open()
        return self._ask({"op": "decrypt"})[1]

    def member(self, index: int) -> bytes:
        """Bytes of a member of an archive or mail. Raises ReadingError."""
        self._ensure_open()
        return self._ask({"op": "member", "index": index})[1]

    def _window(self, first: int, last: int) -> Window:
        if self._ahead == (first, last):
            self._ahead = None
            header, _body = self._receive()
        else:
            self._ensure_open()
            header, _body = self._ask({"op": "pages", "first": first, "last": last})
        window = _window_of(first, last, header)
        if self._keeps_uniform:
            return window
        return replace(window, pages=tuple(expanded(page) for page in window.pages))

    def _ensure_open(self) -> None:
        if self._child is None:
            self._start()
            self._open_in_child()

    def _open_in_child(self) -> dict[str, Any]:
        header, _body = self._ask({"op": "open", "name": self._name, "password": self._password})
        return header

    def _start(self) -> None:
        self._stop()
        descriptor = self._file.fileno()
        os.lseek(descriptor, 0, os.SEEK_SET)
        self._child = children.take(self._limits)
        try:
            self._child.give(descriptor)
        except OSError as exc:
            raise self._death() from exc

    def _stop(self) -> None:
        child, self._child, self._ahead = self._child, None, None
        if child is not None:
            child.stop()

    def _ask(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        if self._ahead is not None:  # something else is asked first: that answer is not wanted
            self._ahead = None
            with contextlib.suppress(ReadingError):
                self._receive()
            self._ensure_open()
        try:
            self._send(request)
        except OSError as exc:
            raise self._death() from exc
        return self._receive()

    def _send(self, request: dict[str, Any]) -> None:
        assert self._child is not None
        assert self._child.process.stdin is not None
        protocol.send(self._child.process.stdin, request)

    def _receive(self) -> tuple[dict[str, Any], bytes]:
        assert self._child is not None
        assert self._child.process.stdout is not None
        try:
            header, body = protocol.receive(_TimedStream(self._child.process.stdout, self._timeout_s))
        except TimeoutError as exc:
            self._stop()
            self._timeouts += 1
            raise ReadingError(ReadingFailure.TIMED_OUT, f"after {self._timeout_s:.0f} s") from exc
        except (protocol.ProtocolError, OSError) as exc:
            raise self._death() from exc
        if not header["ok"]:
            failure = ReadingFailure(header["failure"])
            if failure is ReadingFailure.OUT_OF_MEMORY:
                self._stop()
            raise ReadingError(failure, str(header["detail"])[:200])
        return header, body

    def _death(self) -> ReadingError:
        """Why the child ended, by its exit status."""
        assert self._child is not None
        try:
            status = self._child.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            status = 0
        self._stop()
        if status == -signal.SIGXCPU:
            return ReadingError(ReadingFailure.TIMED_OUT, "processor time")
        if status == -signal.SIGKILL:
            return ReadingError(ReadingFailure.OUT_OF_MEMORY, "killed")
        return ReadingError(ReadingFailure.CRASHED, f"exit status {status}")


class _TimedStream:
    """The child's output, read with one deadline for the whole message."""

    def __init__(self, stream: IO[bytes], timeout_s: float) -> None:
        self._descriptor = stream.fileno()
        self._deadline = time.monotonic() + timeout_s

    def read(self, size: int) -> bytes:
        remaining = self._deadline - time.monotonic()
        ready, _write, _error = select.select([self._descriptor], [], [], max(0.0, remaining))
        if not ready:
            raise TimeoutError
        return os.read(self._descriptor, min(size, 1024 * 1024))


def _window_of(first: int, last: int, header: dict[str, Any]) -> Window:
    return Window(
        first,
        last,
        tuple(codec.page_from_json(page) for page in header["pages"]),
        tuple(codec.warning_from_json(warning) for warning in header["warnings"]),
    )


def _page_failed(number: int, error: ReadingError) -> ReadingWarning:
    return ReadingWarning(WarningCode.PAGE_FAILED, number, f"{error.failure.value} {error.detail}".strip())


def _anonymous_file() -> IO[bytes]:
    """A file without a name: in memory where the system can, else unlinked in the temporary directory."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("airis-reading", getattr(os, "MFD_CLOEXEC", 1)), "w+b")
    return tempfile.TemporaryFile()  # closed by ReadingClient.close
