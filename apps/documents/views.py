"""Pages of documents: collections, the document table, upload, the page viewer."""

from collections.abc import Mapping
from datetime import date
from urllib.parse import quote
from uuid import UUID

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, JsonResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from apps.accounts import selectors as accounts
from apps.accounts.contracts import Permission
from apps.accounts.middleware import OrganisationRequest, manages_context
from apps.accounts.permissions import holds, require
from apps.core.errors import AirisError, InputError, NotFound
from apps.core.http_errors import problem
from apps.documents import headers, selectors, services
from apps.documents.addresses import IMAGE_DPI, SMALL_DPI, number_in
from apps.documents.contracts import DocumentFilter, DocumentOrder, HeaderMode, OnSameName, UploadResult
from apps.documents.metadata_words import KIND_NAMES
from apps.jobs.selectors import latest_jobs
from apps.tenants.context import tenant_context


@require_GET
def collections(request: OrganisationRequest) -> HttpResponse:
    found = accounts.list_collections(actor=request.actor)
    counts = selectors.count_documents(collection_ids=tuple(c.id for c in found))
    rows = [(collection, counts.get(collection.id, 0)) for collection in found]
    return render(request, "documents/collections.html", {"section": "documents", "rows": rows})


@require_GET
def collection(request: OrganisationRequest, collection_id: UUID) -> HttpResponse:
    """The document table; asked by HTMX, only its rows (they refresh themselves while something is in work)."""
    about = accounts.get_collection(actor=request.actor, collection_id=collection_id)
    narrowed = filter_of(request.GET)
    order = _order(request.GET.get("order", ""))
    listed = selectors.list_documents(
        actor=request.actor,
        collection_id=collection_id,
        order=order,
        number=number_in(request.GET.get("page", "1")),
        narrowed=narrowed,
    )
    jobs = latest_jobs(subject_ids=tuple(item.id for item in listed.items if not item.is_settled))
    context = {
        "section": "documents",
        "collection": about,
        "listed": listed,
        "rows": [(item, jobs.get(item.id), selectors.FAILURES.get(item.failure, "")) for item in listed.items],
        "page_numbers": range(1, listed.pages + 1),
        "is_busy": any(not item.is_settled for item in listed.items),
        "may_contribute": holds(about.level, Permission.CONTRIBUTE),
        "may_manage": holds(about.level, Permission.MANAGE),
        "order": order.value,
        "query": narrowed.name,
        "narrowed": narrowed,
        "kinds": [(kind.value, name) for kind, name in KIND_NAMES.items()],
        "languages": selectors.languages(collection_id=collection_id),
        "kept": _kept(request.GET),
        "header_mode": headers.header_mode_of(collection_id=collection_id).value,
        "header_modes": HeaderMode.choices,
    }
    is_part = request.headers.get("HX-Target") == "documents"
    return render(request, "documents/_table.html" if is_part else "documents/collection.html", context)


@manages_context
@require_POST
def upload(request: OrganisationRequest, collection_id: UUID) -> HttpResponse:
    """One or more files of a form. Each gets its own answer: a bad one does not spoil the rest."""
    with tenant_context(request.actor.tenant_id):
        require(request.actor, Permission.CONTRIBUTE, collection_id=collection_id)
    files = request.FILES.getlist("file")
    if not files:
        raise InputError(_("Choose a file first."), code="no_file", field="file")
    new_version_of = _uuid(request.POST.get("new_version_of", ""))
    on_same_name = next((c for c in OnSameName if c.value == request.POST.get("same_name")), OnSameName.ASK)
    outcomes = [_receive(request, collection_id, file, new_version_of, on_same_name) for file in files]
    if request.headers.get("Accept", "").startswith("application/json"):
        status = int(str(outcomes[0]["status"])) if len(outcomes) == 1 else 207
        return JsonResponse({"files": outcomes}, status=status)
    for outcome in outcomes:
        level = messages.SUCCESS if int(str(outcome["status"])) < 400 else messages.ERROR
        tag = "positive" if level == messages.SUCCESS else "negative"
        messages.add_message(request, level, f"{outcome['name']}: {outcome['message']}", extra_tags=tag)
    return redirect("documents:collection", request.actor.tenant_slug, collection_id)


@manages_context
@require_GET
def page_image(request: OrganisationRequest, document_id: UUID, number: int) -> HttpResponse:
    """A PNG of the page, from the cache or drawn by the reading child; ?small for the list of pages."""
    dpi = SMALL_DPI if "small" in request.GET else IMAGE_DPI
    image = selectors.page_image(actor=request.actor, document_id=document_id, number=number, dpi=dpi)
    response = HttpResponse(image, content_type="image/png")
    response["Cache-Control"] = "private, max-age=3600"
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_POST
def add_here(request: OrganisationRequest, collection_id: UUID) -> HttpResponse:
    """A document that the person can read elsewhere stands in this collection too."""
    require(request.actor, Permission.CONTRIBUTE, collection_id=collection_id)
    try:
        document_id = UUID(request.POST.get("document", ""))
    except ValueError as exc:
        raise InputError(field="document") from exc
    added = services.add_here(actor=request.actor, document_id=document_id, collection_id=collection_id)
    url = reverse("documents:document", args=[request.actor.tenant_slug, added.id])
    return JsonResponse({"message": _("Added here as well."), "url": url, "id": str(added.id)}, status=201)


