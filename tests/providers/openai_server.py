"""A local server that speaks the OpenAI chat-completions wire format, streams included, by script."""

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Turn:
    """What the server does with one request."""

    text: str = ""
    status: int = 200
    finish: str | None = "stop"
    refusal: str = ""
    body: bytes | None = None  # sent instead of a stream
    breaks: bool = False  # the connection is cut after the text
    hangs: bool = False  # nothing is sent until the server is released
    drips: bool = False  # signs of life and no word, until the server is released
    floods: int = 0  # bytes of one endless line
    packed: bool = False  # the body comes as gzip, which nobody asked for


@dataclass
class OpenAIServer:
    """`turns` are used up in order; the last one is repeated. `requests` are the bodies that came."""

    turns: list[Turn]
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    port: int = 0
    flooded: int = 0
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def next_turn(self) -> Turn:
        return self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]


@contextmanager
def openai_server(*turns: Turn) -> Iterator[OpenAIServer]:
    script = OpenAIServer(list(turns))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            script.keys.append(self.headers.get("Authorization", ""))
            script.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            turn = script.next_turn()
            if turn.hangs:
                script.released.wait(20)
                return
            if turn.drips or turn.floods:
                self._endless(turn)
            elif turn.status != 200 or turn.body is not None:
                self._plain(turn)
            else:
                self._stream(turn)

        def _endless(self, turn: Turn) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            try:
                while turn.drips and not script.released.wait(0.05):
                    self.wfile.write(b": ping\n\n")
                for _piece in range(turn.floods // 65536):
                    self.wfile.write(b"a" * 65536)
                    script.flooded += 65536
            except OSError:
                return  # the other side had enough

        def _plain(self, turn: Turn) -> None:
            error = {"error": {"message": "no", "type": "error", "param": None, "code": None}}
            body = turn.body if turn.body is not None else json.dumps(error).encode()
            self.send_response(turn.status)
            self.send_header("Content-Type", "application/json" if turn.body is None else "text/html")
            if turn.packed:
                body = gzip.compress(body)
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _stream(self, turn: Turn) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
            deltas += [{"content": turn.text[at : at + 40]} for at in range(0, len(turn.text), 40)]
            if turn.refusal:
                deltas.append({"refusal": turn.refusal})
            for delta in deltas:
                self._event([{"index": 0, "delta": delta, "finish_reason": None}])
            if turn.breaks:
                return
            self._event([{"index": 0, "delta": {}, "finish_reason": turn.finish}])
            self._event([], usage={"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150})
            self.wfile.write(b"data: [DONE]\n\n")

        def _event(self, choices: list[dict[str, Any]], **more: Any) -> None:
            about = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "local-7b"}
            self.wfile.write(b"data: " + json.dumps({**about, "choices": choices, **more}).encode() + b"\n\n")
            self.wfile.flush()

        def log_message(self, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    script.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield script
    finally:
        script.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
