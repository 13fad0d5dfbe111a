"""The job `embed_version`: vectors of a searchable version, in small batches, on its own queue."""

from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from apps.core.failpoints import reach
from apps.documents import intake
from apps.documents.contracts import IngestionSource, VersionState
from apps.jobs import services as jobs
from apps.jobs.run import JobRun
from apps.providers import embedding
from apps.providers.embedding import cache
from apps.retrieval import selectors as retrieval
from apps.retrieval import services as retrieval_services
from apps.tenants.context import tenant_context

EMBED_KIND = "embed_version"
_OPEN = (VersionState.SEARCHABLE, VersionState.READY_WITH_WARNINGS)  # the latter: stopped before, tried again
BATCH = 8  # some three seconds of one core: the longest that a cancelled job goes on
HEADER_SHARE = 0.5  # norm(e(text) + 0.5 e(header)) found more gold pages than either alone


def follow(run: JobRun, source: IngestionSource, chunk_count: int) -> None:
    """Inside the write that makes a version searchable: the meaning index comes next, or nothing is left to do."""
    if not chunk_count or not embedding.is_available():
        intake.mark_ready(version_id=source.version_id)
        return
    jobs.enqueue(
        kind=EMBED_KIND,
        payload={"version_id": str(source.version_id), "document_id": str(source.document_id)},
        subject_id=source.document_id,
        created_by_id=run.created_by_id,
        is_bulk=run.is_bulk,
        idempotency_key=f"embed-{source.version_id}-{run.job_id}",
    )


def embed(run: JobRun) -> None:
    """Every chunk of the version has a vector and the version is ready. Running it again changes nothing."""
    version_id = UUID(str(run.payload["version_id"]))
    with tenant_context(run.tenant_id):
        source = intake.source_of(version_id=version_id)
        if source is None or source.is_deleted or source.is_superseded or source.state not in _OPEN:
            return
        counts = retrieval.counts_of(version_id=version_id)
    done = counts.done
    while True:
        with tenant_context(run.tenant_id):
            batch = retrieval.chunks_to_embed(version_id=version_id, space=embedding.space(), limit=BATCH)
        if not batch:
            break
        texts, headers = [chunk.text for chunk in batch], [chunk.header for chunk in batch]
        vectors = with_headers(texts, headers, owner=run.tenant_id)
        run.check()
        with run.write():
            if not intake.is_in_force(version_id=version_id):
                return  # a newer version took over: its chunks are gone
            retrieval_services.store_embeddings(
                version_id=version_id,
                space=embedding.space(),
                vectors=zip((chunk.id for chunk in batch), vectors, strict=True),
            )
            done += len(batch)
            intake.mark_embedded(version_id=version_id, embedded_count=done)
        run.progress("embedding", done, max(counts.chunks, done + 1))
        if 2 * done >= counts.chunks:
            reach("ingestion.embed.half")
    with run.write():
        intake.mark_embedded(version_id=version_id, embedded_count=retrieval.counts_of(version_id=version_id).done)
        intake.mark_ready(version_id=version_id)
        reach("ingestion.embed.before_commit")


def with_headers(texts: list[str], headers: list[str], *, owner: UUID) -> NDArray[np.float32]:
    """n × dimensions, L2-normalised: text and a share of its header, which repeats and costs little."""
    bodies = cache.embed_passages(texts, owner=owner)
    said = [header or text for header, text in zip(headers, texts, strict=True)]  # without one the text stands alone
    heads = cache.embed_passages(said, owner=owner)
    mixed = bodies + HEADER_SHARE * heads
    normalised: NDArray[np.float32] = (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype(np.float32)
    return normalised
