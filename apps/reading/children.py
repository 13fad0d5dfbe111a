"""Starting reading children. One spare child waits, its parser imported, so that the next file opens at once.

The file is handed over as a descriptor through a socket; a child whose socket closes ends, so none outlives its
parent. Importing the parser costs a second, which the spare spends while nobody waits.
"""

import atexit
import os
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from apps.reading.limits import Limits

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(slots=True)
class Child:
    """A reading child and the socket over which it gets its file."""

    process: subprocess.Popen[bytes]
    socket: socket.socket
    limits: Limits

    def give(self, descriptor: int) -> None:
        """The child works on this file from now on. Raises OSError when it is gone."""
        socket.send_fds(self.socket, [b"f"], [descriptor])

    def stop(self) -> None:
        """The child is gone and its pipes are closed."""
        self.socket.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


_spare: Child | None = None
_guard = threading.Lock()


def take(limits: Limits) -> Child:
    """A fresh child with these limits: the spare when it fits. A new spare begins to warm up."""
    global _spare
    with _guard:
        found, _spare = _spare, None
        if found is not None and (found.limits != limits or found.process.poll() is not None):
            found.stop()
            found = None
        child = found or _started(limits)
        _spare = _started(limits)
    return child


def stop_spare() -> None:
    """No spare child is left."""
    global _spare
    with _guard:
        found, _spare = _spare, None
    if found is not None:
        found.stop()


atexit.register(stop_spare)


def _started(limits: Limits) -> Child:
    ours, theirs = socket.socketpair()
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(_ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        **limits.as_environment(),
    }
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "apps.reading", str(theirs.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            env=environment,
            cwd=_ROOT,
            start_new_session=True,
            bufsize=0,
        )
    return Child(process, ours, limits)
