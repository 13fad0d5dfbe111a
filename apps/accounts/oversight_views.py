"""Pages of those who watch: the trail, all grants, settings, use in counts, why somebody reaches a collection."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from apps.accounts import oversight, selectors, wording
from apps.accounts.contracts import Permission
from apps.accounts.middleware import OrganisationRequest
from apps.accounts.permissions import require
from apps.core import export
from apps.tenants import audit

EVENTS_ON_A_PAGE = 100
EVENTS_IN_A_FILE = 50_000


@require_GET
def trail(request: OrganisationRequest) -> HttpResponse:
    require(request.actor, Permission.VIEW_AUDIT)
    is_file = request.GET.get("format") == "csv"
    events = audit.list_events(
        limit=EVENTS_IN_A_FILE if is_file else EVENTS_ON_A_PAGE + 1,
        before=_moment(request.GET.get("before", "")),
        action=request.GET.get("action", "")[:60],
        actor_id=_uuid(request.GET.get("person", "")),
    )
    if is_file:
        return _trail_file(request, events)
    context = {
        "section": "audit",
        "tab": "trail",
        "events": wording.describe(events[:EVENTS_ON_A_PAGE], tenant_id=request.actor.tenant_id),
        "next_before": events[EVENTS_ON_A_PAGE - 1].at.isoformat() if len(events) > EVENTS_ON_A_PAGE else "",
        "actions": sorted(((code, wording.name_of_act(code)) for code in audit.list_actions()), key=lambda a: a[1]),
        "members": selectors.list_members(actor=request.actor),
        "chosen_action": request.GET.get("action", ""),
        "chosen_person": request.GET.get("person", ""),
    }
    return render(request, "accounts/audit.html", context)


@require_GET
def grants(request: OrganisationRequest) -> HttpResponse:
    lines = oversight.list_all_grants(actor=request.actor)
    if request.GET.get("format") == "csv":
        head = ("collection", "holder", "kind", "people", "level")
        rows = [
            (g.collection, g.holder, "group" if g.is_group else "person", ", ".join(g.members), g.level.value)
            for g in lines
        ]
        return _file(request, "grants", head, rows)
    return render(request, "accounts/grants.html", {"section": "audit", "tab": "grants", "lines": lines})


@require_GET
def organisation_settings(request: OrganisationRequest) -> HttpResponse:
    """What the organisation has decided, who its people are. Read by auditors, changed on the members page."""
    require(request.actor, Permission.VIEW_AUDIT)
    members = selectors.list_members(actor=request.actor)
    private_files = selectors.allows_private_files(actor=request.actor)
    review = selectors.allows_conversation_review(tenant_id=request.actor.tenant_id)
    if request.GET.get("format") == "csv":
        rows: list[Sequence[object]] = [
            ("private_files", "", "on" if private_files else "off"),
            ("conversation_review", "", "on" if review else "off"),
            *(("member", f"{m.name} <{m.email}>", m.role.value if m.is_active else "inactive") for m in members),
        ]
        return _file(request, "settings", ("setting", "of", "value"), rows)
    context = {
        "section": "audit",
        "tab": "settings",
        "members": members,
        "allows_private_files": private_files,
        "allows_conversation_review": review,
    }
    return render(request, "accounts/organisation_settings.html", context)


@require_GET
def use(request: OrganisationRequest) -> HttpResponse:
    lines = oversight.list_use(actor=request.actor)
    if request.GET.get("format") == "csv":
        head = ("month", "person", *oversight.COUNTED)
        return _file(request, "use", head, [(f"{u.month:%Y-%m}", u.person, *u.counts) for u in lines])
    heads = (_("Sign-ins"), _("Pages read"), _("Downloads"), _("Documents added"), _("Questions"))
    context = {
        "section": "audit",
        "tab": "use",
        "lines": lines,
        "heads": heads,
        "allows_conversation_review": selectors.allows_conversation_review(tenant_id=request.actor.tenant_id),
    }
    return render(request, "accounts/use.html", context)


@require_GET
def why(request: OrganisationRequest) -> HttpResponse:
    """Why X can see this: ?person= and ?collection=, either or both."""
    require(request.actor, Permission.VIEW_AUDIT)
    user_id, collection_id = _uuid(request.GET.get("person", "")), _uuid(request.GET.get("collection", ""))
    reasons = (
        oversight.explain_access(actor=request.actor, collection_id=collection_id, user_id=user_id)
        if user_id or collection_id
        else ()
    )
    context = {
        "section": "audit",
        "tab": "why",
        "reasons": reasons,
        "is_asked": bool(user_id or collection_id),
        "members": selectors.list_members(actor=request.actor),
        "collections": oversight.list_shared_collections(actor=request.actor),
        "person": user_id,
        "collection": collection_id,
        "private_collection": next((r for r in reasons if r.is_private and collection_id), None),
    }
    return render(request, "accounts/why.html", context)


def _trail_file(request: OrganisationRequest, events: tuple[audit.AuditEntry, ...]) -> HttpResponse:
    worded = wording.describe(events, tenant_id=request.actor.tenant_id)
    head = ("at", "person", "act", "act_code", "thing", "detail", "object_id")
    rows = [_trail_row(worded_event, event) for worded_event, event in zip(worded, events, strict=True)]
    return _file(request, "audit", head, rows)


def _file(
    request: OrganisationRequest, name: str, head: Sequence[object], rows: Sequence[Sequence[object]]
) -> HttpResponse:
    """The list as CSV; that it was taken stands in the trail."""
    audit.record(
        action="audit.exported",
        actor_id=request.actor.user_id,
        actor_name=request.actor.name,
        detail={"name": name, "lines": len(rows)},
    )
    return export.csv_response(name=name, head=head, rows=rows)


def _trail_row(worded: wording.WordedEvent, event: audit.AuditEntry) -> tuple[object, ...]:
    detail = "; ".join(f"{label}: {value}" if label else value for label, value in worded.detail)
    return worded.at, worded.person, worded.act, event.action, worded.thing, detail, event.object_id or ""


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
