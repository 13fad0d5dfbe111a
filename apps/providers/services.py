"""Deciding about models: each act is audited and says what will be sent and where."""

import time
from contextlib import closing
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.core.cache import cache
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import require
from apps.core.errors import Conflict, InputError, LimitExceeded, NotFound, ProviderError
from apps.core.secrets import seal
from apps.core.text import clean_input
from apps.providers import vendors
from apps.providers.chat import ModelEndpoint
from apps.providers.contracts import ModelTrial
from apps.providers.http import check_url
from apps.providers.models import ModelPolicy, ModelProfile
from apps.providers.selectors import endpoint_of, installation_endpoint
from apps.tenants import audit
from apps.tenants.context import release_connection, tenant_context

MOST_PROFILES = 10
TRIAL_DEADLINE_S = 30.0
SENT = ("question", "earlier_questions", "passages")  # what a model is sent, as the audit trail names it


def switch_models(*, actor: Actor, is_on: bool, uses_installation: bool) -> None:
    """From now on questions and passages may, or may not, be sent to the organisation's profiles. Audited."""
    require(actor, Permission.MANAGE_MODELS)
    if uses_installation and not settings.MODEL_URL:
        raise InputError(_("This installation has no model of its own."), field="uses_installation")
    hosts = [
        urlsplit(url).netloc for url in ModelProfile.objects.order_by("position").values_list("base_url", flat=True)
    ]
    if uses_installation:
        hosts.append(urlsplit(settings.MODEL_URL).netloc)
    if is_on and not hosts:
        raise Conflict(_("Add a model first; there is none to send anything to."), code="no_model")
    ModelPolicy.objects.update_or_create(defaults={"is_on": is_on, "uses_installation": uses_installation})
    detail: dict[str, object] = {"hosts": hosts, "sent": list(SENT)} if is_on else {}
    _record(actor, "models.switched_on" if is_on else "models.switched_off", None, detail)


def add_profile(*, actor: Actor, name: str, base_url: str, model: str, api_key: str) -> UUID:
    """A model to send to, once models are switched on. Raises InputError, LimitExceeded."""
    require(actor, Permission.MANAGE_MODELS)
    fields = _checked(name, base_url, model)
    if ModelProfile.objects.count() >= MOST_PROFILES:
        raise LimitExceeded(_("There are ten models already; remove one first."))
    if ModelProfile.objects.filter(name=fields["name"]).exists():
        raise InputError(_("Another model has this name."), field="name")
    last = ModelProfile.objects.aggregate(last=Max("position"))["last"]
    row = ModelProfile.objects.create(
        **fields, sealed_key=seal(api_key.strip()) if api_key.strip() else "", position=(last or 0) + 1
    )
    _record(actor, "model.added", row.id, {"name": row.name, "host": urlsplit(row.base_url).netloc, "model": row.model})
    return row.id


def remove_profile(*, actor: Actor, profile_id: UUID) -> None:
    """The model and its key are gone."""
    require(actor, Permission.MANAGE_MODELS)
    row = _profile(profile_id)
    _record(actor, "model.removed", row.id, {"name": row.name, "host": urlsplit(row.base_url).netloc})
    row.delete()


def try_profile(*, actor: Actor, profile_id: UUID | None) -> ModelTrial:
    """Asks the model for one word: nothing of the organisation is sent. None: the installation's model.

    Called outside a transaction: the model may take seconds.
    """
    with tenant_context(actor.tenant_id):
        require(actor, Permission.MANAGE_MODELS)
        if profile_id is None and not settings.MODEL_URL:
            raise NotFound
        endpoint = installation_endpoint() if profile_id is None else endpoint_of(_profile(profile_id))
    turn = f"model-trial-{actor.tenant_id}"
    if not cache.add(turn, 1, TRIAL_DEADLINE_S + 5):
        raise LimitExceeded(_("A model is being tried already. Wait for its answer."), code="trial_under_way")
    release_connection()
    try:
        trial = _tried(endpoint)
    finally:
        cache.delete(turn)
    with tenant_context(actor.tenant_id):
        if profile_id is not None:
            ModelProfile.objects.filter(id=profile_id).update(
                tested_at=timezone.now(), test_failure=trial.failure, test_seconds=trial.seconds
            )
        _record(actor, "model.tried", profile_id, {"failure": trial.failure})
    return trial


def _tried(endpoint: ModelEndpoint) -> ModelTrial:
    started = time.monotonic()
    brief = ModelEndpoint(
        endpoint.name, endpoint.base_url, endpoint.model, endpoint.api_key, TRIAL_DEADLINE_S, TRIAL_DEADLINE_S
    )
    try:
        with closing(vendors.make_chat("openai", brief)) as chat:
            reply = chat.complete(system="Reply with one word.", user="ready?", most_tokens=400, check=lambda: None)
    except ProviderError as exc:
        return ModelTrial(exc.code, "", round(time.monotonic() - started, 2))
    return ModelTrial("", reply.model, round(time.monotonic() - started, 2))


def _checked(name: str, base_url: str, model: str) -> dict[str, str]:
    name, model = clean_input(name).strip()[:80], clean_input(model).strip()[:120]
    if not name:
        raise InputError(_("Give the model a name."), field="name")
    if not model:
        raise InputError(_("Say which model the server is to use."), field="model")
    if len(base_url) > 300:
        raise InputError(_("This address is too long."), field="base_url")
    return {"name": name, "base_url": check_url(base_url, field="base_url"), "model": model}


def _profile(profile_id: UUID) -> ModelProfile:
    row = ModelProfile.objects.filter(id=profile_id).first()
    if row is None:
        raise NotFound
    return row


def _record(actor: Actor, action: str, object_id: UUID | None, detail: dict[str, object]) -> None:
    audit.record(
        action=action,
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="model",
        object_id=object_id,
        detail=detail,
    )
