"""Pages of the door and of collections: start, sign-in, first run, invitations, access to a collection."""

from typing import Any
from uuid import UUID

from allauth.account.internal.flows.login import perform_login
from allauth.account.models import Login
from allauth.account.views import LoginView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts import groups, invitations, selectors, services, setup
from apps.accounts.backends import LOCAL_ADDRESSES
from apps.accounts.contracts import GrantLevel, Permission
from apps.accounts.demo_people import DEMO_PASSWORD, DEMO_PEOPLE
from apps.accounts.forms import CollectionForm, GrantForm, NewPersonForm, SetupForm
from apps.accounts.middleware import OrganisationRequest
from apps.accounts.models import User
from apps.accounts.permissions import capped, require
from apps.core.errors import AirisError, InputError


@require_GET
def start(request: HttpRequest) -> HttpResponse:
    """The person's first organisation, or sign-in."""
    if not request.user.is_authenticated:
        return redirect("accounts:sign_in")
    organisations = selectors.list_organisations(user_id=request.user.pk)
    if not organisations:
        return render(request, "accounts/no_organisation.html")
    return redirect("home", organisations[0].slug)


class SignInView(LoginView):
    """allauth's view with our page: attempts are counted, then e-mail confirmation and second factor asked for."""

    template_name = "accounts/sign_in.html"
    http_method_names = ["get", "head", "post"]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        target = self.request.POST.get("next") or self.request.GET.get("next") or ""
        form = context["form"]
        return context | {
            "next": target,
            "is_expired": self.request.method == "GET" and bool(target) and target != "/",
            "login": form.data.get("login", "")[:254] if form.is_bound else "",
            "failures": [error for errors in form.errors.values() for error in errors] if form.is_bound else [],
            "demo_people": DEMO_PEOPLE if _shows_demo(self.request) else (),
            "demo_password": DEMO_PASSWORD,
            "is_unowned": setup.is_needed(),
        }

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=400)  # type: ignore[no-any-return]


sign_in = SignInView.as_view()


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("accounts:sign_in")


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def first_run(request: HttpRequest, token: str) -> HttpResponse:
    """Makes the installation's first organisation and owner; a wrong or used key is an unknown address."""
    setup.require_open(token=token)
    form = SetupForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = setup.complete(token=token, time_zone=request.POST.get("time_zone", ""), **form.cleaned_data)
        except AirisError as exc:
            _show_on(form, exc)
        else:
            return perform_login(request, Login(user=user))  # type: ignore[no-any-return]  # library without types
    return render(request, "accounts/first_run.html", {"form": form}, status=400 if form.errors else 200)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """A new person sets name and password; a known one signs in and accepts."""
    offer = invitations.look_up(token=token)
    user = request.user if isinstance(request.user, User) else None
    form = NewPersonForm(request.POST or None) if not offer.is_known_person and user is None else None
    context = {
        "offer": offer,
        "form": form,
        "is_own": user is not None and user.email == offer.email,
        "signed_in_as": user.email if user else "",
        "sign_in_url": f"{reverse('accounts:sign_in')}?next={request.path}",
        "path": request.path,
    }
    if request.method == "POST" and user is not None:
        accepted = invitations.accept_as_member(token=token, user=user)
        return redirect("home", accepted.tenant_slug)
    if request.method == "POST" and form is not None and form.is_valid():
        try:
            person = invitations.accept_as_new(
                token=token, time_zone=request.POST.get("time_zone", ""), **form.cleaned_data
            )
        except InputError as exc:
            _show_on(form, exc)
        else:
            target = reverse("home", args=[offer.tenant_slug])
            return perform_login(request, Login(user=person, redirect_url=target))  # type: ignore[no-any-return]
    status = 400 if form is not None and form.errors else 200
    return render(request, "accounts/invitation.html", context, status=status)


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
    """Who may do what with a collection: people and groups."""
    collection = selectors.get_collection(actor=request.actor, collection_id=collection_id)
    require(request.actor, Permission.MANAGE, collection_id=collection_id)
    if request.method == "POST":
        _change_grant(request, collection_id)
        return redirect(request.path)
    actor = request.actor
    grants = {grant.user_id: grant for grant in selectors.list_grants(actor=actor, collection_id=collection_id)}
    of_groups = {g.group_id: g for g in selectors.list_group_grants(actor=actor, collection_id=collection_id)}
    context = {
        "section": "documents",
        "collection": collection,
        "rows": [(m, grants.get(m.user_id)) for m in selectors.list_members(actor=actor) if m.is_active],
        "groups": [(group, of_groups.get(group.id)) for group in selectors.list_groups(actor=actor)],
        "levels": GrantLevel.choices,
    }
    return render(request, "accounts/access.html", context)


def _shows_demo(request: HttpRequest) -> bool:
    return settings.DEMO and request.META.get("REMOTE_ADDR", "") in LOCAL_ADDRESSES


def _show_on(form: Any, error: AirisError) -> None:  # Any: one of several form classes
    field = getattr(error, "field", "")
    if error.code == "email_taken":
        field = "email"
    form.add_error(field if field in form.fields else None, str(error.message))


def _change_grant(request: OrganisationRequest, collection_id: UUID) -> None:
    form = GrantForm(request.POST)
    if not form.is_valid():
        raise InputError
    user_id, group_id, text = form.cleaned_data["user"], form.cleaned_data["group"], form.cleaned_data["level"]
    level = None if text == "none" else GrantLevel(text)
    actor = request.actor
    if group_id is not None:
        groups.grant_to_group(actor=actor, collection_id=collection_id, group_id=group_id, level=level)
    elif user_id is None:
        raise InputError(field="user")
    elif level is None:
        services.revoke_access(actor=actor, collection_id=collection_id, user_id=user_id)
    else:
        services.grant_access(actor=actor, collection_id=collection_id, user_id=user_id, level=level)
    messages.success(request, _("Access changed."), extra_tags="positive")
    if user_id is not None and level is not None:
        _say_cap(request, user_id, level)


def _say_cap(request: OrganisationRequest, user_id: UUID, level: GrantLevel) -> None:
    """A grant beyond what the person's role can use is said, for it comes alive with a higher role."""
    members = selectors.list_members(actor=request.actor)
    role = next((member.role for member in members if member.user_id == user_id), None)
    if role is None or capped(level, role) == level:
        return
    text = _("As {role} they can use less: “{usable}”. With a higher role the whole grant, “{level}”, counts.")
    said = text.format(role=role.label, usable=capped(level, role).label, level=level.label)
    messages.warning(request, said, extra_tags="warning")
