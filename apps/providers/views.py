"""The page on which owners and admins decide whether, and where, questions may be sent."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.middleware import OrganisationRequest, manages_context
from apps.core.errors import AirisError, InputError, LimitExceeded
from apps.providers import selectors, services
from apps.providers.chat import FAILURES
from apps.providers.contracts import ModelTrial
from apps.providers.forms import ProfileForm


@require_http_methods(["GET", "POST"])
def models(request: OrganisationRequest) -> HttpResponse:
    """The organisation's models and the switch; a new model is added here."""
    form = ProfileForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                services.add_profile(actor=request.actor, **form.cleaned_data)
            except (InputError, LimitExceeded) as exc:
                field = getattr(exc, "field", "") or None
                form.add_error(field if field in form.fields else None, str(exc.message))
            else:
                messages.success(request, _("Added. Try it, then decide whether questions may be sent to it."))
                return redirect("providers:models", request.actor.tenant_slug)
    context = {
        "section": "models",
        "form": form,
        "policy": selectors.model_policy(actor=request.actor),
        "profiles": [
            (profile, FAILURES.get(profile.test_failure, profile.test_failure))
            for profile in selectors.model_profiles(actor=request.actor)
        ],
    }
    return render(request, "providers/models.html", context, status=status)


@require_POST
def switch(request: OrganisationRequest) -> HttpResponse:
    """On only together with the box that says what is sent."""
    is_on = request.POST.get("is_on") == "1"
    if is_on and request.POST.get("understood") != "1":
        messages.error(request, _("Confirm that you have read what is sent, then switch it on."))
        return redirect("providers:models", request.actor.tenant_slug)
    try:
        services.switch_models(
            actor=request.actor, is_on=is_on, uses_installation=request.POST.get("uses_installation") == "1"
        )
    except AirisError as exc:
        if exc.status not in (400, 409):
            raise
        messages.error(request, str(exc.message))
    else:
        done = _("Questions may now be sent to your models.") if is_on else _("From now on nothing leaves.")
        messages.success(request, done, extra_tags="positive")
    return redirect("providers:models", request.actor.tenant_slug)


@manages_context
@require_POST
def try_model(request: OrganisationRequest, profile_id: UUID) -> HttpResponse:
    """Asks the model for one word."""
    return _tried(request, services.try_profile(actor=request.actor, profile_id=profile_id))


@manages_context
@require_POST
def try_installation(request: OrganisationRequest) -> HttpResponse:
    """The same with the installation's model."""
    return _tried(request, services.try_profile(actor=request.actor, profile_id=None))


@require_POST
def remove(request: OrganisationRequest, profile_id: UUID) -> HttpResponse:
    services.remove_profile(actor=request.actor, profile_id=profile_id)
    messages.success(request, _("Removed, with its key."), extra_tags="positive")
    return redirect("providers:models", request.actor.tenant_slug)


def _tried(request: OrganisationRequest, trial: ModelTrial) -> HttpResponse:
    if trial.failure:
        messages.error(request, str(FAILURES.get(trial.failure, trial.failure)))
    else:
        words = _("“%(model)s” answered after %(seconds).1f s. Nothing of yours was sent.")
        messages.success(request, words % {"model": trial.model, "seconds": trial.seconds}, extra_tags="positive")
    return redirect("providers:models", request.actor.tenant_slug)
