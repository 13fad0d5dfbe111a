"""Writes of the two indexes. All run inside the caller's write transaction."""

from collections.abc import Iterable, Sequence
from uuid import UUID

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from apps.accounts.contracts import Actor, Role
from apps.providers.embedding import cache
from apps.retrieval import indexing
from apps.retrieval.chunker import ChunkDraft
from apps.retrieval.contracts import SearchResult
from apps.retrieval.indexing import Frequencies as Frequencies
from apps.retrieval.models import Chunk, ChunkEmbedding
from apps.tenants import audit
from apps.tenants.context import current_tenant_id

ChunkRow = Chunk  # unsaved, with its terms: callers hand it on


def prepare_chunks(
    *,
    drafts: Iterable[ChunkDraft],
    document_id: UUID,
    version_id: UUID,
    collection_id: UUID,
    language: str,
    first_ordinal: int = 0,
) -> list[Chunk]:
    """Rows ready to be saved by `add_chunks`; nothing is written."""
    return indexing.prepared_rows(
        drafts,
        document_id=document_id,
        version_id=version_id,
        collection_id=collection_id,
        language=language,
        first_ordinal=first_ordinal,
    )


def clear_chunks(*, version_id: UUID) -> None:
    """Nothing of the version is indexed, neither words nor meaning."""
    indexing.clear_version(version_id)


def add_chunks(*, rows: Sequence[Chunk], frequencies: Frequencies) -> None:
    """More chunks of a version that was cleared; `frequencies` are to be saved with the last ones."""
    indexing.save_chunks(list(rows))
    frequencies.add(rows)


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