@manages_context
@require_GET
def original(request: OrganisationRequest, document_id: UUID) -> StreamingHttpResponse:
    """The file as it was brought, always as an attachment."""
    with tenant_context(request.actor.tenant_id):
        file = selectors.original(actor=request.actor, document_id=document_id)
    response = StreamingHttpResponse(file.chunks, content_type="application/octet-stream")
    response["Content-Disposition"] = attachment(file.name)
    response["Content-Length"] = str(file.size)
    response["Content-Security-Policy"] = "sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_POST
def delete(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    found = selectors.get_document(actor=request.actor, document_id=document_id)
    services.delete_document(actor=request.actor, document_id=document_id)
    target = reverse("documents:collection", args=[request.actor.tenant_slug, found.summary.collection_id])
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(status=204, headers={"HX-Redirect": target})
    return redirect(target)


@require_POST
def retry(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    services.retry_ingestion(actor=request.actor, document_id=document_id)
    return _back(request, document_id)


@manages_context
@require_POST
def password(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    """The password makes one decrypted working copy; it is neither stored nor logged."""
    given = request.POST.get("password", "")
    try:
        services.supply_password(actor=request.actor, document_id=document_id, password=given)
    except InputError as exc:
        if exc.code != "wrong_password":
            raise
        messages.error(request, str(exc.message), extra_tags="negative")
    return _back(request, document_id)


def attachment(name: str) -> str:
    """RFC 6266: an ASCII fallback and the exact name."""
    fallback = "".join(c if c.isascii() and c.isprintable() and c not in '"\\%' else "_" for c in name)
    return f"attachment; filename=\"{fallback}\"; filename*=UTF-8''{quote(name, safe='')}"


def _receive(
    request: OrganisationRequest,
    collection_id: UUID,
    file: UploadedFile,
    new_version_of: UUID | None,
    on_same_name: OnSameName,
) -> dict[str, object]:
    name = file.name or ""
    try:
        result = services.receive_upload(
            actor=request.actor,
            collection_id=collection_id,
            name=name,
            chunks=file.chunks(),
            new_version_of=new_version_of,
            on_same_name=on_same_name,
        )
    except AirisError as exc:
        return {"name": name[:255], "status": exc.status, "message": str(exc.message)} | problem(exc)
    return _outcome(request, name, result)


def _outcome(request: OrganisationRequest, name: str, result: UploadResult) -> dict[str, object]:
    slug = request.actor.tenant_slug
    if result.elsewhere is not None:
        text = _("You already have this file in “%(collection)s”.") % {"collection": result.elsewhere.collection_name}
        url = reverse("documents:document", args=[slug, result.elsewhere.id])
        return {"name": name[:255], "status": 200, "message": text, "url": url, "choice": str(result.elsewhere.id)}
    if result.document is None and result.same_name is not None:
        text = _("Not added yet: this collection has a document of this name with other content.")
        url = reverse("documents:document", args=[slug, result.same_name.id])
        return {"name": name[:255], "status": 200, "message": text, "url": url, "same": str(result.same_name.id)}
    if result.document is None:
        raise NotFound
    text = _("Received; it is being read.") if result.is_new else _("This collection holds this file already.")
    if result.is_version:
        text = _("Received as a new version; it takes over when it is read.")
    url = reverse("documents:document", args=[slug, result.document.id])
    return {
        "name": result.document.name,
        "status": 201 if result.is_new else 200,
        "message": text,
        "url": url,
        "id": str(result.document.id),
    }


def _back(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    return redirect("documents:document", request.actor.tenant_slug, document_id)


@require_POST
def collection_headers(request: OrganisationRequest, collection_id: UUID) -> HttpResponse:
    """What stands in the headers of the collection's chunks."""
    mode = next((mode for mode in HeaderMode if mode.value == request.POST.get("mode", "")), None)
    if mode is None:
        raise InputError(field="mode")
    headers.set_header_mode(actor=request.actor, collection_id=collection_id, mode=mode)
    return redirect("documents:collection", request.actor.tenant_slug, collection_id)


def filter_of(query: Mapping[str, str]) -> DocumentFilter:
    """What the address narrows a list to; what cannot be read narrows nothing."""
    return DocumentFilter(
        name=query.get("q", "")[:200],
        kind=query.get("kind", "")[:30],
        entity=query.get("entity", "")[:200],
        period_from=day_in(query.get("from", "")),
        period_to=day_in(query.get("to", "")),
        language=query.get("language", "")[:8],
    )


def day_in(text: str) -> date | None:
    """The day of an address, None for anything else."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _kept(query: QueryDict) -> str:
    """The address without its page, for the links to other pages of the list."""
    rest = query.copy()
    rest.pop("page", None)
    return rest.urlencode()


def _order(text: str) -> DocumentOrder:
    return next((order for order in DocumentOrder if order.value == text), DocumentOrder.NEWEST)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError as exc:
        raise InputError(field="new_version_of") from exc


@require_GET
def why(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    """Who sees this document: whoever sees its collection. For those who watch grants."""
    document = selectors.get_document(actor=request.actor, document_id=document_id)
    require(request.actor, Permission.VIEW_AUDIT)
    address = reverse("accounts:why", args=[request.actor.tenant_slug])
    return redirect(f"{address}?collection={document.summary.collection_id}")
