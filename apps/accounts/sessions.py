"""Sign-ins of a person: where they are open, and ending them. Ending one closes its sockets."""

from importlib import import_module
from typing import Any
from uuid import UUID

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone
from redis.exceptions import RedisError

from apps.accounts.contracts import SessionSummary
from apps.accounts.sockets import hint_person
from apps.core.errors import NotFound

SEEN_EVERY_S = 60

_BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def list_sessions(*, user_id: UUID, current_key: str | None) -> tuple[SessionSummary, ...]:
    """The person's open sign-ins, the last seen first."""
    known = {row.session_key: row for row in UserSession.objects.filter(user_id=user_id)}
    alive = _store().get_model_class().objects.filter(session_key__in=list(known), expire_date__gt=timezone.now())
    rows = [known[key] for key in alive.values_list("session_key", flat=True)]
    return tuple(
        SessionSummary(
            id=row.id,
            device=device_of(row.user_agent),
            address=row.ip,
            started_at=row.created_at,
            last_seen_at=row.last_seen_at,
            is_current=row.session_key == current_key,
        )
        for row in sorted(rows, key=lambda row: row.last_seen_at, reverse=True)
    )


def end_session(*, user_id: UUID, session_id: int) -> None:
    """The sign-in is over and its sockets close. Raises NotFound for another person's, like an unknown one."""
    row = UserSession.objects.filter(user_id=user_id, id=session_id).first()
    if row is None:
        raise NotFound
    _store()(row.session_key).delete()
    row.delete()
    hint_person(user_id)


def end_all_sessions(*, user_id: UUID, except_key: str | None = None) -> int:
    """Every sign-in of the person is over, but the one with `except_key`. Returns how many were ended."""
    rows = list(UserSession.objects.filter(user_id=user_id).exclude(session_key=except_key or ""))
    for row in rows:
        _store()(row.session_key).delete()
        row.delete()
    hint_person(user_id)
    return len(rows)


def note_seen(request: HttpRequest) -> None:
    """The sign-in's last moment is kept, to the minute."""
    key = request.session.session_key
    if not key:
        return
    try:
        is_due = cache.add(f"seen:{key}", "1", timeout=SEEN_EVERY_S)
    except (RedisError, OSError):
        return  # the list of sign-ins is then older; nothing depends on it
    if is_due:
        UserSession.objects.filter(session_key=key).update(last_seen_at=timezone.now())


def device_of(user_agent: str) -> str:
    """Browser and system in two words, "" when the program does not say."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    return " · ".join(part for part in (browser, system) if part)


def _store() -> Any:  # Any: Django's session engines share no named type
    return import_module(settings.SESSION_ENGINE).SessionStore
