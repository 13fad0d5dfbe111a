"""Reads of people, organisations, collections and grants."""

import hashlib
from uuid import UUID

from allauth.mfa.models import Authenticator
from django.db import models
from django.db.models import Count
from django.utils import timezone

from apps.accounts.contracts import (
    Actor,
    CollectionSummary,
    GrantLevel,
    GrantSummary,
    GroupGrantSummary,
    GroupSummary,
    InvitationSummary,
    MembershipSummary,
    OrganisationSummary,
    Permission,
    Role,
    Scope,
    TokenAccess,
    TokenSummary,
)
from apps.accounts.models import (
    ApiToken,
    Collection,
    CollectionGrant,
    Group,
    GroupGrant,
    GroupMember,
    Invitation,
    Membership,
)
from apps.accounts.permissions import capped, granted_levels, require
from apps.core.collation import sort_key
from apps.core.errors import NotFound
from apps.tenants.models import Tenant


def actor_for(*, user_id: UUID, tenant_slug: str) -> Actor | None:
    """The person acting in an organisation; None for strangers and unknown organisations alike."""
    return _actor(Membership.objects.filter(tenant__slug=tenant_slug, user_id=user_id))


def actor_in(*, user_id: UUID, tenant_id: UUID) -> Actor | None:
    """As actor_for, for code that holds ids: jobs, sockets, tokens."""
    return _actor(Membership.objects.filter(tenant_id=tenant_id, user_id=user_id))


def access_by_token(*, token: str) -> TokenAccess | None:
    """Who acts through an API token; None when it is unknown, revoked or expired."""
    return _access(ApiToken.objects.filter(digest=hashlib.sha256(token.encode()).hexdigest()))


def access_of(*, token_id: UUID) -> TokenAccess | None:
    """As access_by_token, for streams that look again while they are open."""
    return _access(ApiToken.objects.filter(id=token_id))


def list_tokens(*, user_id: UUID, tenant_id: UUID | None = None) -> tuple[TokenSummary, ...]:
    """The person's API tokens, newest first; of one organisation or all. Expired ones stay until they are removed."""
    rows = ApiToken.objects.filter(user_id=user_id).select_related("tenant").order_by("-created_at", "-id")
    if tenant_id is not None:
        rows = rows.filter(tenant_id=tenant_id)
    return tuple(
        TokenSummary(
            id=row.id,
            label=row.label,
            tenant_id=row.tenant_id,
            organisation=row.tenant.name,
            scopes=tuple(scope for scope in Scope if scope.value in row.scopes),
            created_at=row.created_at,
            expires_at=row.expires_at,
            last_used_at=row.last_used_at,
            is_expired=row.is_expired,
        )
        for row in rows
    )


def list_organisations(*, user_id: UUID) -> tuple[OrganisationSummary, ...]:
    """Organisations in which the person is active, by name."""
    memberships = (
        Membership.objects.filter(user_id=user_id, is_active=True).select_related("tenant").order_by("tenant__name")
    )
    return tuple(
        OrganisationSummary(id=m.tenant_id, slug=m.tenant.slug, name=m.tenant.name, role=Role(m.role))
        for m in memberships
    )


def allows_private_files(*, actor: Actor) -> bool:
    """Whether members have a private "My files" collection."""
    return Tenant.objects.filter(id=actor.tenant_id, allows_private_files=True).exists()


def allows_conversation_review(*, tenant_id: UUID) -> bool:
    """Whether the organisation lets auditors read a conversation with a reason."""
    return Tenant.objects.filter(id=tenant_id, allows_conversation_review=True).exists()


def has_second_factor(*, user_id: UUID) -> bool:
    return bool(Authenticator.objects.filter(user_id=user_id, type=Authenticator.Type.TOTP).exists())


def list_members(*, actor: Actor) -> tuple[MembershipSummary, ...]:
    memberships = Membership.objects.filter(tenant_id=actor.tenant_id).select_related("user")
    by_name = sorted(memberships, key=lambda m: sort_key(m.user.name))
    return tuple(
        MembershipSummary(
            user_id=m.user_id, name=m.user.name, email=m.user.email, role=Role(m.role), is_active=m.is_active
        )
        for m in by_name
    )


def count_managed(*, actor: Actor, user_id: UUID, role: Role) -> int:
    """How many shared collections the member would manage in this role. Owners and admins only."""
    require(actor, Permission.MANAGE_MEMBERS)
    held = [found for found, level in granted_levels(user_id).items() if capped(level, role) == GrantLevel.MANAGE]
    return Collection.objects.filter(id__in=held, private_to=None).count()


