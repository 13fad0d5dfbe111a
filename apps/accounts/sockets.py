"""Who is at the other end of a socket: the session cookie, looked up again by the consumer while it lives."""

import logging
from typing import Any
from uuid import UUID

from asgiref.sync import async_to_sync, sync_to_async
from channels.layers import get_channel_layer
from channels.sessions import CookieMiddleware
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from django.utils.crypto import constant_time_compare
from redis.exceptions import RedisError

from apps.accounts.backends import EmailBackend
from apps.accounts.models import User

logger = logging.getLogger(__name__)


class _SessionKey:
    """Puts the session key of the cookie into the scope."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        key = scope["cookies"].get(settings.SESSION_COOKIE_NAME, "")
        return await self.inner(scope | {"session_key": key}, receive, send)


def SessionAuthMiddleware(inner: Any) -> Any:  # noqa: N802  (reads as the class it stands for)
    return CookieMiddleware(_SessionKey(inner))


def session_user(session_key: str) -> User | None:
    """The person signed in with this session at this moment; None after sign-out, expiry or a new password."""
    if not session_key:
        return None
    session = SessionStore(session_key).load()
    if session.get(BACKEND_SESSION_KEY) != settings.AUTHENTICATION_BACKENDS[0]:
        return None
    user = EmailBackend().get_user(session.get(SESSION_KEY))
    if user is None or not constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash()):
        return None
    return user


session_user_async = sync_to_async(session_user)


def person_group(user_id: UUID) -> str:
    """Channel group of all open sockets of a person. No tenant: a session spans organisations."""
    return f"person.{user_id}"


def hint_person(user_id: UUID) -> None:
    """After the commit, the person's open sockets look at their rights again; those without close at once."""

    def send() -> None:
        try:
            async_to_sync(get_channel_layer().group_send)(person_group(user_id), {"type": "person.changed"})
        except (RedisError, OSError) as exc:
            logger.warning("hint to a person's sockets lost: %s", type(exc).__name__)  # they poll every 3 s

    transaction.on_commit(send)
