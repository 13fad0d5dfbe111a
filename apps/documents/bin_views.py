"""Pages of the bin: move there, look, restore, delete for good, and for how long things are kept."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.contracts import Permission
from apps.accounts.middleware import OrganisationRequest
from apps.accounts.permissions import allows
from apps.core.errors import AirisError
from apps.documents import binning, selectors


@require_POST
def bin_document(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    found = selectors.get_document(actor=request.actor, document_id=document_id).summary
    is_kept = binning.bin_document(actor=request.actor, document_id=document_id)
    text = _("“%(name)s” is in the bin.") if is_kept else _("“%(name)s” is deleted.")
    messages.success(request, text % {"name": found.name}, extra_tags="positive")
    return redirect("documents:collection", request.actor.tenant_slug, found.collection_id)


@require_GET
def bin_page(request: OrganisationRequest) -> HttpResponse:
    context = {
        "section": "documents",
        "binned": binning.list_binned(actor=request.actor),
        "days": binning.bin_days(request.actor.tenant_id),
        "longest": binning.LONGEST_DAYS,
        "may_set": allows(request.actor, Permission.MANAGE_ORGANISATION),
    }
    return render(request, "documents/bin.html", context)


@require_POST
def restore(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    try:
        binning.restore_document(actor=request.actor, document_id=document_id)
    except AirisError as exc:
        if exc.code != "exists_again":
            raise
        messages.error(request, str(exc.message), extra_tags="negative")
        return redirect("documents:bin", request.actor.tenant_slug)
    return redirect("documents:document", request.actor.tenant_slug, document_id)


@require_POST
def delete_binned(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    binning.delete_binned(actor=request.actor, document_id=document_id)
    return redirect("documents:bin", request.actor.tenant_slug)


@require_POST
def set_days(request: OrganisationRequest) -> HttpResponse:
    text = request.POST.get("days", "")
    days = int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else -1
    binning.set_bin_days(actor=request.actor, days=days)
    return redirect("documents:bin", request.actor.tenant_slug)
