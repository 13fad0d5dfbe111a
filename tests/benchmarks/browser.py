"""Milliseconds from Enter to the first search step and to the finished answer, in the system's Chromium.

    python -m tests.benchmarks.browser --base URL --email E --password P --slug bench --questions FILE \
        --label text-only-idle --out F [--runs 1] [--limit N] [--during PDF]

Each question is asked on a fresh Ask page over everything the person may read. Times are taken inside the page: the
key event, then the first mutation after which a step or an ended answer stands in the document. Painting is not
included. Four other questions are asked before, so that the model is loaded. `--during PDF` uploads fresh copies of
the file, one after the other, while the questions run. The output names questions by id only.
"""

import argparse
import json
import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.client import RestClient
from tests.benchmarks.report import keep, summed_up

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
ANSWERED = ("answered", "partly", "abstained")
PATIENCE_MS = 120_000
WARM_UP = (  # both answering processes load the model and the caches; not counted
    "What is the amount of prepaid expenses?",
    "Who audited the financial statements?",
    "How many employees are there?",
    "When does the agreement end?",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

WATCH = """() => {
  const times = { pressed: null, step: null, ended: null, state: "", steps: [] };
  window.airisTimes = times;
  document.getElementById("question").addEventListener("keydown", (event) => {
    if (event.key === "Enter") times.pressed = performance.now();
  }, { capture: true });
  const look = () => {
    if (times.pressed === null) return;
    const answer = document.querySelector("article.answer");
    if (!answer) return;
    const now = performance.now();
    const summary = answer.querySelector(".answer__steps summary");
    const steps = answer.querySelectorAll(".answer__steps ol li code");
    if (times.step === null && (steps.length || /Searched/.test(summary?.textContent ?? ""))) times.step = now;
    const state = answer.dataset.state;
    if (times.ended === null && !["waiting", "answering", "running", "queued"].includes(state)
        && !answer.querySelector(".pulse")) {
      times.ended = now;
      times.state = state;
      times.steps = [...answer.querySelectorAll(".answer__steps ol li .muted")].map((e) => e.textContent.trim());
    }
  };
  new MutationObserver(look).observe(document.getElementById("thread"),
    { childList: true, subtree: true, attributes: true, characterData: true });
}"""


def main() -> None:
    options = _options()
    questions = _questions(options.questions, options.limit)
    load = os.getloadavg()[0]
    with _ingesting(options) as ingested:
        rows = _measured(options, questions)
    entry = {
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "load_before": round(load, 1),
        "load_after": round(os.getloadavg()[0], 1),
        "first_step_ms": summed_up([row["step_ms"] for row in rows if row["step_ms"] is not None]),
        "answer_ms": summed_up([row["answer_ms"] for row in rows if row["state"] in ANSWERED]),
        "states": {state: sum(row["state"] == state for row in rows) for state in sorted({r["state"] for r in rows})},
        "copies_ingested_s": ingested,
        "rows": rows,
    }
    keep(options.out, options.label, entry)
    print(json.dumps({options.label: {k: v for k, v in entry.items() if k != "rows"}}, indent=1))


def _measured(options: argparse.Namespace, questions: list[tuple[str, str]]) -> list[dict[str, Any]]:
    chromium = next((path for name in NAMES if (path := shutil.which(name))), None)
    if chromium is None:
        raise SystemExit("no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
        context.add_cookies([{"name": "django_language", "value": "en", "url": options.base}])
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        _sign_in(page, options)
        for text in WARM_UP:
            _ask(page, options, "warm-up", text)
        rows = []
        for _run in range(options.runs):
            for id_, text in questions:
                rows.append(_ask(page, options, id_, text))
                print(f"{id_}: {rows[-1]['step_ms']} ms, {rows[-1]['answer_ms']} ms, {rows[-1]['state']}")
        browser.close()
    return rows


def _sign_in(page: Page, options: argparse.Namespace) -> None:
    page.goto(f"{options.base}/accounts/login/")
    page.fill("#login", options.email)
    page.fill("#password", options.password)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/t/{options.slug}/")


def _ask(page: Page, options: argparse.Namespace, id_: str, text: str) -> dict[str, Any]:
    page.goto(f"{options.base}/t/{options.slug}/ask/", wait_until="networkidle")
    page.evaluate(WATCH)
    page.fill("#question", text)
    page.press("#question", "Enter")
    page.wait_for_function("() => window.airisTimes.ended !== null", timeout=PATIENCE_MS)
    times = page.evaluate("() => window.airisTimes")
    step = None if times["step"] is None else round(times["step"] - times["pressed"], 1)
    return {
        "id": id_,
        "step_ms": step,
        "answer_ms": round(times["ended"] - times["pressed"], 1),
        "state": times["state"],
        "steps": times["steps"],
    }


@contextmanager
def _ingesting(options: argparse.Namespace) -> Iterator[list[float]]:
    """Copies of the file are ingested until the block ends, then deleted; seconds of each to searchable."""
    seconds: list[float] = []
    if options.during is None:
        yield seconds
        return
    stop = threading.Event()
    ids: list[str] = []

    def work() -> None:
        with RestClient(options.base, email=options.email, password=options.password, slug=options.slug) as client:
            collection_id = client.collection_id()
            while not stop.is_set():
                started = time.monotonic()
                ids.append(client.upload_copy(options.during, collection_id))
                client.wait_until_searchable(ids[-1])
                seconds.append(round(time.monotonic() - started, 1))
            for document_id in ids:
                client.delete(document_id)

    thread = threading.Thread(target=work, name="ingesting")
    thread.start()
    try:
        time.sleep(options.lead_s)
        yield seconds
    finally:
        stop.set()
        thread.join()


def _questions(file: Path, limit: int | None) -> list[tuple[str, str]]:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [(str(line["id"]), " ".join(str(line["question"]).split())) for line in lines][:limit]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", required=True)
    parser.add_argument("--email", required=True)
    parser.add_argument("--password", required=True)
    parser.add_argument("--slug", required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--label", default="unnamed", help="the condition that is measured")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=1, help="rounds over the questions")
    parser.add_argument("--limit", type=int, help="the first questions only")
    parser.add_argument("--during", type=Path, help="PDF that is ingested meanwhile")
    parser.add_argument("--lead-s", type=float, default=3.0, help="seconds of ingestion before the first question")
    return parser.parse_args()


if __name__ == "__main__":
    main()
