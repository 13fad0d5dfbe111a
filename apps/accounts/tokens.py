"""Token authentication of the API. Apart from rest.py: DRF imports it while it is itself being imported."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.accounts.contracts import Actor


class ApiPerson(AnonymousUser):
    """What DRF calls the user: the actor of the token."""

    def __init__(self, actor: Actor) -> None:
        super().__init__()
        self.actor = actor

    @property
    def is_authenticated(self) -> bool:  # type: ignore[override]  # AnonymousUser says Literal[False]
        return True


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer airis_…`; resolved by the middleware, which opened the tenant's context."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        actor = getattr(request._request, "actor", None)
        return (ApiPerson(actor), None) if actor is not None else None

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def actor_of(request: Request) -> Actor:
    """The actor of an authenticated API request."""
    person = request.user
    if not isinstance(person, ApiPerson):
        raise TypeError(type(person).__name__)
    return person.actor
