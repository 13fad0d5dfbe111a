"""Pages of webhooks, for owners and administrators."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.middleware import OrganisationRequest
from apps.api import selectors, services
from apps.api.contracts import CHOSEN_KINDS, EventKind
from apps.api.forms import WebhookForm
from apps.core.errors import Conflict, InputError, LimitExceeded

DELIVERIES_ON_A_PAGE = 100
FAILURES: dict[str, Promise] = {
    "refused": gettext_lazy("refused"),
    "timed_out": gettext_lazy("no answer in time"),
    "switched_off": gettext_lazy("not sent: switched off after failures in a row"),
    "reply_too_large": gettext_lazy("the answer was too long"),
    "reply_packed": gettext_lazy("the answer came packed"),
    "unreachable": gettext_lazy("not reached"),
    "host_forbidden": gettext_lazy("an address of the installation's own network"),
}


@never_cache
@require_http_methods(["GET", "POST"])
def webhooks(request: OrganisationRequest) -> HttpResponse:
    """The organisation's webhooks; a new one is added here, its secret shown once."""
    form, secret, status = WebhookForm(request.POST or None), "", 200
    listed = selectors.list_webhooks(actor=request.actor)
    if request.method == "POST":
        status = 400
        if form.is_valid():
            kinds = [EventKind(kind) for kind in form.cleaned_data["kinds"]]
            try:
                _id, secret = services.add_webhook(actor=request.actor, url=form.cleaned_data["url"], kinds=kinds)
            except (InputError, Conflict, LimitExceeded) as exc:
                form.add_error("url", str(exc.message))
            else:
                form, status, listed = WebhookForm(), 200, selectors.list_webhooks(actor=request.actor)
    context = {"section": "webhooks", "form": form, "secret": secret, "webhooks": listed}
    return render(request, "api/webhooks.html", context, status=status)


@require_http_methods(["GET", "POST"])
def webhook(request: OrganisationRequest, webhook_id: UUID) -> HttpResponse:
    """One webhook: its events, its switch, its deliveries."""
    if request.method == "POST":
        selectors.get_webhook(actor=request.actor, webhook_id=webhook_id)
        kinds = [kind for kind in CHOSEN_KINDS if kind.value in request.POST.getlist("kinds")]
        try:
            services.change_webhook(
                actor=request.actor, webhook_id=webhook_id, kinds=kinds, is_on=request.POST.get("is_on") == "1"
            )
        except InputError as exc:
            messages.error(request, str(exc.message))
        else:
            messages.success(request, _("Saved."), extra_tags="positive")
        return redirect(request.path)
    return _page(request, webhook_id)


@require_POST
def try_webhook(request: OrganisationRequest, webhook_id: UUID) -> HttpResponse:
    """A signed `ping` is on its way."""
    services.try_webhook(actor=request.actor, webhook_id=webhook_id)
    messages.success(request, _("A trial is on its way; look at it below in a moment."), extra_tags="positive")
    return redirect("webhooks:webhook", request.actor.tenant_slug, webhook_id)


@never_cache
@require_POST
def renew_secret(request: OrganisationRequest, webhook_id: UUID) -> HttpResponse:
    """A fresh secret, shown once."""
    return _page(request, webhook_id, secret=services.renew_secret(actor=request.actor, webhook_id=webhook_id))


@require_POST
def remove(request: OrganisationRequest, webhook_id: UUID) -> HttpResponse:
    services.remove_webhook(actor=request.actor, webhook_id=webhook_id)
    messages.success(request, _("Removed, with its secret and its log."), extra_tags="positive")
    return redirect("webhooks:webhooks", request.actor.tenant_slug)


@require_POST
def resend(request: OrganisationRequest, webhook_id: UUID, delivery_id: UUID) -> HttpResponse:
    """The same event goes out again."""
    services.resend(actor=request.actor, webhook_id=webhook_id, delivery_id=delivery_id)
    messages.success(request, _("It is on its way again."), extra_tags="positive")
    return redirect("webhooks:webhook", request.actor.tenant_slug, webhook_id)


def _page(request: OrganisationRequest, webhook_id: UUID, *, secret: str = "") -> HttpResponse:
    found = selectors.get_webhook(actor=request.actor, webhook_id=webhook_id)
    deliveries = selectors.deliveries_after(actor=request.actor, webhook_id=webhook_id, limit=DELIVERIES_ON_A_PAGE)
    context = {
        "section": "webhooks",
        "webhook": found,
        "kinds": CHOSEN_KINDS,
        "secret": secret,
        "deliveries": [(item, FAILURES.get(item.failure, item.failure)) for item in deliveries],
    }
    return render(request, "api/webhook.html", context)
