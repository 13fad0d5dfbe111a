"""The meaning route: exact scan over the scope's vectors. Measured exact and fast enough up to about 50,000 chunks."""

from collections.abc import Sequence
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from apps.retrieval.lexical import Scored
from apps.retrieval.models import ChunkEmbedding


def search_meaning(*, version_ids: Sequence[UUID], space: str, vector: NDArray[np.float32], limit: int) -> list[Scored]:
    """Nearest chunks by cosine, best first; score is the similarity. "+ 0" forbids an approximate index."""
    literal = "[" + ",".join(f"{value:.6f}" for value in vector.tolist()) + "]"
    with connection.cursor() as cursor:
        cursor.execute(
            f'SELECT chunk_id, 1 - (embedding <=> %s::halfvec) FROM "{ChunkEmbedding._meta.db_table}" '  # noqa: S608
            "WHERE tenant_id = nullif(current_setting('airis.tenant_id', true), '')::uuid "
            "AND version_id = ANY(%s::uuid[]) AND space = %s ORDER BY (embedding <=> %s::halfvec) + 0 LIMIT %s",
            [literal, list(version_ids), space, literal, limit],
        )
        return [Scored(row[0], float(row[1])) for row in cursor.fetchall()]
