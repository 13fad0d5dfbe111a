"""What the reconciler asks of the index, and how it mends it."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, QuerySet

from apps.documents.contracts import SEARCHABLE_STATES
from apps.documents.models import DocumentVersion
from apps.providers import embedding
from apps.retrieval import services
from apps.retrieval.models import Chunk, ChunkEmbedding


def versions_without_chunks(*, before: datetime) -> tuple[UUID, ...]:
    """Current versions that say they are searchable by some chunks, of which there is none."""
    chunks = Chunk.objects.filter(version_id=OuterRef("id"))
    return tuple(_current(before).filter(~Exists(chunks), chunk_count__gt=0).values_list("id", flat=True))


def chunks_of(version_ids: Iterable[UUID]) -> tuple[UUID, ...]:
    """Which of these versions have chunks."""
    chunks = Chunk.objects.filter(version_id__in=list(version_ids))
    return tuple(chunks.order_by("version_id").values_list("version_id", flat=True).distinct())


def forget(version_ids: tuple[UUID, ...]) -> int:
    services.forget_versions(version_ids=version_ids)
    return len(version_ids)


def miscounted(*, before: datetime) -> tuple[UUID, ...]:
    """Current versions whose numbers of chunks or vectors are not those that there are."""
    versions = {row.id: row for row in _current(before).only("id", "chunk_count", "embedded_count")}
    chunks, vectors = _counted(versions)
    return tuple(
        version_id
        for version_id, row in versions.items()
        if chunks.get(version_id, 0)
        and (row.chunk_count, row.embedded_count) != (chunks[version_id], vectors.get(version_id, 0))
    )


def count_again(version_ids: tuple[UUID, ...]) -> int:
    chunks, vectors = _counted(version_ids)
    for version_id in version_ids:
        DocumentVersion.objects.filter(id=version_id).update(
            chunk_count=chunks.get(version_id, 0), embedded_count=vectors.get(version_id, 0)
        )
    return len(version_ids)


def _current(before: datetime) -> QuerySet[DocumentVersion]:
    return DocumentVersion.objects.filter(
        state__in=SEARCHABLE_STATES,
        searchable_at__lt=before,
        document__current_version_id=F("id"),
        document__deleted_at=None,
    )


def _counted(version_ids: Iterable[UUID]) -> tuple[dict[UUID, int], dict[UUID, int]]:
    ids = list(version_ids)
    chunks = Chunk.objects.filter(version_id__in=ids).values("version_id").annotate(n=Count("id"))
    vectors = ChunkEmbedding.objects.filter(version_id__in=ids)
    if embedding.is_available():
        vectors = vectors.filter(space=embedding.space())
    counted = vectors.values("version_id").annotate(n=Count("id"))
    return dict(chunks.values_list("version_id", "n")), dict(counted.values_list("version_id", "n"))
