"""What people do to a document while it is being read: to the bin and back, a newer version, two at once."""

import signal
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest
from django.db import connections

from apps.documents import binning, services, versions
from apps.documents.contracts import INGEST_KIND, OnSameName, UploadResult
from apps.documents.models import DocumentVersion, Page
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.retrieval import selectors as retrieval
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk
from tests.factories.documents import ingest, reload, run_jobs, upload
from tests.ingestion.test_stages import expire_lease, long_pages, run_and_die

pytestmark = pytest.mark.django_db(transaction=True)


def newer(desk: Desk, name: str, data: bytes) -> UploadResult:
    return services.receive_upload(
        actor=desk.member,
        collection_id=desk.shared,
        name=name,
        chunks=[data],
        on_same_name=OnSameName.NEW_VERSION,
    )


def half_read(desk: Desk, name: str) -> tuple[UUID, UUID]:
    """(document, job) of a document whose worker died after its first window of pages."""
    document = upload(desk.member, desk.shared, name, long_pages(20))
    assert document.job_id is not None
    assert run_and_die(desk, document.job_id, "ingestion.read.window") == -signal.SIGKILL
    expire_lease(desk, document.job_id)
    return document.id, document.job_id


def test_to_the_bin_while_it_is_read_and_back_keeps_the_pages_that_were_read(desk: Desk) -> None:
    document_id, job_id = half_read(desk, "ledger.txt")
    with tenant_context(desk.tenant_id):
        binning.bin_document(actor=desk.member, document_id=document_id)

    jobs.execute(tenant_id=desk.tenant_id, job_id=job_id)  # the message comes again all the same
    with tenant_context(desk.tenant_id):
        kept = set(Page.objects.values_list("id", flat=True))
        assert retrieval.scope_for(actor=desk.reader).document_count == 0
        binning.restore_document(actor=desk.member, document_id=document_id)
    run_jobs(desk.tenant_id)

    assert len(kept) == 16
    with tenant_context(desk.tenant_id):
        assert kept < set(Page.objects.values_list("id", flat=True))
    assert reload(desk.member, document_id).pages_read == 20


def test_a_newer_version_of_a_document_that_is_still_read_replaces_it_at_once(desk: Desk) -> None:
    document_id, job_id = half_read(desk, "ledger.txt")

    newer(desk, "ledger.txt", b"The ledger is closed at 4,711 euro.")
    jobs.execute(tenant_id=desk.tenant_id, job_id=job_id)
    run_jobs(desk.tenant_id)

    with tenant_context(desk.tenant_id):
        history = versions.list_versions(actor=desk.reader, document_id=document_id)
        scope = retrieval.scope_for(actor=desk.reader)
        found = retrieval.search_passages(scope=scope, query="ledger closed", limit=5).passages
    assert [(v.number, v.is_current, v.state) for v in history] == [(2, True, "searchable"), (1, False, "failed")]
    assert {passage.version_id for passage in found} == {history[0].id}


def test_a_newer_version_killed_before_it_takes_over_leaves_the_old_one_answering(desk: Desk) -> None:
    old = ingest(desk.member, desk.shared, "ledger.txt", b"The ledger is open.")
    newer(desk, "ledger.txt", long_pages(2))
    with tenant_context(desk.tenant_id):
        job_id = Job.objects.get(kind=INGEST_KIND, state="queued").id

    assert run_and_die(desk, job_id, "ingestion.index.before_commit") == -signal.SIGKILL
    meanwhile = reload(desk.member, old.id).version_id
    expire_lease(desk, job_id)
    jobs.execute(tenant_id=desk.tenant_id, job_id=job_id)
    jobs.execute(tenant_id=desk.tenant_id, job_id=job_id)  # delivered twice

    assert meanwhile == old.version_id
    assert reload(desk.member, old.id).version_id != old.version_id


def test_two_newer_versions_at_once_get_numbers_of_their_own(desk: Desk) -> None:
    old = ingest(desk.member, desk.shared, "ledger.txt", b"The ledger is open.")

    def bring(number: int) -> None:
        try:
            newer(desk, "ledger.txt", f"The ledger is at {number} euro.".encode())
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(bring, range(4)))
    run_jobs(desk.tenant_id)

    with tenant_context(desk.tenant_id):
        numbers = sorted(DocumentVersion.objects.filter(document_id=old.id).values_list("number", flat=True))
        [current] = [v for v in versions.list_versions(actor=desk.reader, document_id=old.id) if v.is_current]
    assert numbers == [1, 2, 3, 4, 5]
    assert current.number == 5
