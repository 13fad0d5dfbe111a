"""Saved scopes: a person's named choices of collections and documents. Inside the tenant context.

A scope holds ids only. What of it may be read is asked anew each time it is shown or used; it never widens: a scope
of which nothing is left cannot be used, rather than meaning "everything".
"""

from collections.abc import Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import readable_collections, require
from apps.chat.contracts import SavedScopeView, ScopeView
from apps.chat.models import SavedScope
from apps.core.errors import Conflict, InputError, LimitExceeded, NotFound
from apps.core.text import clean_input
from apps.documents import selectors as documents

LONGEST_NAME = 80
MOST_SCOPES = 100


def list_scopes(*, actor: Actor) -> tuple[SavedScopeView, ...]:
    """The actor's, by name. Three queries."""
    rows = list(SavedScope.objects.filter(owner_id=actor.user_id).order_by("name"))
    if not rows:
        return ()
    collections = readable_collections(actor)
    wanted = {document_id for row in rows for document_id in row.document_ids}
    readable = documents.names_of_documents(actor=actor, document_ids=wanted)
    return tuple(_view(row, collections, frozenset(readable)) for row in rows)


def get_scope(*, actor: Actor, scope_id: UUID) -> SavedScopeView:
    """Raises NotFound for another person's, word for word like an unknown one."""
    found = next((scope for scope in list_scopes(actor=actor) if scope.id == scope_id), None)
    if found is None:
        raise NotFound
    return found


def usable_scope(*, actor: Actor, scope_id: UUID) -> SavedScopeView:
    """As get_scope, to look in it. Raises Conflict when nothing of it is open to the actor any more."""
    found = get_scope(actor=actor, scope_id=scope_id)
    if not found.is_usable:
        text = _("Nothing in “%(name)s” is open to you any more. Choose other collections, or delete it.")
        raise Conflict(text % {"name": found.name}, code="scope_is_closed")
    return found


def save_scope(
    *, actor: Actor, name: str, collection_ids: Sequence[UUID] = (), document_ids: Sequence[UUID] = ()
) -> UUID:
    """The choice stands under the name; one of the same name is replaced.

    Raises NotAllowed, NotFound for what the actor may not read, InputError for no name or an empty choice.
    """
    require(actor, Permission.ASK)
    cleaned = " ".join(clean_input(name).split())[:LONGEST_NAME]
    if not cleaned:
        raise InputError(_("Give the choice a name."), field="name")
    if not collection_ids and not document_ids:
        raise InputError(_("Choose a collection or a document first."), field="collection")
    if set(collection_ids) - readable_collections(actor):
        raise NotFound
    if set(document_ids) - set(documents.names_of_documents(actor=actor, document_ids=document_ids)):
        raise NotFound
    own = SavedScope.objects.filter(owner_id=actor.user_id)
    if own.exclude(name=cleaned).count() >= MOST_SCOPES:
        raise LimitExceeded(_("You have 100 saved choices. Delete one first."))
    values = {"collection_ids": list(collection_ids), "document_ids": list(document_ids)}
    scope, _made = SavedScope.objects.update_or_create(owner_id=actor.user_id, name=cleaned, defaults=values)
    return scope.id


def delete_scope(*, actor: Actor, scope_id: UUID) -> None:
    """Conversations that were asked in it keep what they have. Raises NotFound."""
    deleted, _by_model = SavedScope.objects.filter(id=scope_id, owner_id=actor.user_id).delete()
    if not deleted:
        raise NotFound


def _view(row: SavedScope, collections: frozenset[UUID], readable: frozenset[UUID]) -> SavedScopeView:
    scope = ScopeView(
        tuple(i for i in row.collection_ids if i in collections), tuple(i for i in row.document_ids if i in readable)
    )
    kept = len(scope.collection_ids) + len(scope.document_ids)
    return SavedScopeView(row.id, row.name, scope, len(row.collection_ids) + len(row.document_ids) - kept)
