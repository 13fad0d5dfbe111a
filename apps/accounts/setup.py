"""The first organisation of an installation: a one-time page, offered while nobody but demo people owns anything."""

import hashlib
import secrets
from uuid import UUID

from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.text import slugify
from django.utils.translation import gettext as _

from apps.accounts import services
from apps.accounts.contracts import Role
from apps.accounts.invitations import check_password
from apps.accounts.models import Membership, SetupToken, User
from apps.core.errors import InputError, NotFound
from apps.core.text import fold
from apps.tenants.models import Tenant

LONGEST_SLUG = 50


def is_needed() -> bool:
    """Whether no organisation has an owner who is a real person."""
    return not Membership.objects.filter(role=Role.OWNER, user__is_demo=False, tenant__is_demo=False).exists()


def offer() -> str | None:
    """A fresh one-time key of the first-run page, the older one being dead; None when it is not needed."""
    if not is_needed():
        return None
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        SetupToken.objects.all().delete()
        SetupToken.objects.create(digest=_digest(token))
    return token


def require_open(*, token: str) -> None:
    """Raises NotFound for a key that is wrong, old or no longer needed, like an unknown address."""
    row = SetupToken.objects.first()
    if row is None or not constant_time_compare(row.digest, _digest(token)) or not is_needed():
        raise NotFound


def complete(*, token: str, organisation: str, name: str, email: str, password: str, time_zone: str = "") -> User:
    """The organisation stands and its owner can sign in; the page is gone. Raises NotFound, InputError, Conflict."""
    with transaction.atomic():
        list(SetupToken.objects.select_for_update())  # of two at once, the second finds no key
        require_open(token=token)
        check_password(email=email, name=name, password=password)
        tenant_id = services.create_organisation(name=organisation, slug=free_slug(organisation))
        user_id = services.create_person(email=email, name=name, password=password, time_zone=time_zone)
        SetupToken.objects.all().delete()
    services.add_member(tenant_id=tenant_id, user_id=user_id, role=Role.OWNER, added_by=None)
    return User.objects.get(id=user_id)


def found(*, organisation: str, slug: str, email: str) -> tuple[UUID, bool]:
    """An organisation made on the console. A known person becomes its owner at once: (tenant id, True)."""
    tenant_id = services.create_organisation(name=organisation, slug=slug or free_slug(organisation))
    known = User.objects.filter(email=email, is_demo=False).first()
    if known is None:
        return tenant_id, False
    services.add_member(tenant_id=tenant_id, user_id=known.pk, role=Role.OWNER, added_by=None)
    return tenant_id, True


def free_slug(name: str) -> str:
    """The address of an organisation out of its name, with a number when it is taken."""
    base = slugify(fold(name))[:LONGEST_SLUG].strip("-")
    if not base:
        raise InputError(_("Give the organisation a name with letters."), field="organisation")
    taken = set(Tenant.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for slug in (base, *(f"{base}-{n}" for n in range(2, len(taken) + 3))) if slug not in taken)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
