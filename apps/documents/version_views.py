"""Pages of versions: the history of a document, and what an earlier version of it says."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from apps.accounts import selectors as accounts
from apps.accounts.contracts import Permission
from apps.accounts.middleware import OrganisationRequest, manages_context
from apps.accounts.permissions import holds
from apps.core.errors import NotFound
from apps.documents import selectors, versions
from apps.documents.addresses import IMAGE_DPI, number_in
from apps.documents.layouts import Light
from apps.documents.sheets import Sheet, lit_lines
from apps.jobs.selectors import latest_jobs


def earlier(request: OrganisationRequest, document_id: UUID) -> HttpResponse | None:
    """The page of ?version= when that is not the document's current one: links of citations name theirs."""
    try:
        version_id = UUID(request.GET.get("version", ""))
    except ValueError:
        return None
    current = selectors.get_document(actor=request.actor, document_id=document_id).summary
    if version_id == current.version_id:
        return None
    return version(request, document_id, version_id)


@require_GET
def version(request: OrganisationRequest, document_id: UUID, version_id: UUID) -> HttpResponse:
    """A page of any version that was read; ?page=, ?start= and ?end= light a place, as for the current one."""
    document = selectors.get_document(actor=request.actor, document_id=document_id).summary
    found = versions.version_of(actor=request.actor, document_id=document_id, version_id=version_id)
    if found.is_current:
        address = reverse("documents:document", args=[request.actor.tenant_slug, document_id])
        return redirect(f"{address}?page={number_in(request.GET.get('page', '1')) or 1}")
    context = {"section": "documents", "document": document, "version": found} | _page(request, document_id, found.id)
    is_part = request.headers.get("HX-Target") == "evidence"
    return render(request, "documents/_version_evidence.html" if is_part else "documents/version.html", context)


@manages_context
@require_GET
def image(request: OrganisationRequest, document_id: UUID, version_id: UUID, number: int) -> HttpResponse:
    """A PNG of a page of that version."""
    if number > selectors.MOST_PAGES:
        raise NotFound
    drawn = selectors.page_image(
        actor=request.actor, document_id=document_id, version_id=version_id, number=number, dpi=IMAGE_DPI
    )
    response = HttpResponse(drawn, content_type="image/png")
    response["Cache-Control"] = "private, max-age=3600"
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_GET
def history(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    """A part for the document page: its versions; refreshes itself while a newer one is being read."""
    document = selectors.get_document(actor=request.actor, document_id=document_id).summary
    found = versions.list_versions(actor=request.actor, document_id=document_id)
    collection = accounts.get_collection(actor=request.actor, collection_id=document.collection_id)
    context = {
        "document": document,
        "versions": [(item, selectors.FAILURES.get(item.failure, "")) for item in found],
        "is_busy": any(item.state in ("queued", "reading") for item in found),
        "job": latest_jobs(subject_ids=(document_id,)).get(document_id),
        "may_contribute": holds(collection.level, Permission.CONTRIBUTE),
    }
    return render(request, "documents/_history.html", context)


def _page(request: OrganisationRequest, document_id: UUID, version_id: UUID) -> dict[str, object]:
    number = min(max(number_in(request.GET.get("page", "1")), 1), selectors.MOST_PAGES)
    start, end = number_in(request.GET.get("start", "")), number_in(request.GET.get("end", ""))
    page = selectors.get_version_page(
        actor=request.actor, document_id=document_id, version_id=version_id, number=number
    )
    light = Light(start, end) if start < end <= len(page.text) else Light()
    context: dict[str, object] = {"page": page, "quote": page.text[light.start : light.end]}
    if page.has_image:
        words = selectors.version_words(
            actor=request.actor, document_id=document_id, version_id=version_id, number=number
        )
        spans = selectors.boxes_in_version(version_id=version_id, number=number, start=light.start, end=light.end)
        context |= {"view_kind": "image", "sheet": Sheet.of(page, words, spans if light.end else ())}
    else:
        lines = lit_lines(page.text, page.first_line, light.start, light.end)
        context |= {"view_kind": "text", "text_lines": lines}
    return context | {
        "previous": number - 1 if number > 1 else None,
        "next": number + 1 if number < page.page_count else None,
    }
