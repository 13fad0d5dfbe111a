"""The benchmark of reading: states with reasons, shares of words, damaged copies that end."""

import json
from pathlib import Path

import pytest

from apps.evaluation.mutations import mutated, read_mutations
from apps.evaluation.samples import SampleRow, evaluate_mutations, evaluate_samples, summary_of
from tests.reading.office import workbook

FILES = Path(__file__).resolve().parents[1] / "files"


def rows_of(folder: Path) -> dict[str, SampleRow]:
    return {row.file: row for row in evaluate_samples(folder) if isinstance(row, SampleRow)}


def test_every_file_ends_in_a_state_and_its_words_are_compared(tmp_path: Path) -> None:
    for name in ("memo.docx", "merged.xlsx", "eski.xls", "deck.pptx", "xxe.xlsx", "locked.xlsx", "labels.pdf"):
        (tmp_path / name).write_bytes((FILES / name).read_bytes())

    rows = rows_of(tmp_path)
    summary = summary_of(list(rows.values()))

    assert {name: row.share for name, row in rows.items() if row.share is not None} == {
        "memo.docx": 1.0, "merged.xlsx": 1.0, "eski.xls": 1.0, "deck.pptx": 1.0, "labels.pdf": 1.0,
    }  # fmt: skip
    assert (rows["xxe.xlsx"].state, rows["locked.xlsx"].state) == ("rejected", "needs_password")
    assert (summary["files"], summary["without_reason"], summary["below"]) == (7, 0, 0)


def test_words_that_we_lack_lower_the_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "b.xlsx").write_bytes(workbook({"S": [["item", "value"], ["rent", 12.5], ["tax", 7]]}))
    seen = {"words": ["item", "value", "rent", "tax", "lost"], "numbers": ["12.5", "7", "99"]}
    monkeypatch.setattr("apps.evaluation.samples._seen", lambda _path: seen)

    row = rows_of(tmp_path)["b.xlsx"]

    assert (row.words, row.share, row.missing) == (8, 0.75, ("lost", "99"))
    assert summary_of([row])["below"] == 1


def test_a_manifest_gives_passwords(tmp_path: Path) -> None:
    folder = tmp_path / "samples"
    folder.mkdir()
    (folder / "locked.xlsx").write_bytes((FILES / "locked.xlsx").read_bytes())
    entry = {"file": "samples/locked.xlsx", "category": "office_encrypted", "password": "pw-Sample-1"}
    (folder / "manifest.jsonl").write_text(json.dumps(entry) + "\n")

    row = rows_of(folder)["locked.xlsx"]

    assert row.state in ("ready", "ready_with_warnings")


def test_a_seed_always_damages_in_the_same_way() -> None:
    data = (FILES / "merged.xlsx").read_bytes()

    assert mutated(data, 7) == mutated(data, 7)
    assert len({mutated(data, seed) for seed in range(20)}) == 20
    assert data not in {mutated(data, seed) for seed in range(20)}


def test_damaged_copies_are_read_or_refused_by_name() -> None:
    files = [FILES / name for name in ("merged.xlsx", "memo.docx", "eski.xls", "deck.pptx", "mail.eml", "spacers.htm")]

    report = evaluate_mutations(files, 36)

    assert report["copies"] == 36
    assert (report["died"], report["hung"]) == (0, 0)
    assert set(report["endings"]) <= {
        "read", "damaged", "disguised", "unsupported", "no_pages", "too_large", "empty", "needs_password",
    }  # fmt: skip


def test_a_child_that_dies_is_counted_and_the_next_copy_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("one line of text\n" * 50)
    calls: list[int] = []

    def broken(*_arguments: object) -> None:
        calls.append(1)

    monkeypatch.setattr("apps.evaluation.mutations._asked", broken)

    outcomes = list(read_mutations([tmp_path / "a.txt"], 2))

    assert [outcome.ending for outcome in outcomes] == ["hung", "hung"]
    assert len(calls) == 2
