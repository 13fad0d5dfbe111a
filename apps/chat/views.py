"""Pages of asking: conversations at the left, the answers, the evidence at the right."""

from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.views.decorators.http import require_GET, require_POST

from apps.accounts import selectors as accounts
from apps.accounts.middleware import OrganisationRequest
from apps.chat import copying, desks, notices, scopes, selectors, services
from apps.chat import history as history_of
from apps.chat.contracts import CitationView, ConversationView, ScopeView
from apps.core.errors import NotFound
from apps.documents import selectors as documents
from apps.providers import selectors as providers

LISTED = 500  # conversations on the page of all


@require_GET
def ask(request: OrganisationRequest, conversation_id: UUID | None = None) -> HttpResponse:
    """A conversation, or an empty desk. ?collection= and ?document= narrow a new one, ?q= fills the composer.

    ?at= shows the branch through a question, ?scope= looks where a saved scope says.
    """
    conversation = None
    if conversation_id:
        at = parse_id(request.GET.get("at", ""))
        conversation = selectors.get_conversation(actor=request.actor, conversation_id=conversation_id, at=at)
        notices.see(actor=request.actor, path=request.path)
    scope = conversation.summary.scope if conversation else _asked_scope(request)
    context = _context(request, conversation, scope) | {"draft": request.GET.get("q", "")[:2000]}
    return render(request, "chat/ask.html", context)


@require_POST
def send(request: OrganisationRequest) -> HttpResponse:
    """A question. HTMX gets the new exchange; a plain form goes to the conversation."""
    conversation_id = parse_id(request.POST.get("conversation", ""))
    collection_ids, document_ids = (
        parse_ids(request.POST.getlist("collection")),
        parse_ids(request.POST.getlist("document")),
    )
    if conversation_id and "scoped" in request.POST and not collection_ids and not document_ids:
        services.set_scope(  # every choice was taken out: everything again
            actor=request.actor, conversation_id=conversation_id, collection_ids=(), document_ids=()
        )
    asked = services.ask(
        actor=request.actor,
        question=request.POST.get("question", ""),
        conversation_id=conversation_id,
        after_id=parse_id(request.POST.get("after", "")) if conversation_id else None,
        collection_ids=collection_ids,
        document_ids=document_ids,
        idempotency_key=request.POST.get("key", "")[:100],
    )
    url = reverse("chat:conversation", args=[request.actor.tenant_slug, asked.conversation_id])
    if request.headers.get("HX-Request") != "true":
        return redirect(f"{url}#message-{asked.message_id}")
    revision, _ = desks.revisions(person_id=request.actor.user_id)
    conversation = selectors.get_conversation(
        actor=request.actor, conversation_id=asked.conversation_id, at=asked.message_id
    )
    context = {
        "message": next(message for message in conversation.messages if message.id == asked.message_id),
        "conversation": conversation,
        "conversation_id": asked.conversation_id,
        "key": get_random_string(22),
        "conversations": selectors.list_conversations(actor=request.actor),
        "is_new": asked.is_new,
        "revision": revision,
        "models_asked": providers.models_asked(),
    }
    response = render(request, "chat/_sent.html", context)
    response["HX-Push-Url"] = url
    return response


@require_POST
def edit(request: OrganisationRequest, message_id: UUID) -> HttpResponse:
    """The question asked in another way; the page shows the new branch."""
    asked = services.ask_instead(
        actor=request.actor,
        message_id=message_id,
        question=request.POST.get("question", ""),
        idempotency_key=request.POST.get("key", "")[:100],
    )
    url = reverse("chat:conversation", args=[request.actor.tenant_slug, asked.conversation_id])
    return redirect(f"{url}?at={asked.message_id}#message-{asked.message_id}")


@require_POST
def take_back(request: OrganisationRequest, message_id: UUID) -> HttpResponse:
    """A question leaves the line; its words go back into the composer."""
    conversation_id = selectors.get_message(actor=request.actor, message_id=message_id).conversation_id
    question = services.take_back(actor=request.actor, message_id=message_id)
    if request.headers.get("HX-Request") == "true":
        return HttpResponse("")
    url = reverse("chat:conversation", args=[request.actor.tenant_slug, conversation_id])
    return redirect(f"{url}?{urlencode({'q': question[:2000]})}")


@require_POST
def stop(request: OrganisationRequest, message_id: UUID) -> HttpResponse:
    services.stop(actor=request.actor, message_id=message_id)
    return _message(request, message_id)


@require_POST
def retry(request: OrganisationRequest, message_id: UUID) -> HttpResponse:
    services.retry(actor=request.actor, message_id=message_id)
    return _message(request, message_id)


