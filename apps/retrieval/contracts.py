"""Types of the search door. Frozen; nothing here touches Django."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class ChunkKind(StrEnum):
    PROSE = "prose"
    TABLE = "table"
    ROWS = "rows"  # of a long sheet, far from its head: found by words and numbers, without a vector


class Route(StrEnum):
    TEXT = "text"  # BM25 over the text index
    MEANING = "meaning"  # embeddings


@dataclass(frozen=True, slots=True)
class PageSpan:
    """A stretch of one page's text: documents.Page.text[start:end] (code points)."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RouteRank:
    route: Route
    rank: int  # from 1
    score: float


@dataclass(frozen=True, slots=True)
class Passage:
    chunk_id: UUID
    document_id: UUID
    version_id: UUID
    collection_id: UUID
    document_name: str
    kind: ChunkKind
    language: str
    header: str  # document title and heading path, as indexed beside the text
    text: str
    spans: tuple[PageSpan, ...]  # in reading order; a chunk may run over a page break
    score: float  # fused; comparable within one result only
    ranks: tuple[RouteRank, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be searched: only versions that the person may read, already narrowed by their choice."""

    version_ids: tuple[UUID, ...]
    document_count: int


@dataclass(frozen=True, slots=True)
class SearchResult:
    passages: tuple[Passage, ...]  # best first
    documents_searched: int
    chunks_in_scope: int
    meaning_coverage: float  # share of the scope's chunks with an embedding, 0…1; 0 means text only
    seconds: float
