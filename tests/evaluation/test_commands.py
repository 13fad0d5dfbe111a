"""The stable commands, in this process, on the test database."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps.chat.models import Message
from apps.documents.models import Document
from apps.evaluation import desk
from apps.tenants.context import tenant_context

pytestmark = pytest.mark.django_db(transaction=True)
OFFER = "Offer 88: the discount is 17 per cent until March.\n"


def run(*arguments: Any, **options: Any) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command(*arguments, stdout=out, stderr=err, **options)
    return int(ended.value.code or 0), out.getvalue(), err.getvalue()


@pytest.fixture
def offer(tmp_path: Path) -> Path:
    file = tmp_path / "offer.txt"
    file.write_text(OFFER)
    return file


def test_ask_prints_the_answer_object(offer: Path) -> None:
    code, out, _ = run("ask", "What is the discount of offer 88?", str(offer), "--json")

    answer = json.loads(out)
    assert code == 0
    assert answer["state"] == "answered"
    assert "17 per cent" in answer["answer"]
    assert set(answer) == {
        "id", "question", "state", "answer", "statements", "missing", "searched", "engine", "seconds",
    }  # fmt: skip
    (statement,) = answer["statements"]
    assert statement["verdict"] == "supported"
    assert statement["citations"][0]["document"] == "offer.txt"
    assert {number["text"] for number in statement["numbers"]} >= {"17 per cent"}


def test_ask_says_by_its_exit_code_that_it_abstained_or_got_bad_input(offer: Path, tmp_path: Path) -> None:
    assert run("ask", "Who is the chairman of Valley Rail?", str(offer))[0] == 3
    assert run("ask", "")[0] == 2
    assert run("ask", "What is it?", str(tmp_path / "none.txt"))[0] == 2
    assert run("ask", questions=tmp_path / "none.jsonl", documents=tmp_path)[0] == 2


def questions(tmp_path: Path) -> tuple[Path, Path]:
    folder = tmp_path / "documents"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a.txt").write_text(OFFER)
    (folder / "b.txt").write_text("Offer 89: the discount is 9 per cent until June.\n")
    rows = [
        {"id": "1", "documents": ["sub/a.txt"], "question": "What is the discount of offer 88?", "answer": "17",
         "evidence": [{"doc": "sub/a.txt", "page": 1}], "kind": "offers:x", "lang": "en"},
        {"id": "2", "documents": ["b.txt"], "question": "What is the discount of offer 88?", "answer": "",
         "answerable": False, "kind": "offers:x", "lang": "en"},
    ]  # fmt: skip
    file = tmp_path / "q.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows))
    return file, folder


def test_a_question_file_is_asked_once_and_goes_on(tmp_path: Path) -> None:
    file, folder = questions(tmp_path)

    code, first, _ = run("ask", "--json", questions=file, documents=folder)
    _, second, _ = run("ask", "--json", questions=file, documents=folder)

    answers = [json.loads(line) for line in first.splitlines()]
    assert code == 0
    assert [(answer["id"], answer["state"]) for answer in answers] == [("1", "answered"), ("2", "abstained")]
    assert first == second
    actor = desk.open_desk(desk.desk_name([folder])).actor
    with tenant_context(actor.tenant_id):
        assert Message.objects.count() == 2
        assert Document.objects.count() == 2


def test_evaluate_answers_writes_the_report_and_checks_gates(tmp_path: Path) -> None:
    file, folder = questions(tmp_path)
    out = tmp_path / "report.json"

    code, _, _ = run("evaluate", "answers", questions=[file], documents=folder, out=out, gate=["right>=0.5"])
    strict, _, err = run("evaluate", "answers", questions=[file], documents=folder, gate=["right>=0.9"])

    report = json.loads(out.read_text())
    assert (code, strict) == (0, 1)
    assert "gate failed: right>=0.9" in err
    assert [row["outcome"] for row in report["rows"]] == ["right", "could_not_find"]
    assert report["summary"]["abstention_recall"] == 1.0
    assert set(report["summary"]["by_set"]) == {"offers"}


def test_evaluate_retrieval_ranks_the_gold_page(tmp_path: Path) -> None:
    file, folder = questions(tmp_path)
    out = tmp_path / "report.json"

    code, _, _ = run("evaluate", "retrieval", questions=[file], documents=folder, scope="all", out=out)

    report = json.loads(out.read_text())
    assert code == 0
    assert report["questions"] == 1
    assert report["page_recall"]["5"] == 1.0
    assert report["document_recall"]["1"] == 1.0


def test_inspect_shows_what_a_file_became(offer: Path, tmp_path: Path) -> None:
    code, out, _ = run("inspect", str(offer), "--json")

    found = json.loads(out)
    assert code == 0
    assert found["status"] in ("searchable", "ready")
    assert found["pages"][0]["text"].startswith("Offer 88")
    sales = Path(__file__).resolve().parents[1] / "files" / "merged.xlsx"
    (table,) = json.loads(run("inspect", str(sales), "--json")[1])["pages"][0]["tables"]
    cells = next(row["cells"] for row in table["rows"] if row["label"] == "Aegean")
    column = table["columns"].index("2023 Wholesale")
    assert [(c["value"], c["unit"], c["scale"]) for c in cells if c["column"] == column] == [("205", "TRY", 1000)]
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    assert run("inspect", str(empty))[0] == 2
