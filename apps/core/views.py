"""Health, language and theme: pages that belong to no organisation."""

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

from apps.core import measures
from apps.core.disk import has_room
from apps.core.errors import InputError, NotFound

THEMES = ("system", "light", "dark")
ONE_YEAR_S = 365 * 24 * 3600


@require_GET
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("ok", content_type="text/plain")


@require_GET
def readyz(request: HttpRequest) -> JsonResponse:
    """The process and what it needs answer: 200, else 503 with the name of what does not."""
    parts = {"database": _database_answers(), "valkey": _valkey_answers(), "disk": has_room()}
    return JsonResponse(parts, status=200 if all(parts.values()) else 503)


@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    """Counts for Prometheus: to whoever holds the metrics token; without one, to this machine alone."""
    if not _may_measure(request):
        raise NotFound
    return HttpResponse(measures.exposition(), content_type=measures.CONTENT_TYPE)


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        raise InputError(field="language")
    return _back_with_cookie(request, settings.LANGUAGE_COOKIE_NAME, language)


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    theme = request.POST.get("theme", "")
    if theme not in THEMES:
        raise InputError(field="theme")
    return _back_with_cookie(request, "theme", theme)


def _back_with_cookie(request: HttpRequest, name: str, value: str) -> HttpResponse:
    target = request.POST.get("next") or request.headers.get("Referer", "/")  # pages name no address of their own
    if not url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}):
        target = "/"
    response = HttpResponseRedirect(target)
    response.set_cookie(name, value, max_age=ONE_YEAR_S, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
    return response


def _may_measure(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        return scheme.lower() == "bearer" and constant_time_compare(token.strip(), settings.METRICS_TOKEN)
    return request.META.get("REMOTE_ADDR") in ("127.0.0.1", "::1") and "X-Forwarded-For" not in request.headers


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _valkey_answers() -> bool:
    from redis.exceptions import RedisError

    try:
        cache.get("readyz")
    except (RedisError, OSError):
        return False
    return True
