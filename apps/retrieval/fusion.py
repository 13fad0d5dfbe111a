"""Fusing ranked lists. Pure functions."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from uuid import UUID

from apps.core.text import fold
from apps.retrieval.contracts import ChunkKind
from apps.retrieval.glossary import STATEMENT_TITLES
from apps.retrieval.queries import Query

_PAGE_AT_END = re.compile(r"(?:^|\s)\d{1,3}$")
RRF_K = 10  # measured on filings with these two routes; 60 is the usual constant


def fused(rankings: Mapping[str, Sequence[UUID]], weights: Mapping[str, float]) -> dict[UUID, float]:
    """Weighted reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): score per id."""
    scores: dict[UUID, float] = {}
    for name, ranking in rankings.items():
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + weights[name] / (RRF_K + rank)
    return scores


def feature_factor(query: Query, *, kind: ChunkKind, header: str, text: str) -> float:
    """How much better a chunk is than its words say: the statement asked for, the year in its heads, numbers."""
    factor = 1.0
    head = _folded(header)
    if query.wants_number and kind is not ChunkKind.PROSE:
        factor += 0.15
    if query.statements:
        titles = [title for statement in query.statements for title in STATEMENT_TITLES[statement]]
        if any(title in head for title in titles):
            factor += 0.1 if kind is ChunkKind.PROSE else 0.35
    if query.years:
        found = sum(1 for year in query.years if year in head or year in text)
        factor += 0.15 * found / len(query.years)
    if kind is ChunkKind.PROSE and _is_contents(text):
        factor *= 0.5
    return factor


def names_all(identifiers: frozenset[str], text: str) -> bool:
    """Whether the text holds each of the folded identifiers; False for none."""
    folded = fold(text) if identifiers else ""
    return bool(identifiers) and all(identifier in folded for identifier in identifiers)


@lru_cache(maxsize=4096)
def _folded(header: str) -> str:
    return fold(header)


def _is_contents(text: str) -> bool:
    """A table of contents: most lines end with a page number. It names everything and says nothing."""
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) >= 5 and sum(1 for line in lines if _PAGE_AT_END.search(line)) >= 0.5 * len(lines)
