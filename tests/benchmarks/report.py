"""How measured times are summed up and kept: one JSON file, one entry a condition."""

import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Summary = dict[str, float | int]


def summed_up(values: Sequence[float]) -> Summary:
    """Median, 90th percentile (nearest rank), least, greatest and number; only the number when there is none."""
    if not values:
        return {"n": 0}
    ordered = sorted(values)
    return {
        "n": len(ordered),
        "median": round(statistics.median(ordered), 1),
        "p90": round(ordered[-(-9 * len(ordered) // 10) - 1], 1),
        "min": round(ordered[0], 1),
        "max": round(ordered[-1], 1),
    }


def keep(file: Path, label: str, entry: dict[str, Any]) -> None:  # Any: JSON
    """The file holds this entry under the label; other labels stay."""
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    known[label] = entry
    file.write_text(json.dumps(known, ensure_ascii=False, indent=1), encoding="utf-8")
