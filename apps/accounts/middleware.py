"""The edge: the organisation of a request comes from its address or its API token, and from nowhere else.

Views under /t/<slug>/ run inside tenant_context, with `request.actor` set; strangers get the page of an unknown
address. A view marked `@manages_context` opens its own contexts (uploads, page images: no transaction meanwhile).
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib.auth.views import redirect_to_login
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from redis.exceptions import RedisError

from apps.accounts.contracts import Actor
from apps.accounts.selectors import access_by_token, actor_for
from apps.core.disk import is_disk_full
from apps.core.errors import AirisError, NotFound, StorageFull, Unavailable
from apps.core.http_errors import error_response
from apps.tenants.context import tenant_context

View = TypeVar("View", bound=Callable[..., Any])


class OrganisationRequest(HttpRequest):
    """A request under /t/<slug>/ or with an API token: it has an actor."""

    actor: Actor


def manages_context(view: View) -> View:
    """The view opens tenant_context(request.actor.tenant_id) itself, in short blocks."""
    view.manages_context = True  # type: ignore[attr-defined]  # a mark on the function
    return view


class OrganisationMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        try:
            if request.path.startswith("/api/"):
                return self._run(request, view, kwargs, _token_actor(request))
            if "tenant_slug" not in kwargs:
                return None
            slug = kwargs.pop("tenant_slug")
            if not request.user.is_authenticated:
                return _sign_in_first(request)
            actor = actor_for(user_id=request.user.pk, tenant_slug=slug)
            if actor is None:
                raise NotFound
            request.tenant_slug = slug  # type: ignore[attr-defined]  # read by templates
            return self._run(request, view, kwargs, actor)
        except AirisError as exc:
            return error_response(request, exc)
        except Http404:
            return error_response(request, NotFound())
        except (OperationalError, RedisError, OSError) as exc:
            error = _outage(exc)
            if error is None:
                raise
            return error_response(request, error)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        error = exception if isinstance(exception, AirisError) else _outage(exception)
        return error_response(request, error) if error is not None else None

    def _run(
        self, request: HttpRequest, view: Callable[..., Any], kwargs: dict[str, Any], actor: Actor | None
    ) -> HttpResponse | None:
        request.actor = actor  # type: ignore[attr-defined]  # OrganisationRequest
        if actor is None or _manages_context(view):
            return view(request, **kwargs)  # type: ignore[no-any-return]  # Django's view type
        with tenant_context(actor.tenant_id):
            response: HttpResponse = view(request, **kwargs)
            if hasattr(response, "render") and callable(response.render):
                response = response.render()  # lazily rendered bodies read rows too
        return response


def _outage(exception: Exception) -> AirisError | None:
    """The error that a person meets when a part of the installation is away or full; None for any other."""
    detail = type(exception).__name__
    if is_disk_full(exception):
        return StorageFull(detail=detail)
    if isinstance(exception, (OperationalError, RedisError)):  # without the cache nobody can be counted
        return Unavailable(detail=detail)
    return None


def _token_actor(request: HttpRequest) -> Actor | None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    access = access_by_token(token=token.strip()) if scheme.lower() == "bearer" else None
    request.access = access  # type: ignore[attr-defined]  # read by TokenAuthentication
    return access.actor if access else None


def _manages_context(view: Callable[..., Any]) -> bool:
    return bool(
        getattr(view, "manages_context", False) or getattr(getattr(view, "cls", None), "manages_context", False)
    )


def _sign_in_first(request: HttpRequest) -> HttpResponse:
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(status=401)  # shell.js asks to sign in and keeps what was typed
    return redirect_to_login(request.get_full_path())
