"""Writes to groups: who is in them, what they reach."""

from collections.abc import Iterable
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from apps.accounts.contracts import Actor, GrantLevel, Permission
from apps.accounts.models import Group, GroupGrant, GroupMember, Membership
from apps.accounts.permissions import require, require_manager_without, require_shared
from apps.accounts.sockets import hint_person
from apps.core.errors import Conflict, InputError, NotFound
from apps.core.text import clean_input
from apps.tenants import audit

LONGEST_NAME = 100


def create_group(*, actor: Actor, name: str) -> UUID:
    """An empty group. Raises InputError for an empty name, Conflict for a taken one."""
    require(actor, Permission.MANAGE_MEMBERS)
    cleaned = _clean(name)
    try:
        with transaction.atomic():
            group = Group.objects.create(name=cleaned)
    except IntegrityError as exc:
        raise Conflict(_("A group with this name exists already."), code="name_taken") from exc
    _record(actor, "group.created", group.id, name=cleaned)
    return group.id


def set_members(*, actor: Actor, group_id: UUID, name: str, user_ids: Iterable[UUID]) -> None:
    """The group has this name and exactly these members. Raises NotFound for people who are not members here."""
    require(actor, Permission.MANAGE_MEMBERS)
    group = _get(group_id)
    cleaned, wanted = _clean(name), set(user_ids)
    known = Membership.objects.filter(tenant_id=actor.tenant_id, user_id__in=wanted).count()
    if known != len(wanted):
        raise NotFound
    before = set(GroupMember.objects.filter(group=group).values_list("user_id", flat=True))
    if cleaned != group.name:
        try:
            with transaction.atomic():
                Group.objects.filter(id=group.id).update(name=cleaned)
        except IntegrityError as exc:
            raise Conflict(_("A group with this name exists already."), code="name_taken") from exc
        _record(actor, "group.renamed", group.id, name=cleaned)
    GroupMember.objects.filter(group=group, user_id__in=before - wanted).delete()
    GroupMember.objects.bulk_create([GroupMember(group=group, user_id=user_id) for user_id in wanted - before])
    for user_id, action in [
        *((user_id, "group.member_added") for user_id in sorted(wanted - before)),
        *((user_id, "group.member_removed") for user_id in sorted(before - wanted)),
    ]:
        _record(actor, action, group.id, name=cleaned, user=str(user_id))
        hint_person(user_id)


def delete_group(*, actor: Actor, group_id: UUID) -> None:
    """The group and its grants are gone; its people keep what they hold themselves."""
    require(actor, Permission.MANAGE_MEMBERS)
    group = _get(group_id)
    for collection_id in GroupGrant.objects.filter(group=group).values_list("collection_id", flat=True):
        require_manager_without(collection_id, group_id=group.id)
    for user_id in GroupMember.objects.filter(group=group).values_list("user_id", flat=True):
        hint_person(user_id)
    GroupGrant.objects.filter(group=group).delete()
    GroupMember.objects.filter(group=group).delete()
    _record(actor, "group.deleted", group.id, name=group.name)
    group.delete()


def grant_to_group(*, actor: Actor, collection_id: UUID, group_id: UUID, level: GrantLevel | None) -> None:
    """The group has exactly this level on the collection; None takes it away."""
    require(actor, Permission.MANAGE, collection_id=collection_id)
    require_shared(collection_id)
    group = _get(group_id)
    if level != GrantLevel.MANAGE:
        require_manager_without(collection_id, group_id=group_id)
    if level is None:
        GroupGrant.objects.filter(collection_id=collection_id, group=group).delete()
    else:
        GroupGrant.objects.update_or_create(collection_id=collection_id, group=group, defaults={"level": level})
    audit.record(
        action="grant.revoked" if level is None else "grant.set",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="collection",
        object_id=collection_id,
        detail={"group": str(group_id), "name": group.name} | ({"level": level.value} if level else {}),
    )


def _get(group_id: UUID) -> Group:
    group = Group.objects.filter(id=group_id).first()
    if group is None:
        raise NotFound
    return group


def _clean(name: str) -> str:
    cleaned = " ".join(clean_input(name).split())[:LONGEST_NAME]
    if not cleaned:
        raise InputError(_("Give the group a name."), field="name")
    return cleaned


def _record(actor: Actor, action: str, group_id: UUID, **detail: object) -> None:
    audit.record(
        action=action,
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="group",
        object_id=group_id,
        detail=detail,
    )
