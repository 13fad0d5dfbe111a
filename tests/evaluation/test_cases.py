"""The checker of cases, on cases of our own: right checks pass, wrong ones fail, what is not built is skipped."""

import json
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps.evaluation.cases import read_cases, run_case
from apps.evaluation.checks.units import in_unit

pytestmark = pytest.mark.django_db(transaction=True)
FILES = Path(__file__).resolve().parents[1] / "files"
BOOK = "merged.xlsx"


def cases(folder: Path, files: tuple[str, ...], *checks: dict[str, Any], kind: str = "e") -> Path:
    """A folder with one case of these checks over files of tests/files."""
    home = folder / "cases" / "x01"
    home.mkdir(parents=True)
    for name in files:
        (home / name).write_bytes((FILES / name).read_bytes())
    case = {"id": "x01", "kind": kind, "level": "parse", "input": list(files), "checks": list(checks)}
    (folder / "cases.jsonl").write_text(json.dumps(case) + "\n")
    return folder


def problems(folder: Path, files: tuple[str, ...], check: dict[str, Any]) -> tuple[str, ...]:
    (case,) = read_cases(cases(folder, files, check))
    result = run_case(case)
    assert result.passed is not bool(result.failed)
    return result.failed


CELL = {"type": "table_cell", "file": BOOK, "row": "Aegean", "col": "2023 Wholesale", "value": "205"}
STATE = {"type": "ingest_status", "file": "locked.xlsx", "one_of": ["needs_password"], "reason_any": ["parola"]}
RIGHT = [
    CELL | {"unit": "TRY", "scale": 1000},
    CELL | {"row": "Black Sea", "col": "2024 Retail", "value": None},
    {"type": "text_contains", "file": BOOK, "value": "Regional  sales"},
    {"type": "text_not_contains", "file": BOOK, "value": "NaN"},
    {"type": "text_order", "file": BOOK, "values": ["Regional", "Aegean", "Marmara"]},
    {"type": "no_cell_equals", "file": BOOK, "value": "206"},
    {"type": "table_rows", "file": "export.csv", "data_rows": 2, "header_once": True},
    {"type": "number", "raw": "(1,234.50)", "value": "-1234.50"},
    {"type": "number", "raw": "50 basis points", "value": "0.50", "unit": "percentage_points"},
    {"type": "warning", "file": "budget.xlsx", "code_any": ["formula_not_calculated"]},
    {"type": "no_warning", "file": BOOK, "code_any": ["hidden_content"]},
    STATE,
    {"type": "property", "name": "table_columns", "value": "3", "file": "export.csv"},
    {"type": "property", "name": "occurrences", "value": "1", "file": "memo.docx", "text": "upfront fee 1.75"},
    {"type": "property", "name": "page_count", "value": "1", "file": BOOK},
    {"type": "property", "name": "column_sum", "value": "1247056.994", "file": "moves_us.csv", "col": "amount"},
    {"type": "property", "name": "no_outbound_request", "value": "127.0.0.1:9", "file": "linked_image.docx"},
    {"type": "property", "name": "any_of", "value": "computed_or_warning", "file": "budget.xlsx",
     "cell": "Budget!D4", "value2": "20350", "else_warning": ["formula_not_calculated"]},
]  # fmt: skip
WRONG: list[dict[str, Any]] = [
    CELL | {"value": "206"},
    CELL | {"unit": "EUR"},
    CELL | {"scale": 1},
    CELL | {"value": None},
    CELL | {"row": "Nowhere"},
    CELL | {"col": "2023 Online"},
    CELL | {"row": "Black Sea", "col": "2024 Retail", "value": "0"},
    {"type": "text_contains", "file": BOOK, "value": "Regional profits"},
    {"type": "text_not_contains", "file": BOOK, "value": "Aegean"},
    {"type": "text_order", "file": BOOK, "values": ["Marmara", "Regional"]},
    {"type": "no_cell_equals", "file": BOOK, "value": "205"},
    {"type": "table_rows", "file": "export.csv", "data_rows": 3},
    {"type": "number", "raw": "(1,234.50)", "value": "1234.50"},
    {"type": "number", "raw": "12%", "value": "12", "unit": "USD"},
    {"type": "number", "raw": "n/a", "value": "0"},
    {"type": "number", "raw": "1.234", "value": "1234"},
    {"type": "warning", "file": BOOK, "code_any": ["hidden_content"]},
    {"type": "no_warning", "file": "budget.xlsx", "code_any": ["formula_not_calculated"]},
    STATE | {"one_of": ["ready"]},
    STATE | {"reason_any": ["sayfa"]},
    STATE | {"file": BOOK, "one_of": ["ready"], "max_seconds": 0},
    {"type": "property", "name": "sorted_tr", "file": "names.json", "value": ["Zeytin"]},
    {"type": "property", "name": "table_columns", "value": "4", "file": "export.csv"},
    {"type": "property", "name": "occurrences", "value": "2", "file": "memo.docx", "text": "upfront fee 1.75"},
    {"type": "property", "name": "page_count", "value": "2", "file": BOOK},
    {"type": "property", "name": "child_documents", "value": ["none.csv"], "file": "mail.eml"},
    {"type": "property", "name": "hidden_marked", "value": ["Bid price"], "file": "hidden.xlsx"},
    {"type": "property", "name": "section_contains", "value": "x", "file": BOOK, "section": "Item 7"},
    {"type": "text_contains", "file": "missing.pdf", "value": "x"},
]


