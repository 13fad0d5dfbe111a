"""Loads: idempotent by content, behind people, paused, resumed, retried, with a finish time and reasons in words."""

import zipfile
from datetime import timedelta
from io import StringIO
from pathlib import Path
from uuid import UUID

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.utils import timezone

from apps.core.errors import InputError, NotAllowed, NotFound
from apps.documents import selectors as documents
from apps.documents.models import Document, DocumentVersion
from apps.ingestion import batches, selectors
from apps.ingestion.contracts import AnnouncedFile, BatchProgress
from apps.ingestion.models import Batch, BatchFile
from apps.ingestion.reasons import reason_of
from apps.jobs import claims
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk, make_desk
from tests.factories.documents import ingest, reload, run_jobs, upload
from tests.factories.people import signed_in, slug_of

pytestmark = pytest.mark.django_db(transaction=True)


def begin(desk: Desk, *names: str) -> UUID:
    with tenant_context(desk.tenant_id):
        batch_id = batches.begin(actor=desk.member, collection_id=desk.shared, name="contracts")
        batches.announce(actor=desk.member, batch_id=batch_id, files=[AnnouncedFile(name, 100) for name in names])
    return batch_id


def bring(desk: Desk, batch_id: UUID, path: str, data: bytes = b"") -> str:
    return batches.bring(actor=desk.member, batch_id=batch_id, path=path, chunks=[data or f"{path} says 12.".encode()])


def progress(desk: Desk, batch_id: UUID) -> BatchProgress:
    with tenant_context(desk.tenant_id):
        return selectors.get_progress(actor=desk.member, batch_id=batch_id)


def folder(root: Path, count: int = 3) -> Path:
    for number in range(count):
        file = root / "contracts" / f"year {number % 2}" / f"contract {number}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"Contract {number}: the rent is {number * 100 + 7} euro.")
    return root / "contracts"


def console(desk: Desk, path: Path, *more: str) -> str:
    said = StringIO()
    call_command(
        "ingest",
        str(path),
        "--collection",
        str(desk.shared),
        "--organisation",
        slug_of(desk.tenant_id),
        *more,
        stdout=said,
    )
    return said.getvalue()


def test_each_file_of_a_load_is_counted_once_with_its_tree_and_its_outcome(desk: Desk) -> None:
    ingest(desk.member, desk.shared, "there.txt", b"the same bytes")
    batch_id = begin(desk, "a/one.txt", "a/two.txt", "b/three.txt", "four.txt", "later.txt")

    assert bring(desk, batch_id, "a/one.txt") == "taken"
    assert bring(desk, batch_id, "a/two.txt", b"the same bytes") == "known"
    assert bring(desk, batch_id, "b/three.txt", b"%PDF-1.7 broken") == "taken"
    assert bring(desk, batch_id, "four.txt") == "taken"
    before = progress(desk, batch_id)
    run_jobs(desk.tenant_id)
    after = progress(desk, batch_id)

    assert (before.files, before.announced, before.waiting, before.known) == (5, 1, 3, 1)
    assert (after.done, after.failed, after.announced, after.waiting) == (2, 1, 1, 0)
    assert not after.is_over
    [letter] = after.dead
    assert letter.path == "b/three.txt"
    assert reason_of(letter.code) == str(documents.FAILURES[letter.code])
    with tenant_context(desk.tenant_id):
        assert Document.objects.filter(name="a/one.txt").exists()


def test_an_empty_file_is_refused_with_a_reason_and_does_not_stop_the_load(desk: Desk) -> None:
    batch_id = begin(desk, "nothing.txt", "one.txt")

    outcome = batches.bring(actor=desk.member, batch_id=batch_id, path="nothing.txt", chunks=[])
    bring(desk, batch_id, "one.txt")
    run_jobs(desk.tenant_id)

    found = progress(desk, batch_id)
    assert outcome == "empty"
    assert (found.done, found.failed, found.is_over) == (1, 1, True)


def test_a_persons_upload_goes_before_a_load_and_so_does_another_organisations(desk: Desk) -> None:
    batch_id = begin(desk, *(f"{number}.txt" for number in range(5)))
    for number in range(5):
        bring(desk, batch_id, f"{number}.txt")
    other = make_desk()

    own = upload(desk.member, desk.shared, "mine.txt", b"I wait for this.")
    theirs = upload(other.member, other.shared, "theirs.txt", b"They wait for this.")
    with tenant_context(desk.tenant_id):
        hints = list(Job.objects.filter(is_bulk=True).order_by("queued_at").values_list("id", flat=True)[:2])
    for job_id in hints:  # the first two hints that a worker gets are the load's
        jobs.execute_next(tenant_id=desk.tenant_id, job_id=job_id)

    assert reload(desk.member, own.id).is_searchable
    assert reload(other.member, theirs.id).is_searchable
    assert progress(desk, batch_id).waiting == 5


def test_a_paused_load_begins_nothing_and_goes_on_where_it_was(desk: Desk) -> None:
    batch_id = begin(desk, "a.txt", "b.txt", "c.txt")
    bring(desk, batch_id, "a.txt")
    bring(desk, batch_id, "b.txt")
    with tenant_context(desk.tenant_id):
        batches.pause(actor=desk.member, batch_id=batch_id)
    bring(desk, batch_id, "c.txt")

    with tenant_context(desk.tenant_id):
        for job in list(Job.objects.all()):
            assert not claims.claim(job.id)
    paused = progress(desk, batch_id)
    with tenant_context(desk.tenant_id):
        batches.resume(actor=desk.member, batch_id=batch_id)
    run_jobs(desk.tenant_id)

    assert (paused.waiting, paused.summary.is_paused, paused.seconds_left) == (3, True, None)
    assert progress(desk, batch_id).done == 3


