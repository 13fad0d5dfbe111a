"""Reads for those who watch: all grants, why a person reaches a collection, use in counts. Never document text."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Count
from django.db.models.functions import TruncMonth

from apps.accounts.contracts import AccessReason, Actor, GrantLevel, GrantLine, Permission, Role
from apps.accounts.models import Collection, CollectionGrant, GroupGrant, GroupMember, Membership
from apps.accounts.permissions import best, effective, require
from apps.core.errors import NotFound
from apps.tenants.models import AuditEvent, Tenant

COUNTED = ("person.signed_in", "document.viewed", "document.downloaded", "document.uploaded", "question.asked")


@dataclass(frozen=True, slots=True)
class UseLine:
    """What one person did in one month, in counts; in the order of COUNTED."""

    month: date
    person: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CollectionName:
    id: UUID
    name: str


def list_shared_collections(*, actor: Actor) -> tuple[CollectionName, ...]:
    """Names of all shared collections, open to the actor or not: whoever watches grants must know them."""
    require(actor, Permission.VIEW_AUDIT)
    rows = Collection.objects.filter(private_to=None).order_by("name").values_list("id", "name")
    return tuple(CollectionName(*row) for row in rows)


def list_all_grants(*, actor: Actor) -> tuple[GrantLine, ...]:
    """Every grant on shared collections, by collection, groups first. Private collections have one holder each."""
    require(actor, Permission.VIEW_AUDIT)
    people: dict[UUID, list[str]] = defaultdict(list)
    for group_id, name in GroupMember.objects.order_by("user__name").values_list("group_id", "user__name"):
        people[group_id].append(name)
    lines = [
        GrantLine(g.collection.name, g.group.name, True, tuple(people[g.group_id]), GrantLevel(g.level))
        for g in GroupGrant.objects.select_related("collection", "group")
    ]
    own = CollectionGrant.objects.filter(collection__private_to=None).select_related("collection", "user")
    lines += [GrantLine(g.collection.name, g.user.name, False, (), GrantLevel(g.level)) for g in own]
    return tuple(sorted(lines, key=lambda line: (line.collection, not line.is_group, line.holder)))


def explain_access(
    *, actor: Actor, collection_id: UUID | None = None, user_id: UUID | None = None
) -> tuple[AccessReason, ...]:
    """Why people reach collections: all people of one collection, all collections of one person, or one pair.

    Includes those who do not reach it (`effective` is None). Raises NotFound for things of elsewhere.
    """
    require(actor, Permission.VIEW_AUDIT)
    members = Membership.objects.filter(tenant_id=actor.tenant_id).select_related("user").order_by("user__name")
    collections = Collection.objects.order_by("name")
    if user_id is not None:
        members = members.filter(user_id=user_id)
    if collection_id is not None:
        collections = collections.filter(id=collection_id)
    people, places = list(members), [c for c in collections if _may_be_named(c, collection_id, user_id)]
    if (user_id is not None and not people) or (collection_id is not None and not places):
        raise NotFound
    grants = _Grants()
    allows_private = Tenant.objects.get(id=actor.tenant_id).allows_private_files
    return tuple(_reason(grants, place, person, allows_private) for place in places for person in people)


def list_use(*, actor: Actor) -> tuple[UseLine, ...]:
    """Counts by person and month out of the trail, newest month first."""
    require(actor, Permission.VIEW_AUDIT)
    rows = (
        AuditEvent.objects.filter(action__in=COUNTED, actor_id__isnull=False)
        .annotate(month=TruncMonth("at"))
        .values_list("month", "actor_id", "action")
        .annotate(n=Count("id"))
        .order_by()
    )
    names = dict(Membership.objects.filter(tenant_id=actor.tenant_id).values_list("user_id", "user__name"))
    counts: dict[tuple[date, UUID], dict[str, int]] = defaultdict(dict)
    for month, person, action, n in rows:
        counts[month.date(), person][action] = n
    lines = [
        UseLine(month, names.get(person, "–"), tuple(found.get(action, 0) for action in COUNTED))
        for (month, person), found in counts.items()
    ]
    return tuple(sorted(sorted(lines, key=lambda line: line.person), key=lambda line: line.month, reverse=True))


class _Grants:
    """All grants of the organisation in three queries."""

    def __init__(self) -> None:
        self.own = {
            (c, u): GrantLevel(level)
            for c, u, level in CollectionGrant.objects.values_list("collection_id", "user_id", "level")
        }
        self.of_groups: dict[UUID, list[tuple[UUID, str, GrantLevel]]] = defaultdict(list)
        for c, g, name, level in GroupGrant.objects.order_by("group__name").values_list(
            "collection_id", "group_id", "group__name", "level"
        ):
            self.of_groups[c].append((g, name, GrantLevel(level)))
        self.groups_of: dict[UUID, set[UUID]] = defaultdict(set)
        for g, u in GroupMember.objects.values_list("group_id", "user_id"):
            self.groups_of[u].add(g)


def _may_be_named(collection: Collection, collection_id: UUID | None, user_id: UUID | None) -> bool:
    """Private collections appear only when asked for by id or for their own person."""
    if collection.private_to_id is None or collection_id is not None:
        return True
    return user_id is not None and collection.private_to_id == user_id


def _reason(grants: _Grants, collection: Collection, member: Membership, allows_private: bool) -> AccessReason:
    direct = grants.own.get((collection.id, member.user_id))
    groups = tuple(
        (name, level)
        for group_id, name, level in grants.of_groups[collection.id]
        if group_id in grants.groups_of[member.user_id]
    )
    levels = [level for level in (direct, *(level for _name, level in groups)) if level is not None]
    is_private = collection.private_to_id is not None
    role = Role(member.role)
    found = (
        effective(best(levels), role, is_private=is_private, allows_private_files=allows_private)
        if levels and member.is_active and member.user.is_active
        else None
    )
    return AccessReason(
        collection_id=collection.id,
        collection=collection.name,
        is_private=is_private,
        user_id=member.user_id,
        person=member.user.name,
        role=role,
        is_active=member.is_active,
        direct=direct,
        groups=groups,
        effective=found,
        is_capped=found is not None and found != best(levels),
    )
