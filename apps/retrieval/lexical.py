"""The text route: GIN candidates for the rarest words of the query, true BM25 over them, statement features on top.

BM25 with k1 = 1.2, b = 0.75 (Robertson, Zaragoza 2009). Runs through the definer function `airis_search_text`:
row policies keep the app role from the GIN index, because `@@` is not leakproof.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from apps.retrieval.contracts import Scope
from apps.retrieval.indexing import TOTAL
from apps.retrieval.models import TermFrequency
from apps.retrieval.queries import SYNONYM_FACTOR, Query
from apps.retrieval.terms import query_literal

_ENOUGH_CANDIDATES = 1200


@dataclass(frozen=True, slots=True)
class Scored:
    chunk_id: UUID
    score: float


def search_text(
    *, version_ids: Sequence[UUID], chunk_count: int, query: Query, limit: int, within: Scope | None = None
) -> list[Scored]:
    """Best chunks of the versions by BM25, best first. Two queries.

    `within` is the scope that word frequencies are taken from when the versions are only a part of it.
    """
    if query.is_empty or not version_ids or not chunk_count:
        return []
    lexemes = sorted({variant.lexeme for variant in query.variants})
    frequencies = _frequencies(within.version_ids if within else version_ids, lexemes)
    average = max(1.0, frequencies.pop(TOTAL, 0) / chunk_count)
    weights = [variant.factor * _idf(frequencies.get(variant.lexeme, 1), chunk_count) for variant in query.variants]
    wanted = _rarest(query, frequencies)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT chunk_id, score FROM "
            "airis_search_text(%s::uuid[], %s, %s, %s::text[], %s::int[], %s::float8[], %s, %s)",
            [
                list(version_ids),
                query_literal(wanted),
                query_literal(_own(query, wanted)),
                [variant.lexeme for variant in query.variants],
                [variant.group for variant in query.variants],
                weights,
                average,
                limit,
            ],
        )
        return [Scored(row[0], float(row[1])) for row in cursor.fetchall()]


def _frequencies(version_ids: Sequence[UUID], lexemes: Sequence[str]) -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute(
            f'SELECT lexeme, sum(frequency) FROM "{TermFrequency._meta.db_table}" '  # noqa: S608  # our own table
            "WHERE tenant_id = nullif(current_setting('airis.tenant_id', true), '')::uuid "
            "AND lexeme = ANY(%s) AND version_id = ANY(%s::uuid[]) GROUP BY lexeme",
            [[TOTAL, *lexemes], list(version_ids)],
        )
        return {row[0]: int(row[1]) for row in cursor.fetchall()}


def _idf(frequency: int, chunks: int) -> float:
    return math.log(1 + (max(chunks, frequency) - frequency + 0.5) / (frequency + 0.5))


def _own(query: Query, nominating: list[str]) -> list[str]:
    """Lexemes of the question's own words among those that nominate, synonyms left out."""
    own = {variant.lexeme for variant in query.variants if variant.factor > SYNONYM_FACTOR}
    return [lexeme for lexeme in nominating if lexeme in own] or nominating


def _rarest(query: Query, frequencies: dict[str, int]) -> list[str]:
    """Lexemes that nominate candidates: from the rarest on, until they bring enough. Synonyms nominate too."""
    chosen: list[str] = []
    brought = 0
    for lexeme in sorted({v.lexeme for v in query.variants}, key=lambda word: frequencies.get(word, 1)):
        if chosen and brought >= _ENOUGH_CANDIDATES:
            break
        chosen.append(lexeme)
        brought += frequencies.get(lexeme, 1)
    return chosen
