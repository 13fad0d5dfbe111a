"""The knowledge floor for the tools: documents' pages and retrieval's search behind the Library protocol."""

from collections.abc import Sequence

from apps.accounts.contracts import Actor
from apps.agents.contracts import EvidencePage, StatementCitation
from apps.agents.tools import PageRef, ScopeChoice
from apps.reading.contracts import Box
from apps.retrieval.contracts import Scope, SearchResult


class DocumentLibrary:
    """Implements `tools.Library`. All calls inside the tenant context."""

    def scope(self, actor: Actor, choice: ScopeChoice) -> Scope:
        raise NotImplementedError

    def search(self, scope: Scope, query: str, limit: int) -> SearchResult:
        raise NotImplementedError

    def read_pages(self, refs: Sequence[PageRef]) -> tuple[EvidencePage, ...]:
        raise NotImplementedError

    def boxes(self, citations: Sequence[StatementCitation]) -> tuple[tuple[Box, ...], ...]:
        raise NotImplementedError
