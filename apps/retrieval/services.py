"""Writes of the two indexes. All run inside the caller's write transaction."""

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from apps.accounts.contracts import Actor, Role
from apps.providers.embedding import cache
from apps.retrieval import indexing
from apps.retrieval.chunker import ChunkDraft
from apps.retrieval.contracts import SearchResult
from apps.retrieval.models import Chunk, ChunkEmbedding
from apps.tenants import audit
from apps.tenants.context import current_tenant_id


def prepare_chunks(
    *, drafts: Iterable[ChunkDraft], document_id: UUID, version_id: UUID, collection_id: UUID, language: str
) -> list[Chunk]:
    """Rows ready to be saved by `replace_chunks`; nothing is written."""
    return indexing.prepared_rows(
        drafts, document_id=document_id, version_id=version_id, collection_id=collection_id, language=language
    )


def replace_chunks(*, version_id: UUID, rows: Sequence[Chunk], at_half: Callable[[], None] | None = None) -> int:
    """The version's text index is exactly these chunks; the number of them. Vectors of earlier ones are gone."""
    indexing.clear_version(version_id)
    half = len(rows) // 2
    indexing.save_chunks(list(rows[:half]))
    if at_half is not None:
        at_half()
    indexing.save_chunks(list(rows[half:]))
    indexing.save_frequencies(version_id, rows)
    return len(rows)


def merge_chunks(*, version_id: UUID, rows: Sequence[Chunk]) -> tuple[int, int]:
    """The version's text index is exactly these chunks; (how many, how many of them kept their id).

    A chunk of the same words at the same place keeps its id; with the same header its vector too.
    """
    kept = indexing.merge_rows(version_id, list(rows))
    return len(rows), kept


def store_embeddings(*, version_id: UUID, space: str, vectors: Iterable[tuple[UUID, NDArray[np.float32]]]) -> int:
    """Vectors of chunks of the version are stored; those that exist already are left. Returns all stored so far."""
    ChunkEmbedding.objects.bulk_create(
        [
            ChunkEmbedding(chunk_id=chunk_id, version_id=version_id, space=space, embedding=vector.tolist())
            for chunk_id, vector in vectors
        ],
        ignore_conflicts=True,
    )
    return ChunkEmbedding.objects.filter(version_id=version_id, space=space).count()


def forget_versions(*, version_ids: Iterable[UUID]) -> None:
    """Nothing of the versions can be found any more; their cached vectors go when the transaction commits."""
    ids = list(version_ids)
    texts = [t for pair in Chunk.objects.filter(version_id__in=ids).values_list("text", "header") for t in pair]
    owner = current_tenant_id()
    transaction.on_commit(lambda: cache.forget(texts, owner=owner))
    for version_id in ids:
        indexing.clear_version(version_id)


def record_search(*, actor: Actor, result: SearchResult) -> None:
    """An auditor who was shown passages has read documents: that stands in the trail. Others' searches do not."""
    if actor.role != Role.AUDITOR or not result.passages:
        return
    audit.record(
        action="search.read",
        actor_id=actor.user_id,
        actor_name=actor.name,
        detail={"documents": len({p.document_name for p in result.passages}), "passages": len(result.passages)},
    )
