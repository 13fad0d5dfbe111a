"""What follows from a sign-in, a new password, a second factor: the trail, cookies, dead tokens and sessions."""

from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.accounts import services
from apps.accounts.models import ApiToken, User
from apps.accounts.sessions import end_all_sessions

ONE_YEAR_S = 365 * 24 * 3600


def connect() -> None:
    account.user_logged_in.connect(on_sign_in, dispatch_uid="accounts.sign_in")
    account.password_reset.connect(on_new_password, dispatch_uid="accounts.password_reset")
    account.password_changed.connect(on_new_password, dispatch_uid="accounts.password_changed")
    mfa.authenticator_added.connect(on_second_factor_added, dispatch_uid="accounts.factor_added")
    mfa.authenticator_removed.connect(on_second_factor_removed, dispatch_uid="accounts.factor_removed")
    mfa.authenticator_reset.connect(on_recovery_codes, dispatch_uid="accounts.factor_reset")


def on_sign_in(sender: Any, *, user: User, response: HttpResponse | None = None, **_kwargs: Any) -> None:
    """Each organisation's trail has it; the browser speaks the person's language and wears their theme."""
    services.record_of_person(user_id=user.pk, name=user.name, action="person.signed_in")
    if response is not None:
        set_cookies(response, language=user.language, theme=user.theme)


def on_new_password(sender: Any, *, request: HttpRequest, user: User, **_kwargs: Any) -> None:
    """Old sign-ins and API tokens end; the one in which it was changed goes on."""
    own = request.session.session_key if request.user.pk == user.pk else None
    ApiToken.objects.filter(user_id=user.pk).delete()
    end_all_sessions(user_id=user.pk, except_key=own)
    services.record_of_person(user_id=user.pk, name=user.name, action="person.password_changed")


def on_second_factor_added(sender: Any, *, user: User, authenticator: Authenticator, **_kwargs: Any) -> None:
    if authenticator.type == Authenticator.Type.TOTP:
        services.record_of_person(user_id=user.pk, name=user.name, action="person.second_factor_added")


def on_second_factor_removed(sender: Any, *, user: User, authenticator: Authenticator, **_kwargs: Any) -> None:
    if authenticator.type == Authenticator.Type.TOTP:
        services.record_of_person(user_id=user.pk, name=user.name, action="person.second_factor_removed")


def on_recovery_codes(sender: Any, *, user: User, **_kwargs: Any) -> None:
    services.record_of_person(user_id=user.pk, name=user.name, action="person.recovery_codes")


def set_cookies(response: HttpResponse, *, language: str, theme: str) -> None:
    """What the person chose for every browser; "" leaves this browser as it is."""
    for name, value in ((settings.LANGUAGE_COOKIE_NAME, language), ("theme", theme)):
        if value:
            response.set_cookie(name, value, max_age=ONE_YEAR_S, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
