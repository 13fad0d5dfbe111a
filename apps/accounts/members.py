"""Writes to memberships: roles, removal, a way back in. The last owner stays, also when two act at once.

Every act locks the organisation's row first, then reads who acts and who is meant: what a page knew may be old.
"""

from uuid import UUID

from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.accounts.contracts import Actor, GrantLevel, Permission, Role
from apps.accounts.models import ApiToken, CollectionGrant, Membership, User
from apps.accounts.permissions import ORGANISATION_ACTS, has_manager
from apps.accounts.sessions import end_all_sessions
from apps.accounts.sockets import hint_person
from apps.core.errors import Conflict, NotAllowed, NotFound
from apps.tenants import audit
from apps.tenants.models import Tenant


def change_role(*, actor: Actor, user_id: UUID, role: Role) -> None:
    """The member has the role. Raises NotFound, NotAllowed, Conflict (`last_owner`)."""
    own, target = _lock(actor, user_id)
    _require_over(own, target, role)
    if target.role == role:
        return
    if target.role == Role.OWNER:
        _require_another_owner(actor.tenant_id, user_id)
    before, target.role = target.role, role
    target.save(update_fields=["role"])
    _record(actor, "member.role_changed", user_id, before=before, role=role.value)
    hint_person(user_id)


def deactivate(*, actor: Actor, user_id: UUID) -> None:
    """The member is out: pages, sockets, API tokens and, without another organisation, their sign-ins end now.

    What only they managed is managed by the actor from now on. Raises NotFound, NotAllowed, Conflict (`last_owner`).
    """
    own, target = _lock(actor, user_id)
    _require_over(own, target, Role(target.role))
    if not target.is_active:
        return
    if target.role == Role.OWNER:
        _require_another_owner(actor.tenant_id, user_id)
    target.is_active = False
    target.save(update_fields=["is_active"])
    ApiToken.objects.filter(tenant_id=actor.tenant_id, user_id=user_id).delete()
    _record(actor, "member.deactivated", user_id)
    _take_over(actor, user_id)
    if Membership.objects.filter(user_id=user_id, is_active=True).exists():
        hint_person(user_id)
    else:
        end_all_sessions(user_id=user_id)


def reactivate(*, actor: Actor, user_id: UUID) -> None:
    """The member is back with the role and the grants they had."""
    own, target = _lock(actor, user_id)
    _require_over(own, target, Role(target.role))
    if target.is_active:
        return
    target.is_active = True
    target.save(update_fields=["is_active"])
    _record(actor, "member.reactivated", user_id)


def send_password_link(*, actor: Actor, user_id: UUID) -> str:
    """A way to a new password for a member: mailed when the installation has mail ("" is returned), else a path to
    hand over. Only while the account is this organisation's alone: a link would open the others too."""
    own, target = _lock(actor, user_id)
    _require_over(own, target, Role(target.role))
    if not target.is_active:
        raise NotAllowed(_("The person is not active here."), code="inactive")
    if Membership.objects.filter(user_id=user_id).exclude(tenant_id=actor.tenant_id).exists():
        raise NotAllowed(_("A link for this account is made by the operator: manage.py password_link."), code="shared")
    path = password_path(user=target.user)
    _record(actor, "member.password_link", user_id, by_mail=settings.HAS_MAIL)
    if not settings.HAS_MAIL:
        return path
    context = {"user": target.user, "password_reset_url": settings.BASE_URL + path}
    get_adapter().send_mail("account/email/password_reset_key", target.user.email, context)
    return ""


def password_path(*, user: User) -> str:
    """The path of a one-time page that sets a new password; dead after use, after a day, or after a sign-in."""
    key = default_token_generator.make_token(user)
    return reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), key])


def _take_over(actor: Actor, user_id: UUID) -> None:
    """Shared collections that nobody manages any more go to who removed their manager; on the record."""
    managed = CollectionGrant.objects.filter(user_id=user_id, level=GrantLevel.MANAGE, collection__private_to=None)
    for collection_id in managed.values_list("collection_id", flat=True):
        if has_manager(collection_id):
            continue
        CollectionGrant.objects.update_or_create(
            collection_id=collection_id, user_id=actor.user_id, defaults={"level": GrantLevel.MANAGE}
        )
        audit.record(
            action="grant.set",
            actor_id=actor.user_id,
            actor_name=actor.name,
            object_type="collection",
            object_id=collection_id,
            detail={"user": str(actor.user_id), "level": GrantLevel.MANAGE.value, "instead_of": str(user_id)},
        )


def _lock(actor: Actor, user_id: UUID) -> tuple[Membership, Membership]:
    """The organisation is locked; the rows of who acts and who is meant, read after that."""
    Tenant.objects.select_for_update().get(id=actor.tenant_id)
    own = _members(actor.tenant_id).filter(user_id=actor.user_id, is_active=True).first()
    if own is None:
        raise NotFound
    if Role(own.role) not in ORGANISATION_ACTS[Permission.MANAGE_MEMBERS]:
        raise NotAllowed
    target = _members(actor.tenant_id).filter(user_id=user_id).first()
    if target is None:
        raise NotFound
    return own, target


def _members(tenant_id: UUID) -> QuerySet[Membership]:
    return Membership.objects.filter(tenant_id=tenant_id).select_related("user")


def _require_over(own: Membership, target: Membership, role: Role) -> None:
    """Owners are made, changed and removed by owners alone."""
    if Role.OWNER in (Role(target.role), role) and own.role != Role.OWNER:
        raise NotAllowed(_("Only an owner may do this."), code="owners_only")


def _require_another_owner(tenant_id: UUID, user_id: UUID) -> None:
    others = Membership.objects.filter(tenant_id=tenant_id, role=Role.OWNER, is_active=True, user__is_active=True)
    if not others.exclude(user_id=user_id).exists():
        raise Conflict(_("An organisation needs an owner. Make somebody else an owner first."), code="last_owner")


def _record(actor: Actor, action: str, user_id: UUID, **detail: object) -> None:
    audit.record(
        action=action,
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="user",
        object_id=user_id,
        detail=detail,
    )
