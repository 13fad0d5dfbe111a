"""`evaluate reading --samples DIR [--mutations N --cases DIR]`: every file ends in a state with a reason, and how much
of the text that other libraries see is ours too.
"""

import json
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from apps.core.errors import InputError
from apps.evaluation.checks.files import ReadFile, read_file
from apps.evaluation.mutations import read_mutations
from apps.evaluation.reference import READERS

_ROOT = Path(__file__).resolve().parents[2]
_REFERENCE_S = 300
_WORD = re.compile(r"[^\W_]+")
_ENOUGH = 0.98
_RECOGNISED = ("text_recognised", "unreadable_font", "hidden_text")
_SECONDS_A_PAGE = 0.6  # 60 s for 100 pages
Report = dict[str, Any]  # Any: a JSON object


@dataclass(frozen=True, slots=True)
class SampleRow:
    """`share` of the reference's words and numbers that stand in our text; None without a reference."""

    file: str
    category: str
    state: str
    failure: str
    reason: str
    pages: int
    seconds: float
    growth_mib: int
    words: int
    share: float | None
    missing: tuple[str, ...]


def evaluate_samples(folder: Path) -> Iterator[str | SampleRow]:
    """Each file of DIR/manifest.jsonl, or of the folder without one: a line of progress, then its row."""
    for path, category, password in _files(folder):
        found = read_file(path.read_bytes(), path.name, password=password)
        row = _row(found, path, category)
        share = "" if row.share is None else f", {row.share:.1%} of {row.words} words"
        yield f"{category}/{row.file}: {row.state} {row.failure}, {row.pages} pages, {row.seconds} s{share}"
        yield row


def evaluate_mutations(files: list[Path], count: int) -> Report:
    """Endings of damaged copies of the files."""
    outcomes = list(read_mutations(files, count))
    endings = Counter(outcome.ending for outcome in outcomes)
    unnamed = [outcome for outcome in outcomes if outcome.detail.startswith("unnamed")]
    return {
        "copies": len(outcomes),
        "endings": dict(endings.most_common()),
        "died": endings["died"],
        "hung": endings["hung"],
        "slowest_seconds": max((outcome.seconds for outcome in outcomes), default=0.0),
        "unnamed": Counter(outcome.detail for outcome in unnamed).most_common(10),
        "worst": [asdict(outcome) for outcome in outcomes if outcome.ending in ("died", "hung")][:20],
    }


def summary_of(rows: list[SampleRow]) -> Report:
    """Counts for `--gate`: files, ended, without_reason, compared, complete, below, slow, growth_mib."""
    compared = [row for row in rows if row.share is not None and row.words]
    below = [row for row in compared if (row.share or 0.0) < _ENOUGH]
    stopped = [row for row in rows if row.state in ("failed", "rejected", "needs_password")]
    return {
        "files": len(rows),
        "states": dict(Counter(row.state for row in rows).most_common()),
        "broke": sum(row.state == "failed" for row in rows),
        "without_reason": sum(not row.reason for row in stopped),
        "compared": len(compared),
        "complete": len(compared) - len(below),
        "below": len(below),
        "below_files": [f"{row.file} {row.share} {' '.join(row.missing[:6])}" for row in below],
        "slow": sum(row.seconds > max(60.0, row.pages * _SECONDS_A_PAGE) for row in rows),
        "slowest_seconds": max((row.seconds for row in rows), default=0.0),
        "growth_mib": max((row.growth_mib for row in rows), default=0),
    }


def case_files(folder: Path) -> list[Path]:
    """The files of all cases, without their lists of checks."""
    found = sorted(path for path in (folder / "cases").rglob("*") if path.is_file() and path.name != "expected.json")
    if not found:
        raise InputError(f"{folder}: no case files", field="cases")
    return found


def _files(folder: Path) -> Iterator[tuple[Path, str, str]]:
    """(file, category, password) in order."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder", field="samples")
    manifest = folder / "manifest.jsonl"
    if manifest.is_file():
        for line in manifest.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            path = folder / Path(entry["file"]).relative_to(folder.name)
            yield path, entry["category"], entry.get("password") or ""
        return
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield path, path.parent.name, ""


def _row(found: ReadFile, path: Path, category: str) -> SampleRow:
    seen = _seen(path)
    is_read = found.state in ("ready", "ready_with_warnings")
    words, share, missing = _compared(found, seen) if is_read else (len(seen.get("words", ())), None, ())
    if not is_read and seen.get("words") and found.state != "needs_password":
        share = 0.0
    reason = found.reasons[0] if found.reasons else ""
    return SampleRow(
        path.name, category, found.state, found.failure, reason, len(found.pages), round(found.seconds, 2),
        found.growth_mib, words, share, missing,
    )  # fmt: skip


def _compared(found: ReadFile, seen: dict[str, list[str]]) -> tuple[int, float | None, tuple[str, ...]]:
    """(words of the reference, share that is ours too, some that are not)."""
    if not seen or any(warning.code.value in _RECOGNISED for warning in found.warnings):
        return 0, None, ()
    text = " ".join(page.text for page in found.pages)
    ours = Counter(_words(text))
    theirs = Counter(_words(" ".join(seen["words"])))
    lost = theirs - ours
    numbers = _numbers(found)
    lost_numbers = [number for number in seen["numbers"] if not _holds(numbers, ours, number)]
    total = sum(theirs.values()) + len(seen["numbers"])
    if not total:
        return 0, None, ()
    share = 1 - (sum(lost.values()) + len(lost_numbers)) / total
    return total, round(share, 4), (*list(lost)[:10], *lost_numbers[:10])


def _seen(path: Path) -> dict[str, list[str]]:
    if path.suffix.lower() not in READERS:
        return {}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "apps.evaluation.reference", str(path)],
            cwd=_ROOT, capture_output=True, timeout=_REFERENCE_S, check=False, text=True,
        )  # fmt: skip
        found: dict[str, list[str]] = json.loads(done.stdout) if done.returncode == 0 and done.stdout else {}
    except (subprocess.TimeoutExpired, ValueError):
        return {}
    return found


def _words(text: str) -> list[str]:
    """Words without case and without marks of no width, which our text never has."""
    text = re.sub("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]", "", text)
    return [word.casefold() for word in _WORD.findall(unicodedata.normalize("NFKC", text))]


def _numbers(found: ReadFile) -> set[Decimal]:
    """Stored values of all grid cells; a percentage also as the share that is stored."""
    values: set[Decimal] = set()
    for page in found.pages:
        for grid in page.grids:
            for cell in (cell for row in grid.rows for cell in row.cells if cell.value):
                try:
                    value = Decimal(cell.value)
                except InvalidOperation:
                    continue
                values |= {_rounded(value), _rounded(value / 100)}
    return values


def _holds(numbers: set[Decimal], words: Counter[str], number: str) -> bool:
    value = Decimal(number)
    return _rounded(value) in numbers or format(value, "f") in words


def _rounded(value: Decimal) -> Decimal:
    """In 10 significant digits."""
    return Decimal(format(value, ".10g"))
