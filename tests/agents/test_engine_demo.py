"""Questions of several steps on the demo's own documents: ties between clauses, restated figures, ratios, Turkish."""

from functools import cache

import pytest

from apps.agents.contracts import Statement, StatementKind
from apps.demo.documents.annual_report import annual_report
from apps.demo.documents.policy import policy
from apps.demo.documents.turkish_report import turkish_report
from apps.reading.contracts import PageContent
from apps.reading.pdf import PdfReader
from tests.agents.asking import answer
from tests.agents.library import MemoryLibrary


def read(data: bytes, last: int = 12) -> tuple[PageContent, ...]:
    pdf = PdfReader(data)
    return tuple(page for page, _warnings in pdf.pages(1, min(last, pdf.facts().page_count)))


@cache
def library() -> MemoryLibrary:
    return MemoryLibrary(
        {
            "Annual Report 2024.pdf": read(annual_report(2024)),
            "Annual Report 2023.pdf": read(annual_report(2023)),
            "Policy.pdf": read(policy()),
            "Rapor 2024.pdf": read(turkish_report()),
        }
    )


def claims(question: str, language: str = "") -> list[Statement]:
    _, draft, _ = answer(library(), question, language)
    return [statement for statement in draft.statements if statement.kind is not StatementKind.REPLY]


def test_a_cover_question_quotes_the_clauses_that_decide_it_together() -> None:
    text = " ".join(statement.text for statement in claims("Is flood covered at the cold store in Silivri?"))

    assert "Silivri" in text
    assert "Flood is excluded in zone 4, unless extension F-2" in text
    assert "F-2 (flood in zone 4) has not been bought" in text


def test_a_restated_figure_is_shown_as_both_documents_print_it_and_marked() -> None:
    found = claims("What were lease receivables at the end of 2023?")

    assert {statement.numbers[0].text for statement in found} == {"€7,912 million", "€7,874 million"}
    assert all(statement.low_confidence for statement in found)
    assert all("Annual Report 202" in statement.text for statement in found)


def test_a_ratio_is_computed_from_cited_rows_and_never_from_a_note_number() -> None:
    (statement,) = claims("What is the return on equity for 2024?")

    assert "15.8%" in statement.text
    assert [number.text for number in statement.numbers if not number.formula] == ["€603 million", "€3,822 million"]
    assert all(number.verified for number in statement.numbers)


def test_two_years_are_two_figures_of_one_document() -> None:
    found = claims("What was profit before tax in 2024 and 2023?")

    assert [statement.numbers[0].text for statement in found] == ["€795 million", "€633 million"]
    assert len({citation.document_id for statement in found for citation in statement.citations}) == 1


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("Takipteki alacakların oranı nedir?", "yüzde 2,1"),
        ("2024 yılı net dönem kârı ne kadar?", "3.175.676"),
        ("Toplam varlıklar 2023'e göre ne kadar arttı?", "%29,8"),
    ],
)
def test_turkish_questions_are_answered_with_turkish_numbers(question: str, part: str) -> None:
    assert part in " ".join(statement.text for statement in claims(question, "tr"))
