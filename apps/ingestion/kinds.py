"""The three job kinds of ingestion: who may follow them, and what their end means for the document."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import grant_level, holds
from apps.core.errors import NotFound
from apps.documents import intake, readings
from apps.documents import selectors as documents
from apps.documents.contracts import INGEST_KIND, RECOGNISE_KIND, REREAD_KIND, VersionState
from apps.ingestion import meaning, recognition, rereading, stages
from apps.jobs import kinds
from apps.jobs.contracts import JobSummary, Queue


def register_kinds() -> None:
    kinds.register(
        kinds.JobKind(
            name=INGEST_KIND,
            queue=Queue.INGESTION,
            run=stages.ingest,
            may_see=_may_see,
            may_stop=_may_stop,
            on_failed=_ingestion_failed,
            on_cancelled=lambda job_id, payload: _ingestion_failed(job_id, payload, "cancelled"),
        )
    )
    kinds.register(
        kinds.JobKind(
            name=meaning.EMBED_KIND,
            queue=Queue.EMBEDDING,
            run=meaning.embed,
            may_see=_may_see,
            may_stop=_may_stop,
            on_failed=_embedding_stopped,
            on_cancelled=lambda job_id, payload: _embedding_stopped(job_id, payload, "cancelled"),
        )
    )
    kinds.register(
        kinds.JobKind(
            name=RECOGNISE_KIND,
            queue=Queue.EMBEDDING,
            run=recognition.recognise,
            may_see=_may_see,
            may_stop=_may_stop,
            on_failed=_embedding_stopped,
            on_cancelled=lambda job_id, payload: _embedding_stopped(job_id, payload, "cancelled"),
        )
    )

    kinds.register(
        kinds.JobKind(
            name=REREAD_KIND,
            queue=Queue.INGESTION,
            run=rereading.reread,
            may_see=_may_see,
            may_stop=_may_stop,
            on_failed=_rereading_stopped,
            on_cancelled=lambda job_id, payload: _rereading_stopped(job_id, payload, "cancelled"),
        )
    )


def _may_stop(job: JobSummary, actor: Actor) -> bool:
    """Whoever may add documents to the collection, as for a retry."""
    if job.subject_id is None:
        return False
    document = documents.get_document(actor=actor, document_id=job.subject_id).summary
    level = grant_level(actor, document.collection_id)
    return level is not None and holds(level, Permission.CONTRIBUTE)


def _may_see(job: JobSummary, actor: Actor) -> bool:
    if job.subject_id is None:
        return False
    try:
        documents.get_document(actor=actor, document_id=job.subject_id)
    except NotFound:
        return False
    return True


def _ingestion_failed(_job_id: UUID, payload: Mapping[str, Any], code: str) -> None:
    intake.mark_stopped(version_id=UUID(str(payload["version_id"])), state=VersionState.FAILED, failure=code)


def _rereading_stopped(_job_id: UUID, payload: Mapping[str, Any], _code: str) -> None:
    readings.drop_unfinished(version_id=UUID(str(payload["version_id"])))


def _embedding_stopped(_job_id: UUID, payload: Mapping[str, Any], code: str) -> None:
    intake.mark_meaning_stopped(version_id=UUID(str(payload["version_id"])), reason=code)
