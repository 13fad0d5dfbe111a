"""The document page: its outline and pages, the page itself, and panels on what the document holds."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts import selectors as accounts
from apps.accounts.contracts import Permission
from apps.accounts.middleware import OrganisationRequest
from apps.accounts.permissions import holds
from apps.core.errors import NotFound
from apps.documents import inspector, metadata_store, panels, selectors, table_files, version_views
from apps.documents.addresses import number_in
from apps.documents.contracts import OPEN_STATES, OutlineEntry, PageView, PageWord, Span
from apps.documents.layouts import Light, flow_parts, sheet_grid
from apps.documents.sheets import Sheet, lit_lines
from apps.jobs.selectors import latest_jobs
from apps.reading.contracts import Box, MediaType

_PARTS = {  # what HTMX swaps → its template
    "evidence": "documents/_evidence.html",
    "sheet": "documents/_page.html",
    "side": "documents/_side.html",
    "panel": "documents/_panel.html",
    "viewer": "documents/_viewer.html",
}
_FILES = {"xlsx": table_files.table_xlsx, "csv": table_files.table_csv}


@require_http_methods(["GET", "POST"])
def document(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    """The viewer. ?page=, ?start= and ?end= light a place, ?panel= and ?side= choose what stands beside the page.

    HTMX asks for one part: the evidence pane, the page, a side.
    """
    earlier = version_views.earlier(request, document_id)
    if earlier is not None:
        return earlier
    detail = selectors.get_document(actor=request.actor, document_id=document_id)
    collection = accounts.get_collection(actor=request.actor, collection_id=detail.summary.collection_id)
    context = {
        "section": "documents",
        "detail": detail,
        "document": detail.summary,
        "may_contribute": holds(collection.level, Permission.CONTRIBUTE),
        "may_manage": holds(collection.level, Permission.MANAGE),
    }
    if not detail.summary.is_searchable:
        context["reason"] = selectors.FAILURES.get(detail.summary.failure, selectors.FAILURES["unexpected"])
        return render(request, "documents/waiting.html", context)
    number = min(max(number_in(request.GET.get("page", "1")), 1), max(detail.summary.page_count, 1))
    context |= _page_context(request, document_id, number)
    part = request.headers.get("HX-Target", "")
    if "rows" in request.GET:
        return render(request, "documents/_grid_rows.html", context)
    if part == "evidence":
        return render(request, _PARTS[part], context)
    context |= panels.panel_context(request.actor, detail, request.GET, number)
    if part not in ("sheet", "panel"):
        context |= panels.side_context(request.actor, detail.summary, request.GET, number)
    if part in _PARTS:
        return render(request, _PARTS[part], context)
    context |= _members_context(request, document_id)
    return render(request, "documents/viewer.html", context)


@require_GET
def members(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    """What an archive or mail holds, with the state of each; refreshes itself while something is being read."""
    detail = selectors.get_document(actor=request.actor, document_id=document_id)
    context = {"document": detail.summary} | _members_context(request, document_id)
    return render(request, "documents/_members.html", context)


@require_GET
def table_file(request: OrganisationRequest, document_id: UUID, page: int, block: int, kind: str) -> HttpResponse:
    """A table as XLSX with sources, or as CSV."""
    make = _FILES.get(kind)
    if make is None or max(page, block) > selectors.MOST_PAGES:
        raise NotFound
    base = request.build_absolute_uri("/")
    return make(actor=request.actor, document_id=document_id, page=page, block=block, base=base)


@require_GET
def inspect(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    """Structure and chunks of the current version, page by page, for those who manage the collection."""
    detail = selectors.get_document(actor=request.actor, document_id=document_id)
    number = number_in(request.GET.get("page", "1")) or 1
    found = inspector.inspect_page(actor=request.actor, document_id=document_id, number=number)
    context = {
        "section": "documents",
        "document": detail.summary,
        "inspected": found,
        "previous": number - 1 if number > 1 else None,
        "next": number + 1 if number < found.page_count else None,
    }
    return render(request, "documents/inspect.html", context)


@require_POST
def metadata(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    """A person sets a field, one value a line, or lets the rules' value hold again."""
    field = request.POST.get("field", "")
    if "reset" in request.POST:
        metadata_store.forget_values(actor=request.actor, document_id=document_id, field=field)
    else:
        values = panels.values_of_form(request.POST)
        metadata_store.set_values(actor=request.actor, document_id=document_id, field=field, values=values)
    address = reverse("documents:document", args=[request.actor.tenant_slug, document_id])
    return redirect(f"{address}?panel=metadata&page={number_in(request.POST.get('page', '')) or 1}")


