"""How often the rules of metadata are right, field by field, on a gold list of facts.

    python -m tests.benchmarks.metadata --documents DIR/documents --gold GOLD.json [--show] [--gate kind>=0.95]

GOLD.json: {"path under DIR": {"kind": "contract", "party": ["A", "B"], "ends": ""}}; "" says that the document has no
such value; a field that is not listed is not counted. Names are compared without case, accents and punctuation ("&" is
"and"), and a name counts as right when one holds the other. right: the value given is the gold one; wrong: another is
given; missing: none is given. precision = right / (right + wrong), recall = right / (right + missing + wrong).
"""

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

from apps.core.text import fold
from apps.documents.metadata.reader import MetadataReader
from apps.reading.client import ReadingClient

WINDOW = 32
NAMES = ("entity", "party", "title")


def main() -> None:
    options = _options()
    gold = json.loads(Path(options.gold).read_text())
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for path, fields in gold.items():
        found = found_in(Path(options.documents) / path)
        for field, wanted in fields.items():
            outcome = scored(field, wanted, found.get(field, []))
            counts[field].update(outcome)
            if options.show and (outcome["wrong"] or outcome["missing"]):
                print(f"{path}: {field} {found.get(field, [])} not {wanted}")
    report = {field: _shares(counts[field]) for field in sorted(counts)}
    total: Counter[str] = sum(counts.values(), Counter())
    print(json.dumps({"documents": len(gold), "fields": report, "all": _shares(total)}, indent=1))
    failed = [gate for gate in options.gate if not _passes(gate, report)]
    sys.exit(f"below: {failed}" if failed else 0)


def found_in(path: Path) -> dict[str, list[str]]:
    """The values that the rules give, by field; the file is read in the reading child."""
    with ReadingClient(iter([path.read_bytes()]), name=path.name) as client:
        facts = client.open()
        rules = MetadataReader(media_type=facts.media_type, title=facts.title, details=facts.details)
        for first in range(1, facts.page_count + 1, WINDOW):
            for page in client.pages(first, min(first + WINDOW - 1, facts.page_count)).pages:
                rules.page(page)
    found: dict[str, list[str]] = defaultdict(list)
    for item in rules.found():
        found[item.field.value].append(item.value)
    return found


def scored(field: str, wanted: str | list[str], given: list[str]) -> Counter[str]:
    """right, wrong and missing values of one field of one document."""
    gold = [wanted] if isinstance(wanted, str) else wanted
    gold = [value for value in gold if value]
    rest = list(given)
    outcome: Counter[str] = Counter(right=0, wrong=0, missing=0, rightly_empty=0)
    for value in gold:
        match = next((other for other in rest if _same(field, value, other)), None)
        if match is not None:
            rest.remove(match)
        outcome["right" if match is not None else "missing"] += 1
    outcome["wrong"] = len(rest)
    if outcome["wrong"] and outcome["missing"] and isinstance(wanted, str):
        outcome["missing"] = 0  # one value was asked for and another given
    outcome["rightly_empty"] = int(not gold and not given)
    return outcome


def _same(field: str, gold: str, given: str) -> bool:
    if field not in NAMES:
        return gold == given
    left, right = _bare(gold), _bare(given)
    return bool(left and right) and (left in right or right in left)


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", fold(name).replace("&", "and"))


def _shares(counts: "Counter[str]") -> dict[str, float | int]:
    right, wrong, missing = counts["right"], counts["wrong"], counts["missing"]
    return {
        "right": right,
        "wrong": wrong,
        "missing": missing,
        "rightly_empty": counts["rightly_empty"],
        "precision": round(right / max(right + wrong, 1), 3),
        "recall": round(right / max(right + wrong + missing, 1), 3),
    }


def _passes(gate: str, report: dict[str, dict[str, float | int]]) -> bool:
    field, _sign, least = gate.partition(">=")
    return float(report[field]["precision"]) >= float(least)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", required=True)
    parser.add_argument("--gold", required=True)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--gate", action="append", default=[])
    return parser.parse_args()


if __name__ == "__main__":
    main()
