"""Whether reading a file asks for anything outside: every connection and name look-up of a reader is seen and refused.

The file is read by a Python of its own whose audit hook sees each `socket` event, each started program, and each file
opened by name after the readers are loaded; a listener that nothing may reach is the case's own business.
"""

import json
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[3]
_TIMEOUT_S = 120
_PROGRAM = """
import json, os, sys
seen = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        seen.append(event + " " + repr(arguments[-1:])[:200])
        raise PermissionError(event)
from apps.reading.contracts import ReadingError
from apps.reading.readers import open_reader
data = open(sys.argv[1], "rb").read()
sys.addaudithook(watch)
try:
    reader = open_reader(data, os.path.basename(sys.argv[1]))
    facts = reader.facts()
    reader.pages(1, min(facts.page_count, 50))
except Exception:
    pass
print(json.dumps(seen))
"""


def requests_of(path: Path) -> list[str]:
    """What reading the file asked of the network, in order; nothing of it was let through."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(path)],
        cwd=_ROOT,
        capture_output=True,
        timeout=_TIMEOUT_S,
        check=False,
        text=True,
    )
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        return [f"reader ended with {done.returncode}"]
    return list(json.loads(lines[-1]))
