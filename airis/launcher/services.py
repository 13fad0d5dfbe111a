"""The embedded services for as long as somebody needs them: the whole product, one command, or a test run."""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from airis.launcher.children import Child, start_time, stop_leftovers
from airis.launcher.paths import LauncherError, Paths, installation_paths
from airis.launcher.postgres import APP, OWNER, database_url, prepare_roles, start_postgres
from airis.launcher.valkey import start_valkey, valkey_url

SERVICES = ("postgres", "valkey")
EXTERNAL = ("DATABASE_URL", "DATABASE_OWNER_URL", "VALKEY_URL")


def service_environment(paths: Paths) -> dict[str, str]:
    """Addresses of the services: those already in the environment win over the embedded ones."""
    embedded = {
        "AIRIS_VAR": str(paths.var),
        "DATABASE_URL": database_url(paths, role=APP),
        "DATABASE_OWNER_URL": database_url(paths, role=OWNER),
        "VALKEY_URL": valkey_url(paths),
    }
    return {name: os.environ.get(name) or value for name, value in embedded.items()}


def uses_embedded_database() -> bool:
    given = [name for name in ("DATABASE_URL", "DATABASE_OWNER_URL") if os.environ.get(name)]
    if len(given) == 1:
        raise LauncherError(f"{given[0]} is set alone; set DATABASE_URL and DATABASE_OWNER_URL together, or neither.")
    return not given


def uses_embedded_valkey() -> bool:
    return not os.environ.get("VALKEY_URL")


@contextmanager
def ensure_running(on_start: Callable[[Paths, Mapping[str, str]], None] | None = None) -> Iterator[Mapping[str, str]]:
    """Services run inside the block and their addresses are in os.environ; stopped after, if we started them.

    `on_start` is called once they run, when we started them: what ran before prepared its own.
    """
    paths = installation_paths()
    children: list[Child] = []
    with _lock(paths, wait=True) as lock:
        if not _are_running(paths):
            children = start_services(paths)
            _note_running(paths)
        lock.release()
    before = {name: os.environ.get(name) for name in (*EXTERNAL, "AIRIS_VAR")}
    environment = service_environment(paths)
    os.environ.update(environment)
    try:
        if children and on_start is not None:
            on_start(paths, os.environ)
        yield environment
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        if children:
            stop_services(paths, children)


def start_services(paths: Paths) -> list[Child]:
    """Postgres with roles and database, and Valkey, as our direct children. Leftovers are stopped first."""
    stop_leftovers(paths.run)
    children: list[Child] = []
    try:
        if uses_embedded_database():
            children.append(start_postgres(paths))
            prepare_roles(paths)
        if uses_embedded_valkey():
            children.append(start_valkey(paths))
    except BaseException:
        stop_services(paths, children)
        raise
    return children


def stop_services(paths: Paths, children: list[Child]) -> None:
    _running_file(paths).unlink(missing_ok=True)
    programs = [child for child in children if child.name not in SERVICES]
    services = [child for child in children if child.name in SERVICES]
    for child in programs:
        child.ask_to_stop()  # all at once: a worker in the middle of a job resumes it at the next start
    for child in programs:
        child.stop(patience_s=4)
    for child in reversed(services):
        child.stop(patience_s=20)


def _running_file(paths: Paths) -> Path:
    return paths.run / "services.pid"


def _note_running(paths: Paths) -> None:
    _running_file(paths).write_text(f"{os.getpid()} {start_time(os.getpid())}")


def _are_running(paths: Paths) -> bool:
    """Whether a living launcher of this var/ holds the services."""
    try:
        pid, started = _running_file(paths).read_text().split(" ", 1)
    except (OSError, ValueError):
        return False
    return start_time(int(pid)) == started


class _Lock:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def release(self) -> None:
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)


@contextmanager
def _lock(paths: Paths, *, wait: bool) -> Iterator[_Lock]:
    """One launcher at a time starts services over this var/."""
    descriptor = os.open(paths.run / "launcher.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        yield _Lock(descriptor)
    except BlockingIOError as exc:
        raise LauncherError("another AIris command is starting over the same var/; wait for it.") from exc
    finally:
        os.close(descriptor)


@contextmanager
def hold_services() -> Iterator[tuple[Paths, list[Child]]]:
    """The caller owns the services of this var/; refused when a living AIris already does."""
    paths = installation_paths()
    with _lock(paths, wait=True) as lock:
        if _are_running(paths):
            raise LauncherError(
                f"AIris already runs over {paths.var}; stop it first, or set AIRIS_VAR for a second one."
            )
        children = start_services(paths)
        _note_running(paths)
        lock.release()
    try:
        yield paths, children
    finally:
        stop_services(paths, children)
