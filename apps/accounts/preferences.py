"""A person's own settings while their request or socket message is answered: time zone, number format, last seen."""

from collections.abc import Callable
from functools import lru_cache
from zoneinfo import available_timezones

from django.http import HttpRequest, HttpResponse

from apps.accounts.models import User
from apps.accounts.sessions import note_seen
from apps.core.formats import person_formats

_ODD = ("Etc/", "SystemV/", "US/", "posix", "right", "Brazil/", "Canada/", "Chile/", "Mexico/")


class PreferencesMiddleware:
    """Language and theme stand in cookies of the browser, set when the person signs in or saves their settings."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(("/t/", "/account", "/invitations/")) and request.path != "/":
            return self.get_response(request)
        user = request.user
        if not isinstance(user, User):
            return self.get_response(request)
        note_seen(request)
        with person_formats(number_format=user.number_format, time_zone=user.time_zone):
            return self.get_response(request)


@lru_cache(maxsize=1)
def time_zones() -> tuple[str, ...]:
    """Names a person can choose from, sorted: UTC first, then places."""
    return ("UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith(_ODD)))
