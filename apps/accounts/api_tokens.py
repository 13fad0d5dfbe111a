"""Writes to API tokens by their person: made, shown once, revoked."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts import services
from apps.accounts.contracts import Actor, Scope, TokenAccess, TokenSummary
from apps.accounts.models import ApiToken
from apps.accounts.selectors import actor_in, list_tokens
from apps.accounts.sockets import hint_person
from apps.core.errors import InputError, LimitExceeded, NotAllowed, NotFound
from apps.core.text import clean_input
from apps.tenants import audit
from apps.tenants.context import tenant_context

MOST_TOKENS = 50  # of one person in one organisation


def make_token(
    *, actor: Actor, label: str, scopes: Iterable[Scope], days: int, through: TokenAccess | None = None
) -> tuple[str, TokenSummary]:
    """A token and its summary; the token is never shown again. Raises InputError, LimitExceeded, NotAllowed.

    `through`: the token that asks for it. Its child can do no more and lives no longer.
    """
    wanted = frozenset(scopes)
    name = " ".join(clean_input(label).split())[:100]
    if not name:
        raise InputError(_("Give the token a name that says where it will be used."), field="label")
    if not wanted:
        raise InputError(_("Choose at least one thing that the token may do."), field="scopes")
    if not 1 <= days <= settings.API_TOKEN_LIFETIME.days:
        raise InputError(
            _("Give a number of days from 1 to %(most)d.") % {"most": settings.API_TOKEN_LIFETIME.days}, field="days"
        )
    with tenant_context(actor.tenant_id):
        if ApiToken.objects.filter(user_id=actor.user_id, tenant_id=actor.tenant_id).count() >= MOST_TOKENS:
            raise LimitExceeded(_("There are fifty tokens already; revoke one first."), code="too_many_tokens")
        token, row = services.issue_token(
            user_id=actor.user_id,
            tenant_id=actor.tenant_id,
            label=name,
            scopes=wanted,
            expires_at=_end(days, wanted, through),
        )
        _record(actor, "token.made", row.id, name=name, scopes=row.scopes)
    made = next(t for t in list_tokens(user_id=actor.user_id, tenant_id=actor.tenant_id) if t.id == row.id)
    return token, made


def revoke_token(*, actor: Actor, token_id: UUID) -> None:
    """The token is dead and its open streams end. Raises NotFound for another person's, like an unknown one."""
    with tenant_context(actor.tenant_id):
        row = ApiToken.objects.filter(id=token_id, user_id=actor.user_id, tenant_id=actor.tenant_id).first()
        if row is None:
            raise NotFound
        _record(actor, "token.revoked", row.id, name=row.label)
        row.delete()
        hint_person(actor.user_id)


def revoke_by_person(*, user_id: UUID, token_id: UUID) -> None:
    """As revoke_token, from the person's page, which belongs to no organisation."""
    tenant_id = ApiToken.objects.filter(id=token_id, user_id=user_id).values_list("tenant_id", flat=True).first()
    actor = actor_in(user_id=user_id, tenant_id=tenant_id) if tenant_id else None
    if actor is None:
        raise NotFound
    revoke_token(actor=actor, token_id=token_id)


def _end(days: int, wanted: frozenset[Scope], through: TokenAccess | None) -> datetime:
    end = timezone.now() + timedelta(days=days)
    if through is None:
        return end
    if wanted - through.scopes:
        raise NotAllowed(_("A token cannot make one that may do more than itself."), code="scope_missing")
    return min(end, through.expires_at)


def _record(actor: Actor, action: str, token_id: UUID, **detail: object) -> None:
    audit.record(
        action=action,
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="token",
        object_id=token_id,
        detail=detail,
    )
