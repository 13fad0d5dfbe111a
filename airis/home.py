"""The organisation's home page: what to do here, by role. Composed from other apps' public selectors."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from apps.accounts import selectors as accounts
from apps.accounts.contracts import Role
from apps.accounts.middleware import OrganisationRequest
from apps.chat import selectors as chat
from apps.demo.suggestions import suggested_questions
from apps.documents import selectors as documents

RECENT = 5


@require_GET
def home(request: OrganisationRequest) -> HttpResponse:
    actor = request.actor
    collections = accounts.list_collections(actor=actor)
    counts = documents.count_documents(collection_ids=tuple(c.id for c in collections))
    conversations = chat.list_conversations(actor=actor, limit=RECENT)
    context = {
        "section": "home",
        "collections": [(c, counts.get(c.id, 0)) for c in collections],
        "conversations": conversations,
        "document_count": sum(counts.values()),
        "is_admin": actor.role in (Role.OWNER, Role.ADMIN),
        "is_auditor": actor.role == Role.AUDITOR,
        "has_shared": any(not c.is_private for c in collections),
    }
    return render(request, "home.html", context)


@require_GET
def suggestions(request: OrganisationRequest) -> HttpResponse:
    """Questions that the documents in reach can answer; nothing when there are none."""
    scope = documents.list_documents(actor=request.actor)
    questions = suggested_questions(names=tuple(item.name for item in scope.items if item.is_searchable))
    return render(request, "chat/_suggestions.html", {"questions": questions})
