"""Nothing false passes the checker: invented places, changed quotes, foreign evidence, wrong numbers."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.agents.contracts import (
    Draft,
    Evidence,
    Statement,
    StatementCitation,
    StatementKind,
    StatementNumber,
    Verdict,
)
from apps.agents.engine.judge import compare
from apps.agents.grounding import ground
from tests.agents.asking import REASONER, answer
from tests.agents.library import MemoryLibrary

Make = Callable[..., MemoryLibrary]


@pytest.fixture
def checked(library_of: Make) -> tuple[Draft, tuple[Evidence, ...]]:
    _, draft, evidence = answer(library_of("q3_report.pdf"), "What was revenue in the third quarter of 2024?")
    return draft, evidence


def grounded(statement: Statement, evidence: tuple[Evidence, ...], *, hide: bool = False) -> tuple[Statement, ...]:
    readable = set() if hide else {page.version_id for item in evidence for page in item.pages}
    return ground((statement,), evidence, readable=readable, language="en", judge=REASONER.judge)


def test_a_true_statement_is_supported_and_its_number_verified(checked: tuple[Draft, tuple[Evidence, ...]]) -> None:
    draft, evidence = checked

    (statement,) = grounded(draft.statements[0], evidence)

    assert statement.verdict is Verdict.SUPPORTED
    assert [number.verified for number in statement.numbers] == [True]
    assert statement.numbers[0].value == Decimal(1310) * 1000


def test_a_document_that_may_not_be_read_any_more_supports_nothing(
    checked: tuple[Draft, tuple[Evidence, ...]],
) -> None:
    draft, evidence = checked

    assert grounded(draft.statements[0], evidence, hide=True) == ()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(shift=st.integers(-50, 50).filter(bool), page=st.integers(0, 9), quote=st.text(max_size=8))
def test_no_moved_or_reworded_citation_passes(
    checked: tuple[Draft, tuple[Evidence, ...]], shift: int, page: int, quote: str
) -> None:
    draft, evidence = checked
    statement = draft.statements[0]
    (true,) = statement.citations
    text = next(p.text for item in evidence for p in item.pages if p.number == true.page)
    moved = replace(true, start=true.start + shift, end=true.end + shift)
    forged: list[StatementCitation] = [
        replace(true, evidence_id="E99"),
        replace(true, page=page + 10),
        replace(true, start=true.end, end=true.start),
    ]
    if text[max(0, moved.start) : max(0, moved.end)] != true.quote:
        forged.append(moved)
    if quote != true.quote:
        forged.append(replace(true, quote=quote))

    for citation in forged:
        assert grounded(replace(statement, citations=(citation,)), evidence) == ()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.decimals(min_value=-(10**9), max_value=10**9, places=0, allow_nan=False, allow_infinity=False))
def test_no_other_number_passes_for_the_cited_cell(checked: tuple[Draft, tuple[Evidence, ...]], value: Decimal) -> None:
    draft, evidence = checked
    statement = draft.statements[0]
    (number,) = statement.numbers
    if value == number.value:
        return
    words = f"{value:,}"
    lie = replace(statement, text=f"Revenue: {words}", numbers=(replace(number, text=words, value=value),))

    assert grounded(lie, evidence) == ()


def test_a_computed_number_is_recomputed_from_its_cited_inputs(checked: tuple[Draft, tuple[Evidence, ...]]) -> None:
    draft, evidence = checked
    statement = draft.statements[0]
    (number,) = statement.numbers
    double = StatementNumber("$2,620 thousand", Decimal(2_620_000), "USD", None, formula="n0 + n0")
    text = f"{statement.text}, twice: {double.text}"
    true = replace(statement, text=text, numbers=(number, double))
    false = replace(true, numbers=(number, replace(double, value=Decimal(2_630_000))))
    unknown = replace(true, numbers=(number, replace(double, formula="n0 + n1")))

    assert grounded(true, evidence)[0].verdict is Verdict.SUPPORTED
    assert grounded(false, evidence) == ()
    assert grounded(unknown, evidence) == ()


def test_a_number_in_the_frame_that_no_cited_place_prints_is_refused(
    checked: tuple[Draft, tuple[Evidence, ...]],
) -> None:
    draft, evidence = checked
    statement = draft.statements[0]
    other_year = replace(statement, text=statement.text.replace("2024", "2019"))

    assert other_year.text != statement.text
    assert grounded(other_year, evidence) == ()


def test_replies_carry_no_citations() -> None:
    reply = Statement("Hello.", StatementKind.REPLY, ())

    assert ground((reply,), (), readable=(), language="en", judge=REASONER.judge)[0].verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The policy covers flood damage up to 5 million lira.", Verdict.SUPPORTED),
        ("The policy does not cover flood damage up to 5 million lira.", Verdict.CONTRADICTED),
        ("The policy covers flood damage up to 9 million lira.", Verdict.CONTRADICTED),
        ("The chairman was re-elected for three years.", Verdict.UNSUPPORTED),
        ("The policy covers flood damage up to 5 million lira in 2023.", Verdict.PARTLY),
    ],
)
def test_the_judge_compares_numbers_terms_negation_and_period(claim: str, verdict: Verdict) -> None:
    assert compare(claim, "The policy covers flood damage up to 5 million lira.") is verdict
