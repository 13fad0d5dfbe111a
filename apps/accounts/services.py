"""Writes: organisations, memberships, collections, grants, tokens."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.contracts import Actor, GrantLevel, Permission, Role, Scope
from apps.accounts.models import ApiToken, Collection, CollectionGrant, Membership, User, normalise_email
from apps.accounts.permissions import require, require_manager_without, require_shared
from apps.accounts.preferences import time_zones
from apps.core.errors import Conflict, InputError, NotFound
from apps.core.text import clean_input
from apps.tenants import audit
from apps.tenants.context import tenant_context
from apps.tenants.models import Tenant

PRIVATE_NAME = "My files"


def create_organisation(*, name: str, slug: str, is_demo: bool = False) -> UUID:
    """A tenant without members. Raises InputError for an empty name, Conflict when the slug is taken."""
    cleaned = clean_input(name).strip()[:200]
    if not cleaned:
        raise InputError(_("Give the organisation a name with letters."), field="organisation")
    try:
        with transaction.atomic():
            return Tenant.objects.create(name=cleaned, slug=slug, is_demo=is_demo).id
    except IntegrityError as exc:
        raise Conflict(_("An organisation with this address exists already."), code="slug_taken") from exc


def create_person(
    *,
    email: str,
    name: str,
    password: str | None,
    is_demo: bool = False,
    is_confirmed: bool = True,
    time_zone: str = "",
) -> UUID:
    """A person who can sign in once they have a password. Raises Conflict when the address is known.

    `is_confirmed`: the address is known to be theirs; otherwise they confirm it by mail once there is mail.
    `time_zone`: what their browser says, an IANA name; one that is not known counts as UTC.
    """
    cleaned = clean_input(name).strip()
    if not cleaned:
        raise InputError(_("Give a name."), field="name")
    if User.objects.filter(email=normalise_email(email)).exists():
        raise Conflict(_("A person with this e-mail address exists already."), code="email_taken")
    user = User.objects.create_user(email=email, name=cleaned[:200], password=password)
    if time_zone in time_zones():
        User.objects.filter(id=user.id).update(time_zone=time_zone)
    EmailAddress.objects.create(user=user, email=user.email, verified=is_confirmed, primary=True)
    if is_demo:
        User.objects.filter(id=user.id).update(is_demo=True)
    return user.id


def add_member(*, tenant_id: UUID, user_id: UUID, role: Role, added_by: Actor | None) -> None:
    """The person has the role and, where the organisation allows it, a private collection."""
    with tenant_context(tenant_id):
        Membership.objects.create(tenant_id=tenant_id, user_id=user_id, role=role)
        if Tenant.objects.get(id=tenant_id).allows_private_files and role not in (Role.VIEWER, Role.AUDITOR):
            _make_private_collection(user_id)
        audit.record(
            action="member.added",
            actor_id=added_by.user_id if added_by else None,
            actor_name=added_by.name if added_by else "",
            object_type="user",
            object_id=user_id,
            detail={"role": role.value},
        )


def create_collection(*, actor: Actor, name: str, description: str = "") -> UUID:
    """A collection that its maker manages. Raises InputError for an empty name, Conflict for a taken one."""
    require(actor, Permission.MANAGE_COLLECTIONS)
    cleaned = clean_input(name).strip()[:200]
    if not cleaned:
        raise InputError(_("Give the collection a name."), field="name")
    try:
        with transaction.atomic():
            collection = Collection.objects.create(name=cleaned, description=clean_input(description).strip()[:500])
    except IntegrityError as exc:
        raise Conflict(_("A collection with this name exists already."), code="name_taken") from exc
    CollectionGrant.objects.create(collection=collection, user_id=actor.user_id, level=GrantLevel.MANAGE)
    _record(actor, "collection.created", collection.id, {"name": cleaned})
    return collection.id


def grant_access(*, actor: Actor, collection_id: UUID, user_id: UUID, level: GrantLevel) -> None:
    """The member has exactly this level on the collection. Raises NotFound for someone not in the organisation."""
    require(actor, Permission.MANAGE, collection_id=collection_id)
    require_shared(collection_id)
    if not Membership.objects.filter(tenant_id=actor.tenant_id, user_id=user_id, is_active=True).exists():
        raise NotFound
    if level != GrantLevel.MANAGE:
        require_manager_without(collection_id, user_id=user_id)
    CollectionGrant.objects.update_or_create(collection_id=collection_id, user_id=user_id, defaults={"level": level})
    _record(actor, "grant.set", collection_id, {"user": str(user_id), "level": level.value})


def revoke_access(*, actor: Actor, collection_id: UUID, user_id: UUID) -> None:
    """The member has no grant on the collection; the last manager cannot be removed."""
    require(actor, Permission.MANAGE, collection_id=collection_id)
    require_shared(collection_id)
    require_manager_without(collection_id, user_id=user_id)
    CollectionGrant.objects.filter(collection_id=collection_id, user_id=user_id).delete()
    _record(actor, "grant.revoked", collection_id, {"user": str(user_id)})


def issue_token(
    *,
    user_id: UUID,
    tenant_id: UUID,
    label: str,
    scopes: Iterable[Scope] = tuple(Scope),
    expires_at: datetime | None = None,
) -> tuple[str, ApiToken]:
    """A fresh token, returned once in clear, and its row (hash only). The caller records who made it."""
    token = f"airis_{secrets.token_urlsafe(32)}"
    row = ApiToken.objects.create(
        tenant_id=tenant_id,
        user_id=user_id,
        digest=hashlib.sha256(token.encode()).hexdigest(),
        label=clean_input(label)[:100],
        scopes=[scope.value for scope in Scope if scope in set(scopes)],
        expires_at=expires_at or timezone.now() + settings.API_TOKEN_LIFETIME,
    )
    return token, row


def record_of_person(*, user_id: UUID, name: str, action: str) -> None:
    """An act of the person's account stands in the trail of every organisation that they belong to."""
    for tenant_id in Membership.objects.filter(user_id=user_id, is_active=True).values_list("tenant_id", flat=True):
        with tenant_context(tenant_id):
            audit.record(action=action, actor_id=user_id, actor_name=name, object_type="user", object_id=user_id)


