"""Operation: health, readiness, metrics without a name, and a disk or database without room."""

import errno
import os
import subprocess
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone

from apps.accounts import services as accounts
from apps.accounts.contracts import Actor
from apps.core import disk
from apps.documents.contracts import INGEST_KIND, VersionState
from apps.documents.models import Document, StoredFile
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.tenants.context import tenant_context
from tests.conftest import TEST_DATABASE, with_database
from tests.factories.desk import Desk, make_desk
from tests.factories.documents import ingest, reload, upload
from tests.factories.people import signed_in, slug_of

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = b"The price of lot 5 is 12 euro.\n" * 400


def api(actor: Actor) -> Client:
    token, _ = accounts.issue_token(user_id=actor.user_id, tenant_id=actor.tenant_id, label="t")
    return Client(headers={"authorization": f"Bearer {token}"})


def send(desk: Desk, content: bytes) -> Any:
    form = {"collection_id": str(desk.shared), "file": SimpleUploadedFile("lots.txt", content)}
    return api(desk.member).post("/api/v1/documents/", form)


def test_the_process_is_healthy_and_ready_until_a_part_is_missing(settings: LazySettings) -> None:
    client = Client()

    healthy, ready = client.get("/healthz"), client.get("/readyz")
    settings.LEAST_FREE_BYTES = 2**62
    full = client.get("/readyz")

    assert (healthy.status_code, ready.status_code, full.status_code) == (200, 200, 503)
    assert ready.json() == {"database": True, "valkey": True, "disk": True}
    assert full.json() == {"database": True, "valkey": True, "disk": False}