@pytest.mark.parametrize("check", RIGHT, ids=lambda check: str(check.get("name") or check["type"]))
def test_a_check_that_holds_passes(check: dict[str, Any], tmp_path: Path) -> None:
    assert problems(tmp_path, (check.get("file", BOOK),), check) == ()


@pytest.mark.parametrize("check", WRONG, ids=lambda check: str(check.get("name") or check["type"]))
def test_a_check_that_does_not_hold_fails(check: dict[str, Any], tmp_path: Path) -> None:
    file = check.get("file", BOOK)

    assert len(problems(tmp_path, (file,) if (FILES / file).exists() else (), check)) == 1


def test_what_a_later_issue_owns_is_skipped_with_a_reason_and_never_passed(tmp_path: Path) -> None:
    checks = ({"type": "indicator", "name": "rsi"}, {"type": "property", "name": "xbrl_fact", "value": "1"})
    (case,) = read_cases(cases(tmp_path, (), *checks))

    result = run_case(case)

    assert (result.passed, result.failed, result.checked) == (False, (), 0)
    assert "xbrl_fact: facts come with the numbers issue" in result.skipped


def test_search_and_uploads_go_through_the_product(tmp_path: Path) -> None:
    found = {"type": "search", "q": "thousand TL regional sales", "k": 3, "must_return": {"file": BOOK, "page": None}}
    lost = found | {"must_return": {"file": "other.xlsx", "page": None}}
    empty = {"type": "upload_http", "file": "nothing.txt", "status_in": [400], "reason_any": ["empty", "boş"]}
    (case,) = read_cases(cases(tmp_path, (BOOK,), found, lost, empty, empty | {"status_in": [201]}))
    (case.folder / "nothing.txt").write_bytes(b"")

    result = run_case(case)

    assert [problem.split(":")[0].split()[0] for problem in result.failed] == ["search", "upload_http"]


def test_questions_are_asked_only_when_wanted(tmp_path: Path) -> None:
    asked = {"type": "question", "q": "What is the discount of offer 88?", "abstain": False,
             "must_contain_all": ["17"], "cite": [{"file": "new_offer.txt"}]}  # fmt: skip
    (case,) = read_cases(cases(tmp_path, ("new_offer.txt",), asked, asked | {"must_contain_all": ["99"]}))
    (case.folder / "new_offer.txt").write_text("Offer 88: the discount is 17 per cent until March.\n")

    assert run_case(case).skipped == "2 × question: asked with --questions"
    result = run_case(case, with_questions=True)
    assert len(result.failed) == 1
    assert "lacks '99'" in result.failed[0]


def test_the_command_prints_one_line_a_case_and_fails_with_a_failed_one(tmp_path: Path) -> None:
    folder = cases(tmp_path, (BOOK,), CELL | {"value": "1"})
    out = StringIO()

    with pytest.raises(SystemExit) as ended:
        call_command("evaluate", "cases", cases=folder, json=True, stdout=out, stderr=StringIO())

    assert ended.value.code == 1
    (line,) = out.getvalue().splitlines()
    assert set(json.loads(line)) == {"id", "kind", "passed", "failed", "skipped"}


def test_names_are_compared_in_turkish_order(tmp_path: Path) -> None:
    right = {"type": "property", "name": "sorted_tr", "file": "names.json",
             "value": ["Ceviz", "Çam", "Ğ", "ısı", "iz", "Ördek"]}  # fmt: skip
    (case,) = read_cases(cases(tmp_path, (), right, right | {"value": ["iz", "ısı"]}))
    (case.folder / "names.json").write_text(json.dumps(["iz", "Çam", "Ördek", "Ğ", "ısı", "Ceviz"]))

    assert len(run_case(case).failed) == 1


def test_basis_points_are_told_in_the_unit_that_is_asked_for() -> None:
    assert in_unit(Decimal(50), "basis_points", "percentage_points") == (Decimal("0.5"), "percentage_points")
    assert in_unit(Decimal(50), "basis_points", "") == (Decimal(50), "basis_points")
