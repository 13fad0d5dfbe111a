"""A library in memory for tests of the engine and the graph: files are read by the product's own reader."""

from collections.abc import Mapping, Sequence
from uuid import UUID, uuid5

from apps.accounts.contracts import Actor
from apps.agents.contracts import EvidencePage, ScopeChoice, StatementCitation
from apps.agents.engine.text import stems
from apps.agents.tools import PageRef
from apps.documents.selectors import opening_of
from apps.reading.contracts import Box, PageContent
from apps.retrieval.contracts import ChunkKind, PageSpan, Passage, Scope, SearchResult

_SPACE = UUID("11111111-2222-3333-4444-555555555555")


class MemoryLibrary:
    """Implements `tools.Library` over pages held in memory; search is word overlap over whole pages."""

    def __init__(self, files: Mapping[str, Sequence[PageContent]]) -> None:
        self.files = files
        self.hidden: set[UUID] = set()
        self.searches: list[str] = []

    def scope(self, actor: Actor, choice: ScopeChoice) -> Scope:
        ids = tuple(version_of(name) for name in self.files if version_of(name) not in self.hidden)
        return Scope(ids, len(ids))

    def search(self, scope: Scope, query: str, limit: int) -> SearchResult:
        self.searches.append(query)
        wanted = stems(query)
        found: list[tuple[float, Passage]] = []
        for name, pages in self.files.items():
            if version_of(name) not in scope.version_ids:
                continue
            for page in pages:
                score = float(len(wanted & stems(page.text + " " + name)))
                if score:
                    found.append((score, passage_of(name, page, score)))
        found.sort(key=lambda pair: (-pair[0], pair[1].document_name, pair[1].spans[0].page))
        return SearchResult(tuple(p for _, p in found[:limit]), scope.document_count, 0, 0.0, 0.0)

    def read_pages(self, refs: Sequence[PageRef]) -> tuple[EvidencePage, ...]:
        wanted = {(ref.version_id, ref.number) for ref in refs}
        return tuple(
            evidence_page(name, page, opening_of(title="", text=pages[0].text, page_count=len(pages)))
            for name, pages in self.files.items()
            for page in pages
            if (version_of(name), page.number) in wanted
        )

    def places(self, citations: Sequence[StatementCitation], language: str) -> tuple[str, ...]:
        return tuple("" for _ in citations)

    def boxes(self, citations: Sequence[StatementCitation]) -> tuple[tuple[Box, ...], ...]:
        return tuple(() for _ in citations)


def version_of(name: str) -> UUID:
    return uuid5(_SPACE, f"version {name}")


def evidence_page(name: str, page: PageContent, opening: str = "") -> EvidencePage:
    return EvidencePage(
        uuid5(_SPACE, name), version_of(name), name, page.number, page.label, page.text, page.blocks, page.tables,
        page.language, page.first_line, opening,
    )  # fmt: skip


def passage_of(name: str, page: PageContent, score: float) -> Passage:
    return Passage(
        uuid5(_SPACE, f"{name} {page.number}"), uuid5(_SPACE, name), version_of(name), _SPACE, name, ChunkKind.PROSE,
        page.language, name, page.text, (PageSpan(page.number, 0, len(page.text)),), score, (),
    )  # fmt: skip
