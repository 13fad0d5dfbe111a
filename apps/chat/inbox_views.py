"""Pages of the inbox."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.middleware import OrganisationRequest
from apps.chat import notices
from apps.chat.contracts import NoticeKind
from apps.core.errors import NotFound


@require_GET
def inbox(request: OrganisationRequest) -> HttpResponse:
    context = {"section": "inbox", "notices": notices.list_notices(actor=request.actor)}
    return render(request, "chat/inbox.html", context)


@require_GET
def open_notice(request: OrganisationRequest, notice_id: UUID) -> HttpResponse:
    """To the thing; its notice is read. What is gone since is an unknown address."""
    notice = notices.get_notice(actor=request.actor, notice_id=notice_id)
    notices.mark_read(actor=request.actor, notice_id=notice_id)
    if not notice.name and notice.kind == NoticeKind.DOCUMENT:
        raise NotFound
    slug = request.actor.tenant_slug
    if notice.kind == NoticeKind.ANSWER:
        url = reverse("chat:conversation", args=[slug, notice.place_id])
        return redirect(f"{url}?at={notice.subject_id}#message-{notice.subject_id}")
    return redirect("documents:document", slug, notice.subject_id)


@require_POST
def read(request: OrganisationRequest, notice_id: UUID) -> HttpResponse:
    notices.mark_read(actor=request.actor, notice_id=notice_id)
    return redirect("chat:inbox", request.actor.tenant_slug)


@require_POST
def read_all(request: OrganisationRequest) -> HttpResponse:
    notices.mark_all_read(actor=request.actor)
    return redirect("chat:inbox", request.actor.tenant_slug)
