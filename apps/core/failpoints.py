"""Named places where a test stops a process for good. Without AIRIS_FAILPOINTS in the environment: nothing.

The variable names a file; its content is "<place> once", "<place> always" or "<place> hold". "once" removes the file
as it strikes; "hold" makes the process wait there until the file is gone, and says so in "<file>.reached".
"""

import os
import signal
import time
from pathlib import Path

_FILE = os.environ.get("AIRIS_FAILPOINTS", "")


def reach(name: str) -> None:
    """At the place that the file names: die by SIGKILL, or wait."""
    if not _FILE:
        return
    file = Path(_FILE)
    try:
        place, _, mode = file.read_text().strip().partition(" ")
    except OSError:
        return
    if place != name:
        return
    if mode == "hold":
        file.with_name(file.name + ".reached").touch()
        while file.exists():
            time.sleep(0.01)
        return
    if mode == "once":
        try:
            file.unlink()
        except FileNotFoundError:
            return  # another process died here first
    os.kill(os.getpid(), signal.SIGKILL)
