"""Invitations by link: made, looked at, accepted once, taken back. Only the hash of a link is kept."""

import hashlib
import secrets
import smtplib
from uuid import UUID

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts import selectors, services
from apps.accounts.contracts import (
    Actor,
    GrantLevel,
    InvitationDraft,
    InvitationOffer,
    Permission,
    Role,
)
from apps.accounts.models import (
    Collection,
    CollectionGrant,
    Group,
    GroupMember,
    Invitation,
    Membership,
    User,
    normalise_email,
)
from apps.accounts.permissions import allows, granted_levels, holds, require, require_shared
from apps.core.errors import Conflict, InputError, NotAllowed, NotFound, ProviderError
from apps.tenants import audit
from apps.tenants.context import current_tenant_id, tenant_context
from apps.tenants.models import Tenant


def invite(*, actor: Actor, draft: InvitationDraft) -> str:
    """The path of a fresh invitation, shown once; "" when it went by mail. An open one for the address is replaced."""
    require(actor, Permission.MANAGE_MEMBERS)
    if draft.role == Role.OWNER and actor.role != Role.OWNER:
        raise NotAllowed(_("Only an owner may do this."), code="owners_only")
    for collection_id in draft.grants:
        require(actor, Permission.MANAGE, collection_id=collection_id)
        require_shared(collection_id)
    if Group.objects.filter(id__in=draft.group_ids).count() != len(set(draft.group_ids)):
        raise NotFound
    email = normalise_email(draft.email)
    is_owners = selectors.open_invitations().filter(email=email, role=Role.OWNER).exists()
    if is_owners and actor.role != Role.OWNER:
        raise NotAllowed(_("Only an owner may do this."), code="owners_only")  # a new one would end the owner's
    if Membership.objects.filter(tenant_id=actor.tenant_id, user__email=email, is_active=True).exists():
        raise Conflict(_("A member with this address is here already."), code="member_exists")
    invitation, path = _make(email=email, draft=draft, created_by_id=actor.user_id, is_mailed=settings.HAS_MAIL)
    _record(actor.user_id, actor.name, "invitation.made", invitation, role=draft.role.value)
    if not settings.HAS_MAIL:
        return path
    _mail(invitation, path, invited_by=actor.name, organisation=Tenant.objects.get(id=actor.tenant_id).name)
    return ""


def invite_owner(*, tenant_id: UUID, email: str) -> str:
    """The path by which the first owner comes in; made on the console."""
    draft = InvitationDraft(email=email, role=Role.OWNER, group_ids=(), grants={})
    with tenant_context(tenant_id):
        invitation, path = _make(email=normalise_email(email), draft=draft, created_by_id=None, is_mailed=False)
        _record(None, "", "invitation.made", invitation, role=Role.OWNER.value)
    return path


def revoke(*, actor: Actor, invitation_id: UUID) -> None:
    """The link is dead. Raises NotFound for one that is not open."""
    require(actor, Permission.MANAGE_MEMBERS)
    invitation = selectors.open_invitations().filter(id=invitation_id).first()
    if invitation is None:
        raise NotFound
    if invitation.role == Role.OWNER and actor.role != Role.OWNER:
        raise NotAllowed(_("Only an owner may do this."), code="owners_only")
    Invitation.objects.filter(id=invitation_id).update(revoked_at=timezone.now())
    _record(actor.user_id, actor.name, "invitation.revoked", invitation)


def look_up(*, token: str) -> InvitationOffer:
    """What the link offers. Raises NotFound for an unknown, used, revoked or expired one alike."""
    tenant_id, invitation_id = _place(token)
    with tenant_context(tenant_id):
        invitation = selectors.open_invitations().filter(id=invitation_id).first()
        if invitation is None or not _is_backed(invitation):
            raise NotFound
        tenant = Tenant.objects.get(id=tenant_id)
        return InvitationOffer(
            id=invitation.id,
            tenant_id=tenant_id,
            organisation=tenant.name,
            tenant_slug=tenant.slug,
            email=invitation.email,
            role=Role(invitation.role),
            invited_by=invitation.created_by.name if invitation.created_by else "",
            is_known_person=User.objects.filter(email=invitation.email).exists(),
        )


def accept_as_new(*, token: str, name: str, password: str, time_zone: str = "") -> User:
    """A person with this name and password, and a member. Raises NotFound, Conflict, InputError."""
    offer = look_up(token=token)
    with tenant_context(offer.tenant_id):
        invitation = _claim(offer.id)
        if User.objects.filter(email=invitation.email).exists():
            raise Conflict(_("This address has an account. Sign in to accept."), code="email_taken")
        check_password(email=invitation.email, name=name, password=password)
        user_id = services.create_person(
            email=invitation.email,
            name=name,
            password=password,
            is_confirmed=_proves_address(invitation),
            time_zone=time_zone,
        )
        _admit(invitation, offer.tenant_id, user_id)
        return User.objects.get(id=user_id)


