"""The written rules of docs/evaluation-rules.md as code: when an answer is right, and what is counted.

Pure: answers and questions in, rows and shares out.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.core.text import fold
from apps.evaluation.questions import GoldQuestion
from apps.finance.numbers import NumberReading, NumberState, find_numbers, read_number

TOLERANCE = Decimal("0.005")  # relative, for figures that are rounded differently
_YEAR = re.compile(r"(?:19|20)\d\d")
_YES_NO = {"yes": "yes", "no": "no", "evet": "yes", "hayir": "no"}
_Z = 1.96


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One scored question. `outcome`: right, wrong, quoted (no single right value) or could_not_find."""

    id: str
    set: str
    outcome: str
    is_marked: bool  # a statement carries the low-confidence mark
    gold_page_cited: bool | None  # None: the question has no gold page
    answerable: bool
    dangling_citations: int
    seconds: float


def score_answer(question: GoldQuestion, answer: Mapping[str, Any]) -> AnswerRow:  # Any: the JSON object
    """The answer object's row by the rules."""
    statements = [s for s in answer["statements"] if s.get("kind") != "reply"]
    citations = [citation for statement in statements for citation in statement["citations"]]
    text = " ".join(statement["text"] for statement in statements)
    gold = gold_pages(question)
    cited = {(citation["document"], citation["page"]) for citation in citations}
    page_cited = bool(gold & cited) if gold else None
    return AnswerRow(
        id=question.id,
        set=question.kind.split(":")[0],
        outcome=_outcome(question, text, bool(statements), page_cited),
        is_marked=any(statement["marked_low_confidence"] for statement in statements),
        gold_page_cited=page_cited,
        answerable=question.answerable,
        dangling_citations=sum(not citation["quote"] for citation in citations),
        seconds=float(answer["seconds"]),
    )


def gold_pages(question: GoldQuestion) -> set[tuple[str, int]]:
    """(file name, physical page) of the gold evidence, pages that state the same included."""
    return {
        (evidence.doc.rsplit("/", 1)[-1], page)
        for evidence in question.evidence
        for page in (evidence.page, *evidence.also_pages)
        if page is not None
    }


def is_number_right(gold: str, said: str) -> bool | None:
    """Whether each figure of `gold` (at most the first two) is printed in `said`; None when gold has no figure.

    Scale words are applied; a figure is also right in another scale (thousands for millions) or as a ratio for a
    percentage, and within 0.5 %. Signs are not compared: documents print outflows either way.
    """
    wanted = _figures(gold)
    if not wanted:
        return None
    offered = _figures(said)
    return all(any(_equal(one, other) for other in offered) for one in wanted[:2])


def summarise(rows: Sequence[AnswerRow]) -> dict[str, Any]:  # Any: JSON
    """The summary object of `evaluate answers`; shares between 0 and 1."""
    answered = [row for row in rows if row.outcome != "could_not_find"]
    decided = [row for row in rows if row.answerable and row.outcome in ("right", "wrong")]
    wrong = [row for row in rows if row.outcome == "wrong"]
    unmarked = [row for row in answered if not row.is_marked]
    with_page = [row for row in rows if row.gold_page_cited is not None]
    silent = [row for row in rows if row.outcome == "could_not_find"]
    unanswerable = [row for row in rows if not row.answerable]
    summary: dict[str, Any] = {
        "questions": len(rows),
        "right": _share(sum(row.outcome == "right" for row in decided), len(rows)),
        "wrong": _share(len(wrong), len(rows)),
        "quoted": _share(sum(row.outcome == "quoted" for row in rows), len(rows)),
        "wrong_unmarked": _share(sum(row.outcome == "wrong" for row in unmarked), len(unmarked)),
        "could_not_find": _share(len(silent), len(rows)),
        "abstention_recall": _share(sum(row.outcome == "could_not_find" for row in unanswerable), len(unanswerable)),
        "abstention_precision": _share(sum(not row.answerable for row in silent), len(silent)),
        "gold_page_cited": _share(sum(bool(row.gold_page_cited) for row in with_page), len(with_page)),
        "dangling_citations": sum(row.dangling_citations for row in rows),
        "median_seconds": median([row.seconds for row in rows]),
    }
    summary["intervals"] = {
        name: wilson(count, total)
        for name, count, total in (
            ("right", sum(row.outcome == "right" for row in rows), len(rows)),
            ("wrong", len(wrong), len(rows)),
            ("gold_page_cited", sum(bool(row.gold_page_cited) for row in with_page), len(with_page)),
        )
    }
    return summary


