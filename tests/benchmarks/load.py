"""A load of generated contracts: estimate, rate, finish; pages of the interface and another organisation meanwhile.

    python -m tests.benchmarks.load --base http://127.0.0.1:8000 --first EMAIL:SLUG --second EMAIL:SLUG \
        [--password airis-demo] [--queue 20000] [--files 1000] [--estimate-after 200]

Against a running product with two organisations. `--queue` contracts are announced for an estimate before the start;
`--files` of them are made (5 to 20 pages, drawn with a fixed seed), sent and read. Meanwhile pages of the interface
are asked for in turn, and once a third is read the second organisation uploads one file. Prints one JSON object:
the estimates, the finish as estimated after `--estimate-after` files beside the true one, rates, p95 of each page,
and seconds until the single upload was searchable. The whole queue's time is extrapolated from the rate and says so.
"""

import argparse
import json
import random
import statistics
import threading
import time
from collections import defaultdict
from datetime import datetime
from typing import Any

import httpx

from apps.reading._pymupdf import pymupdf

_LOOK_EVERY_S = 1.0
_PAGES = ("documents/", "loads/", "search/?q=rent", "ask/")
_CLAUSES = (
    "The lessee pays {rent} euro a month, due on day {day} of each month, to the account named in the schedule.",
    "Either party may end this contract with {notice} days of notice in writing; the end of the term is {year}.",
    "The deposit is {deposit} euro and bears no interest; it is returned within {notice} days after the end.",
    "Late payments bear interest of {rate} per cent a year from the day on which they were due.",
    "The insured sum is {sum} euro; damage by flood is excluded unless the schedule names it.",
)


def contract(number: int) -> bytes:
    """A PDF of 5 to 20 pages of clauses; the same number gives the same words."""
    chance = random.Random(number)
    with pymupdf.open() as file:
        for page_number in range(chance.randint(5, 20)):
            page, y = file.new_page(), 90.0
            page.insert_text((60, 60), f"Contract {number}, page {page_number + 1}", fontsize=13)
            for clause in range(24):
                words = chance.choice(_CLAUSES).format(
                    rent=chance.randint(300, 9000), day=chance.randint(1, 28), notice=chance.choice((30, 60, 90)),
                    year=chance.randint(2026, 2040), deposit=chance.randint(1000, 30000),
                    rate=chance.randint(2, 12), sum=chance.randint(10_000, 900_000),
                )  # fmt: skip
                page.insert_text((60, y), f"{clause + 1}. {words}", fontsize=9)
                y += 28
        return bytes(file.tobytes())


class Person:
    """One person: by REST with a token, and in a browser with a session."""

    def __init__(self, base: str, who: str, password: str) -> None:
        email, self.slug = who.split(":")
        self.base = base.rstrip("/")
        self.rest = httpx.Client(base_url=f"{self.base}/api/v1/", timeout=120)
        form = {"email": email, "password": password, "organisation": self.slug, "token_label": "load"}
        self.rest.headers["Authorization"] = f"Bearer {self.asked('POST', 'sign-in/', json=form)['token']}"
        self.browser = httpx.Client(base_url=self.base, timeout=120, follow_redirects=True)
        self.browser.get("/accounts/login/")
        token = self.browser.cookies.get("csrftoken") or ""
        sign_in = {"login": email, "password": password, "csrfmiddlewaretoken": token}
        self.browser.post("/accounts/login/", data=sign_in, headers={"Referer": f"{self.base}/"}).raise_for_status()

    def asked(self, method: str, path: str, **request: Any) -> Any:  # Any: httpx's options, JSON
        while True:
            reply = self.rest.request(method, path, **request)
            if reply.status_code != 429:  # requests of a token in a minute
                break
            time.sleep(float(reply.headers.get("Retry-After", "1")))
        reply.raise_for_status()
        return reply.json()

    def collection_id(self) -> str:
        found = [c for c in self.asked("GET", "collections/")["items"] if c["level"] in ("contribute", "manage")]
        return str(found[0]["id"])


