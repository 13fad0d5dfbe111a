"""The edges of a request: what it may bring, the connection it gives back, the language of the person.

The theme is pure CSS (light-dark) plus a cookie.
"""

from collections.abc import Callable

from django.conf import settings
from django.db import close_old_connections, connection
from django.http import HttpRequest, HttpResponse
from django.utils import translation


class EdgeMiddleware:
    """First in, last out. Cookies that no browser of ours was given are dropped, and a pooled connection goes back.

    Django returns it when the reply was sent; of a request that was cut off nobody would.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if value.isprintable()}
        try:
            return self.get_response(request)
        finally:
            if "pool" in connection.settings_dict["OPTIONS"]:
                close_old_connections()


class PersonLocaleMiddleware:
    """Like Django's LocaleMiddleware without language prefixes in addresses."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
        if language not in dict(settings.LANGUAGES):
            language = translation.get_language_from_request(request)
        with translation.override(language):
            request.LANGUAGE_CODE = language
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", language)
            return response