def accept_as_member(*, token: str, user: User) -> InvitationOffer:
    """The signed-in person is a member too. Raises NotAllowed when the invitation is for another address."""
    offer = look_up(token=token)
    if user.email != offer.email:
        raise NotAllowed(_("This invitation is for another address."), code="other_address")
    with tenant_context(offer.tenant_id):
        _admit(_claim(offer.id), offer.tenant_id, user.pk)
    return offer


def check_password(*, email: str, name: str, password: str) -> None:
    """Raises InputError(field="password") with what is missing."""
    try:
        validate_password(password, User(email=email, name=name))
    except ValidationError as exc:
        raise InputError(" ".join(exc.messages), code="weak_password", field="password") from exc


def _make(*, email: str, draft: InvitationDraft, created_by_id: UUID | None, is_mailed: bool) -> tuple[Invitation, str]:
    token = secrets.token_urlsafe(32)
    selectors.open_invitations().filter(email=email).update(revoked_at=timezone.now())
    invitation = Invitation.objects.create(
        email=email,
        role=draft.role,
        digest=_digest(token),
        group_ids=list(draft.group_ids),
        grants={str(collection_id): level.value for collection_id, level in draft.grants.items()},
        created_by_id=created_by_id,
        is_mailed=is_mailed,
        expires_at=timezone.now() + settings.INVITATION_LIFETIME,
    )
    return invitation, reverse("accounts:invitation", args=[token])


def _mail(invitation: Invitation, path: str, *, invited_by: str, organisation: str) -> None:
    context = {
        "url": settings.BASE_URL + path,
        "invited_by": invited_by,
        "organisation": organisation,
        "expires_at": invitation.expires_at,
    }
    try:
        get_adapter().send_mail("account/email/invitation", invitation.email, context)
    except (smtplib.SMTPException, OSError) as exc:  # the transaction goes back: no invitation without its mail
        raise ProviderError(
            _("The mail server did not take the invitation; it was not made. Try again later."), code="mail_failed"
        ) from exc


def _claim(invitation_id: UUID) -> Invitation:
    """The open invitation, marked as accepted; a second claim waits and finds it used."""
    invitation = selectors.open_invitations().select_for_update(of=("self",)).filter(id=invitation_id).first()
    if invitation is None:
        raise NotFound
    Invitation.objects.filter(id=invitation_id).update(accepted_at=timezone.now())
    return invitation


def _admit(invitation: Invitation, tenant_id: UUID, user_id: UUID) -> None:
    """Membership, groups and those grants that the inviter can still give."""
    membership = Membership.objects.filter(tenant_id=tenant_id, user_id=user_id).first()
    role = Role(invitation.role)
    if membership is None:
        services.add_member(tenant_id=tenant_id, user_id=user_id, role=role, added_by=None)
    elif membership.is_active:
        raise Conflict(_("You are a member already."), code="member_exists")
    else:
        Membership.objects.filter(id=membership.id).update(is_active=True, role=role)
    for group in Group.objects.filter(id__in=invitation.group_ids):
        GroupMember.objects.get_or_create(group=group, user_id=user_id)
    for collection_id, level in _grants_to_give(invitation).items():
        CollectionGrant.objects.update_or_create(
            collection_id=collection_id, user_id=user_id, defaults={"level": level}
        )
    user = User.objects.get(id=user_id)
    detail = {"grants": len(invitation.grants), "groups": len(invitation.group_ids)}
    _record(user_id, user.name, "invitation.accepted", invitation, role=role.value, **detail)


def _grants_to_give(invitation: Invitation) -> dict[UUID, GrantLevel]:
    if invitation.created_by_id is None or not invitation.grants:
        return {}
    held = granted_levels(invitation.created_by_id)
    wanted = {UUID(collection_id): GrantLevel(level) for collection_id, level in invitation.grants.items()}
    alive = set(Collection.objects.filter(id__in=wanted, private_to=None).values_list("id", flat=True))
    return {
        collection_id: level
        for collection_id, level in wanted.items()
        if collection_id in alive and collection_id in held and holds(held[collection_id], Permission.MANAGE)
    }


def _is_backed(invitation: Invitation) -> bool:
    """An invitation counts while whoever made it could still make it."""
    if invitation.created_by_id is None:
        return True
    inviter = selectors.actor_in(user_id=invitation.created_by_id, tenant_id=current_tenant_id())
    if inviter is None or not allows(inviter, Permission.MANAGE_MEMBERS):
        return False
    return invitation.role != Role.OWNER or inviter.role == Role.OWNER


def _proves_address(invitation: Invitation) -> bool:
    return invitation.is_mailed or invitation.created_by_id is None


def _place(token: str) -> tuple[UUID, UUID]:
    """Organisation and invitation of a link, through the one function that sees all of them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, invitation_id FROM airis_invitation(%s)", [_digest(token)])
        row = cursor.fetchone()
    if row is None:
        raise NotFound
    return row[0], row[1]


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _record(actor_id: UUID | None, name: str, action: str, invitation: Invitation, **detail: object) -> None:
    audit.record(
        action=action,
        actor_id=actor_id,
        actor_name=name,
        object_type="invitation",
        object_id=invitation.id,
        detail={"email": invitation.email} | detail,
    )
