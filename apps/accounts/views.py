"""Pages of people: sign-in, members, access to a collection, audit trail, own activity."""

import csv
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login, logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts import selectors, services
from apps.accounts.backends import LOCAL_ADDRESSES
from apps.accounts.contracts import GrantLevel, Permission
from apps.accounts.demo_people import DEMO_PASSWORD, DEMO_PEOPLE
from apps.accounts.forms import CollectionForm, GrantForm, SignInForm
from apps.accounts.middleware import OrganisationRequest
from apps.accounts.permissions import require
from apps.core.errors import AirisError, InputError
from apps.tenants import audit

EVENTS_ON_A_PAGE = 100


@require_GET
def start(request: HttpRequest) -> HttpResponse:
    """The person's first organisation, or sign-in."""
    if not request.user.is_authenticated:
        return redirect("accounts:sign_in")
    organisations = selectors.list_organisations(user_id=request.user.pk)
    if not organisations:
        return render(request, "accounts/no_organisation.html")
    return redirect("home", organisations[0].slug)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    target = request.POST.get("next") or request.GET.get("next") or ""
    context = {
        "next": target,
        "is_expired": request.method == "GET" and bool(target) and target != "/",
        "login": "",
        "demo_people": DEMO_PEOPLE if _shows_demo(request) else (),
        "demo_password": DEMO_PASSWORD,
    }
    if request.method == "GET":
        return render(request, "accounts/sign_in.html", context)
    form = SignInForm(request.POST)
    user = None
    if form.is_valid():
        user = authenticate(request, email=form.cleaned_data["login"], password=form.cleaned_data["password"])
    if user is None:
        context |= {"failed": True, "login": request.POST.get("login", "")[:254]}
        return render(request, "accounts/sign_in.html", context, status=400)
    login(request, user)
    services.record_sign_in(user_id=user.pk, name=user.name)
    if not url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}):
        target = reverse("accounts:start")
    return HttpResponseRedirect(target)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("accounts:sign_in")


@require_http_methods(["GET", "POST"])
def members(request: OrganisationRequest) -> HttpResponse:
    """Who belongs here; administrators also switch private collections on or off."""
    require(request.actor, Permission.MANAGE_MEMBERS)
    if request.method == "POST":
        services.set_private_files(actor=request.actor, is_allowed=request.POST.get("private_files") == "1")
        messages.success(request, _("Saved."), extra_tags="positive")
        return redirect(request.path)
    context = {
        "section": "members",
        "members": selectors.list_members(actor=request.actor),
        "allows_private_files": selectors.allows_private_files(actor=request.actor),
    }
    return render(request, "accounts/members.html", context)


@require_http_methods(["GET", "POST"])
def new_collection(request: OrganisationRequest) -> HttpResponse:
    require(request.actor, Permission.MANAGE_COLLECTIONS)
    form = CollectionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            collection_id = services.create_collection(actor=request.actor, **form.cleaned_data)
        except AirisError as exc:
            form.add_error("name", str(exc.message))
        else:
            return redirect("documents:collection", request.actor.tenant_slug, collection_id)
    status = 400 if form.errors else 200
    return render(request, "accounts/new_collection.html", {"section": "documents", "form": form}, status=status)


@require_http_methods(["GET", "POST"])
def access(request: OrganisationRequest, collection_id: UUID) -> HttpResponse:
    """Who may do what with a collection."""
    collection = selectors.get_collection(actor=request.actor, collection_id=collection_id)
    require(request.actor, Permission.MANAGE, collection_id=collection_id)
    if request.method == "POST":
        _change_grant(request, collection_id)
        return redirect(request.path)
    grants = {grant.user_id: grant for grant in selectors.list_grants(actor=request.actor, collection_id=collection_id)}
    rows = [(member, grants.get(member.user_id)) for member in selectors.list_members(actor=request.actor)]
    context = {"section": "documents", "collection": collection, "rows": rows, "levels": GrantLevel.choices}
    return render(request, "accounts/access.html", context)


@require_GET
def audit_trail(request: OrganisationRequest) -> HttpResponse:
    require(request.actor, Permission.VIEW_AUDIT)
    events = audit.list_events(
        limit=EVENTS_ON_A_PAGE + 1,
        before=_moment(request.GET.get("before", "")),
        action=request.GET.get("action", "")[:60],
        actor_id=_uuid(request.GET.get("person", "")),
    )
    if request.GET.get("format") == "csv":
        return _csv(events)
    context = {
        "section": "audit",
        "events": events[:EVENTS_ON_A_PAGE],
        "next_before": events[EVENTS_ON_A_PAGE - 1].at.isoformat() if len(events) > EVENTS_ON_A_PAGE else "",
        "actions": audit.list_actions(),
        "members": selectors.list_members(actor=request.actor),
        "chosen_action": request.GET.get("action", ""),
        "chosen_person": request.GET.get("person", ""),
    }
    return render(request, "accounts/audit.html", context)


@require_GET
def activity(request: OrganisationRequest) -> HttpResponse:
    events = audit.list_events(limit=EVENTS_ON_A_PAGE, actor_id=request.actor.user_id)
    return render(request, "accounts/activity.html", {"section": "activity", "events": events})


def _shows_demo(request: HttpRequest) -> bool:
    return settings.DEMO and request.META.get("REMOTE_ADDR", "") in LOCAL_ADDRESSES


def _change_grant(request: OrganisationRequest, collection_id: UUID) -> None:
    form = GrantForm(request.POST)
    if not form.is_valid():
        raise InputError
    user_id, level = form.cleaned_data["user"], form.cleaned_data["level"]
    if level == "none":
        services.revoke_access(actor=request.actor, collection_id=collection_id, user_id=user_id)
    else:
        services.grant_access(
            actor=request.actor, collection_id=collection_id, user_id=user_id, level=GrantLevel(level)
        )
    messages.success(request, _("Access changed."), extra_tags="positive")


def _csv(events: tuple[audit.AuditEntry, ...]) -> HttpResponse:
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="audit.csv"'
    writer = csv.writer(response)
    writer.writerow(["at", "person", "action", "object", "object_id", "detail"])
    for event in events:
        cells = [event.at.isoformat(), event.actor_name, event.action, event.object_type, event.object_id, event.detail]
        writer.writerow([_formula_safe(str(cell)) for cell in cells])
    return response


def _formula_safe(cell: str) -> str:
    """A spreadsheet must not run what a person typed: leading formula signs get an apostrophe."""
    return f"'{cell}" if cell[:1] in {"=", "+", "-", "@", "\t", "\r"} else cell


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    offset = moment.utcoffset()
    return moment if offset is not None and offset.total_seconds() % 60 == 0 else None


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
