"""What an answer says of documents that are in the bin is out of sight, as if they were deleted, until they come back.

A deletion scrubs the rows (services.scrub_document); here nothing is written.
"""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from apps.chat.models import Citation, Statement
from apps.chat.services import SCRUBBED
from apps.documents import selectors as documents


def mask_hidden(statements: Iterable[Statement], citations: Mapping[UUID, Sequence[Citation]]) -> frozenset[UUID]:
    """The loaded rows are as after a deletion where their document cannot be seen. One query; nothing is saved.

    Returns the versions that a newer one superseded: what cites them is marked.
    """
    cited = {citation.version_id for own in citations.values() for citation in own if not citation.is_deleted}
    standings = documents.standings(version_ids=cited) if cited else {}
    hidden = {version_id for version_id, standing in standings.items() if standing.is_hidden}
    for statement in statements:
        gone = [citation for citation in citations.get(statement.id, ()) if citation.version_id in hidden]
        for citation in gone:
            citation.is_deleted, citation.quote, citation.document_name = True, "", ""
            citation.label, citation.boxes = "", []
        if gone and statement.kind in SCRUBBED:
            statement.text, statement.numbers, statement.is_scrubbed = "", [], True
    return frozenset(version_id for version_id, standing in standings.items() if standing.is_superseded)
