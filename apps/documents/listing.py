"""The list of documents as the API reads it: newest first, piece by piece."""

from datetime import datetime
from uuid import UUID

from django.db.models import Q

from apps.accounts.contracts import Actor
from apps.documents.contracts import EVERYTHING, DocumentFilter, DocumentSummary
from apps.documents.rows import listed, summary_of


def documents_after(
    *,
    actor: Actor,
    limit: int,
    after: tuple[datetime, UUID] | None = None,
    collection_id: UUID | None = None,
    narrowed: DocumentFilter = EVERYTHING,
) -> tuple[DocumentSummary, ...]:
    """Documents that the actor may read, older than a place (made, id), of one collection or all."""
    documents = listed(actor, collection_id, narrowed)
    if after is not None:
        documents = documents.filter(Q(created_at__lt=after[0]) | Q(created_at=after[0], id__lt=after[1]))
    return tuple(map(summary_of, documents.order_by("-created_at", "-id")[:limit]))
