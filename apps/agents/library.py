"""The knowledge floor for the tools: documents' pages and retrieval's search behind the Library protocol."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from django.utils import translation

from apps.accounts.contracts import Actor
from apps.agents.contracts import EvidencePage, ScopeChoice, StatementCitation
from apps.agents.tools import PageRef
from apps.documents import selectors as documents
from apps.documents.contracts import Span
from apps.reading.contracts import Box
from apps.retrieval import selectors as retrieval
from apps.retrieval.contracts import Scope, SearchResult


class DocumentLibrary:
    """Implements `tools.Library`. All calls inside the tenant context."""

    def scope(self, actor: Actor, choice: ScopeChoice) -> Scope:
        return retrieval.scope_for(
            actor=actor, collection_ids=choice.collection_ids or None, document_ids=choice.document_ids or None
        )

    def search(self, scope: Scope, query: str, limit: int) -> SearchResult:
        return retrieval.search_passages(scope=scope, query=query, limit=limit)

    def read_pages(self, refs: Sequence[PageRef]) -> tuple[EvidencePage, ...]:
        by_version: dict[UUID, list[PageRef]] = defaultdict(list)
        for ref in refs:
            by_version[ref.version_id].append(ref)
        pages: list[EvidencePage] = []
        openings = documents.openings(version_ids=by_version)
        for version_id, wanted in by_version.items():
            pages += [
                EvidencePage(
                    document_id=wanted[0].document_id,
                    version_id=version_id,
                    document_name=wanted[0].document_name,
                    number=page.number,
                    label=page.label,
                    text=page.text,
                    blocks=page.blocks,
                    tables=page.tables,
                    language=page.language,
                    first_line=page.first_line,
                    opening=openings.get(version_id, ""),
                )
                for page in documents.read_pages(version_id=version_id, numbers={ref.number for ref in wanted})
            ]
        return tuple(pages)

    def places(self, citations: Sequence[StatementCitation], language: str) -> tuple[str, ...]:
        spans = [Span(c.version_id, c.page, c.start, c.end) for c in citations]
        with translation.override(language):
            return documents.names_of_places(spans=spans)

    def boxes(self, citations: Sequence[StatementCitation]) -> tuple[tuple[Box, ...], ...]:
        return tuple(
            documents.boxes_in_version(version_id=c.version_id, number=c.page, start=c.start, end=c.end)
            for c in citations
        )
