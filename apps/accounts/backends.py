"""Sign-in by e-mail and password. Demo people, whose password is public, sign in from this machine only."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.backends import BaseBackend
from django.http import HttpRequest

from apps.accounts.models import User, normalise_email

LOCAL_ADDRESSES = {"127.0.0.1", "::1"}


class EmailBackend(BaseBackend):
    def authenticate(
        self, request: HttpRequest | None, email: str = "", password: str = "", **_kwargs: Any
    ) -> User | None:
        user = User.objects.filter(email=normalise_email(email)).first()
        if user is None:
            User().set_password(password)  # the same work as for a known address
            return None
        if not user.check_password(password) or not user.is_active:
            return None
        if user.is_demo and not (settings.DEMO and _is_local(request)):
            return None
        return user

    def get_user(self, user_id: Any) -> User | None:
        try:
            return User.objects.filter(id=UUID(str(user_id)), is_active=True).first()
        except ValueError:
            return None


def _is_local(request: HttpRequest | None) -> bool:
    return request is None or request.META.get("REMOTE_ADDR", "") in LOCAL_ADDRESSES
