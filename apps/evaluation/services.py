"""Runs of `evaluate`: questions asked or searched over a folder of documents, scored by the written rules."""

import operator
import re
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from apps.core.errors import InputError
from apps.evaluation import asking, scoring
from apps.evaluation.questions import GoldQuestion, read_questions
from apps.retrieval import selectors as retrieval
from apps.tenants.context import tenant_context

DEPTHS = (1, 5, 10, 15)
Report = dict[str, Any]  # Any: a JSON object
_GATE = re.compile(r"^([\w.@]+)(>=|<=)(-?\d+(?:\.\d+)?)$")
_COMPARE: dict[str, Callable[[float, float], bool]] = {">=": operator.ge, "<=": operator.le}


def evaluate_answers(*, files: Sequence[Path], folder: Path, scope: str) -> Iterator[str | Report]:
    """Yields lines of progress, then the report {summary, rows}."""
    questions = _all(files)
    shelf = yield from _shelf(folder, questions)
    rows: list[scoring.AnswerRow] = []
    for question, answer in asking.ask_all(shelf, questions, scope=scope):
        rows.append(scoring.score_answer(question, answer))
        yield f"{question.id}: {answer['state']}, {rows[-1].outcome}"
    summary = scoring.summarise(rows)
    summary["by_set"] = {name: scoring.summarise(part) for name, part in _by_set(rows).items()}
    yield {"summary": summary, "rows": [asdict(row) for row in rows]}


def evaluate_retrieval(*, files: Sequence[Path], folder: Path, scope: str) -> Iterator[str | Report]:
    """Yields lines of progress, then {questions, page_recall, document_recall, mrr, ndcg, intervals, by_set, rows}."""
    questions = _all(files)
    shelf = yield from _shelf(folder, questions)
    rows = [_searched(shelf, question, scope) for question in questions if scoring.gold_pages(question)]
    report = _recalls(rows)
    by_set: dict[str, list[Report]] = defaultdict(list)
    for row in rows:
        by_set[row["set"]].append(row)
    report["by_set"] = {name: _recalls(part) for name, part in by_set.items()}
    report["rows"] = rows
    yield report


def failed_gates(report: Report, gates: Sequence[str]) -> list[str]:
    """The gates that the report does not pass. Raises InputError for one that cannot be read."""
    failed = []
    for gate in gates:
        match = _GATE.match(gate.replace(" ", ""))
        if match is None:
            raise InputError(f"{gate}: write name>=value or name<=value", field="gate")
        value = _value(report, match[1])
        if not _COMPARE[match[2]](value, float(match[3])):
            failed.append(f"{gate} (is {value})")
    return failed


def _value(report: Report, name: str) -> float:
    found: Any = report.get("summary", report)
    for part in name.replace("@", ".").split("."):
        if not isinstance(found, dict) or part not in found:
            raise InputError(f"{name}: not in the report", field="gate")
        found = found[part]
    return float(found)


def _all(files: Sequence[Path]) -> list[GoldQuestion]:
    return [question for file in files for question in read_questions(file)]


def _shelf(folder: Path, questions: Sequence[GoldQuestion]) -> Generator[str, None, asking.Shelf]:
    shelf: asking.Shelf | None = None
    for step in asking.fill_shelf(folder, [name for question in questions for name in question.documents]):
        if isinstance(step, asking.Shelf):
            shelf = step
        else:
            yield step
    assert shelf is not None
    return shelf


def _searched(shelf: asking.Shelf, question: GoldQuestion, scope: str) -> Report:
    ids = [shelf.ids[name] for name in question.documents] if scope == "document" else None
    with tenant_context(shelf.desk.actor.tenant_id):
        allowed = retrieval.scope_for(
            actor=shelf.desk.actor, collection_ids=[shelf.desk.collection_id], document_ids=ids
        )
        result = retrieval.search_passages(scope=allowed, query=question.question, limit=max(DEPTHS))
    pages = scoring.gold_pages(question)
    documents = {doc for doc, _page in pages}
    return {
        "id": question.id,
        "set": question.kind.split(":")[0],
        "page_rank": _first(result.passages, lambda p: any((p.document_name, s.page) in pages for s in p.spans)),
        "document_rank": _first(result.passages, lambda p: p.document_name in documents),
        "seconds": round(result.seconds, 4),
        "meaning_coverage": round(result.meaning_coverage, 4),
    }


def _first(passages: Sequence[Any], is_gold: Callable[[Any], bool]) -> int | None:
    return next((rank for rank, passage in enumerate(passages, start=1) if is_gold(passage)), None)


def _recalls(rows: Sequence[Report]) -> Report:
    pages = [row["page_rank"] for row in rows]
    documents = [row["document_rank"] for row in rows]
    return {
        "questions": len(rows),
        "page_recall": {str(depth): scoring.recall_at(pages, depth) for depth in DEPTHS},
        "document_recall": {str(depth): scoring.recall_at(documents, depth) for depth in DEPTHS},
        "mrr": scoring.mean_reciprocal_rank(pages),
        "ndcg": scoring.mean_ndcg(pages),
        "intervals": {
            str(depth): scoring.wilson(sum(rank is not None and rank <= depth for rank in pages), len(pages))
            for depth in DEPTHS
        },
        "meaning_coverage": round(sum(row["meaning_coverage"] for row in rows) / len(rows), 4) if rows else 0.0,
        "median_seconds": scoring.median([row["seconds"] for row in rows]),
    }


def _by_set(rows: Sequence[scoring.AnswerRow]) -> dict[str, list[scoring.AnswerRow]]:
    parts: dict[str, list[scoring.AnswerRow]] = defaultdict(list)
    for row in rows:
        parts[row.set].append(row)
    return dict(parts)
