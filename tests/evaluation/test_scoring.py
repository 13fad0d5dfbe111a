"""The written rules of docs/evaluation-rules.md."""

from typing import Any

import pytest

from apps.core.errors import InputError
from apps.evaluation import scoring, services
from apps.evaluation.questions import GoldEvidence, GoldQuestion, read_questions


def gold(answer: str, *, page: int | None = 4, answerable: bool = True, other: tuple[str, ...] = ()) -> GoldQuestion:
    evidence = (GoldEvidence("reports/a.pdf", page),) if page else ()
    return GoldQuestion("q", ("reports/a.pdf",), "?", answer, evidence, answerable, "set:kind", "en", other)


def said(text: str, *, page: int = 4, marked: bool = False, kind: str = "computed") -> dict[str, Any]:
    statement = {
        "text": text,
        "kind": kind,
        "marked_low_confidence": marked,
        "citations": [{"document": "a.pdf", "page": page, "quote": "words"}],
        "numbers": [],
    }
    return {"state": "answered", "seconds": 0.5, "statements": [statement] if text else []}


@pytest.mark.parametrize(
    ("wanted", "printed", "verdict"),
    [
        ("$59268.00", "Total assets, 2021: $59,268 million", True),
        ("$5466.00", "$5,466.312 million", True),
        ("5.4%", "EBITDA margin: 5.4%", True),
        ("0.67", "Quick ratio: 0.67x", True),
        ("0.054", "5.4%", True),
        ("1,234", "1,250", False),
        ("(461); 533", "−461 and 533", True),
        ("(461); 533", "−461", False),
        ("-362.638", "−362.638 bin TL", True),
        ("2018", "in 2018", None),
        ("no figure", "12", None),
    ],
)
def test_a_figure_is_right_after_scale_and_rounding(wanted: str, printed: str, verdict: bool | None) -> None:
    assert scoring.is_number_right(wanted, printed) is verdict


@pytest.mark.parametrize(
    ("question", "answer", "outcome"),
    [
        (gold("17"), said(""), "could_not_find"),
        (gold("17"), said("17"), "right"),
        (gold("17"), said("18"), "wrong"),
        (gold("", answerable=False), said("17"), "wrong"),
        (gold("Yes, it did"), said("it rose", page=4), "right"),
        (gold("Yes, it did"), said("it rose", page=5), "wrong"),
        (gold("No", page=None), said("it rose"), "quoted"),
        (gold("a longer explanation of causes"), said("words", page=4), "right"),
        (gold("a longer explanation of causes"), said("words", page=9), "wrong"),
        (gold("Delaware"), said("laws of the State of DELAWARE", page=9), "right"),
        (gold("", other=("1.46",)), said("1.46 million"), "right"),
    ],
)
def test_each_kind_of_gold_answer_has_its_rule(question: GoldQuestion, answer: dict[str, Any], outcome: str) -> None:
    assert scoring.score_answer(question, answer).outcome == outcome


def test_notes_are_not_statements() -> None:
    assert scoring.score_answer(gold("17"), said("17", kind="reply")).outcome == "could_not_find"


def test_the_summary_counts_wrong_answers_without_a_mark() -> None:
    rows = [
        scoring.score_answer(gold("17"), said("17")),
        scoring.score_answer(gold("17"), said("18")),
        scoring.score_answer(gold("17"), said("18", marked=True)),
        scoring.score_answer(gold("", answerable=False, page=None), said("")),
    ]

    summary = scoring.summarise(rows)

    assert (summary["right"], summary["wrong"], summary["could_not_find"]) == (0.25, 0.5, 0.25)
    assert summary["wrong_unmarked"] == 0.5
    assert (summary["abstention_recall"], summary["abstention_precision"]) == (1.0, 1.0)
    assert summary["gold_page_cited"] == 1.0


def test_ranks_become_recall_and_reciprocal_rank() -> None:
    ranks = [1, 6, None, 3]

    assert scoring.recall_at(ranks, 5) == 0.5
    assert scoring.mean_reciprocal_rank(ranks) == round((1 + 1 / 6 + 1 / 3) / 4, 4)
    assert scoring.mean_ndcg([1]) == 1.0
    assert scoring.wilson(0, 0) == (0.0, 1.0)


def test_gates_compare_values_deep_in_the_report() -> None:
    report = {"summary": {"right": 0.5, "page": {"5": 0.7}}}

    assert services.failed_gates(report, ["right>=0.5", "page.5>=0.6"]) == []
    assert services.failed_gates(report, ["right>=0.6"]) == ["right>=0.6 (is 0.5)"]
    for bad in ("right", "unknown>=1", "right>0.1"):
        with pytest.raises(InputError):
            services.failed_gates(report, [bad])


def test_a_line_that_is_no_question_is_named(tmp_path: Any) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text('{"id": "1", "question": "?"}\n\nnot json\n')

    with pytest.raises(InputError, match="invalid") as refused:
        list(read_questions(file))

    assert "line 3" in str(refused.value.message)
