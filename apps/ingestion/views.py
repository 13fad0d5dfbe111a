"""Pages of loads: the list, one load with its progress, and what a folder of a browser sends to."""

import json
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.contracts import Permission
from apps.accounts.middleware import OrganisationRequest, manages_context
from apps.accounts.permissions import require
from apps.core.errors import InputError
from apps.documents.contracts import OnSameName
from apps.ingestion import batches, rereading, selectors
from apps.ingestion.contracts import TAKEN, AnnouncedFile
from apps.ingestion.reasons import reason_of
from apps.tenants.context import tenant_context

MOST_FILES = 20_000  # of one announcement by a browser


@require_GET
def list_page(request: OrganisationRequest) -> HttpResponse:
    context = {"section": "documents", "batches": selectors.list_batches(actor=request.actor)}
    return render(request, "ingestion/batches.html", context)


@require_GET
def batch(request: OrganisationRequest, batch_id: UUID) -> HttpResponse:
    """One load; asked by HTMX, only its numbers (they refresh themselves while it is under way)."""
    progress = selectors.get_progress(actor=request.actor, batch_id=batch_id)
    context = {
        "section": "documents",
        "batch": progress.summary,
        "progress": progress,
        "dead": [(letter, reason_of(letter.code)) for letter in progress.dead],
        "minutes_left": None if progress.seconds_left is None else max(1, round(progress.seconds_left / 60)),
    }
    is_part = request.headers.get("HX-Target") == "batch"
    return render(request, "ingestion/_batch.html" if is_part else "ingestion/batch.html", context)


@require_POST
def begin(request: OrganisationRequest, collection_id: UUID) -> HttpResponse:
    """A folder of a browser is announced: its name and [[path, size], …] as JSON."""
    require(request.actor, Permission.CONTRIBUTE, collection_id=collection_id)
    files = _announced(request.POST.get("files", ""))
    name = request.POST.get("name", "")
    batch_id = batches.begin(actor=request.actor, collection_id=collection_id, name=name)
    batches.announce(actor=request.actor, batch_id=batch_id, files=files)
    slug = request.actor.tenant_slug
    return JsonResponse(
        {
            "url": reverse("ingestion:batch", args=[slug, batch_id]),
            "send": reverse("ingestion:bring", args=[slug, batch_id]),
        },
        status=201,
    )


@manages_context
@require_POST
def bring(request: OrganisationRequest, batch_id: UUID) -> HttpResponse:
    """One file of an announced folder."""
    with tenant_context(request.actor.tenant_id):
        batches.own_batch(request.actor, batch_id)
    file = request.FILES.get("file")
    if file is None:
        raise InputError(_("Choose a file first."), code="no_file", field="file")
    on_same_name = next((c for c in OnSameName if c.value == request.POST.get("same_name")), OnSameName.KEEP_BOTH)
    if on_same_name == OnSameName.ASK:
        on_same_name = OnSameName.KEEP_BOTH
    outcome = batches.bring(
        actor=request.actor,
        batch_id=batch_id,
        path=request.POST.get("path", "") or file.name or "",
        chunks=file.chunks(),
        on_same_name=on_same_name,
    )
    return JsonResponse({"outcome": outcome}, status=201 if outcome == TAKEN else 200)


@require_POST
def pause(request: OrganisationRequest, batch_id: UUID) -> HttpResponse:
    batches.pause(actor=request.actor, batch_id=batch_id)
    return redirect("ingestion:batch", request.actor.tenant_slug, batch_id)


@require_POST
def resume(request: OrganisationRequest, batch_id: UUID) -> HttpResponse:
    batches.resume(actor=request.actor, batch_id=batch_id)
    return redirect("ingestion:batch", request.actor.tenant_slug, batch_id)


@require_POST
def retry(request: OrganisationRequest, batch_id: UUID) -> HttpResponse:
    batches.retry_failed(actor=request.actor, batch_id=batch_id)
    return redirect("ingestion:batch", request.actor.tenant_slug, batch_id)


@require_POST
def reread(request: OrganisationRequest, collection_id: UUID) -> HttpResponse:
    """For those who manage the collection: everything is read again by today's reader."""
    rereading.reread_collection(actor=request.actor, collection_id=collection_id)
    return redirect("documents:collection", request.actor.tenant_slug, collection_id)


def _announced(text: str) -> list[AnnouncedFile]:
    try:
        files = [AnnouncedFile(str(path), int(size)) for path, size in json.loads(text)]
    except (ValueError, TypeError) as exc:
        raise InputError(field="files") from exc
    if not 0 < len(files) <= MOST_FILES:
        raise InputError(field="files")
    return files
