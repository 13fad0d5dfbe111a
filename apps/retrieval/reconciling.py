"""What the reconciler asks of the index, and how it mends it. Versions come as id → (chunks, vectors) as they say."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from apps.retrieval import selectors, services
from apps.retrieval.models import Chunk

Counts = tuple[int, int]  # chunks, and those that the meaning index is done with


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
    right = selectors.index_counts(version_ids=versions)
    counted = {version_id: (counts.chunks, counts.done) for version_id, counts in right.items()}
    return {version_id: counts for version_id, counts in counted.items() if counts != versions[version_id]}
