"""Documented failures as cases: DIR/cases.jsonl, each with files and machine-checkable checks. One result a case.

A check whose kind belongs to a part that is not built is skipped with a reason, never passed; a case of such checks
alone is skipped, not passed.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from apps.core.errors import AirisError, InputError
from apps.evaluation.checks import content, questions
from apps.evaluation.checks.content import Check
from apps.evaluation.checks.files import CaseFiles
from apps.evaluation.checks.properties import PROPERTIES
from apps.evaluation.checks.site import CaseSite

_CANARY = Path("/tmp/airis_canary.txt"), "CANARY-7731"  # noqa: S108  # the hostile files name this very path
_ON_CONTENT: dict[str, Callable[[Check, CaseFiles], str]] = {
    "text_contains": content.text_contains,
    "text_not_contains": content.text_not_contains,
    "text_order": content.text_order,
    "table_cell": content.table_cell,
    "no_cell_equals": content.no_cell_equals,
    "table_rows": content.table_rows,
    "number": content.number,
    "warning": content.warning,
    "no_warning": content.no_warning,
    "ingest_status": content.ingest_status,
}
_ON_SITE = ("search", "upload_http", "upload_names_no_5xx", "download_header")
_SITE_PROPERTIES = ("listed_name_nfc", "no_href_scheme")
_LATER = {
    "xbrl_fact": "facts come with the numbers issue",
    "scenario": "scenarios are tests of the suite (tests/flows, tests/jobs)",
    "claim_check": "belongs to the answers issue",
    "highlight": "belongs to the answers issue",
}


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    kind: str
    level: str
    folder: Path
    inputs: tuple[str, ...]
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class CaseResult:
    """`skipped` says what was not checked and why; a case that was checked in part can still pass."""

    id: str
    kind: str
    passed: bool
    failed: tuple[str, ...]
    skipped: str
    checked: int


def read_cases(
    folder: Path, *, kinds: Sequence[str] = (), levels: Sequence[str] = (), ids: Sequence[str] = ()
) -> list[Case]:
    """The wanted cases of the folder, in its order. An id may be cut short ("e05"). Raises InputError."""
    file = folder / "cases.jsonl"
    if not file.is_file():
        raise InputError(f"{file}: no such file", field="cases")
    try:
        found = [_case(folder, json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines() if line]
    except (ValueError, KeyError, TypeError) as exc:
        raise InputError(f"{file}: not a list of cases", field="cases") from exc
    return [
        case
        for case in found
        if (not kinds or case.kind in kinds)
        and (not levels or case.level in levels)
        and (not ids or any(case.id.startswith(wanted) for wanted in ids))
    ]


def run_cases(cases: Sequence[Case], *, with_questions: bool = False) -> Iterator[CaseResult]:
    """Each case's result, in order. `with_questions`: question checks are asked and count."""
    path, word = _CANARY
    path.write_text(word + "\n", encoding="utf-8")
    for case in cases:
        yield run_case(case, with_questions=with_questions)


def run_case(case: Case, *, with_questions: bool = False) -> CaseResult:
    """The result of one case; a check that cannot be carried out has failed."""
    files = CaseFiles(case.folder)
    site = CaseSite(files, list(case.inputs))
    failed: list[str] = []
    skipped: Counter[str] = Counter()
    checked = 0
    for check in case.checks:
        run, reason = _runner(check, files, site, with_questions=with_questions)
        if run is None:
            skipped[f"{_name(check)}: {reason}"] += 1
            continue
        checked += 1
        problem = _problem(run, check)
        if problem:
            failed.append(f"{_name(check)} {check.get('file', '')}: {problem}")
    reasons = "; ".join(f"{count} × {name}" for name, count in skipped.items())
    return CaseResult(case.id, case.kind, checked > 0 and not failed, tuple(failed), reasons, checked)


def summary_of(results: Sequence[CaseResult]) -> dict[str, Any]:  # Any: JSON
    """Counts for `--gate`: cases, passed, failed, skipped, checks."""
    return {
        "cases": len(results),
        "passed": sum(result.passed for result in results),
        "failed": sum(bool(result.failed) for result in results),
        "skipped": sum(not result.checked for result in results),
        "checks": sum(result.checked for result in results),
    }


def _case(folder: Path, data: dict[str, Any]) -> Case:  # Any: JSON
    return Case(
        data["id"],
        data["kind"],
        data["level"],
        folder / data.get("dir", f"cases/{data['id']}"),
        tuple(data.get("input", ())),
        tuple(data["checks"]),
    )


def _runner(
    check: Check, files: CaseFiles, site: CaseSite, *, with_questions: bool
) -> tuple[Callable[[Check], str] | None, str]:
    """(what carries the check out, or None and why not)."""
    kind, name = check["type"], check.get("name", "")
    if kind in _ON_CONTENT:
        return _two(_ON_CONTENT[kind], files), ""
    if kind in _ON_SITE:
        return getattr(site, kind), ""
    if kind == "property" and name in _SITE_PROPERTIES:
        return getattr(site, name), ""
    if kind == "property" and name in PROPERTIES:
        return _two(PROPERTIES[name], files), ""
    if kind == "question":
        if with_questions:
            return partial(questions.question, files=files, site=site), ""
        return None, "asked with --questions"
    return None, _LATER.get(name or kind, "belongs to a later issue")


def _two(run: Callable[[Check, CaseFiles], str], files: CaseFiles) -> Callable[[Check], str]:
    return lambda check: run(check, files)


def _problem(run: Callable[[Check], str], check: Check) -> str:
    try:
        return run(check)
    except (AirisError, OSError, KeyError, ValueError, StopIteration) as exc:
        return f"{type(exc).__name__}: {exc}"[:300]


def _name(check: Check) -> str:
    return str(check.get("name") or check["type"])


__all__ = ["Case", "CaseResult", "read_cases", "run_case", "run_cases", "summary_of"]
