"""Pages of reading another's conversation. Each read is a POST with its reason; nothing of it can be linked to."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from apps.accounts.middleware import OrganisationRequest
from apps.accounts.selectors import allows_conversation_review
from apps.chat import reviews


@require_GET
def list_conversations(request: OrganisationRequest) -> HttpResponse:
    context = {
        "section": "audit",
        "tab": "reviews",
        "facts": reviews.list_conversation_facts(actor=request.actor),
        "is_allowed": allows_conversation_review(tenant_id=request.actor.tenant_id),
    }
    return render(request, "chat/reviews.html", context)


@never_cache
@require_POST
def read(request: OrganisationRequest, conversation_id: UUID) -> HttpResponse:
    review = reviews.read_conversation(
        actor=request.actor, conversation_id=conversation_id, reason=request.POST.get("reason", "")
    )
    return render(request, "chat/review.html", {"section": "audit", "tab": "reviews", "review": review})
