"""Kill anything at any moment: nothing is lost; work goes on or fails cleanly with a retry."""

from pathlib import Path

import pytest

from apps.reading._pymupdf import pymupdf
from tests.live.conftest import Desk
from tests.live.stack import LiveStack, wait_for

pytestmark = pytest.mark.services
SETTLED = {"ready", "ready_with_warnings"}
QUESTION = "What is the option price?"
SPAN = (Path(__file__).parents[1] / "files" / "span.pdf").read_bytes()
LONG = ("The option price of project Kestrel is 3.15 million euro.\n" * 3 + "Other words stand here.\n" * 2400).encode()


def failpoints() -> list[str]:
    """Every named place of ingestion, as the code has them; members, long documents, re-reading: tests/ingestion."""
    import re

    root = Path(__file__).resolve().parents[2] / "apps"
    found = {
        name
        for app in ("ingestion", "agents", "chat")
        for file in (root / app).rglob("*.py")
        for name in re.findall(r'\breach\("([a-z._]+)"\)', file.read_text())
    }
    elsewhere = ("ingestion.unpack.member", "ingestion.index.batch", "ingestion.reread")
    return sorted(name for name in found if not name.startswith(elsewhere))


def partly_scanned() -> bytes:
    """A page of text, and one that is the picture of a page."""
    with pymupdf.open() as drawn, pymupdf.open() as made:
        drawn.new_page().insert_text((60, 100), "Annex: the deposit is 81,250 euro.", fontsize=16)
        made.new_page().insert_text((60, 100), "The option price of project Kestrel is 3.15 million euro.", fontsize=12)
        page = made.new_page()
        page.insert_image(page.rect, stream=drawn[0].get_pixmap(dpi=150).tobytes("png"))
        return bytes(made.tobytes())


@pytest.mark.parametrize("failpoint", failpoints())
def test_a_worker_killed_at_a_named_place_changes_nothing(failpoint: str, stack: LiveStack, desk: Desk) -> None:
    stack.failpoint.write_text(f"{failpoint} once")
    name, file = "span.pdf", SPAN
    if failpoint.startswith("ingestion.recognise"):
        name, file = "scanned.pdf", partly_scanned()
    elif not failpoint.startswith("answer"):
        name, file = f"{failpoint}.txt", LONG + failpoint.encode()

    document = desk.admin.upload(desk.collection, name, file)["document"]
    read = desk.admin.wait_for_document(document["id"], SETTLED)
    answer = desk.admin.wait_for_answer(desk.admin.ask(QUESTION, document_ids=[document["id"]]))

    assert not stack.failpoint.exists()
    assert read["meaning_percent"] == 100
    assert answer["state"] == "answered"
    assert "3.15" in answer["answer"]
    assert len(answer["statements"]) == len({s["text"] for s in answer["statements"]})


def test_killing_valkey_and_postgres_in_the_middle_loses_nothing(stack: LiveStack, desk: Desk) -> None:
    document = desk.admin.upload(desk.collection, "long.txt", LONG)["document"]
    stack.kill("valkey")
    stack.kill("postgres")
    desk.admin.wait_for_document(document["id"], SETTLED | {"searchable"})
    ids = [document["id"]]
    question = wait_for(lambda: desk.admin.ask(QUESTION, document_ids=ids), "the question to be taken")
    stack.kill("valkey")
    stack.kill("postgres")
    answer = desk.admin.wait_for_answer(question)

    assert answer["state"] == "answered"
    assert "3.15" in answer["answer"]


def test_a_file_that_kills_its_worker_every_time_fails_with_a_retry_and_blocks_nobody(
    stack: LiveStack, desk: Desk
) -> None:
    stack.failpoint.write_text("ingestion.index.before_commit always")

    document = desk.admin.upload(desk.collection, "poison.txt", LONG + b"poison")["document"]
    failed = desk.admin.wait_for_document(document["id"], {"failed"})
    stack.failpoint.unlink()
    retried = desk.admin.call("POST", f"documents/{document['id']}/retry/")

    assert failed["failure"] == "worker_lost"
    assert retried.status_code == 202
    desk.admin.wait_for_document(document["id"], SETTLED)


def test_every_process_comes_back_after_a_kill(stack: LiveStack, desk: Desk) -> None:
    names = [path.stem for path in (stack.var / "run").glob("*.child")]

    assert {"web", "beat", "postgres", "valkey", "worker-answers", "worker-ingestion"} <= set(names)
    for name in names:
        before = stack.pid_of(name)
        stack.kill(name)
        wait_for(lambda n=name, b=before: stack.pid_of(n) not in (0, b) or None, f"{name} to come back")
    uploaded = wait_for(lambda: desk.admin.upload(desk.collection, "span again.pdf", SPAN), "the web process to answer")
    desk.admin.wait_for_document(uploaded["document"]["id"], SETTLED)