def set_private_files(*, actor: Actor, is_allowed: bool) -> None:
    """Whether members have a private collection. Off: existing ones stay readable, nothing is added to them."""
    require(actor, Permission.MANAGE_MEMBERS)
    Tenant.objects.filter(id=actor.tenant_id).update(allows_private_files=is_allowed)
    if is_allowed:
        _make_missing_private_collections(actor.tenant_id)
    audit.record(
        action="organisation.private_files",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="tenant",
        object_id=actor.tenant_id,
        detail={"allowed": is_allowed},
    )


def set_conversation_review(*, actor: Actor, is_allowed: bool) -> None:
    """Whether auditors may read a member's conversation, each time with a reason and on the record. Owners decide."""
    require(actor, Permission.MANAGE_ORGANISATION)
    Tenant.objects.filter(id=actor.tenant_id).update(allows_conversation_review=is_allowed)
    audit.record(
        action="organisation.conversation_review",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="tenant",
        object_id=actor.tenant_id,
        detail={"allowed": is_allowed},
    )


def save_preferences(
    *, user_id: UUID, name: str, language: str, theme: str, time_zone: str, number_format: str
) -> None:
    """The person's own settings, as the form checked them; in force from their next request."""
    User.objects.filter(id=user_id).update(
        name=clean_input(name).strip()[:200],
        language=language,
        theme=theme,
        time_zone=time_zone,
        number_format=number_format,
    )


def _make_missing_private_collections(tenant_id: UUID) -> None:
    having = Collection.objects.filter(private_to__isnull=False).values_list("private_to_id", flat=True)
    members = Membership.objects.filter(tenant_id=tenant_id, is_active=True).exclude(user_id__in=list(having))
    for user_id in members.exclude(role__in=(Role.VIEWER, Role.AUDITOR)).values_list("user_id", flat=True):
        _make_private_collection(user_id)


def _make_private_collection(user_id: UUID) -> None:
    collection, is_new = Collection.objects.get_or_create(private_to_id=user_id, defaults={"name": PRIVATE_NAME})
    if is_new:
        CollectionGrant.objects.create(collection=collection, user_id=user_id, level=GrantLevel.MANAGE)


def _record(actor: Actor, action: str, collection_id: UUID, detail: dict[str, object]) -> None:
    audit.record(
        action=action,
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="collection",
        object_id=collection_id,
        detail=detail,
    )
