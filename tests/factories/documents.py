"""Documents for tests: uploaded and ingested by the product's own services, without a worker."""

from pathlib import Path
from uuid import UUID

from apps.accounts.contracts import Actor
from apps.documents import selectors, services
from apps.documents.contracts import INGEST_KIND, DocumentSummary
from apps.jobs import services as jobs
from apps.jobs.contracts import JobState
from apps.jobs.models import Job
from apps.tenants.context import tenant_context

FILES = Path(__file__).resolve().parent.parent / "files"


def upload(actor: Actor, collection_id: UUID, name: str, data: bytes | None = None) -> DocumentSummary:
    """The document of an upload; `data` defaults to the file of that name in tests/files."""
    content = (FILES / name).read_bytes() if data is None else data
    result = services.receive_upload(actor=actor, collection_id=collection_id, name=name, chunks=[content])
    assert result.document is not None
    return result.document


def run_jobs(tenant_id: UUID, *kinds: str) -> int:
    """Runs waiting jobs of the kinds (all ingestion by default) here; returns how many ran."""
    ran = 0
    while True:
        with tenant_context(tenant_id):
            waiting = list(
                Job.objects.filter(state=JobState.QUEUED, kind__in=kinds or (INGEST_KIND,))
                .order_by("queued_at")
                .values_list("id", flat=True)
            )
        if not waiting:
            return ran
        for job_id in waiting:
            jobs.execute(tenant_id=tenant_id, job_id=job_id)
            ran += 1


def ingest(actor: Actor, collection_id: UUID, name: str, data: bytes | None = None) -> DocumentSummary:
    """An uploaded document after its ingestion, without its meaning index."""
    document = upload(actor, collection_id, name, data)
    run_jobs(actor.tenant_id)
    return reload(actor, document.id)


def reload(actor: Actor, document_id: UUID) -> DocumentSummary:
    with tenant_context(actor.tenant_id):
        return selectors.summary(document_id=document_id)
