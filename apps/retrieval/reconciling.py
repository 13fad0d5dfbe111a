"""What the reconciler asks of the index, and how it mends it. Versions come as id → (chunks, vectors) as they say."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.db.models import Count

from apps.providers import embedding
from apps.retrieval import services
from apps.retrieval.models import Chunk, ChunkEmbedding

Counts = tuple[int, int]  # chunks, chunks with a vector


def without_chunks(versions: Mapping[UUID, Counts]) -> tuple[UUID, ...]:
    """Those that say they have chunks, of which there is none."""
    there = set(chunks_of(versions))
    return tuple(version_id for version_id, counts in versions.items() if counts[0] and version_id not in there)


def chunks_of(version_ids: Iterable[UUID]) -> tuple[UUID, ...]:
    """Which of these versions have chunks."""
    chunks = Chunk.objects.filter(version_id__in=list(version_ids))
    return tuple(chunks.order_by("version_id").values_list("version_id", flat=True).distinct())


def forget(version_ids: tuple[UUID, ...]) -> int:
    services.forget_versions(version_ids=version_ids)
    return len(version_ids)


def miscounted(versions: Mapping[UUID, Counts]) -> dict[UUID, Counts]:
    """Those with chunks whose numbers are not those that there are, with the right ones."""
    right = _counted(versions)
    return {version_id: right[version_id] for version_id in right if right[version_id] != versions[version_id]}


def _counted(version_ids: Iterable[UUID]) -> dict[UUID, Counts]:
    ids = list(version_ids)
    chunks = Chunk.objects.filter(version_id__in=ids).values("version_id").annotate(n=Count("id"))
    vectors = ChunkEmbedding.objects.filter(version_id__in=ids)
    if embedding.is_available():
        vectors = vectors.filter(space=embedding.space())
    found = dict(vectors.values("version_id").annotate(n=Count("id")).values_list("version_id", "n"))
    return {
        version_id: (count, found.get(version_id, 0)) for version_id, count in chunks.values_list("version_id", "n")
    }
