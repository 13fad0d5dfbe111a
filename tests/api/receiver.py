"""A web server of its own that takes webhooks, checks their signatures and answers as a test says."""

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """`statuses`: the answers to give, in order; 204 after them."""

    port: int = 0
    statuses: list[int] = field(default_factory=list)
    taken: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def body(self, number: int) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.taken[number][1])
        return found


def is_signed(headers: dict[str, str], body: bytes, secret: str) -> bool:
    """As the Standard Webhooks specification says, written apart from the product."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = b".".join([headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body])
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return f"v1,{expected}" in headers["webhook-signature"].split(" ")


@contextmanager
def receiving(*statuses: int) -> Iterator[Receiver]:
    receiver = Receiver(statuses=list(statuses))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.taken.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(receiver.statuses.pop(0) if receiver.statuses else 204)
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_request(self, code: Any = "-", size: Any = "-") -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
