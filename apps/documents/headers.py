"""What stands in the headers of a collection's chunks: searched beside the text, never quoted."""

from uuid import UUID

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import require
from apps.documents.contracts import HeaderMode
from apps.documents.models import CollectionHeaders
from apps.tenants import audit


def get_header_mode(*, actor: Actor, collection_id: UUID) -> HeaderMode:
    """The collection's mode. Raises NotFound for one that is not open to the actor."""
    require(actor, Permission.READ, collection_id=collection_id)
    return header_mode_of(collection_id=collection_id)


def header_mode_of(*, collection_id: UUID) -> HeaderMode:
    """As get_header_mode, for code that works inside a scope."""
    found = CollectionHeaders.objects.filter(collection_id=collection_id).values_list("mode", flat=True).first()
    return HeaderMode(found) if found else HeaderMode.RULES


def set_header_mode(*, actor: Actor, collection_id: UUID, mode: HeaderMode) -> None:
    """Documents that are read from now on have such headers. Raises NotFound, NotAllowed."""
    require(actor, Permission.MANAGE, collection_id=collection_id)
    CollectionHeaders.objects.update_or_create(collection_id=collection_id, defaults={"mode": mode.value})
    audit.record(
        action="collection.headers_set",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="collection",
        object_id=collection_id,
        detail={"mode": mode.value},
    )
