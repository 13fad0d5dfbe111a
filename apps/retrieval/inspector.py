"""Chunks of a document's current version as they are indexed, for those who manage its collection."""

from dataclasses import dataclass
from uuid import UUID

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import require
from apps.documents import selectors as documents
from apps.providers import embedding
from apps.retrieval.contracts import PageSpan
from apps.retrieval.models import Chunk, ChunkEmbedding

AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class InspectedChunk:
    ordinal: int
    kind: str
    language: str
    header: str
    text: str
    spans: tuple[PageSpan, ...]
    term_count: int
    has_vector: bool  # in the space that is searched now


def chunks_of_document(
    *, actor: Actor, document_id: UUID, page: int | None = None, first: int = 0
) -> tuple[InspectedChunk, ...]:
    """Fifty chunks from the ordinal on, or all with words of one page. Raises NotFound, NotAllowed."""
    about = documents.get_document(actor=actor, document_id=document_id).summary
    require(actor, Permission.MANAGE, collection_id=about.collection_id)
    rows = Chunk.objects.filter(version_id=about.version_id).defer("terms").order_by("ordinal")
    if page is None:
        chosen = list(rows.filter(ordinal__gte=first)[:AT_ONCE])
    else:
        near = rows.filter(spans__contains=[[page]])  # holds the number somewhere in a span
        chosen = [row for row in near if any(span[0] == page for span in row.spans)][:AT_ONCE]
    vectors = ChunkEmbedding.objects.filter(chunk_id__in=[row.id for row in chosen])
    space = embedding.space() if embedding.is_available() else ""
    embedded = set(vectors.filter(space=space).values_list("chunk_id", flat=True))
    return tuple(
        InspectedChunk(
            row.ordinal,
            row.kind,
            row.language,
            row.header,
            row.text,
            tuple(PageSpan(*span) for span in row.spans),
            row.term_count,
            row.id in embedded,
        )
        for row in chosen
    )
