"""The search page: passages with their pages."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from apps.accounts.contracts import Permission
from apps.accounts.middleware import OrganisationRequest
from apps.accounts.permissions import require
from apps.core.text import clean_input
from apps.documents import selectors as documents
from apps.retrieval import inspector, selectors, services

HITS = 15
LONGEST_QUERY = 10_000


@require_GET
def search(request: OrganisationRequest) -> HttpResponse:
    require(request.actor, Permission.SEARCH)
    query = clean_input(request.GET.get("q", ""))[:LONGEST_QUERY].strip()
    context: dict[str, object] = {"section": "search", "query": query}
    if query:
        scope = selectors.scope_for(actor=request.actor)
        result = selectors.search_passages(scope=scope, query=query, limit=HITS)
        services.record_search(actor=request.actor, result=result)
        context |= {
            "result": result,
            "meaning_percent": round(result.meaning_coverage * 100),
            "by_name": documents.find_by_name(actor=request.actor, query=query, limit=5),
        }
    part = request.headers.get("HX-Target") == "hits"
    return render(request, "retrieval/_hits.html" if part else "retrieval/search.html", context)


@require_GET
def chunks(request: OrganisationRequest, document_id: UUID) -> HttpResponse:
    """A part of the inspector: the chunks of one page as they are indexed."""
    text = request.GET.get("page", "")
    page = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 1
    found = inspector.chunks_of_document(actor=request.actor, document_id=document_id, page=page)
    return render(request, "retrieval/_chunks.html", {"chunks": found})
