"""Pages of asking: conversations at the left, the answers, the evidence at the right."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.views.decorators.http import require_GET, require_POST

from apps.accounts import selectors as accounts
from apps.accounts.middleware import OrganisationRequest
from apps.chat import selectors, services
from apps.chat.contracts import ConversationView, ScopeView
from apps.core.errors import NotFound
from apps.documents import selectors as documents


@require_GET
def ask(request: OrganisationRequest, conversation_id: UUID | None = None) -> HttpResponse:
    """A conversation, or an empty desk. ?collection= and ?document= narrow a new one, ?q= fills the composer."""
    conversation = (
        selectors.get_conversation(actor=request.actor, conversation_id=conversation_id) if conversation_id else None
    )
    scope = conversation.summary.scope if conversation else _asked_scope(request)
    context = _context(request, conversation, scope) | {"draft": request.GET.get("q", "")[:2000]}
    return render(request, "chat/ask.html", context)


@require_POST
def send(request: OrganisationRequest) -> HttpResponse:
    """A question. HTMX gets the new exchange; a plain form goes to the conversation."""
    asked = services.ask(
        actor=request.actor,
        question=request.POST.get("question", ""),
        conversation_id=_uuid(request.POST.get("conversation", "")),
        collection_ids=_uuids(request.POST.getlist("collection")),
        document_ids=_uuids(request.POST.getlist("document")),
        idempotency_key=request.POST.get("key", "")[:100],
    )
    url = reverse("chat:conversation", args=[request.actor.tenant_slug, asked.conversation_id])
    if request.headers.get("HX-Request") != "true":
        return redirect(f"{url}#message-{asked.message_id}")
    message = selectors.get_message(actor=request.actor, message_id=asked.message_id)
    context = {
        "message": message,
        "conversation_id": asked.conversation_id,
        "key": get_random_string(22),
        "conversations": selectors.list_conversations(actor=request.actor),
        "is_new": asked.is_new,
    }
    response = render(request, "chat/_sent.html", context)
    response["HX-Push-Url"] = url
    return response


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
        "key": get_random_string(22),
    }


def _asked_scope(request: OrganisationRequest) -> ScopeView:
    """Ids in the address that are not open to the person are an unknown address."""
    collection_ids = _uuids(request.GET.getlist("collection"))
    document_ids = _uuids(request.GET.getlist("document"))
    for collection_id in collection_ids:
        accounts.get_collection(actor=request.actor, collection_id=collection_id)
    for document_id in document_ids:
        documents.get_document(actor=request.actor, document_id=document_id)
    return ScopeView(collection_ids=collection_ids, document_ids=document_ids)


def _uuids(values: list[str]) -> tuple[UUID, ...]:
    return tuple(found for value in values if (found := _uuid(value)) is not None)


def _uuid(value: str) -> UUID | None:
    if not value:
        return None
    try:
        return UUID(value)
    except ValueError as exc:
        raise NotFound from exc
