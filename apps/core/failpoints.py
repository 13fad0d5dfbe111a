"""Named places where a test stops a process for good. Without AIRIS_FAILPOINT in the environment: nothing."""

import os
import signal
import time
from pathlib import Path

_WANTED = os.environ.get("AIRIS_FAILPOINT", "")
_ONCE_FILE = os.environ.get("AIRIS_FAILPOINT_ONCE", "")  # made at the first hit; later hits pass
_HOLD_FILE = os.environ.get("AIRIS_FAILPOINT_HOLD", "")  # pause while it exists, instead of dying


def reach(name: str) -> None:
    """At the failpoint that AIRIS_FAILPOINT names: die by SIGKILL, or wait while the hold file exists."""
    if not _WANTED or name != _WANTED:
        return
    if _HOLD_FILE:
        Path(_HOLD_FILE + ".reached").touch()
        while Path(_HOLD_FILE).exists():
            time.sleep(0.01)
        return
    if _ONCE_FILE:
        try:
            Path(_ONCE_FILE).touch(exist_ok=False)
        except FileExistsError:
            return
    os.kill(os.getpid(), signal.SIGKILL)
