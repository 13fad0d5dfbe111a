"""A second installation beside the suite's own, started by the launcher as `make run` starts it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx

from airis.launcher.paths import Paths
from airis.launcher.postgres import APP, OWNER, database_url
from airis.launcher.valkey import valkey_url

ROOT = Path(__file__).resolve().parents[2]
T = TypeVar("T")
PATIENCE_S = 120.0
STARTING_S = 300.0  # a first start on a machine that is busy with something else
QUICK = {"AIRIS_BODY_IDLE_TIMEOUT_S": "5", "AIRIS_JOB_LEASE_S": "3", "AIRIS_JOB_DISPATCH_S": "1", "AIRIS_DEMO": "0"}
QUICK |= {"AIRIS_PRIVATE_HOSTS": "127.0.0.1", "AIRIS_API_REQUESTS_PER_MINUTE": "100000"}
SERVICES = ("DATABASE_URL", "DATABASE_OWNER_URL", "VALKEY_URL", "DJANGO_SETTINGS_MODULE")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(slots=True)
class LiveStack:
    """A running product over its own var/."""

    var: Path
    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        return (self.var / "launcher.log").read_text()

    def start(self, **environment: str) -> None:
        self.var.mkdir(parents=True, exist_ok=True)
        inherited = {name: value for name, value in os.environ.items() if name not in SERVICES}
        settings = (
            inherited
            | QUICK
            | {"AIRIS_VAR": str(self.var), "AIRIS_PORT": str(self.port), "PYTHONPATH": str(ROOT)}
            | {"AIRIS_FAILPOINTS": str(self.failpoint)}
        )
        with (self.var / "launcher.log").open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "airis.launcher", "run"],
                cwd=ROOT,
                env=settings | environment,
                stdout=log,
                stderr=log,
            )
        try:
            wait_for(self._is_ready, "the product to start", patience_s=STARTING_S)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> int:
        """Exit code of the launcher after SIGTERM."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def pid_of(self, name: str) -> int:
        """0 while the process is being started again."""
        try:
            return int((self.var / "run" / f"{name}.child").read_text().split()[0])
        except (OSError, IndexError):
            return 0

    @property
    def failpoint(self) -> Path:
        """Write "<place> once|always|hold" to it; see apps/core/failpoints.py."""
        return self.var / "failpoint"

    def kill(self, name: str) -> None:
        """SIGKILL to a process of the product and its group."""
        os.killpg(self.pid_of(name), signal.SIGKILL)

    def seed(self, *arguments: str) -> str:
        """Output of tests/live/seed.py, run as a process of this installation."""
        done = subprocess.run(
            [sys.executable, "-m", "tests.live.seed", *arguments],
            cwd=ROOT,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.strip().splitlines()[-1]

    def environment(self) -> dict[str, str]:
        paths = Paths(var=self.var)
        inherited = {name: value for name, value in os.environ.items() if name not in SERVICES}
        return inherited | {
            "AIRIS_VAR": str(self.var),
            "DATABASE_URL": database_url(paths, role=APP),
            "DATABASE_OWNER_URL": database_url(paths, role=OWNER),
            "VALKEY_URL": valkey_url(paths),
            "DJANGO_SETTINGS_MODULE": "airis.settings.development",
            "PYTHONPATH": str(ROOT),
        }

    def _is_ready(self) -> bool | None:
        assert self.process is not None
        assert self.process.poll() is None, self.log
        return "AIris is ready" in self.log or None


@dataclass(slots=True)
class ApiClient:
    """The REST API as one person."""

    base: str
    token: str

    def call(self, method: str, path: str, **options: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.request(method, f"{self.base}/api/v1/{path}", headers=headers, timeout=60, **options)

    def upload(self, collection_id: str, name: str, content: bytes) -> dict[str, Any]:
        files = {"file": (name, content)}
        reply = self.call("POST", "documents/", data={"collection_id": collection_id}, files=files)
        assert reply.status_code in (200, 201, 202), reply.text
        body: dict[str, Any] = reply.json()
        return body

    def document(self, document_id: str) -> dict[str, Any]:
        body: dict[str, Any] = self.call("GET", f"documents/{document_id}/").json()
        return body

    def wait_for_document(self, document_id: str, states: Mapping[str, object] | set[str]) -> dict[str, Any]:
        def look() -> dict[str, Any] | None:
            document = self.document(document_id)
            return document if document.get("state") in states else None

        return wait_for(look, f"document to be {states}")

    def ask(self, question: str, *, document_ids: Sequence[str] = ()) -> str:
        body = {"question": question, "document_ids": list(document_ids)}
        reply = self.call("POST", "questions/", json=body)
        assert reply.status_code == 202, reply.text
        return str(reply.json()["question_id"])

    def wait_for_answer(self, question_id: str) -> dict[str, Any]:
        def look() -> dict[str, Any] | None:
            answer = self.call("GET", f"questions/{question_id}/").json()
            return answer if answer.get("state") not in ("waiting", "running") else None

        return wait_for(look, "the answer")


def wait_for(look: Callable[[], T | None], what: str, *, patience_s: float = PATIENCE_S) -> T:
    """What `look` returns once it is not None; errors of a restarting server are waited out."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        try:
            found = look()
        except (httpx.TransportError, ValueError):
            found = None
        if found is not None:
            return found
        time.sleep(0.1)
    raise AssertionError(f"waited {patience_s:.0f} s for {what}")


def fresh_var(name: str) -> Path:
    path = Path(os.environ["AIRIS_VAR"]) / "live" / os.environ.get("PYTEST_XDIST_WORKER", "gw0") / name
    shutil.rmtree(path, ignore_errors=True)
    return path