def list_collections(*, actor: Actor) -> tuple[CollectionSummary, ...]:
    """Collections open to the actor: shared ones by name, then their own private one. Counts are left at 0."""
    levels = granted_levels(actor.user_id)
    found = Collection.objects.filter(id__in=list(levels))
    summaries = [_summary(collection, levels[collection.id], actor.role) for collection in found]
    return tuple(sorted(summaries, key=lambda c: (c.is_private, sort_key(c.name))))


def get_collection(*, actor: Actor, collection_id: UUID) -> CollectionSummary:
    """Raises NotFound unless the actor may read it."""
    level = granted_levels(actor.user_id, collection_id=collection_id).get(collection_id)
    if level is None:
        raise NotFound
    return _summary(Collection.objects.get(id=collection_id), level, actor.role)


def list_grants(*, actor: Actor, collection_id: UUID) -> tuple[GrantSummary, ...]:
    require(actor, Permission.MANAGE, collection_id=collection_id)
    grants = CollectionGrant.objects.filter(collection_id=collection_id).select_related("user")
    return tuple(
        GrantSummary(user_id=g.user_id, name=g.user.name, email=g.user.email, level=GrantLevel(g.level)) for g in grants
    )


def list_group_grants(*, actor: Actor, collection_id: UUID) -> tuple[GroupGrantSummary, ...]:
    require(actor, Permission.MANAGE, collection_id=collection_id)
    grants = GroupGrant.objects.filter(collection_id=collection_id).select_related("group").order_by("group__name")
    return tuple(GroupGrantSummary(group_id=g.group_id, name=g.group.name, level=GrantLevel(g.level)) for g in grants)


def list_groups(*, actor: Actor) -> tuple[GroupSummary, ...]:
    groups = Group.objects.annotate(
        people=Count("members", distinct=True), collections=Count("grants", distinct=True)
    ).order_by("name")
    return tuple(
        GroupSummary(id=g.id, name=g.name, member_count=g.people, collection_count=g.collections) for g in groups
    )


def get_group(*, actor: Actor, group_id: UUID) -> tuple[GroupSummary, frozenset[UUID]]:
    """The group and its people. Raises NotFound, and NotAllowed to who does not manage members."""
    require(actor, Permission.MANAGE_MEMBERS)
    found = next((group for group in list_groups(actor=actor) if group.id == group_id), None)
    if found is None:
        raise NotFound
    return found, frozenset(GroupMember.objects.filter(group_id=group_id).values_list("user_id", flat=True))


def open_invitations() -> "models.QuerySet[Invitation]":
    """Invitations whose link still works, as far as time and revocation go. Inside the tenant context."""
    return Invitation.objects.filter(accepted_at=None, revoked_at=None, expires_at__gt=timezone.now()).select_related(
        "created_by"
    )


def list_invitations(*, actor: Actor) -> tuple[InvitationSummary, ...]:
    """Open invitations, the newest first."""
    require(actor, Permission.MANAGE_MEMBERS)
    return tuple(
        InvitationSummary(
            id=row.id,
            email=row.email,
            role=Role(row.role),
            created_by_name=row.created_by.name if row.created_by else "",
            created_at=row.created_at,
            expires_at=row.expires_at,
        )
        for row in open_invitations().order_by("-created_at")
    )


def _access(tokens: "models.QuerySet[ApiToken]") -> TokenAccess | None:
    found = tokens.filter(expires_at__gt=timezone.now()).first()
    actor = actor_in(user_id=found.user_id, tenant_id=found.tenant_id) if found else None
    if found is None or actor is None:
        return None
    scopes = frozenset(scope for scope in Scope if scope.value in found.scopes)
    return TokenAccess(token_id=found.id, actor=actor, scopes=scopes, expires_at=found.expires_at)


def _actor(memberships: "models.QuerySet[Membership]") -> Actor | None:
    found = memberships.filter(is_active=True, user__is_active=True).select_related("user", "tenant").first()
    if found is None:
        return None
    return Actor(
        user_id=found.user_id,
        tenant_id=found.tenant_id,
        role=Role(found.role),
        name=found.user.name,
        tenant_slug=found.tenant.slug,
    )


def _summary(collection: Collection, level: GrantLevel, role: Role) -> CollectionSummary:
    return CollectionSummary(
        id=collection.id,
        name=collection.name,
        description=collection.description,
        is_private=collection.private_to_id is not None,
        level=capped(level, role),
    )
