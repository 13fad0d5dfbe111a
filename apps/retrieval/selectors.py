"""Searching. `scope_for` is the one rule of what a person may search; every search takes its scope."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q

from apps.accounts.contracts import Actor
from apps.core import measures
from apps.core.text import clean_input
from apps.documents import selectors as documents
from apps.providers import embedding
from apps.retrieval.contracts import ChunkKind, PageSpan, Passage, Route, RouteRank, Scope, SearchResult
from apps.retrieval.entities import named_versions
from apps.retrieval.fusion import feature_factor, fused, names_all
from apps.retrieval.lexical import Scored, search_text
from apps.retrieval.models import Chunk, ChunkEmbedding
from apps.retrieval.queries import LONGEST_QUERY, Query, parse_query
from apps.retrieval.vectors import search_meaning

_DEPTH = 60  # how deep each route is read before fusion
EXACT_WEIGHT = 3.0  # of passages that hold every identifier of the query: before whatever resembles it
NAMED_BONUS = 0.8  # what a document gains when the question names it


@dataclass(frozen=True, slots=True)
class ChunkToEmbed:
    id: UUID
    header: str
    text: str


@dataclass(frozen=True, slots=True)
class IndexCounts:
    """Of a version: its chunks, and those with a vector or with no need of one (ChunkKind.ROWS)."""

    chunks: int
    done: int


@dataclass(frozen=True, slots=True)
class _Found:
    """What ranking needs of a candidate."""

    version_id: UUID
    kind: ChunkKind
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
    identities = documents.identities(version_ids=scope.version_ids)
    chunks = sum(identity.chunk_count for identity in identities)
    coverage = min(1.0, sum(identity.embedded_count for identity in identities) / chunks) if chunks else 0.0
    text = clean_input(query)
    parsed = parse_query(text[:LONGEST_QUERY])
    named = named_versions(text[:LONGEST_QUERY], identities)
    textual = _textual(scope, parsed, chunks, named)
    meaning = _meaning(scope, text, coverage)
    found = _found({scored.chunk_id for scored in (*textual, *meaning)})
    text_ranks = _ranks(
        (scored.chunk_id, scored.score * _factor(parsed, found[scored.chunk_id], named))
        for scored in textual
        if scored.chunk_id in found
    )
    meaning_ranks = _ranks((scored.chunk_id, scored.score) for scored in meaning if scored.chunk_id in found)
    exact = [item for item in text_ranks if names_all(parsed.identifiers, found[item].text)]
    scores = fused(
        {Route.TEXT: list(text_ranks), Route.MEANING: list(meaning_ranks), "exact": exact},
        {Route.TEXT: 1.0, Route.MEANING: coverage**2, "exact": EXACT_WEIGHT},
    )
    best = sorted(scores, key=lambda item: (-scores[item], str(item)))[:limit]
    ranks = {Route.TEXT: text_ranks, Route.MEANING: meaning_ranks}
    measures.count("searches")
    return SearchResult(
        passages=_passages(best, scores, ranks, {i.version_id: i.name for i in identities}),
        documents_searched=scope.document_count,
        chunks_in_scope=chunks,
        meaning_coverage=coverage,
        seconds=time.perf_counter() - started,
    )


def _textual(scope: Scope, query: Query, chunks: int, named: Mapping[UUID, float]) -> list[Scored]:
    """Best chunks of the scope and, when the question names some of its documents, best chunks of those."""
    found = search_text(version_ids=scope.version_ids, chunk_count=chunks, query=query, limit=_DEPTH)
    if named and len(named) < len(scope.version_ids):
        found += search_text(version_ids=tuple(named), chunk_count=chunks, query=query, limit=_DEPTH, within=scope)
    return list({scored.chunk_id: scored for scored in found}.values())


def _meaning(scope: Scope, text: str, coverage: float) -> list[Scored]:
    """Nearest chunks by meaning; () while nothing of the scope has a vector.

    Its weight in the fusion is the square of the coverage: half an index would push what it knows ahead of the rest.
    """
    if not coverage or not text.strip() or not embedding.is_available():
        return []
    vector = embedding.embed_query(text)
    return search_meaning(version_ids=scope.version_ids, space=embedding.space(), vector=vector, limit=_DEPTH)


def _factor(query: Query, chunk: _Found, named: Mapping[UUID, float]) -> float:
    is_named = 1.0 + NAMED_BONUS * named.get(chunk.version_id, 0.0)
    return is_named * feature_factor(query, kind=chunk.kind, header=chunk.header, text=chunk.text)


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
    rows = Chunk.objects.filter(version_id=version_id).exclude(kind=ChunkKind.ROWS).exclude(id__in=done)
    rows = rows.order_by("ordinal")[:limit]
    return tuple(ChunkToEmbed(*row) for row in rows.values_list("id", "header", "text"))


def index_counts(*, version_ids: Iterable[UUID]) -> dict[UUID, IndexCounts]:
    """What the index holds of each version, those without chunks left out. Two queries."""
    ids = list(version_ids)
    chunks = Chunk.objects.filter(version_id__in=ids).values("version_id")
    counted = chunks.annotate(all=Count("id"), without=Count("id", filter=Q(kind=ChunkKind.ROWS)))
    vectors = ChunkEmbedding.objects.filter(version_id__in=ids)
    if embedding.is_available():
        vectors = vectors.filter(space=embedding.space())
    found = dict(vectors.values("version_id").annotate(n=Count("id")).values_list("version_id", "n"))
    return {
        version_id: IndexCounts(count, without + found.get(version_id, 0))
        for version_id, count, without in counted.values_list("version_id", "all", "without")
    }


def counts_of(*, version_id: UUID) -> IndexCounts:
    return index_counts(version_ids=[version_id]).get(version_id, IndexCounts(0, 0))


def _found(ids: set[UUID]) -> dict[UUID, _Found]:
    rows = Chunk.objects.filter(id__in=ids).values_list("id", "version_id", "kind", "header", "text")
    return {row[0]: _Found(row[1], ChunkKind(row[2]), row[3], row[4]) for row in rows}


def _ranks(scored: Iterable[tuple[UUID, float]]) -> dict[UUID, tuple[int, float]]:
    """(rank from 1, score) per chunk, best first; equal scores in a steady order."""
    ordered = sorted(scored, key=lambda pair: (-pair[1], str(pair[0])))
    return {item: (rank, score) for rank, (item, score) in enumerate(ordered, start=1)}


def _passages(
    best: Sequence[UUID],
    scores: Mapping[UUID, float],
    ranks: Mapping[Route, Mapping[UUID, tuple[int, float]]],
    names: Mapping[UUID, str],
) -> tuple[Passage, ...]:
    rows = {row.id: row for row in Chunk.objects.filter(id__in=best).defer("terms")}
    return tuple(
        _passage(
            rows[item],
            names[rows[item].version_id],
            scores[item],
            tuple(RouteRank(route, *found[item]) for route, found in ranks.items() if item in found),
        )
        for item in best
        if item in rows and rows[item].version_id in names
    )


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
