"""What the shell of every page needs: the person's organisations, their rights, the theme."""

from typing import Any

from django.http import HttpRequest

from apps.accounts.contracts import Permission
from apps.accounts.permissions import allows
from apps.accounts.selectors import list_organisations

THEMES = {"light", "dark"}


def shell(request: HttpRequest) -> dict[str, Any]:
    theme = request.COOKIES.get("theme", "")
    context: dict[str, Any] = {"theme": theme if theme in THEMES else "system"}
    actor = getattr(request, "actor", None)
    slug = getattr(request, "tenant_slug", None)
    if actor is None or slug is None:
        return context
    organisations = list_organisations(user_id=actor.user_id)
    return context | {
        "actor": actor,
        "tenant_slug": slug,
        "organisations": organisations,
        "organisation": next((o for o in organisations if o.slug == slug), None),
        "may_view_audit": allows(actor, Permission.VIEW_AUDIT),
        "may_manage_members": allows(actor, Permission.MANAGE_MEMBERS),
        "may_manage_collections": allows(actor, Permission.MANAGE_COLLECTIONS),
    }
