"""Child processes: started so that they die with the launcher, recorded so that leftovers can be found."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PR_SET_PDEATHSIG = 1


@dataclass(slots=True)
class Child:
    """A running child and how it is asked to stop."""

    name: str
    process: subprocess.Popen[bytes]
    record: Path
    stop_signal: int
    was_asked: bool = False

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None  # poll reaps: an unreaped zombie blocks a Postgres restart

    def ask_to_stop(self) -> None:
        """The process got its stop signal, once."""
        if self.is_running and not self.was_asked:
            self.was_asked = True
            self.process.send_signal(self.stop_signal)

    def stop(self, *, patience_s: float) -> None:
        """The process and its group are gone; killed when they outlast the patience."""
        self.ask_to_stop()
        if self.is_running:
            try:
                self.process.wait(patience_s)
            except subprocess.TimeoutExpired:
                kill_group(self.process.pid)
                self.process.wait()
        kill_group(self.process.pid)
        self.record.unlink(missing_ok=True)


def start_child(
    *,
    name: str,
    command: Sequence[str],
    log: Path,
    record: Path,
    environment: Mapping[str, str] | None = None,
    stop_signal: int = signal.SIGTERM,
    nice: int = 0,
) -> Child:
    """A child in its own process group, output to `log`, recorded in `record` as "pid start-time"."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=dict(environment) if environment is not None else None,
            start_new_session=True,
            preexec_fn=_die_with_parent(stop_signal, nice),
        )
    record.write_text(f"{process.pid} {start_time(process.pid)}")
    return Child(name=name, process=process, record=record, stop_signal=stop_signal)


def stop_leftovers(directory: Path) -> None:
    """No process of an earlier launcher that was killed is running any more."""
    for record in directory.glob("*.child"):
        try:
            pid_text, started = record.read_text().split(" ", 1)
            pid = int(pid_text)
        except (OSError, ValueError):
            record.unlink(missing_ok=True)
            continue
        if start_time(pid) == started:
            _stop_stranger(pid)
        record.unlink(missing_ok=True)


def start_time(pid: int) -> str:
    """When a process started, as the system tells it; "" when there is none. Guards against reused pids."""
    stat_file = Path(f"/proc/{pid}/stat")
    if sys.platform == "linux":
        try:
            fields = stat_file.read_text().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            return ""
        return "" if fields[0] == "Z" else fields[19]
    shown = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return shown.stdout.strip()


def kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _stop_stranger(pid: int) -> None:
    for wanted, patience_s in ((signal.SIGINT, 8.0), (signal.SIGKILL, 5.0)):
        try:
            os.killpg(pid, wanted)
        except (ProcessLookupError, PermissionError):
            return
        deadline = time.monotonic() + patience_s
        while time.monotonic() < deadline:
            if not start_time(pid):
                return
            time.sleep(0.05)


def _die_with_parent(stop_signal: int, nice: int) -> Callable[[], None]:
    parent = os.getpid()
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None

    def prepare() -> None:
        if nice:
            os.nice(nice)
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, stop_signal, 0, 0, 0)
            if os.getppid() != parent:  # the launcher died in between
                os._exit(1)

    return prepare
