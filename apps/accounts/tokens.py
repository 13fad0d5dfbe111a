"""Token authentication of the API: who acts, what the token may be used for, how often. Apart from rest.py: DRF
imports it while it is itself being imported."""

import logging
import time
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import gettext as _
from redis.exceptions import RedisError
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from apps.accounts.contracts import Actor, Scope, TokenAccess
from apps.accounts.models import ApiToken
from apps.core.errors import NotAllowed

logger = logging.getLogger(__name__)
WINDOW_S = 60


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
        access: TokenAccess | None = getattr(request._request, "access", None)
        if access is None:
            return None
        _note_use(access)
        return ApiPerson(access.actor), access

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class HasScope(BasePermission):
    """The view names a scope for each of its methods; the token must have it. A method without one is closed."""

    def has_permission(self, request: Request, view: Any) -> bool:  # Any: DRF's view
        access = request.auth
        if not isinstance(access, TokenAccess):
            return False
        method = "GET" if request.method == "HEAD" else request.method
        if method == "OPTIONS" or not hasattr(view, str(method).lower()):
            return True  # described to whoever holds a token; or 405
        require_scope(access, view.scopes[method])
        return True


def require_scope(access: TokenAccess, scope: Scope) -> None:
    """Raises NotAllowed when the token was not made for it."""
    if scope not in access.scopes:
        raise NotAllowed(
            _("This token was not made for this: it lacks the scope “%(scope)s”.") % {"scope": scope.value},
            code="scope_missing",
        )


class TokenThrottle(BaseThrottle):
    """At most API_REQUESTS_PER_MINUTE requests of a token in a minute; nobody is counted while Valkey is away."""

    def allow_request(self, request: Request, view: Any) -> bool:  # Any: DRF's view
        access = request.auth
        if not isinstance(access, TokenAccess):
            return True
        now = time.time()
        self._wait_s = WINDOW_S - now % WINDOW_S
        key = f"api-rate:{access.actor.tenant_id}:{access.token_id}:{int(now // WINDOW_S)}"
        try:
            cache.add(key, 0, timeout=2 * WINDOW_S)
            count = cache.incr(key)
        except (RedisError, OSError, ValueError):
            return True
        return count <= int(settings.API_REQUESTS_PER_MINUTE)

    def wait(self) -> float:
        return max(1.0, self._wait_s)


def actor_of(request: Request) -> Actor:
    """The actor of an authenticated API request."""
    person = request.user
    if not isinstance(person, ApiPerson):
        raise TypeError(type(person).__name__)
    return person.actor


def access_of_request(request: Request) -> TokenAccess:
    """The token of an authenticated API request."""
    if not isinstance(request.auth, TokenAccess):
        raise TypeError(type(request.auth).__name__)
    return request.auth


def _note_use(access: TokenAccess) -> None:
    try:
        is_due = cache.add(f"token-used:{access.token_id}", "1", timeout=WINDOW_S)
    except (RedisError, OSError):
        return  # the list of tokens is then older; nothing depends on it
    if is_due:
        ApiToken.objects.filter(id=access.token_id).update(last_used_at=timezone.now())