def test_failed_files_are_tried_again_and_rejected_ones_are_not(desk: Desk) -> None:
    batch_id = begin(desk, "a.txt", "broken.pdf")
    bring(desk, batch_id, "a.txt")
    bring(desk, batch_id, "broken.pdf", b"%PDF-1.7 broken")
    run_jobs(desk.tenant_id)
    with tenant_context(desk.tenant_id):
        DocumentVersion.objects.filter(document__name="a.txt").update(state="failed", failure="worker_lost")

    assert progress(desk, batch_id).failed == 2
    with tenant_context(desk.tenant_id):
        assert batches.retry_failed(actor=desk.member, batch_id=batch_id) == 1
    run_jobs(desk.tenant_id)

    found = progress(desk, batch_id)
    assert (found.done, found.failed) == (1, 1)


def test_the_finish_is_estimated_from_sizes_and_corrected_by_the_rate(desk: Desk) -> None:
    names = [f"{number}.txt" for number in range(10)]
    batch_id = begin(desk, *names)
    start = progress(desk, batch_id)
    for name in names[:5]:
        bring(desk, batch_id, name)
    run_jobs(desk.tenant_id)
    now = timezone.now()
    with tenant_context(desk.tenant_id):
        Batch.objects.filter(id=batch_id).update(created_at=now - timedelta(seconds=100))
        found = selectors.get_progress(actor=desk.member, batch_id=batch_id, now=now)

    assert not start.is_measured
    assert start.seconds_left == round(10 * selectors.SECONDS_A_FILE)  # a hundred bytes each cost nothing beside it
    assert found.is_measured
    assert found.seconds_left == 100  # half of equal files took a hundred seconds
    assert found.files_per_minute == 3.0
    assert found.finish_at == now + timedelta(seconds=100)


def test_the_console_brings_a_folder_once_however_often_it_is_run(desk: Desk, tmp_path: Path) -> None:
    path = folder(tmp_path)

    console(desk, path)
    (path / "year 0" / "new.txt").write_text("A contract that came later.")
    said = console(desk, path)
    run_jobs(desk.tenant_id)

    with tenant_context(desk.tenant_id):
        names = sorted(Document.objects.values_list("name", flat=True))
        assert BatchFile.objects.count() == 4
        [batch] = selectors.list_batches(actor=desk.admin)
    assert names == ["year 0/contract 0.txt", "year 0/contract 2.txt", "year 0/new.txt", "year 1/contract 1.txt"]
    assert "4 files" in said
    assert progress(desk, batch.id).done == 4


def test_the_console_goes_on_where_it_was_stopped(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder(tmp_path)
    original, brought = batches.bring, []

    def stops(**options: object) -> str:
        if len(brought) == 1:
            raise KeyboardInterrupt
        brought.append(options["path"])
        return original(**options)  # type: ignore[arg-type]

    monkeypatch.setattr(batches, "bring", stops)
    with pytest.raises(KeyboardInterrupt):
        console(desk, path)
    monkeypatch.setattr(batches, "bring", original)
    console(desk, path)

    with tenant_context(desk.tenant_id):
        assert Document.objects.count() == 3
        assert Job.objects.filter(kind="ingest_document").count() == 3


def test_the_console_brings_the_members_of_a_zip(desk: Desk, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "contracts.zip", "w") as archive:
        for number in range(3):
            archive.writestr(f"north/{number}.txt", f"Contract {number}: the rent is {number}07 euro.")

    console(desk, tmp_path / "contracts.zip")
    run_jobs(desk.tenant_id)

    with tenant_context(desk.tenant_id):
        [batch] = selectors.list_batches(actor=desk.admin)
        assert sorted(Document.objects.values_list("name", flat=True)) == [f"north/{number}.txt" for number in range(3)]
    assert progress(desk, batch.id).done == 3


def test_a_browser_sends_a_folder_and_sees_how_far_it_is(desk: Desk) -> None:
    browser, start = signed_in(desk.member), f"/t/{slug_of(desk.tenant_id)}"

    begun = browser.post(
        f"{start}/collections/{desk.shared}/loads/",
        {"name": "deals", "files": '[["deals/a.txt", 5], ["deals/b.txt", 5]]'},
    ).json()
    file = SimpleUploadedFile("a.txt", b"words")
    sent = browser.post(begun["send"], {"path": "deals/a.txt", "file": file})
    page = browser.get(begun["url"])

    assert sent.status_code == 201
    assert b"0 of 2 files" in page.content
    assert b"estimated from the sizes" in page.content


def test_a_size_that_no_file_has_is_refused_by_both_ways(desk: Desk) -> None:
    browser, start = signed_in(desk.member), f"/t/{slug_of(desk.tenant_id)}"

    form = browser.post(f"{start}/collections/{desk.shared}/loads/", {"name": "x", "files": f'[["a.txt", {2**63}]]'})
    with tenant_context(desk.tenant_id), pytest.raises(InputError):
        batches.announce(actor=desk.member, batch_id=begin(desk, "b.txt"), files=[AnnouncedFile("c.txt", 2**62)])

    assert form.status_code == 400


def test_only_those_who_may_add_documents_run_loads(desk: Desk) -> None:
    batch_id = begin(desk, "a.txt")

    with tenant_context(desk.tenant_id):
        assert not selectors.get_progress(actor=desk.reader, batch_id=batch_id).may_act
        with pytest.raises(NotFound):
            selectors.get_progress(actor=desk.stranger, batch_id=batch_id)
        for act in (batches.pause, batches.resume, batches.retry_failed):
            with pytest.raises(NotAllowed):
                act(actor=desk.reader, batch_id=batch_id)
            with pytest.raises(NotFound):
                act(actor=desk.stranger, batch_id=batch_id)
