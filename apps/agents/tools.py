"""The tools of an answer run: search and read pages. Read-only; a document's words never reach them as orders.

Each call opens the tenant's context itself: LangGraph may run a node in a thread of its own, and threads have
their own connections, which are closed again.
"""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol
from uuid import UUID

from django.db import connections

from apps.accounts.contracts import Actor
from apps.agents.contracts import EvidencePage, ScopeChoice, Statement, StatementCitation
from apps.reading.contracts import Box
from apps.retrieval.contracts import Scope, SearchResult
from apps.tenants.context import tenant_context


@dataclass(frozen=True, slots=True)
class PageRef:
    document_id: UUID
    document_name: str
    version_id: UUID
    number: int


class Library(Protocol):
    """The knowledge floor as the answer graph sees it; all calls inside the tenant context."""

    def scope(self, actor: Actor, choice: ScopeChoice) -> Scope: ...

    def search(self, scope: Scope, query: str, limit: int) -> SearchResult: ...

    def read_pages(self, refs: Sequence[PageRef]) -> tuple[EvidencePage, ...]: ...

    def places(self, citations: Sequence[StatementCitation], language: str) -> tuple[str, ...]: ...

    def boxes(self, citations: Sequence[StatementCitation]) -> tuple[tuple[Box, ...], ...]: ...


class Toolbox:
    """The library for one actor, callable from any thread."""

    def __init__(self, library: Library, actor: Actor, choice: ScopeChoice) -> None:
        self._library = library
        self._actor = actor
        self._choice = choice
        self._thread = threading.get_ident()

    def scope(self) -> Scope:
        """What the person may read now: asked again for every search and for the final check."""
        with self._in_tenant():
            return self._library.scope(self._actor, self._choice)

    def search(self, query: str, limit: int) -> SearchResult:
        with self._in_tenant():
            scope = self._library.scope(self._actor, self._choice)
            return self._library.search(scope, query, limit)

    def read_pages(self, refs: Sequence[PageRef]) -> tuple[EvidencePage, ...]:
        """The pages of versions that the person may read now; others are left out."""
        with self._in_tenant():
            readable = frozenset(self._library.scope(self._actor, self._choice).version_ids)
            return self._library.read_pages([ref for ref in refs if ref.version_id in readable])

    def located(
        self, statements: Sequence[Statement], pages: Iterable[EvidencePage], language: str
    ) -> tuple[Statement, ...]:
        """The statements with document name, place (page label, "Sales!B7", …) and boxes on every citation."""
        known = {(page.version_id, page.number): page for page in pages}
        flat = [citation for statement in statements for citation in statement.citations]
        with self._in_tenant():
            boxes = iter(self._library.boxes(flat))
            places = iter(self._library.places(flat, language))
        return tuple(
            replace(
                statement,
                citations=tuple(
                    replace(
                        citation,
                        document_name=known[(citation.version_id, citation.page)].document_name,
                        label=next(places) or known[(citation.version_id, citation.page)].label,
                        boxes=next(boxes),
                    )
                    for citation in statement.citations
                ),
            )
            for statement in statements
        )

    @contextmanager
    def _in_tenant(self) -> Iterator[None]:
        try:
            with tenant_context(self._actor.tenant_id):
                yield
        finally:
            if threading.get_ident() != self._thread:
                connections.close_all()
