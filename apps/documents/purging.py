"""The purge job: what a deletion leaves to do after its transaction."""

from uuid import UUID

from apps.accounts.contracts import Actor
from apps.documents import services
from apps.documents.contracts import PURGE_KIND
from apps.jobs import kinds
from apps.jobs.contracts import JobSummary, Queue
from apps.jobs.run import JobRun


def register_kind() -> None:
    kinds.register(
        kinds.JobKind(name=PURGE_KIND, queue=Queue.INGESTION, run=_run, may_see=_may_see, may_stop=kinds.nobody)
    )


def _run(run: JobRun) -> None:
    services.purge_document(document_id=UUID(str(run.payload["document_id"])), tenant_id=run.tenant_id)


def _may_see(job: JobSummary, actor: Actor) -> bool:
    return job.created_by_id == actor.user_id
