"""Saved scopes in the composer: save the choice, use one, delete one. Parts for HTMX, pages without it."""

from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from apps.accounts import selectors as accounts
from apps.accounts.middleware import OrganisationRequest
from apps.chat import scopes
from apps.chat.contracts import SavedScopeView, ScopeView
from apps.chat.views import parse_ids
from apps.documents import selectors as documents


@require_POST
def save(request: OrganisationRequest) -> HttpResponse:
    """The choice in the composer has a name and stays chosen."""
    choice = _posted(request)
    scope_id = scopes.save_scope(
        actor=request.actor,
        name=request.POST.get("scope_name", ""),
        collection_ids=choice.collection_ids,
        document_ids=choice.document_ids,
    )
    if request.headers.get("HX-Request") == "true":
        saved = scopes.get_scope(actor=request.actor, scope_id=scope_id)
        return _part(request, saved.scope, _("Saved as “%(name)s”.") % {"name": saved.name}, saved)
    draft = urlencode({"scope": scope_id, "q": request.POST.get("question", "")[:2000]})
    return redirect(f"{reverse('chat:ask', args=[request.actor.tenant_slug])}?{draft}")


@require_GET
def use(request: OrganisationRequest, scope_id: UUID) -> HttpResponse:
    """The composer looks where the scope says; without HTMX, in a new question."""
    saved = scopes.usable_scope(actor=request.actor, scope_id=scope_id)
    if request.headers.get("HX-Request") == "true":
        return _part(request, saved.scope, _("Looking in “%(name)s”.") % {"name": saved.name}, saved)
    return redirect(f"{reverse('chat:ask', args=[request.actor.tenant_slug])}?scope={scope_id}")


@require_POST
def delete(request: OrganisationRequest, scope_id: UUID) -> HttpResponse:
    """The choice is forgotten; what is chosen in the composer stays."""
    name = scopes.get_scope(actor=request.actor, scope_id=scope_id).name
    scopes.delete_scope(actor=request.actor, scope_id=scope_id)
    said = _("“%(name)s” was deleted.") % {"name": name}
    if request.headers.get("HX-Request") == "true":
        return _part(request, _posted(request), said)
    messages.success(request, said)
    return redirect("chat:ask", request.actor.tenant_slug)


def _posted(request: OrganisationRequest) -> ScopeView:
    return ScopeView(parse_ids(request.POST.getlist("collection")), parse_ids(request.POST.getlist("document")))


def _part(
    request: OrganisationRequest, scope: ScopeView, said: str, chosen: SavedScopeView | None = None
) -> HttpResponse:
    names = documents.names_of_documents(actor=request.actor, document_ids=scope.document_ids)
    context = {
        "collections": accounts.list_collections(actor=request.actor),
        "scope": scope,
        "scope_documents": names.items(),
        "scopes": scopes.list_scopes(actor=request.actor),
        "chosen": chosen,
        "said": said,
    }
    return render(request, "chat/_scope.html", context)
