"""The one door to grants. Fixed table of roles; collections by grant, capped by role.

An organisation's act: `require(actor, Permission.VIEW_AUDIT)`. An act on a collection:
`require(actor, Permission.READ, collection_id=…)`: NotFound when the person may not even see it, NotAllowed when
they see it but may not do the act.
"""

from uuid import UUID

from apps.accounts.contracts import Actor, GrantLevel, Permission, Role
from apps.accounts.models import CollectionGrant
from apps.core.errors import NotAllowed, NotFound

_EVERYONE = frozenset(Role)
ORGANISATION_ACTS: dict[Permission, frozenset[Role]] = {
    Permission.ASK: _EVERYONE,
    Permission.SEARCH: _EVERYONE,
    Permission.MANAGE_COLLECTIONS: frozenset({Role.OWNER, Role.ADMIN}),
    Permission.MANAGE_MEMBERS: frozenset({Role.OWNER, Role.ADMIN}),
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
    """What the actor may do with a collection; None when it is not open to them."""
    grants = CollectionGrant.objects.filter(collection_id=collection_id, user_id=actor.user_id)
    found = grants.values_list("level", "collection__private_to_id", "tenant__allows_private_files").first()
    if found is None:
        return None
    level, private_to_id, allows_private_files = found
    if private_to_id is not None and not allows_private_files:
        return GrantLevel.READ  # switched off: what is there stays readable, nothing is added
    return capped(GrantLevel(level), actor.role)


def readable_collections(actor: Actor) -> frozenset[UUID]:
    """Ids of all collections that the actor may read: the scope of every search and list."""
    return frozenset(CollectionGrant.objects.filter(user_id=actor.user_id).values_list("collection_id", flat=True))
