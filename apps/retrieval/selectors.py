"""Searching. `scope_for` is the one rule of what a person may search; every search takes its scope."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.accounts.contracts import Actor
from apps.core.text import clean_input
from apps.documents import selectors as documents
from apps.providers import embedding
from apps.retrieval.contracts import ChunkKind, PageSpan, Passage, Route, RouteRank, Scope, SearchResult
from apps.retrieval.entities import named_versions
from apps.retrieval.fusion import feature_factor, fused
from apps.retrieval.lexical import search_text
from apps.retrieval.models import Chunk, ChunkEmbedding
from apps.retrieval.queries import Query, parse_query
from apps.retrieval.vectors import search_meaning

_DEPTH = 60  # how deep each route is read before fusion
NAMED_BONUS = 0.8  # what a document gains when the question names it
_WEIGHTS: dict[str, float] = {Route.TEXT: 1.0, Route.MEANING: 1.0}


@dataclass(frozen=True, slots=True)
class ChunkToEmbed:
    id: UUID
    header: str
    text: str


def scope_for(
    *,
    actor: Actor,
    collection_ids: Iterable[UUID] | None = None,
    document_ids: Iterable[UUID] | None = None,
) -> Scope:
    """Searchable current versions that the actor may read, narrowed by collections or documents. Two queries."""
    found = documents.searchable_versions(actor=actor, collection_ids=collection_ids, document_ids=document_ids)
    return Scope(tuple(version_id for _document_id, version_id in found), len(found))


def search_passages(*, scope: Scope, query: str, limit: int, language: str | None = None) -> SearchResult:
    """Best passages of the scope for any input, best first. Runs in a tenant context.

    `language` is that of the asker; passages of other languages are found all the same.
    """
    started = time.perf_counter()
    chunks, embedded = documents.index_counts(version_ids=scope.version_ids)
    text = clean_input(query)
    parsed = parse_query(text)
    identities = documents.identities(version_ids=scope.version_ids)
    named = named_versions(text, identities)
    textual = _textual(scope, parsed, chunks, named)
    meaning: list[tuple[UUID, float]] = []
    if embedded and text.strip() and embedding.is_available():
        vector = embedding.embed_query(text)
        meaning = [
            (scored.chunk_id, scored.score)
            for scored in search_meaning(
                version_ids=scope.version_ids, space=embedding.space(), vector=vector, limit=_DEPTH
            )
        ]
    rows = {row.id: row for row in _chunks({item for item, _score in (*textual, *meaning)})}
    textual = sorted(
        (
            (
                item,
                score
                * (1.0 + NAMED_BONUS * named.get(row.version_id, 0.0))
                * feature_factor(parsed, kind=ChunkKind(row.kind), header=row.header, text=row.text),
            )
            for item, score in textual
            if (row := rows.get(item)) is not None
        ),
        key=lambda pair: -pair[1],
    )
    meaning = [pair for pair in meaning if pair[0] in rows]
    scores = fused({Route.TEXT: [i for i, _s in textual], Route.MEANING: [i for i, _s in meaning]}, _WEIGHTS)
    best = sorted(scores, key=lambda item: (-scores[item], str(item)))[:limit]
    names = {version_id: name for version_id, name, _title in identities}
    ranks = {Route.TEXT: _ranks(textual), Route.MEANING: _ranks(meaning)}
    passages = tuple(
        _passage(rows[item], names[rows[item].version_id], scores[item], _ranks_of(item, ranks))
        for item in best
        if rows[item].version_id in names
    )
    return SearchResult(
        passages=passages,
        documents_searched=scope.document_count,
        chunks_in_scope=chunks,
        meaning_coverage=min(1.0, embedded / chunks) if chunks else 0.0,
        seconds=time.perf_counter() - started,
    )


def _textual(scope: Scope, query: Query, chunks: int, named: Mapping[UUID, float]) -> list[tuple[UUID, float]]:
    """Best chunks of the scope and, when the question names some of its documents, best chunks of those."""
    found = search_text(version_ids=scope.version_ids, chunk_count=chunks, query=query, limit=_DEPTH)
    if named and len(named) < len(scope.version_ids):
        found += search_text(version_ids=tuple(named), chunk_count=chunks, query=query, limit=_DEPTH, within=scope)
    return list({scored.chunk_id: (scored.chunk_id, scored.score) for scored in found}.values())


def neighbours(*, passage: Passage, before: int = 1, after: int = 1) -> tuple[Passage, ...]:
    """Passages around one of the same version, in reading order, itself left out."""
    own = Chunk.objects.filter(id=passage.chunk_id).values_list("ordinal", flat=True).first()
    if own is None:
        return ()
    rows = (
        Chunk.objects.filter(version_id=passage.version_id, ordinal__range=(max(0, own - before), own + after))
        .exclude(id=passage.chunk_id)
        .defer("terms")
        .order_by("ordinal")
    )
    return tuple(_passage(row, passage.document_name, 0.0, ()) for row in rows)


def chunks_to_embed(*, version_id: UUID, space: str, limit: int) -> tuple[ChunkToEmbed, ...]:
    """The next chunks of a version without a vector in the space, in reading order."""
    done = ChunkEmbedding.objects.filter(version_id=version_id, space=space).values("chunk_id")
    rows = Chunk.objects.filter(version_id=version_id).exclude(id__in=done).order_by("ordinal")[:limit]
    return tuple(ChunkToEmbed(*row) for row in rows.values_list("id", "header", "text"))


def count_embeddings(*, version_id: UUID, space: str) -> int:
    return ChunkEmbedding.objects.filter(version_id=version_id, space=space).count()


def count_chunks(*, version_id: UUID) -> int:
    return Chunk.objects.filter(version_id=version_id).count()


def _chunks(ids: set[UUID]) -> Sequence[Chunk]:
    return list(Chunk.objects.filter(id__in=ids).defer("terms"))


def _ranks(ranking: Sequence[tuple[UUID, float]]) -> dict[UUID, tuple[int, float]]:
    return {item: (rank, score) for rank, (item, score) in enumerate(ranking, start=1)}


def _ranks_of(item: UUID, ranks: dict[Route, dict[UUID, tuple[int, float]]]) -> tuple[RouteRank, ...]:
    return tuple(RouteRank(route, *found[item]) for route, found in ranks.items() if item in found)


def _passage(row: Chunk, name: str, score: float, ranks: tuple[RouteRank, ...]) -> Passage:
    return Passage(
        chunk_id=row.id,
        document_id=row.document_id,
        version_id=row.version_id,
        collection_id=row.collection_id,
        document_name=name,
        kind=ChunkKind(row.kind),
        language=row.language,
        header=row.header,
        text=row.text,
        spans=tuple(PageSpan(*span) for span in row.spans),
        score=score,
        ranks=ranks,
    )