def wilson(count: int, total: int) -> tuple[float, float]:
    """95 % interval of a share (Wilson 1927)."""
    if not total:
        return (0.0, 1.0)
    share = count / total
    centre = (share + _Z**2 / (2 * total)) / (1 + _Z**2 / total)
    spread = _Z / (1 + _Z**2 / total) * math.sqrt(share * (1 - share) / total + _Z**2 / (4 * total**2))
    return (round(max(0.0, centre - spread), 4), round(min(1.0, centre + spread), 4))


def median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    if not ordered:
        return 0.0
    middle = len(ordered) // 2
    return round(ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2, 4)


def recall_at(ranks: Iterable[int | None], depth: int) -> float:
    found = list(ranks)
    return _share(sum(rank is not None and rank <= depth for rank in found), len(found))


def mean_reciprocal_rank(ranks: Sequence[int | None]) -> float:
    return round(sum(1 / rank for rank in ranks if rank) / len(ranks), 4) if ranks else 0.0


def mean_ndcg(ranks: Sequence[int | None]) -> float:
    """With one relevant page per question: 1 / log2(rank + 1)."""
    return round(sum(1 / math.log2(rank + 1) for rank in ranks if rank) / len(ranks), 4) if ranks else 0.0


def _outcome(question: GoldQuestion, text: str, is_answered: bool, page_cited: bool | None) -> str:
    if not is_answered:
        return "could_not_find"
    if not question.answerable:
        return "wrong"
    golds = [gold for gold in (question.answer, *question.other_answers) if gold.strip()]
    if any(_is_judgement(gold) for gold in golds):
        if page_cited or is_number_right(question.answer, text):
            return "right"
        return "quoted" if page_cited is None else "wrong"
    numbers = [is_number_right(gold, text) for gold in golds if len(gold) <= 80]
    if any(numbers):
        return "right"
    if any(verdict is False for verdict in numbers):
        return "wrong"
    if any(gold.strip() and fold(gold.strip()) in fold(text) for gold in golds if len(gold) <= 200):
        return "right"
    if page_cited is None:
        return "quoted"
    return "right" if page_cited else "wrong"


def _is_judgement(gold: str) -> bool:
    head = re.match(r"\w+", fold(gold.strip()))
    return bool(head) and head is not None and head[0] in _YES_NO


def _figures(text: str) -> list[NumberReading]:
    found = [n for n in find_numbers(text) if not _YEAR.fullmatch(n.text.strip())]
    alone = read_number(text)
    is_year = bool(_YEAR.fullmatch(text.strip()))
    if not found and not is_year and alone.state in (NumberState.VALUE, NumberState.AMBIGUOUS):
        return [alone]
    return found


def _equal(gold: NumberReading, said: NumberReading) -> bool:
    percent = "percent" in (gold.unit, said.unit) or "times" in (gold.unit, said.unit)
    factors = [Decimal(1), Decimal(1000), Decimal(10**6), Decimal(10**9)]
    if percent:
        factors = [Decimal(1), Decimal(100)]
    for one in _values(gold):
        for other in _values(said):
            if one == other == 0:
                return True
            for factor in factors:
                if _close(one * factor, other) or _close(one, other * factor):
                    return True
    return False


def _values(number: NumberReading) -> list[Decimal]:
    values = [number.value] if number.value is not None else list(number.readings)
    return [abs(value) for value in values if value is not None]


def _close(one: Decimal, other: Decimal) -> bool:
    return one != 0 and abs(one - other) <= TOLERANCE * max(one, other)


def _share(count: int, total: int) -> float:
    return round(count / total, 4) if total else 0.0
