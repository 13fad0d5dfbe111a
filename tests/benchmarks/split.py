"""Writes split.json: which questions of the measuring data settings may be chosen on, and which stay untouched.

By company, so that nothing learned from one filing of a company helps with another: companies in the order of the
sha256 of their name go to the half that holds fewer questions. `python -m tests.benchmarks.split DIR`
"""

import hashlib
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

HALVES = ("chosen_on", "untouched")


def company_of(document: str) -> str:
    """The first word of letters in the file's name, else the name: "2022 Q3 AAPL.pdf" → "aapl"."""
    stem = Path(document).stem
    word = next((w for w in re.split(r"[^A-Za-z]+", stem) if len(w) > 2), "")
    return (word or stem).lower()


def split(questions: list[dict[str, object]]) -> dict[str, list[str]]:
    """Ids by half."""
    by_company: dict[str, list[str]] = defaultdict(list)
    for question in questions:
        documents = question["documents"]
        assert isinstance(documents, list)
        by_company[company_of(str(documents[0]))].append(str(question["id"]))
    halves: dict[str, list[str]] = {name: [] for name in HALVES}
    for company in sorted(by_company, key=lambda name: hashlib.sha256(name.encode()).hexdigest()):
        smaller = min(HALVES, key=lambda name: len(halves[name]))
        halves[smaller] += by_company[company]
    return halves


if __name__ == "__main__":
    found = {
        path.stem.removeprefix("questions_").split("_CC")[0]: split(
            [json.loads(line) for line in path.read_text().splitlines()]
        )
        for path in sorted(Path(sys.argv[1]).glob("questions_*.jsonl"))
    }
    (Path(__file__).parent / "split.json").write_text(json.dumps(found, indent=1) + "\n")
    print({name: {half: len(ids) for half, ids in halves.items()} for name, halves in found.items()})
