"""The list of documents as the API reads it: newest first, piece by piece."""

from datetime import datetime
from uuid import UUID

from django.db.models import Q

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import readable_collections, require
from apps.core.text import fold
from apps.documents.contracts import DocumentSummary
from apps.documents.rows import live, summary_of


def documents_after(
    *,
    actor: Actor,
    limit: int,
    after: tuple[datetime, UUID] | None = None,
    collection_id: UUID | None = None,
    name_holds: str = "",
) -> tuple[DocumentSummary, ...]:
    """Documents that the actor may read, older than a place (made, id), of one collection or all."""
    if collection_id is None:
        documents = live().filter(collection_id__in=readable_collections(actor))
    else:
        require(actor, Permission.READ, collection_id=collection_id)
        documents = live().filter(collection_id=collection_id)
    if after is not None:
        documents = documents.filter(Q(created_at__lt=after[0]) | Q(created_at=after[0], id__lt=after[1]))
    if name_holds.strip():
        wanted = fold(name_holds.strip())
        names = documents.values_list("id", "name")
        documents = documents.filter(id__in=[found for found, name in names if wanted in fold(name)])
    return tuple(map(summary_of, documents.order_by("-created_at", "-id")[:limit]))
