"""What the shell of every page needs: the person's organisations, their rights, the theme."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from apps.accounts.contracts import Actor, OrganisationSummary, Permission
from apps.accounts.permissions import allows
from apps.accounts.selectors import actor_for, list_organisations

THEMES = {"light", "dark"}


def shell(request: HttpRequest) -> dict[str, Any]:
    theme = request.COOKIES.get("theme", "")
    context: dict[str, Any] = {
        "theme": theme if theme in THEMES else "system",
        "has_mail": settings.HAS_MAIL,
        "time_zone_name": timezone.get_current_timezone_name(),
    }
    actor = getattr(request, "actor", None)
    slug = getattr(request, "tenant_slug", None)
    if actor is None or slug is None:
        return context | _outside(request)
    return context | _inside(actor, slug, list_organisations(user_id=actor.user_id))


def _outside(request: HttpRequest) -> dict[str, Any]:
    """Pages of no organisation: the rail of the person's only one, or the list of theirs."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    organisations = list_organisations(user_id=user.pk)
    if len(organisations) != 1:
        return {"organisations": organisations}
    [only] = organisations
    actor = actor_for(user_id=user.pk, tenant_slug=only.slug)
    return _inside(actor, only.slug, organisations) if actor else {}


def _inside(actor: Actor, slug: str, organisations: tuple[OrganisationSummary, ...]) -> dict[str, Any]:
    return {
        "actor": actor,
        "tenant_slug": slug,
        "organisations": organisations,
        "organisation": next((o for o in organisations if o.slug == slug), None),
        "may_view_audit": allows(actor, Permission.VIEW_AUDIT),
        "may_manage_members": allows(actor, Permission.MANAGE_MEMBERS),
        "may_manage_models": allows(actor, Permission.MANAGE_MODELS),
        "may_manage_webhooks": allows(actor, Permission.MANAGE_WEBHOOKS),
        "may_review_conversations": allows(actor, Permission.REVIEW_CONVERSATIONS),
        "may_manage_collections": allows(actor, Permission.MANAGE_COLLECTIONS),
    }