def _page_context(request: OrganisationRequest, document_id: UUID, number: int) -> dict[str, object]:
    actor = request.actor
    page = selectors.get_page(actor=actor, document_id=document_id, number=number)
    start, end = number_in(request.GET.get("start", "")), number_in(request.GET.get("end", ""))
    is_lit = start < end <= len(page.text)
    boxes: tuple[Box, ...] = ()
    words: tuple[PageWord, ...] = ()
    if page.has_image:
        words = selectors.page_words(actor=actor, document_id=document_id, number=number)
        if is_lit:
            boxes = selectors.boxes_for_span(actor=actor, document_id=document_id, number=number, start=start, end=end)
    light = Light(start, end) if is_lit else Light()
    return _body_of(request, page, light) | {
        "page": page,
        "sheet": Sheet.of(page, words, boxes),
        "place": _place(page, light),
        "quote": page.text[start:end] if is_lit else "",
        "previous": number - 1 if number > 1 else None,
        "next": number + 1 if number < page.page_count else None,
    }


def _body_of(request: OrganisationRequest, page: PageView, light: Light) -> dict[str, object]:
    """What stands in the middle of the viewer: a page image, a grid, running text or lines."""
    if page.has_image:
        return {"view_kind": "image"}
    kind = page.media_type
    if kind in (MediaType.TEXT, MediaType.MARKDOWN):
        return {"view_kind": "text", "text_lines": lit_lines(page.text, page.first_line, light.start, light.end)}
    grids = selectors.page_grids(actor=request.actor, document_id=page.document_id, number=page.number)
    if MediaType(kind).is_grid or any(grid.block < 0 for grid in grids):
        tabs = selectors.sheet_tabs(actor=request.actor, document_id=page.document_id)
        first, last = _pages_of_sheet(page, tabs)
        return {
            "view_kind": "grid",
            "grid": sheet_grid(page.text, grids, light, columns=number_in(request.GET.get("columns", ""))),
            "tabs": tabs,
            "previous_rows": page.number - 1 if page.number > first else None,
            "next_rows": page.number + 1 if page.number < last else None,
            "rows_above": request.GET.get("rows") == "above",
        }
    blocks = selectors.page_blocks(actor=request.actor, document_id=page.document_id, number=page.number)
    changes = selectors.page_changes(actor=request.actor, document_id=page.document_id, number=page.number)
    return {"view_kind": "flow", "parts": flow_parts(page.text, blocks, grids, light, page.first_line, changes)}


def _pages_of_sheet(page: PageView, tabs: tuple[OutlineEntry, ...]) -> tuple[int, int]:
    """First and last page of the sheet that the page belongs to."""
    starts = [tab.page for tab in tabs] or [1]
    first = max(start for start in starts if start <= page.number)
    last = min((start - 1 for start in starts if start > page.number), default=page.page_count)
    return first, last


def _place(page: PageView, light: Light) -> str:
    if page.has_image or not light.end:
        return ""
    spans = (Span(page.version_id, page.number, light.start, light.end),)
    return selectors.names_of_places(spans=spans)[0]


def _members_context(request: OrganisationRequest, document_id: UUID) -> dict[str, object]:
    found = selectors.list_members(actor=request.actor, document_id=document_id)
    documents = [member.document for member in found if member.document is not None]
    jobs = latest_jobs(subject_ids=tuple(d.id for d in documents if not d.is_settled))
    read = sum(d.state not in OPEN_STATES for d in documents)
    return {
        "members": [(member, jobs.get(member.document.id) if member.document else None) for member in found],
        "members_read": read,
        "members_total": len(documents),
        "members_busy": any(not d.is_settled for d in documents),
    }
