"""The reading child: `python -m apps.reading <file descriptor>`. Limits itself, then serves one file over a pipe.

Requests: {"op": "open", "name", "password"} · {"op": "pages", "first", "last"} · {"op": "recognise", "page"} ·
{"op": "render", "page", "dpi"} · {"op": "decrypt"} · {"op": "member", "index"}.
Answers: {"ok": true, …} or {"ok": false, "failure", "detail"}.
"""

import os
import socket
import sys
from typing import IO, Any

from apps.reading import codec, limits, protocol
from apps.reading.contracts import ReadingError, ReadingFailure
from apps.reading.readers import open_reader


class Server:
    """Answers requests about the one file behind the inherited descriptor."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._reader: Any = None  # one of readers.py

    def answer(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """(header, body) of the reply. Raises ReadingError for what the file does not allow."""
        match request["op"]:
            case "open":
                return self._open(str(request["name"]), str(request["password"])), b""
            case "pages":
                return self._pages(int(request["first"]), int(request["last"])), b""
            case "recognise":
                content, warnings = self._able("recognise")(int(request["page"]))
                return {
                    "pages": [codec.page_to_json(content)],
                    "warnings": [codec.warning_to_json(warning) for warning in warnings],
                }, b""
            case "render":
                return {}, self._able("image")(int(request["page"]), int(request["dpi"]))
            case "decrypt":
                return {}, self._able("decrypted")()
            case "member":
                return {}, self._able("member")(int(request["index"]))
        raise ReadingError(ReadingFailure.UNSUPPORTED, "unknown operation")

    def _open(self, name: str, password: str) -> dict[str, Any]:
        self._reader = open_reader(self._data, name, password)
        return {"facts": codec.facts_to_json(self._reader.facts())}

    def _able(self, what: str) -> Any:
        """A thing that only some formats can do. Raises ReadingError(UNSUPPORTED)."""
        found = getattr(self._reader, what, None)
        if found is None:
            raise ReadingError(ReadingFailure.UNSUPPORTED, what)
        return found

    def _pages(self, first: int, last: int) -> dict[str, Any]:
        contents = self._reader.pages(first, last)
        return {
            "pages": [codec.page_to_json(page) for page, _warnings in contents],
            "warnings": [codec.warning_to_json(w) for _page, warnings in contents for w in warnings],
        }


def serve(server: Server, requests: IO[bytes], replies: IO[bytes]) -> None:
    """Every request is answered until the parent closes the pipe."""
    while True:
        try:
            request, _body = protocol.receive(requests)
        except protocol.ProtocolError:
            return
        try:
            header, body = server.answer(request)
            protocol.send(replies, {"ok": True, **header}, body)
        except ReadingError as error:
            protocol.send(replies, {"ok": False, "failure": error.failure.value, "detail": error.detail})
        except MemoryError:
            protocol.send(replies, {"ok": False, "failure": ReadingFailure.OUT_OF_MEMORY.value, "detail": ""})
        except Exception as error:  # noqa: BLE001  # outermost edge: parsers raise undocumented kinds
            failure = ReadingFailure.DAMAGED.value
            protocol.send(replies, {"ok": False, "failure": failure, "detail": type(error).__name__})


def main() -> None:
    limits.apply(limits.Limits.from_environment(os.environ))
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a parser prints must not fall into the pipe
    handover = socket.socket(fileno=int(sys.argv[1]))
    import apps.reading.pdf  # noqa: F401  # warms up while no file is there yet

    _message, descriptors, _flags, _address = socket.recv_fds(handover, 1, 1)
    if not descriptors:  # the parent went away
        return
    with os.fdopen(descriptors[0], "rb") as file:
        file.seek(0)
        data = file.read()
    serve(Server(data), sys.stdin.buffer, replies)


if __name__ == "__main__":
    main()
