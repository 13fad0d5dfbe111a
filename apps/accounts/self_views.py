"""Pages of a person about themselves: settings, sign-ins, own activity."""

from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts import api_tokens, selectors, services, sessions, wording
from apps.accounts.contracts import Scope, TokenSummary
from apps.accounts.events import set_cookies
from apps.accounts.forms import PreferencesForm, TokenForm
from apps.accounts.middleware import OrganisationRequest
from apps.accounts.models import User
from apps.core.errors import InputError, LimitExceeded, NotFound
from apps.tenants import audit

EVENTS_ON_A_PAGE = 100


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Name, language, appearance, time zone, numbers; the person's sign-ins and second factor."""
    user = _person(request)
    saved = {name: getattr(user, name) for name in ("name", "language", "theme", "time_zone", "number_format")}
    form = PreferencesForm(request.POST or None, initial=saved)
    if request.method == "POST" and form.is_valid():
        services.save_preferences(user_id=user.pk, **form.cleaned_data)
        translation.activate(form.cleaned_data["language"] or translation.get_language())
        messages.success(request, _("Saved."), extra_tags="positive")
        response = redirect(request.path)
        theme = form.cleaned_data["theme"] or "system"
        set_cookies(response, language=form.cleaned_data["language"], theme=theme)
        return response
    context = {
        "section": "settings",
        "form": form,
        "email": user.email,
        "sessions": sessions.list_sessions(user_id=user.pk, current_key=request.session.session_key),
        "has_second_factor": selectors.has_second_factor(user_id=user.pk),
        "organisations": selectors.list_organisations(user_id=user.pk),
        "token_count": len(selectors.list_tokens(user_id=user.pk)),
        "zone": ZoneInfo(user.time_zone or "UTC").key,
    }
    return render(request, "accounts/preferences.html", context, status=400 if form.errors else 200)


@login_required
@require_POST
def end_session(request: HttpRequest, session_id: int) -> HttpResponse:
    """One of the own sign-ins is over, with its open streams."""
    sessions.end_session(user_id=_person(request).pk, session_id=session_id)
    messages.success(request, _("That sign-in is over."), extra_tags="positive")
    return redirect("accounts:preferences")


@login_required
@require_POST
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    sessions.end_all_sessions(user_id=_person(request).pk, except_key=request.session.session_key)
    messages.success(request, _("All other sign-ins are over."), extra_tags="positive")
    return redirect("accounts:preferences")


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """The own API tokens; a new one is made here and shown once."""
    user = _person(request)
    organisations = selectors.list_organisations(user_id=user.pk)
    form = TokenForm(request.POST or None, organisations=organisations)
    token, made, status = "", None, 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                token, made = _make_token(user, form.cleaned_data)
            except (InputError, LimitExceeded) as exc:
                field = getattr(exc, "field", "")
                form.add_error(field if field in form.fields else None, str(exc.message))
            else:
                form, status = TokenForm(organisations=organisations), 200
    context = {
        "section": "settings",
        "form": form,
        "token": token,
        "made": made,
        "tokens": selectors.list_tokens(user_id=user.pk),
        "organisations": organisations,
    }
    return render(request, "accounts/tokens.html", context, status=status)


@login_required
@require_POST
def revoke_token(request: HttpRequest, token_id: UUID) -> HttpResponse:
    """One of the own tokens is dead, with its open streams."""
    api_tokens.revoke_by_person(user_id=_person(request).pk, token_id=token_id)
    messages.success(request, _("Revoked: the token is dead."), extra_tags="positive")
    return redirect("accounts:tokens")


def _make_token(user: User, data: dict[str, Any]) -> tuple[str, TokenSummary]:
    actor = selectors.actor_for(user_id=user.pk, tenant_slug=data["organisation"])
    if actor is None:
        raise NotFound
    scopes = [Scope(scope) for scope in data["scopes"]]
    return api_tokens.make_token(actor=actor, label=data["label"], scopes=scopes, days=data["days"])


@require_GET
def activity(request: OrganisationRequest) -> HttpResponse:
    """What the trail holds of the person, and of what others read of theirs."""
    actor = request.actor
    events = audit.list_events_about(limit=EVENTS_ON_A_PAGE, user_id=actor.user_id)
    worded = wording.describe(events, tenant_id=actor.tenant_id)
    return render(request, "accounts/activity.html", {"section": "activity", "events": worded})


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # login_required
    return request.user
