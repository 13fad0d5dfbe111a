"""`python -m airis.launcher run` starts the product; `… services -- COMMAND` runs one command with services."""

import subprocess
import sys

from airis.launcher.paths import LauncherError
from airis.launcher.product import run
from airis.launcher.services import ensure_running

USAGE = "usage: python -m airis.launcher run | services -- COMMAND …"


def main(arguments: list[str]) -> int:
    try:
        if arguments[:1] == ["run"]:
            return run()
        if arguments[:2] == ["services", "--"] and arguments[2:]:
            with ensure_running():
                return subprocess.call(arguments[2:])
    except LauncherError as exc:
        print(f"AIris: {exc}", file=sys.stderr)
        return 2
    print(USAGE, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
