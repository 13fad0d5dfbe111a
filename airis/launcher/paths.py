"""Where the embedded installation keeps things: everything under var/, sockets where their path fits."""

import hashlib
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LONGEST_SOCKET_DIRECTORY = 80  # sockaddr_un holds 107 bytes; ".s.PGSQL.5432.lock" and friends need the rest


class LauncherError(Exception):
    """The installation cannot start. The message is one sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Paths:
    var: Path

    @property
    def database(self) -> Path:
        return self.var / "postgres"

    @property
    def valkey(self) -> Path:
        return self.var / "valkey"

    @property
    def logs(self) -> Path:
        return self.var / "log"

    @property
    def run(self) -> Path:
        """Process records of the launcher."""
        return self.var / "run"

    @property
    def sockets(self) -> Path:
        """A directory of ours, mode 0700, short enough for a Unix socket."""
        inside = self.var / "run"
        if len(os.fsencode(inside)) <= LONGEST_SOCKET_DIRECTORY:
            return inside
        digest = hashlib.sha256(os.fsencode(self.var)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"airis-{os.getuid()}-{digest}"

    @property
    def postgres_socket(self) -> Path:
        return self.sockets / ".s.PGSQL.5432"

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"


def installation_paths() -> Paths:
    """Paths of this clone, or of AIRIS_VAR; the directories exist and are ours alone."""
    paths = Paths(var=Path(os.environ.get("AIRIS_VAR") or ROOT / "var").resolve())
    for directory in (paths.var, paths.run, paths.logs, paths.valkey, paths.sockets):
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as exc:
            raise LauncherError(
                f"cannot make {directory} ({exc.strerror}); make it writable or set AIRIS_VAR."
            ) from exc
    status = paths.sockets.stat()
    if status.st_uid != os.getuid():
        raise LauncherError(f"{paths.sockets} belongs to another user; remove it or set AIRIS_VAR to a shorter path.")
    if stat.S_IMODE(status.st_mode) != 0o700:
        paths.sockets.chmod(0o700)
    return paths
