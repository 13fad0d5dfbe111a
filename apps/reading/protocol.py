"""The pipe between parent and child: a 4-byte header length, a JSON header, an optional binary body.

The header's "body" key tells the body's length. Both ends refuse messages beyond fixed limits.
"""

import json
from typing import IO, Any, Protocol

MAX_HEADER_BYTES = 256 * 1024 * 1024
MAX_BODY_BYTES = 1024 * 1024 * 1024


class Readable(Protocol):
    """What `receive` needs of a stream."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; none at the end."""
        ...


class ProtocolError(Exception):
    """The other side ended or sent something that is no message."""


def send(stream: IO[bytes], header: dict[str, Any], body: bytes = b"") -> None:
    """One message is written and flushed."""
    encoded = json.dumps({**header, "body": len(body)}, ensure_ascii=False, separators=(",", ":")).encode()
    stream.write(len(encoded).to_bytes(4, "big"))
    stream.write(encoded)
    stream.write(body)
    stream.flush()


def receive(stream: Readable) -> tuple[dict[str, Any], bytes]:
    """The next message; raises ProtocolError at the end of the stream or for a malformed one."""
    size = int.from_bytes(_exactly(stream, 4), "big")
    if size > MAX_HEADER_BYTES:
        raise ProtocolError("header too large")
    try:
        header = json.loads(_exactly(stream, size))
        length = int(header.pop("body"))
    except (ValueError, KeyError, TypeError, AttributeError) as exc:
        raise ProtocolError("malformed header") from exc
    if not 0 <= length <= MAX_BODY_BYTES:
        raise ProtocolError("body too large")
    return header, _exactly(stream, length)


def _exactly(stream: Readable, size: int) -> bytes:
    parts, missing = [], size
    while missing:
        part = stream.read(missing)
        if not part:
            raise ProtocolError("stream ended")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