def main() -> None:
    options = _options()
    first = Person(options.base, options.first, options.password)
    second = Person(options.base, options.second, options.password)
    sizes = [len(contract(number)) for number in range(20)]
    mean = round(statistics.mean(sizes))
    report: dict[str, Any] = {"files": options.files, "mean_bytes": mean, "queue": options.queue}
    whole = announced(first, "queue, announced only", options.queue, mean)
    report["queue_estimate_before_s"] = whole["seconds_left"]
    batch = announced(first, "load", options.files, mean)
    report["estimate_before_s"] = batch["seconds_left"]
    stop = threading.Event()
    times: dict[str, list[float]] = defaultdict(list)
    threads = [
        threading.Thread(target=look_at_pages, args=(first, stop, times)),
        threading.Thread(target=send, args=(first, batch["batch"]["id"], options.files)),
    ]
    started = time.time()
    for thread in threads:
        thread.start()
    report |= follow(first, second, batch["batch"]["id"], options, started)
    stop.set()
    for thread in threads:
        thread.join()
    report["pages_p95_ms"] = {page: round(_p95(found)) for page, found in times.items()}
    report["page_views"] = sum(map(len, times.values()))
    rate = report["files"] / report["seconds"]
    report["queue_extrapolated_s"] = round(options.queue / rate)
    print(json.dumps(report, indent=1))


def announced(person: Person, name: str, count: int, size: int) -> Any:  # Any: the JSON object of the load
    files = [{"path": f"north/{n // 100}/contract {n}.pdf", "size": size} for n in range(count)]
    body = {"collection_id": person.collection_id(), "name": name, "files": files}
    return person.asked("POST", "batches/", json=body)


def send(person: Person, batch_id: str, count: int) -> None:
    for number in range(count):
        form = {"path": f"north/{number // 100}/contract {number}.pdf"}
        person.asked("POST", f"batches/{batch_id}/files/", data=form, files={"file": ("c.pdf", contract(number))})


def look_at_pages(person: Person, stop: threading.Event, times: dict[str, list[float]]) -> None:
    while not stop.is_set():
        for page in _PAGES:
            started = time.perf_counter()
            person.browser.get(f"/t/{person.slug}/{page}").raise_for_status()
            times[page].append(1000 * (time.perf_counter() - started))
        stop.wait(0.5)


def follow(first: Person, second: Person, batch_id: str, options: argparse.Namespace, started: float) -> dict[str, Any]:
    """Until the load is over: its finish, what was estimated for it, and the single upload meanwhile."""
    found: dict[str, Any] = {}
    while True:
        progress = first.asked("GET", f"batches/{batch_id}/")
        if "estimated_finish_s" not in found and progress["done"] >= options.estimate_after and progress["finish_at"]:
            found["estimated_finish_s"] = round(datetime.fromisoformat(progress["finish_at"]).timestamp() - started)
            found["estimated_at_s"] = round(time.time() - started)
        if "single_upload_s" not in found and progress["done"] >= options.files // 3:
            found["single_upload_s"] = round(single_upload(second), 1)
        if progress["is_over"]:
            break
        time.sleep(_LOOK_EVERY_S)
    seconds = time.time() - started
    rates = {name: progress[name] for name in ("done", "failed", "known", "pages")}
    return found | rates | {"seconds": round(seconds, 1), "pages_per_second": round(progress["pages"] / seconds, 2)}


def single_upload(person: Person) -> float:
    started = time.monotonic()
    data = contract(int(time.time())) + b"\n%single\n"
    form = {"collection_id": person.collection_id()}
    reply = person.asked("POST", "documents/", data=form, files={"file": ("single.pdf", data)})
    while not person.asked("GET", f"documents/{reply['document']['id']}/")["is_searchable"]:
        time.sleep(0.2)
    return time.monotonic() - started


def _p95(found: list[float]) -> float:
    return sorted(found)[min(len(found) - 1, int(0.95 * len(found)))]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default="http://127.0.0.1:8000")
    parser.add_argument("--first", required=True, help="EMAIL:SLUG of who brings the load")
    parser.add_argument("--second", required=True, help="EMAIL:SLUG of somebody in another organisation")
    parser.add_argument("--password", default="airis-demo")
    parser.add_argument("--queue", type=int, default=20_000)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--estimate-after", type=int, default=200)
    return parser.parse_args()


if __name__ == "__main__":
    main()
