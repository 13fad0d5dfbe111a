"""`make run`: services, then web, workers and beat; restarts what dies, stops everything on a signal."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from airis.launcher.children import Child, start_child
from airis.launcher.paths import ROOT, LauncherError, Paths
from airis.launcher.postgres import start_postgres
from airis.launcher.preparing import prepare
from airis.launcher.services import hold_services, service_environment
from airis.launcher.valkey import start_valkey

HOST = "127.0.0.1"
DEFAULT_PORT = 8000
CALM_S = 30.0  # a child that lived this long starts again at once


@dataclass(frozen=True, slots=True)
class Program:
    """One process of the product."""

    name: str
    arguments: tuple[str, ...]  # after `python -m`
    nice: int = 0
    has_pool: bool = False


def programs(port: int) -> tuple[Program, ...]:
    return (
        Program("web", ("airis.web", "-b", HOST, "-p", str(port), "airis.asgi:application"), has_pool=True),
        Program("worker-answers", _worker("answers", concurrency=3)),
        Program("worker-light", _worker("light", concurrency=2, pool="threads")),
        Program("worker-outside", _worker("outside", concurrency=4, pool="threads"), nice=5),
        Program("worker-ingestion", _worker("ingestion", concurrency=1), nice=5),
        Program("worker-embedding", _worker("embedding", concurrency=1), nice=10),
        Program("beat", ("celery", "-A", "airis.celery", "beat", "-l", "warning", "--pidfile=", "--scheduler",
                         "django_celery_beat.schedulers:DatabaseScheduler")),
    )  # fmt: skip


def _worker(queues: str, *, concurrency: int, pool: str = "prefork") -> tuple[str, ...]:
    name = queues.partition(",")[0]
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    options = ("-Q", queues, "-n", f"{name}@airis", "-l", "warning", "--concurrency", str(concurrency), "--pool", pool)
    return ("celery", "-A", "airis.celery", "worker", *options, *quiet)


def run() -> int:
    """The product runs until a signal; returns the exit code."""
    started = time.monotonic()
    port = _port()
    _require_free(port)
    stop = _StopSignal()
    with hold_services() as (paths, services):
        environment = os.environ | service_environment(paths) | {"PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "1"}
        prepare(paths, environment)
        starters: dict[str, Callable[[], Child]] = {
            "postgres": lambda: start_postgres(paths),
            "valkey": lambda: start_valkey(paths),
        }
        for program in programs(port):
            starters[program.name] = _starter(paths, environment, program)
        # The programs join the list that hold_services() stops, last started first.
        services.extend(starters[program.name]() for program in programs(port))
        try:
            _wait_until_healthy(port, services, stop)
            if not stop.is_set:
                _announce(port, paths, time.monotonic() - started)
                _seed_demo(environment)
                _offer_setup(environment, port)
            _supervise(services, starters, stop)
        finally:
            stop.ignore()
            print("\nAIris: stopping …", flush=True)
    print(f"AIris: stopped. Your data stays in {paths.var}.")
    return 0


class _StopSignal:
    """Set by SIGINT, SIGTERM or SIGHUP."""

    def __init__(self) -> None:
        self.is_set = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._receive)

    def _receive(self, _number: int, _frame: FrameType | None) -> None:
        self.is_set = True

    def ignore(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)


def _port() -> int:
    text = os.environ.get("AIRIS_PORT", str(DEFAULT_PORT))
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise LauncherError(f"AIRIS_PORT is {text!r}; give a port number between 1 and 65535.")
    return int(text)


def _require_free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as exc:
            raise LauncherError(
                f"port {port} is taken; stop what uses it or choose another: make run AIRIS_PORT={port + 1}"
            ) from exc


def _starter(paths: Paths, environment: dict[str, str], program: Program) -> Callable[[], Child]:
    def start() -> Child:
        return start_child(
            name=program.name,
            command=[sys.executable, "-m", *program.arguments],
            log=paths.logs / f"{program.name}.log",
            record=paths.run / f"{program.name}.child",
            environment=environment | {"AIRIS_DATABASE_POOL": "1" if program.has_pool else "0", "PWD": str(ROOT)},
            nice=program.nice,
        )

    return start


def _wait_until_healthy(port: int, children: list[Child], stop: _StopSignal, *, patience_s: float = 120) -> None:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline and not stop.is_set:
        dead = next((child for child in children if not child.is_running), None)
        if dead is not None:
            raise LauncherError(f"{dead.name} ended at once; see {dead.record.parent.parent / 'log' / dead.name}.log.")
        if _is_healthy(port):
            return
        time.sleep(0.1)
    if not stop.is_set:
        raise LauncherError(f"the web process did not answer within {patience_s:.0f} s; see var/log/web.log.")


def _is_healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}/readyz", timeout=2) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _announce(port: int, paths: Paths, seconds: float) -> None:
    print(f"\nAIris is ready after {seconds:.1f} s:  http://{HOST}:{port}/\n", flush=True)
    if os.environ.get("AIRIS_DEMO", "1") != "0":
        _introduce_demo_people()
    print(f"\nLogs: {paths.logs}   Stop: Ctrl-C", flush=True)


def _introduce_demo_people() -> None:
    from apps.accounts.demo_people import DEMO_PASSWORD, DEMO_PEOPLE

    print(f"Demo sign-ins (they work on this machine only), password {DEMO_PASSWORD!r}:")
    print("Their documents are brought now and show up within a minute or two.")
    for person in DEMO_PEOPLE:
        print(f"  {person.email:<28} {person.role:<8} {person.organisation}")


def _seed_demo(environment: dict[str, str]) -> None:
    """Demo organisations and documents exist, as ordinary jobs; does nothing when they do."""
    if environment.get("AIRIS_DEMO", "1") == "0":
        return
    log = Path(environment["AIRIS_VAR"]) / "log" / "demo.log"
    with log.open("ab") as output:
        subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "seed_demo"], env=environment, cwd=ROOT,
            stdin=subprocess.DEVNULL, stdout=output, stderr=output,
        )  # fmt: skip


def _offer_setup(environment: dict[str, str], port: int) -> None:
    """A one-time link to the first-run page is printed a moment later, unless a real person owns an organisation."""
    subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "setup_link"],
        env=environment | {"AIRIS_PORT": str(port)}, cwd=ROOT, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def _supervise(children: list[Child], starters: dict[str, Callable[[], Child]], stop: _StopSignal) -> None:
    """Whatever dies is started again, with growing pauses when it keeps dying."""
    since = {child.name: time.monotonic() for child in children}
    pauses = dict.fromkeys(since, 0.0)
    not_before = dict.fromkeys(since, 0.0)
    while not stop.is_set:
        time.sleep(0.2)
        for position, child in enumerate(children):
            now = time.monotonic()
            if child.is_running or now < not_before[child.name] or stop.is_set:
                continue
            lived = now - since[child.name]
            pauses[child.name] = 0.0 if lived > CALM_S else min(15.0, pauses[child.name] * 2 + 0.5)
            print(f"AIris: {child.name} ended (code {child.process.returncode}); starting it again", flush=True)
            child.stop(patience_s=1)
            try:
                children[position] = starters[child.name]()
            except LauncherError as exc:
                print(f"AIris: {exc}", flush=True)
            since[child.name] = time.monotonic()
            not_before[child.name] = time.monotonic() + pauses[child.name]
