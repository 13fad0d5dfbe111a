"""Warm start of `make run`, and seconds from the upload of a PDF to searchable by REST.

    python -m tests.benchmarks.start --var DIR --pdf FILE [--port 8210] [--starts 3] [--uploads 3]

Starts the product over DIR without the demo: once to prepare it (not counted), then `--starts` times; reads "ready
after" from its output and takes the wall time of the whole command beside it. In the last one an organisation is made
by `manage.py benchmark fill` and the file is uploaded, polled ten times a second, searched and deleted.
"""

import argparse
import json
import os
import queue
import re
import secrets
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.client import RestClient
from tests.benchmarks.report import summed_up

ROOT = Path(__file__).resolve().parents[2]
SLUG = "start"
PATIENCE_S = 180.0
READY = re.compile(r"ready after (\d+(?:\.\d+)?) s")


@dataclass(frozen=True, slots=True)
class Started:
    told_s: float  # what the launcher prints
    wall_s: float  # from the start of `make` to that line


def main() -> None:
    options = _options()
    environment = os.environ | {"AIRIS_VAR": str(options.var), "AIRIS_PORT": str(options.port), "AIRIS_DEMO": "0"}
    load = os.getloadavg()[0]
    with running(environment) as first:
        print(f"first start, not counted: {first.told_s} s")
    starts: list[Started] = []
    for _ in range(options.starts - 1):
        with running(environment) as started:
            starts.append(started)
    with running(environment) as started:
        starts.append(started)
        uploads = _uploads(environment, options)
    report = {
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "load_before": round(load, 1),
        "ready_after_s": [s.told_s for s in starts],
        "ready_after_median_s": statistics.median(s.told_s for s in starts),
        "wall_median_s": round(statistics.median(s.wall_s for s in starts), 1),
        "searchable_s": summed_up(uploads),
    }
    print(json.dumps(report, indent=1))


def _uploads(environment: dict[str, str], options: argparse.Namespace) -> list[float]:
    seconds = []
    with fill(environment, options.port) as client:
        collection_id = client.collection_id()
        for _ in range(options.uploads):
            started = time.monotonic()
            document_id = client.upload_copy(options.pdf, collection_id)
            document = client.wait_until_searchable(document_id)
            seconds.append(time.monotonic() - started)
            found = len(client.passages("total revenue", document_id))
            print(f"{document['page_count']} pages searchable after {seconds[-1]:.1f} s, {found} passages found")
            client.delete(document_id)
    return seconds


def fill(environment: dict[str, str], port: int) -> RestClient:
    """A person of a new organisation in the running product."""
    password = secrets.token_hex(12)
    command = [sys.executable, "manage.py", "benchmark", "fill", "--organisation", SLUG, "--password", password]
    subprocess.run([*command, "--text-only"], check=True, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    return RestClient(f"http://127.0.0.1:{port}", email=f"analyst@{SLUG}.example", password=password, slug=SLUG)


@contextmanager
def running(environment: dict[str, str]) -> Iterator[Started]:
    """`make run` is ready inside the block and stopped after it."""
    began = time.monotonic()
    process = subprocess.Popen(
        ["make", "--no-print-directory", "run"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield Started(_told_seconds(process), time.monotonic() - began)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE_S)


def _told_seconds(process: "subprocess.Popen[str]") -> float:
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, name="output", daemon=True).start()
    deadline = time.monotonic() + PATIENCE_S
    said = ""
    while (line := lines.get(timeout=max(0.1, deadline - time.monotonic()))) is not None:
        said += line
        if found := READY.search(line):
            return float(found[1])
    raise RuntimeError(f"make run ended before it was ready:\n{said}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--var", type=Path, required=True, help="data of the installation that is started")
    parser.add_argument("--pdf", type=Path, required=True)
    parser.add_argument("--port", type=int, default=8210)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--uploads", type=int, default=3)
    return parser.parse_args()


if __name__ == "__main__":
    main()
