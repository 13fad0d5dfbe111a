"""The one door to grants. Fixed table of roles; collections by grant, capped by role.

An organisation's act: `require(actor, Permission.VIEW_AUDIT)`. An act on a collection:
`require(actor, Permission.READ, collection_id=…)`: NotFound when the person may not even see it, NotAllowed when
they see it but may not do the act.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.accounts.contracts import Actor, GrantLevel, Permission, Role
from apps.accounts.models import Collection, CollectionGrant, GroupGrant
from apps.core.errors import Conflict, NotAllowed, NotFound
from apps.tenants.context import current_tenant_id

_EVERYONE = frozenset(Role)
ORGANISATION_ACTS: dict[Permission, frozenset[Role]] = {
    Permission.ASK: _EVERYONE,
    Permission.SEARCH: _EVERYONE,
    Permission.MANAGE_COLLECTIONS: frozenset({Role.OWNER, Role.ADMIN}),
    Permission.MANAGE_MEMBERS: frozenset({Role.OWNER, Role.ADMIN}),
    Permission.MANAGE_ORGANISATION: frozenset({Role.OWNER}),
    Permission.MANAGE_MODELS: frozenset({Role.OWNER, Role.ADMIN}),
    Permission.MANAGE_WEBHOOKS: frozenset({Role.OWNER, Role.ADMIN}),
    Permission.REVIEW_CONVERSATIONS: frozenset({Role.AUDITOR}),
    Permission.VIEW_AUDIT: frozenset({Role.OWNER, Role.ADMIN, Role.AUDITOR}),
}
_LEVELS = (GrantLevel.READ, GrantLevel.CONTRIBUTE, GrantLevel.MANAGE)
_NEEDED = {
    Permission.READ: GrantLevel.READ,
    Permission.CONTRIBUTE: GrantLevel.CONTRIBUTE,
    Permission.MANAGE: GrantLevel.MANAGE,
}
_HIGHEST: dict[Role, GrantLevel] = {
    Role.OWNER: GrantLevel.MANAGE,
    Role.ADMIN: GrantLevel.MANAGE,
    Role.ANALYST: GrantLevel.MANAGE,
    Role.VIEWER: GrantLevel.READ,
    Role.AUDITOR: GrantLevel.READ,
}


def allows(actor: Actor, permission: Permission) -> bool:
    """Whether the actor's role allows an act of the organisation."""
    return actor.role in ORGANISATION_ACTS[permission]


def require(actor: Actor, permission: Permission, *, collection_id: UUID | None = None) -> None:
    """Returns when the act is allowed; raises NotFound or NotAllowed. Needs the actor's tenant context."""
    if permission in ORGANISATION_ACTS:
        if not allows(actor, permission):
            raise NotAllowed
        return
    if collection_id is None:
        raise ValueError(f"{permission} needs a collection")
    level = grant_level(actor, collection_id)
    if level is None:
        raise NotFound
    if not holds(level, permission):
        raise NotAllowed


def holds(level: GrantLevel, permission: Permission) -> bool:
    return _LEVELS.index(level) >= _LEVELS.index(_NEEDED[permission])


def capped(level: GrantLevel, role: Role) -> GrantLevel:
    """The grant as far as the role can use it."""
    return min(level, _HIGHEST[role], key=_LEVELS.index)


def grant_level(actor: Actor, collection_id: UUID) -> GrantLevel | None:
    """What the actor may do with a collection, by own grant or a group's; None when it is not open. One query."""
    columns = ("level", "collection__private_to_id", "tenant__allows_private_files")
    own, of_groups = _grants_of(actor.user_id)
    found = list(
        own.filter(collection_id=collection_id)
        .values_list(*columns)
        .union(of_groups.filter(collection_id=collection_id).values_list(*columns))
    )
    if not found:
        return None
    _level, private_to_id, allows_private_files = found[0]
    return effective(
        best(GrantLevel(row[0]) for row in found),
        actor.role,
        is_private=private_to_id is not None,
        allows_private_files=allows_private_files,
    )


def effective(level: GrantLevel, role: Role, *, is_private: bool, allows_private_files: bool) -> GrantLevel:
    """The best grant after what the organisation and the role allow."""
    if is_private and not allows_private_files:
        return GrantLevel.READ  # switched off: what is there stays readable, nothing is added
    return capped(level, role)


def best(levels: Iterable[GrantLevel]) -> GrantLevel:
    return max(levels, key=_LEVELS.index)


def granted_levels(user_id: UUID, *, collection_id: UUID | None = None) -> dict[UUID, GrantLevel]:
    """The best grant on each collection, own or of a group, before the role's cap. One query."""
    own, of_groups = _grants_of(user_id)
    if collection_id is not None:
        own, of_groups = own.filter(collection_id=collection_id), of_groups.filter(collection_id=collection_id)
    levels: dict[UUID, GrantLevel] = {}
    for found, text in own.values_list("collection_id", "level").union(of_groups.values_list("collection_id", "level")):
        level = GrantLevel(text)
        levels[found] = best((levels.get(found, level), level))
    return levels


def _grants_of(user_id: UUID) -> tuple[QuerySet[CollectionGrant], QuerySet[GroupGrant]]:
    return CollectionGrant.objects.filter(user_id=user_id), GroupGrant.objects.filter(group__members__user_id=user_id)


def readable_collections(actor: Actor) -> frozenset[UUID]:
    """Ids of all collections that the actor may read: the scope of every search and list. One query."""
    return frozenset(granted_levels(actor.user_id))


def require_shared(collection_id: UUID) -> None:
    """Raises NotAllowed for somebody's private collection."""
    if Collection.objects.filter(id=collection_id, private_to__isnull=False).exists():
        raise NotAllowed(_("A private collection cannot be shared."), code="private_collection")


def require_manager_without(collection_id: UUID, *, user_id: UUID | None = None, group_id: UUID | None = None) -> None:
    """Raises Conflict when nobody would manage the collection without this person's or group's grant."""
    if not has_manager(collection_id, without_user=user_id, without_group=group_id):
        raise Conflict(_("The collection needs somebody who manages it."), code="last_manager")


def has_manager(collection_id: UUID, *, without_user: UUID | None = None, without_group: UUID | None = None) -> bool:
    """Whether an active member manages the collection, the person's own grant or the group's left aside."""
    here = current_tenant_id()
    people = CollectionGrant.objects.filter(
        collection_id=collection_id,
        level=GrantLevel.MANAGE,
        user__memberships__tenant_id=here,
        user__memberships__is_active=True,
    )
    groups = GroupGrant.objects.filter(
        collection_id=collection_id,
        level=GrantLevel.MANAGE,
        group__members__user__memberships__tenant_id=here,
        group__members__user__memberships__is_active=True,
    )
    if without_user is not None:
        people = people.exclude(user_id=without_user)
    if without_group is not None:
        groups = groups.exclude(group_id=without_group)
    return people.exists() or groups.exists()