@require_POST
def feedback(request: OrganisationRequest, message_id: UUID) -> HttpResponse:
    services.give_feedback(actor=request.actor, message_id=message_id, kind=request.POST.get("kind", ""))
    return _message(request, message_id)


@require_POST
def delete(request: OrganisationRequest, conversation_id: UUID) -> HttpResponse:
    services.delete_conversation(actor=request.actor, conversation_id=conversation_id)
    return redirect("chat:ask", request.actor.tenant_slug)


@require_POST
def pin(request: OrganisationRequest, conversation_id: UUID) -> HttpResponse:
    act = services.unpin_conversation if request.POST.get("pinned") == "0" else services.pin_conversation
    act(actor=request.actor, conversation_id=conversation_id)
    if request.POST.get("back") == "history":
        return redirect("chat:history", request.actor.tenant_slug)
    return redirect("chat:conversation", request.actor.tenant_slug, conversation_id)


@require_GET
def text(request: OrganisationRequest, message_id: UUID) -> HttpResponse:
    """The answer to take along, with its sources; ?form=markdown for Markdown."""
    message = selectors.get_message(actor=request.actor, message_id=message_id)

    def link(citation: CitationView) -> str:
        path = reverse("documents:document", args=[request.actor.tenant_slug, citation.document_id])
        place = urlencode(
            {"page": citation.page, "start": citation.start, "end": citation.end, "version": citation.version_id}
        )
        return request.build_absolute_uri(f"{path}?{place}")

    write = copying.as_markdown if request.GET.get("form") == "markdown" else copying.as_plain
    return HttpResponse(write(message, link), content_type="text/plain; charset=utf-8")


@require_GET
def history(request: OrganisationRequest) -> HttpResponse:
    """The own conversations, or what was found in them. Asked by HTMX, only the list."""
    query = request.GET.get("q", "")[: history_of.LONGEST_QUERY]
    context = {
        "section": "ask",
        "query": query,
        "history": history_of.search_history(actor=request.actor, query=query) if query.strip() else None,
        "conversations": selectors.list_conversations(actor=request.actor, limit=LISTED),
    }
    is_part = request.headers.get("HX-Target") == "hits"
    return render(request, "chat/_history.html" if is_part else "chat/history.html", context)


@require_POST
def rename(request: OrganisationRequest, conversation_id: UUID) -> HttpResponse:
    services.rename_conversation(
        actor=request.actor, conversation_id=conversation_id, title=request.POST.get("title", "")
    )
    return redirect("chat:conversation", request.actor.tenant_slug, conversation_id)


def _message(request: OrganisationRequest, message_id: UUID) -> HttpResponse:
    message = selectors.get_message(actor=request.actor, message_id=message_id)
    if request.headers.get("HX-Request") != "true":
        return redirect("chat:conversation", request.actor.tenant_slug, message.conversation_id)
    return render(request, "chat/_exchange.html", {"message": message})


def _context(
    request: OrganisationRequest, conversation: ConversationView | None, scope: ScopeView
) -> dict[str, object]:
    chosen = documents.names_of_documents(actor=request.actor, document_ids=scope.document_ids)
    return {
        "section": "ask",
        "conversation": conversation,
        "conversation_id": conversation.summary.id if conversation else None,
        "conversations": selectors.list_conversations(actor=request.actor),
        "collections": accounts.list_collections(actor=request.actor),
        "scope": scope,
        "scope_documents": chosen.items(),
        "scopes": scopes.list_scopes(actor=request.actor),
        "key": get_random_string(22),
        "revision": desks.revisions(person_id=request.actor.user_id)[0],
        "at": request.GET.get("at", ""),
        "models_asked": providers.models_asked(),
    }


def _asked_scope(request: OrganisationRequest) -> ScopeView:
    """Ids in the address that are not open to the person are an unknown address."""
    if saved := parse_id(request.GET.get("scope", "")):
        return scopes.usable_scope(actor=request.actor, scope_id=saved).scope
    collection_ids = parse_ids(request.GET.getlist("collection"))
    document_ids = parse_ids(request.GET.getlist("document"))
    for collection_id in collection_ids:
        accounts.get_collection(actor=request.actor, collection_id=collection_id)
    for document_id in document_ids:
        documents.get_document(actor=request.actor, document_id=document_id)
    return ScopeView(collection_ids=collection_ids, document_ids=document_ids)


def parse_ids(values: list[str]) -> tuple[UUID, ...]:
    return tuple(found for value in values if (found := parse_id(value)) is not None)


def parse_id(value: str) -> UUID | None:
    if not value:
        return None
    try:
        return UUID(value)
    except ValueError as exc:
        raise NotFound from exc
