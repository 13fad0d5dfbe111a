"""The two large files: seconds from the end of upload to searchable, memory over idle, every row and page counted.

    python -m tests.benchmarks.large --var DIR [--rows 1000000] [--pdf FILE --pages 2500] [--port 8210]

The CSV is generated (7 columns, Turkish names, seed 5); the PDF repeats the pages of FILE. Memory is the proportional
set size of all processes of the product, Postgres apart, looked at five times a second.
"""

import argparse
import json
import os
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from apps.reading._pymupdf import pymupdf
from tests.benchmarks.client import RestClient
from tests.benchmarks.start import fill, running

NAMES = ("Kuzey Lojistik A.Ş.", "Güneş Enerji", "Harbour Foods", "Ege Tekstil", "Atlas Marine", "Doğu Çelik")
TOWNS = ("Kadıköy", "İzmir", "Ankara", "Çorlu")
SAMPLES = 25


def main() -> None:
    options = _options()
    environment = os.environ | {"AIRIS_VAR": str(options.var), "AIRIS_PORT": str(options.port), "AIRIS_DEMO": "0"}
    report: dict[str, object] = {"date": time.strftime("%Y-%m-%d %H:%M"), "load_before": round(os.getloadavg()[0], 1)}
    with running(environment), tempfile.TemporaryDirectory() as folder:
        with fill(environment, options.port) as client:
            if options.rows:
                file = Path(folder) / "ledger.csv"
                write_rows(file, options.rows)
                report["csv"] = measured(client, file, options.var, lambda d: rows_found(client, d, options.rows))
            if options.pdf:
                file = Path(folder) / "thick.pdf"
                write_pages(file, options.pdf, options.pages)
                report["pdf"] = measured(client, file, options.var, lambda _document: {})
    print(json.dumps(report, indent=1))


def write_rows(file: Path, count: int) -> None:
    chance = random.Random(5)
    with file.open("w", encoding="utf-8") as out:
        out.write("Policy no,Customer,Branch,Start date,Premium,Currency,Status\n")
        for number in range(count):
            day = f"2024-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}"
            premium = f"{chance.randint(100, 99_999)}.{chance.randint(0, 99):02d}"
            state = chance.choice(("active", "lapsed"))
            name, town = chance.choice(NAMES), chance.choice(TOWNS)
            out.write(f"PL-2024-{number:07d},{name},{town},{day},{premium},TRY,{state}\n")


def write_pages(file: Path, source: Path, count: int) -> None:
    with pymupdf.open(source) as original, pymupdf.open() as made:
        while made.page_count < count:
            made.insert_pdf(original, to_page=min(original.page_count, count - made.page_count) - 1)
        made.save(file)


def rows_found(client: RestClient, document_id: str, count: int) -> dict[str, object]:
    """How many of some rows are found by their number alone."""
    wanted = [f"PL-2024-{number:07d}" for number in random.Random(7).sample(range(count), min(SAMPLES, count))]
    began = time.monotonic()
    found = sum(any(number in text for text in client.passages(number, document_id)) for number in wanted)
    return {"rows_sought": len(wanted), "rows_found": found, "search_s": (time.monotonic() - began) / len(wanted)}


def measured(client: RestClient, file: Path, var: Path, look: Callable[[str], dict[str, object]]) -> dict[str, object]:
    """Of one upload."""
    idle = product_mib(var)
    with peak_memory(var) as peak:
        began = time.monotonic()
        document_id = client.upload_copy(file, client.collection_id())
        uploaded = time.monotonic()
        document = client.wait_until_searchable(document_id)
        searchable = time.monotonic()
    return {
        "bytes": file.stat().st_size,
        "upload_s": round(uploaded - began, 1),
        "searchable_s": round(searchable - uploaded, 1),
        "pages": document["page_count"],
        "pages_read": document["pages_read"],
        "idle_mib": round(idle),
        "growth_mib": round(peak[0] - idle),
        **look(document_id),
    }


@contextmanager
def peak_memory(var: Path) -> Iterator[list[float]]:
    """[most MiB of the product's processes until the block ends]"""
    peak, stop = [product_mib(var)], threading.Event()

    def watch() -> None:
        while not stop.wait(0.2):
            peak[0] = max(peak[0], product_mib(var))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        stop.set()
        thread.join()


def product_mib(var: Path) -> float:
    """Proportional set size of the product's processes and their descendants, Postgres and Valkey apart."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents.setdefault(int(stat.read_text().rpartition(")")[2].split()[1]), []).append(int(stat.parent.name))
        except OSError:
            continue
    waiting = [
        int(record.read_text().split()[0])
        for record in (var / "run").glob("*.child")
        if record.stem not in ("postgres", "valkey")
    ]
    total = 0.0
    while waiting:
        process = waiting.pop()
        waiting += parents.get(process, [])
        try:
            rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        except OSError:
            continue
        total += next((int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")), 0)
    return total / 1024


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--var", type=Path, required=True, help="data of the installation that is started")
    parser.add_argument("--rows", type=int, default=1_000_000, help="of the CSV; 0: none")
    parser.add_argument("--pdf", type=Path)
    parser.add_argument("--pages", type=int, default=2500)
    parser.add_argument("--port", type=int, default=8210)
    return parser.parse_args()


if __name__ == "__main__":
    main()
