"""The demo's files agree with each other: whoever compares them finds the same figures."""

from decimal import Decimal

import pytest
from django.utils import translation

from apps.demo import seeding
from apps.demo.documents import lease
from apps.demo.documents.figures import FY2024
from apps.demo.seeding import DemoFile
from apps.demo.suggestions import suggested_questions
from apps.reading.contracts import PageContent, WarningCode
from tests.reading.reading import cell, codes, read, text_of

OFFICE = (
    seeding.CONTRACT, seeding.AMENDMENT, seeding.PLAN, seeding.LEDGER, seeding.MAIL, seeding.CLAIM, seeding.RELEASE,
    seeding.MODEL,
)  # fmt: skip


def pages_of(file: DemoFile) -> tuple[PageContent, ...]:
    return read(file.name, file.make())[1]


def value(file: DemoFile, row: str, column: str = "") -> Decimal:
    found = cell(pages_of(file), row, column)
    assert found is not None, (file.name, row)
    return Decimal(found.value)


def test_contract_plan_ledger_and_amendment_state_the_same_rent() -> None:
    rents = {
        value(seeding.CONTRACT, "Aylık kira"),
        value(seeding.PLAN, "Aylık kira (TL)"),
        value(seeding.PLAN, "36. taksit", "Kira"),
        value(seeding.LEDGER, "Ocak kirası", "Borç"),
        value(seeding.AMENDMENT, "Toplam aylık kira", "Eski"),
    }

    assert rents == {Decimal(lease.RENT)}


def test_the_plan_repays_what_was_financed_and_its_results_follow_from_its_rows() -> None:
    plan = lease.schedule()

    assert abs(plan[-1].balance) < 100
    assert value(seeding.PLAN, "Toplam", "Anapara") == lease.FINANCED - plan[-1].balance
    assert value(seeding.PLAN, "Toplam", "Kira") == lease.RENT * lease.MONTHS
    assert value(seeding.PLAN, "Toplam", "Faiz") == sum((entry.interest for entry in plan), Decimal(0))


def test_the_claim_adds_up_under_the_policy() -> None:
    rows = ("Bina hasarı", "Emtia hasarı", "Sovtaj", "Sprinkler", "Muafiyet")

    assert sum(value(seeding.CLAIM, row) for row in rows) == value(seeding.CLAIM, "Ödenecek tazminat")
    assert value(seeding.CLAIM, "Muafiyet") == -150_000
    assert lease.POLICY in text_of(pages_of(seeding.CLAIM))
    assert lease.POLICY in seeding.POLICY.name


def test_the_model_and_the_press_release_have_the_reported_figures() -> None:
    assert value(seeding.MODEL, "Insurance revenue", "2024") == FY2024.insurance_revenue
    release = text_of(pages_of(seeding.RELEASE))
    assert f"Net profit | {FY2024.net_profit}" in release
    assert "<" not in release


@pytest.mark.parametrize("file", OFFICE, ids=lambda file: file.name)
def test_every_demo_file_is_read_without_a_doubt(file: DemoFile) -> None:
    facts, pages = read(file.name, file.make())

    assert codes(facts) <= {WarningCode.HAS_COMMENTS}
    assert all(page.blocks for page in pages)


def test_questions_in_the_person_s_language_come_first_and_one_document_does_not_take_all() -> None:
    names = tuple(file.name for files in seeding.COLLECTIONS["meridyen"].values() for file in files)

    with translation.override("tr"):
        turkish = suggested_questions(names=names)
    with translation.override("en"):
        english = suggested_questions(names=names)

    assert turkish[0] == "2024 yılında finansal kiralama alacakları ne kadardı?"
    assert len(set(turkish)) == len(turkish) == 6
    assert english[:2] == (
        "What were total assets at the end of 2024?",
        "Is flood covered at the cold store in Silivri?",
    )
