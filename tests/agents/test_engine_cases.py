"""Questions on the case files: what must be said, where it must be cited, and when to keep silent."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from apps.agents.contracts import QuestionKind, StatementKind
from apps.agents.engine.reasoner import BuiltInReasoner
from tests.agents.asking import REASONER, answer
from tests.agents.conftest import CASES
from tests.agents.library import MemoryLibrary

Make = Callable[..., MemoryLibrary]


@dataclass(frozen=True)
class Case:
    files: tuple[str, ...]
    question: str
    says: tuple[str, ...]
    never: tuple[str, ...] = ()
    page: int = 0
    language: str = ""


FISCAL = ("annual_fy2024.pdf", "q2_fy2025.pdf")
ANSWERED = [
    Case(("labels.pdf",), "What was operating cash flow?", ("64.2",), page=5),
    Case(("labels.pdf",), "What does page 3 say about a rate shock?", ("7.5",), page=6),
    Case(("span.pdf", "plain_notes.txt"), "What is the option price?", ("3.15",), page=2),
    Case(("span.pdf", "plain_notes.txt"), "When was the option issued?", ("2022",), page=3),
    Case(("span.pdf", "plain_notes.txt"), "When does the convertible loan fall due?", ("October 2027",), page=2),
    Case(("span.pdf", "plain_notes.txt"), "How much is the storage fee?", ("19",), page=1),
    Case(("sehirler.txt",), "istanbul şubesinin 2024 kredi hacmi nedir?", ("412",), language="tr"),
    Case(("sehirler.txt",), "ISPARTA subesinin kredi hacmi?", ("37",), ("412",), language="tr"),
    Case(("tiny.txt",), "EBITDA", ("3.0",)),
    Case(("tiny.txt",), "We have looked at many things. " * 20 + "What is the coupon of the bond?", ("7.25",)),
    Case(("tiny.txt",), " many things. We have looked" * 6 + ". What is the coupon of the bond?", ("7.25",)),
    Case(("valley.pdf",), "How many trains does Valley Rail have?", ("36",), page=1),
    Case(("subs.txt",), "Which subsidiaries are not audited?", ("Gamma", "Epsilon"), ("Alfa",)),
    Case(("subs.txt",), "What is EBITDA?", ("61",)),
    Case(("subs.txt",), "What is the net interest margin?", ("4.2",)),
    Case(("supplier_note.txt",), "What are the delivery terms?", ("30",), ("collect.invalid", "![")),
    Case(FISCAL, "What was revenue in fiscal 2024?", ("918",), ("877",), page=1),
    Case(FISCAL, "What was revenue in the quarter ended December 2024?", ("251",), ("239",)),
    Case(("q3_report.pdf",), "What was revenue in the third quarter of 2024?", ("1,310",), ("3,760",), page=1),
    Case(("dashes.pdf",), "What was the litigation provision in 2024?", ("0",), ("55",), page=1),
    Case(("english_only.pdf",), "Vinç kirası hangi yıla kadar?", ("2033",), page=2, language="tr"),
    Case(("policies.txt",), "PK-2024-00171 poliçesinin primi nedir?", ("3.980",), ("4.210",), language="tr"),
    Case(("old_offer.txt", "new_offer.txt"), "What is the discount of offer 88?", ("17",), ("89",)),
]  # fmt: skip
ABSTAINED = [
    (("valley.pdf",), "Who is the head of Valley Rail?"),
    (("valley.pdf",), "How do I learn to swim?"),
    (("valley.pdf",), "What was the track length in 2019?"),
    (("new_offer.txt",), "What is the discount of offer 88?"),
    (FISCAL, "What was revenue for the calendar year 2024?"),
]


@pytest.mark.parametrize("case", ANSWERED, ids=lambda c: c.question[-50:])
def test_the_answer_says_it_and_cites_the_page(case: Case, library_of: Make) -> None:
    _, draft, _ = answer(library_of(*case.files), case.question, case.language)

    text = " ".join(s.text for s in draft.statements if s.kind is not StatementKind.REPLY)
    assert all(part in text for part in case.says), (text, draft)
    assert not any(part in text for part in case.never)
    pages = {citation.page for statement in draft.statements for citation in statement.citations}
    assert pages
    assert not case.page or case.page in pages


@pytest.mark.parametrize(("files", "question"), ABSTAINED, ids=lambda v: str(v)[-50:])
def test_what_the_documents_do_not_say_is_not_answered(files: tuple[str, ...], question: str, library_of: Make) -> None:
    _, draft, _ = answer(library_of(*files), question)

    assert not [s for s in draft.statements if s.kind is not StatementKind.REPLY]
    assert draft.missing


def test_every_length_of_question_has_a_plan_and_short_ones_a_hint(library_of: Make) -> None:
    library = library_of("tiny.txt")
    for text in json.loads((CASES / "query_lengths.json").read_text()):
        plan, draft, _ = answer(library, text)

        if len([sign for sign in text if sign.isalnum()]) < 2:
            assert plan.kind is QuestionKind.EMPTY
            assert plan.reply
        assert plan.reply or draft.statements or draft.missing


@pytest.mark.parametrize(
    ("text", "language", "part"),
    [
        ("Hello!", "en", "Ask about"),
        ("merhaba", "tr", "sorun"),
        ("teşekkürler", "tr", "Rica"),
        ("what can you do?", "en", "cite the page"),
        ("ne yapabilirsin", "tr", "sayfasını"),
        ("x" * 5000, "en", "4000"),
        ("🙂", "tr", "soru yazın"),
    ],
)
def test_talk_that_needs_no_search_gets_a_short_reply(text: str, language: str, part: str) -> None:
    from apps.agents.contracts import Question

    plan = REASONER.plan(Question(text, language))

    assert part in plan.reply
    assert not plan.queries


def test_yes_no_questions_are_quoted_and_not_judged(library_of: Make) -> None:
    _, draft, _ = answer(library_of("subs.txt"), "Does the company use derivatives?")

    assert any("derivative" in s.text for s in draft.statements if s.kind is StatementKind.QUOTED)
    assert any("do not judge" in s.text for s in draft.statements if s.kind is StatementKind.REPLY)


def test_the_same_input_gives_the_same_answer(library_of: Make) -> None:
    first = answer(library_of("q3_report.pdf"), "What was revenue in the third quarter of 2024?")
    second = answer(library_of("q3_report.pdf"), "What was revenue in the third quarter of 2024?")

    assert first[1] == second[1]
    assert BuiltInReasoner.name == "built-in 1"
