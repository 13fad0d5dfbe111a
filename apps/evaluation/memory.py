"""Peak memory of this process and of its reading children, seen from /proc. Elsewhere than on Linux nothing is seen."""

import contextlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_EVERY_S = 0.05
_MEBIBYTE_KIB = 1024
_READING = b"apps.reading"


class MemoryPeaks:
    """Resident MiB; 0 for what was not seen."""

    def __init__(self) -> None:
        self.process_mib = 0
        self.child_mib = 0

    def look(self) -> None:
        """The peaks hold what the kernel says now."""
        self.process_mib = max(self.process_mib, _status_mib(os.getpid(), "VmRSS"))
        for child in _reading_children():
            self.child_mib = max(self.child_mib, _status_mib(child, "VmHWM"))


@contextmanager
def watched_memory() -> Iterator[MemoryPeaks]:
    """Peaks are looked at 20 times a second until the block ends; a child's own high-water mark counts."""
    peaks = MemoryPeaks()
    stop = threading.Event()

    def watch() -> None:
        while not stop.wait(_EVERY_S):
            peaks.look()

    thread = threading.Thread(target=watch, name="memory", daemon=True)
    thread.start()
    try:
        yield peaks
    finally:
        stop.set()
        thread.join()
        peaks.look()


def _reading_children() -> list[int]:
    found: list[int] = []
    for file in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread or the child ended meanwhile
            children = [int(text) for text in file.read_text().split()]
            found += [child for child in children if _READING in Path(f"/proc/{child}/cmdline").read_bytes()]
    return found


def _status_mib(process: int, name: str) -> int:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    for line in lines:
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) // _MEBIBYTE_KIB
    return 0