def test_metrics_count_over_all_organisations_without_a_name() -> None:
    desk = make_desk()
    ingest(desk.member, desk.shared, "lots.txt", TEXT)
    api(desk.reader).post("/api/v1/search/", {"query": "price"}, content_type="application/json")

    text = Client().get("/metrics").content.decode()

    values = dict(line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
    assert float(values['airis_jobs{kind="ingest_document",state="succeeded"}']) >= 1
    assert float(values['airis_job_seconds{kind="ingest_document",state="succeeded"}']) > 0
    assert float(values['airis_queue_oldest_seconds{queue="embedding"}']) > 0
    assert float(values["airis_searches_total"]) >= 1
    assert float(values["airis_disk_free_bytes"]) > 0
    assert not any(word in text for word in (slug_of(desk.tenant_id), str(desk.tenant_id), "lots", desk.member.name))


def test_metrics_are_for_this_machine_or_for_the_token(settings: LazySettings) -> None:
    far, near = Client(REMOTE_ADDR="10.0.0.9"), Client()
    proxied = near.get("/metrics", headers={"x-forwarded-for": "10.0.0.9"})
    without = far.get("/metrics")
    settings.METRICS_TOKEN = "a long one of the operator"
    right = far.get("/metrics", headers={"authorization": "Bearer a long one of the operator"})
    wrong = [near.get("/metrics"), far.get("/metrics", headers={"authorization": "Bearer a"})]

    assert (proxied.status_code, without.status_code, right.status_code) == (404, 404, 200)
    assert [reply.status_code for reply in wrong] == [404, 404]


@pytest.fixture
def small_disk(tmp_path: Path, settings: LazySettings) -> Iterator[Path]:
    """The files of the installation on a tmpfs of 256 KiB; where none can be mounted the test is skipped."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("no tmpfs can be mounted here")
    settings.FILES_DIRECTORY, settings.LEAST_FREE_BYTES = place, 0
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_refuses_an_upload_and_keeps_nothing(small_disk: Path) -> None:
    desk = make_desk()
    kept = send(desk, b"A small note about lot 1.\n")

    refused = send(desk, os.urandom(400_000).hex().encode())
    by_page = signed_in(desk.member).post(
        f"/t/{slug_of(desk.tenant_id)}/collections/{desk.shared}/upload/",
        {"file": _file(os.urandom(400_000))},
        follow=True,
    )

    assert kept.status_code == 201
    assert (refused.status_code, refused.json()["code"]) == (507, "storage_full")
    assert refused["Content-Type"] == "application/problem+json"
    assert b"no room left" in by_page.content
    assert_whole(desk, small_disk, documents=1)
    assert send(desk, b"Another small note about lot 2.\n").status_code == 201


def test_a_disk_that_reports_no_room_refuses_an_upload_and_keeps_nothing(
    tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As above where nothing can be mounted: the write itself fails as a full disk's does."""
    settings.FILES_DIRECTORY = tmp_path / "files"
    desk = make_desk()

    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        refused = send(desk, TEXT)
    then = send(desk, TEXT)

    assert (refused.status_code, refused.json()["code"]) == (507, "storage_full")
    assert then.status_code == 201
    assert_whole(desk, tmp_path / "files", documents=1)


def test_reading_waits_while_there_is_no_room_and_goes_on_after(settings: LazySettings) -> None:
    desk = make_desk()
    document = upload(desk.member, desk.shared, "lots.txt", TEXT)
    settings.LEAST_FREE_BYTES = 2**62

    for _ in range(5):  # more often than a job may fail
        _run_now(desk.tenant_id)
    waiting, state = _job(desk.tenant_id), reload(desk.member, document.id).state
    settings.LEAST_FREE_BYTES = 0
    _run_now(desk.tenant_id)

    assert (waiting.state, waiting.error_code, state) == ("queued", "storage_full", VersionState.QUEUED)
    assert waiting.not_before is not None
    assert waiting.not_before > timezone.now()
    assert reload(desk.member, document.id).is_searchable


@pytest.fixture
def full_database() -> Iterator[Callable[[str], None]]:
    """PostgreSQL reports `disk_full` (53100) on writes to a table, by a trigger of its owner's."""
    url = with_database(os.environ["DATABASE_OWNER_URL"], TEST_DATABASE)
    made: list[str] = []
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(
            "CREATE OR REPLACE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS "
            "$$BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'no space left on device'; END$$"
        )

        def fill(table: str) -> None:
            owner.execute(f"CREATE TRIGGER no_room BEFORE INSERT ON {table} EXECUTE FUNCTION no_room()")
            made.append(table)

        def empty() -> None:
            while made:
                owner.execute(f"DROP TRIGGER no_room ON {made.pop()}")

        fill.empty = empty  # type: ignore[attr-defined]  # the way back, for the test
        yield fill
        empty()
        owner.execute("DROP FUNCTION no_room()")


def test_a_full_database_refuses_an_upload_and_its_reading_goes_on_after(
    full_database: Any, settings: LazySettings, tmp_path: Path
) -> None:
    settings.FILES_DIRECTORY = tmp_path / "files"
    desk = make_desk()
    full_database("documents_document")
    refused = send(desk, TEXT)
    assert_whole(desk, tmp_path / "files", documents=0)
    full_database.empty()
    document_id = UUID(send(desk, TEXT).json()["document"]["id"])

    full_database("retrieval_chunk")
    _run_now(desk.tenant_id)
    waiting = _job(desk.tenant_id)
    full_database.empty()
    _run_now(desk.tenant_id)

    assert (refused.status_code, refused.json()["code"]) == (507, "storage_full")
    assert (waiting.state, waiting.error_code) == ("queued", "storage_full")
    assert reload(desk.member, document_id).is_searchable


def test_what_says_full_is_recognised_through_what_it_caused() -> None:
    caused = RuntimeError("index")
    caused.__cause__ = OSError(errno.EDQUOT, "quota")

    assert disk.is_disk_full(caused)
    assert not disk.is_disk_full(OSError(errno.ENOENT, "missing"))


def _file(content: bytes) -> Any:
    return SimpleUploadedFile("big.txt", content.hex().encode())


def _job(tenant_id: UUID) -> Job:
    with tenant_context(tenant_id):
        return Job.objects.get(kind=INGEST_KIND)


def _run_now(tenant_id: UUID) -> None:
    """The ingestion runs once, as if the time until which it was put off had come."""
    with tenant_context(tenant_id):
        Job.objects.filter(kind=INGEST_KIND).exclude(not_before=None).update(not_before=timezone.now() - timedelta(1))
        job_id = Job.objects.values_list("id", flat=True).get(kind=INGEST_KIND)
    jobs.execute(tenant_id=tenant_id, job_id=job_id)
    connection.close()


def assert_whole(desk: Desk, place: Path, *, documents: int) -> None:
    """Each document has its bytes, and there are no bytes without a row."""
    with tenant_context(desk.tenant_id):
        keys = set(StoredFile.objects.values_list("storage_key", flat=True))
        assert Document.objects.count() == documents
    stored = {file.relative_to(place).as_posix() for file in place.rglob("*") if file.is_file()}
    assert stored == keys
