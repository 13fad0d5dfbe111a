"""Pages of administrators: members, invitations, groups, what the organisation allows."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts import groups, invitations, members, selectors, services
from apps.accounts.contracts import GrantLevel, InvitationDraft, Permission, Role
from apps.accounts.forms import InvitationForm, RoleForm
from apps.accounts.middleware import OrganisationRequest
from apps.accounts.permissions import allows, holds, require
from apps.core.errors import AirisError, InputError, NotFound


@never_cache
@require_http_methods(["GET", "POST"])
def list_members(request: OrganisationRequest) -> HttpResponse:
    """Who belongs here; owners and administrators also switch what members may have."""
    require(request.actor, Permission.MANAGE_MEMBERS)
    if request.method == "POST":
        _switch(request)
        messages.success(request, _("Saved."), extra_tags="positive")
        return redirect(request.path)
    return render(request, "accounts/members.html", _context(request, InvitationForm()))


@never_cache
@require_POST
def invite(request: OrganisationRequest) -> HttpResponse:
    """An invitation; its link is shown in this answer and never again."""
    require(request.actor, Permission.MANAGE_MEMBERS)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return render(request, "accounts/members.html", _context(request, form), status=400)
    draft = InvitationDraft(
        email=form.cleaned_data["email"],
        role=Role(form.cleaned_data["role"]),
        group_ids=tuple(_uuid(value) for value in request.POST.getlist("group")),
        grants=_chosen_grants(request),
    )
    try:
        path = invitations.invite(actor=request.actor, draft=draft)
    except AirisError as exc:
        if exc.status == 404:
            raise
        form.add_error("email", str(exc.message))
        return render(request, "accounts/members.html", _context(request, form), status=exc.status)
    if not path:
        messages.success(request, _("The invitation went out by mail."), extra_tags="positive")
        return redirect("accounts:members", request.actor.tenant_slug)
    link = {"link": request.build_absolute_uri(path), "link_for": draft.email, "link_kind": "invitation"}
    return render(request, "accounts/members.html", _context(request, InvitationForm()) | link)


@require_POST
def revoke_invitation(request: OrganisationRequest, invitation_id: UUID) -> HttpResponse:
    invitations.revoke(actor=request.actor, invitation_id=invitation_id)
    messages.success(request, _("The invitation is taken back; its link is dead."), extra_tags="positive")
    return redirect("accounts:members", request.actor.tenant_slug)


@require_POST
def change_role(request: OrganisationRequest, user_id: UUID) -> HttpResponse:
    form = RoleForm(request.POST)
    require(request.actor, Permission.MANAGE_MEMBERS)
    if not form.is_valid():
        raise InputError(field="role")
    role = Role(form.cleaned_data["role"])
    members.change_role(actor=request.actor, user_id=user_id, role=role)
    messages.success(request, _("Role changed."), extra_tags="positive")
    managed = selectors.count_managed(actor=request.actor, user_id=user_id, role=role)
    if managed:
        text = ngettext(
            "By grants given before they now manage {n} shared collection.",
            "By grants given before they now manage {n} shared collections.",
            managed,
        )
        messages.warning(request, text.format(n=managed), extra_tags="warning")
    return redirect("accounts:members", request.actor.tenant_slug)


@require_POST
def set_state(request: OrganisationRequest, user_id: UUID) -> HttpResponse:
    """active=1 lets the member in again, active=0 removes them."""
    require(request.actor, Permission.MANAGE_MEMBERS)
    if request.POST.get("active") == "1":
        members.reactivate(actor=request.actor, user_id=user_id)
        messages.success(request, _("The member is back, with the access they had."), extra_tags="positive")
    else:
        members.deactivate(actor=request.actor, user_id=user_id)
        messages.success(request, _("The member is out. Their pages, tokens and streams ended."), extra_tags="positive")
    return redirect("accounts:members", request.actor.tenant_slug)


@never_cache
@require_POST
def password_link(request: OrganisationRequest, user_id: UUID) -> HttpResponse:
    """A way to a new password, mailed or shown once."""
    require(request.actor, Permission.MANAGE_MEMBERS)
    path = members.send_password_link(actor=request.actor, user_id=user_id)
    if not path:
        messages.success(request, _("The link went out by mail."), extra_tags="positive")
        return redirect("accounts:members", request.actor.tenant_slug)
    person = next(m for m in selectors.list_members(actor=request.actor) if m.user_id == user_id)
    link = {"link": request.build_absolute_uri(path), "link_for": person.name, "link_kind": "password"}
    return render(request, "accounts/members.html", _context(request, InvitationForm()) | link)


@require_http_methods(["GET", "POST"])
def list_groups(request: OrganisationRequest) -> HttpResponse:
    require(request.actor, Permission.MANAGE_MEMBERS)
    problem = ""
    if request.method == "POST":
        try:
            group_id = groups.create_group(actor=request.actor, name=request.POST.get("name", ""))
        except AirisError as exc:
            problem = str(exc.message)
        else:
            return redirect("accounts:group", request.actor.tenant_slug, group_id)
    context = {"section": "groups", "groups": selectors.list_groups(actor=request.actor), "problem": problem}
    return render(request, "accounts/groups.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "POST"])
def group(request: OrganisationRequest, group_id: UUID) -> HttpResponse:
    """Name and people of a group."""
    found, user_ids = selectors.get_group(actor=request.actor, group_id=group_id)
    if request.method == "POST":
        chosen = [_uuid(value) for value in request.POST.getlist("member")]
        name = request.POST.get("name", "")
        groups.set_members(actor=request.actor, group_id=group_id, name=name, user_ids=chosen)
        messages.success(request, _("Saved."), extra_tags="positive")
        return redirect(request.path)
    people = [m for m in selectors.list_members(actor=request.actor) if m.is_active or m.user_id in user_ids]
    rows = [(member, member.user_id in user_ids) for member in people]
    return render(request, "accounts/group.html", {"section": "groups", "group": found, "rows": rows})


@require_POST
def delete_group(request: OrganisationRequest, group_id: UUID) -> HttpResponse:
    groups.delete_group(actor=request.actor, group_id=group_id)
    messages.success(request, _("The group is deleted."), extra_tags="positive")
    return redirect("accounts:groups", request.actor.tenant_slug)


def _context(request: OrganisationRequest, form: InvitationForm) -> dict[str, object]:
    actor = request.actor
    is_owner = actor.role == Role.OWNER
    managed = [
        c for c in selectors.list_collections(actor=actor) if holds(c.level, Permission.MANAGE) and not c.is_private
    ]
    return {
        "section": "members",
        "members": [(member, is_owner or member.role != Role.OWNER) for member in selectors.list_members(actor=actor)],
        "invitations": selectors.list_invitations(actor=actor),
        "form": form,
        "roles": [choice for choice in Role.choices if is_owner or choice[0] != Role.OWNER],
        "groups": selectors.list_groups(actor=actor),
        "collections": managed,
        "levels": GrantLevel.choices,
        "has_mail": settings.HAS_MAIL,
        "allows_private_files": selectors.allows_private_files(actor=actor),
        "allows_conversation_review": selectors.allows_conversation_review(tenant_id=actor.tenant_id),
        "may_manage_organisation": allows(actor, Permission.MANAGE_ORGANISATION),
    }


def _switch(request: OrganisationRequest) -> None:
    if "private_files" in request.POST:
        services.set_private_files(actor=request.actor, is_allowed=request.POST["private_files"] == "1")
    elif "conversation_review" in request.POST:
        services.set_conversation_review(actor=request.actor, is_allowed=request.POST["conversation_review"] == "1")
    else:
        raise InputError


def _chosen_grants(request: OrganisationRequest) -> dict[UUID, GrantLevel]:
    """Fields `level-<collection id>` of the form; "" is no access."""
    chosen = {}
    for name, value in request.POST.items():
        if name.startswith("level-") and value in GrantLevel.values:
            chosen[_uuid(name.removeprefix("level-"))] = GrantLevel(str(value))
    return chosen


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as exc:
        raise NotFound from exc
