"""What an organisation has decided about models, and the endpoints that an answer may use."""

from urllib.parse import urlsplit

from django.conf import settings

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import require
from apps.core.secrets import unseal
from apps.providers.chat import ModelEndpoint
from apps.providers.contracts import ModelPolicyView, ModelProfileView
from apps.providers.http import is_private_host
from apps.providers.models import ModelPolicy, ModelProfile


def model_policy(*, actor: Actor) -> ModelPolicyView:
    """Owners and admins only."""
    require(actor, Permission.MANAGE_MODELS)
    row = ModelPolicy.objects.first()
    return ModelPolicyView(
        is_on=row.is_on if row else False,
        uses_installation=row.uses_installation if row else False,
        installation_model=settings.MODEL_NAME if settings.MODEL_URL else "",
        installation_host=urlsplit(settings.MODEL_URL).netloc,
        changed_at=row.changed_at if row else None,
    )


def model_profiles(*, actor: Actor) -> tuple[ModelProfileView, ...]:
    """In the order in which they are tried. Owners and admins only."""
    require(actor, Permission.MANAGE_MODELS)
    return tuple(
        ModelProfileView(
            id=row.id,
            name=row.name,
            base_url=row.base_url,
            model=row.model,
            has_key=bool(row.sealed_key),
            is_private=_is_private(row.base_url),
            tested_at=row.tested_at,
            test_failure=row.test_failure,
            test_seconds=row.test_seconds,
        )
        for row in ModelProfile.objects.order_by("position", "created_at")
    )


def usable_endpoints() -> tuple[ModelEndpoint, ...]:
    """Where the organisation of the context allows questions to be sent, in order; () while nothing may leave."""
    policy = ModelPolicy.objects.first()
    if policy is None or not policy.is_on:
        return ()
    own = tuple(endpoint_of(row) for row in ModelProfile.objects.order_by("position", "created_at"))
    return (*own, installation_endpoint()) if policy.uses_installation and settings.MODEL_URL else own


def models_asked() -> tuple[str, ...]:
    """Names of the models to which questions of the context's organisation are sent; () while nothing leaves."""
    return tuple(endpoint.name for endpoint in usable_endpoints())


def endpoint_of(row: ModelProfile) -> ModelEndpoint:
    return ModelEndpoint(row.name, row.base_url, row.model, unseal(row.sealed_key) if row.sealed_key else "")


def installation_endpoint() -> ModelEndpoint:
    return ModelEndpoint(settings.MODEL_NAME, settings.MODEL_URL, settings.MODEL_NAME, settings.MODEL_KEY)


def _is_private(base_url: str) -> bool:
    parts = urlsplit(base_url)
    return is_private_host(parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
