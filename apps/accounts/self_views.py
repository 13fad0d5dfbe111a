"""Pages of a person about themselves: settings, sign-ins, own activity."""

from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts import selectors, services, sessions, wording
from apps.accounts.events import set_cookies
from apps.accounts.forms import PreferencesForm
from apps.accounts.middleware import OrganisationRequest
from apps.accounts.models import User
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
