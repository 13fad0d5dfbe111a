"""Documents and answers for tests, made by running the real jobs in this process."""

from uuid import UUID

from django.conf import settings

from apps.accounts.contracts import Actor
from apps.chat import services as chat
from apps.documents import services as documents
from apps.documents.contracts import DocumentSummary
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.tenants.context import tenant_context

NOTE = """Quarterly note

The option price of the Kestrel project is 3.15 million euro.
The loan falls due in October 2027.
"""


def run_jobs(tenant_id: UUID) -> int:
    """Every waiting job of the organisation has run, those that they made too. Returns how many ran."""
    ran = 0
    while True:
        with tenant_context(tenant_id):
            waiting = list(Job.objects.filter(state="queued").order_by("queued_at").values_list("id", flat=True))
        if not waiting:
            return ran
        for job_id in waiting:
            jobs.execute(tenant_id=tenant_id, job_id=job_id)
            ran += 1


def make_document(
    actor: Actor, collection_id: UUID, *, name: str = "note.txt", content: bytes = NOTE.encode()
) -> DocumentSummary:
    """A document that has been read and indexed."""
    settings.FILES_DIRECTORY.mkdir(parents=True, exist_ok=True)
    result = documents.receive_upload(actor=actor, collection_id=collection_id, name=name, chunks=[content])
    run_jobs(actor.tenant_id)
    assert result.document is not None
    return result.document


def ask(actor: Actor, question: str, *, document_ids: tuple[UUID, ...] = ()) -> UUID:
    """Id of the message, answered."""
    with tenant_context(actor.tenant_id):
        asked = chat.ask(actor=actor, question=question, document_ids=document_ids)
    run_jobs(actor.tenant_id)
    return asked.message_id
