"""Who stands at the door of the API: password, counted attempts and second factor, by the same rules as the pages."""

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.base.forms import BaseAuthenticateForm
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from apps.accounts.models import User, normalise_email
from apps.core.errors import InputError, LimitExceeded


def authenticate_person(request: HttpRequest, *, email: str, password: str, code: str) -> User:
    """The person. Raises InputError (`sign_in_failed`, `code_needed`, `code_wrong`, `address_unconfirmed`) and
    LimitExceeded; before the password is right, known and unknown addresses answer alike."""
    try:
        user = get_adapter(request).authenticate(request, email=normalise_email(email), password=password)
    except ValidationError as exc:
        raise LimitExceeded(_("Too many attempts. Wait five minutes, then try again."), code="too_many") from exc
    if not isinstance(user, User):
        raise InputError(_("E-mail address or password is wrong."), code="sign_in_failed")
    _require_confirmed(user)
    _require_code(user, code)
    return user


def _require_confirmed(user: User) -> None:
    if settings.HAS_MAIL and not EmailAddress.objects.filter(user=user, verified=True).exists():
        raise InputError(_("Confirm the e-mail address first: sign in on the page once."), code="address_unconfirmed")


def _require_code(user: User, code: str) -> None:
    if not Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists():
        return
    if not code:
        raise InputError(_("Send the code of the second factor too."), code="code_needed", field="code")
    form = BaseAuthenticateForm({"code": code}, user=user)
    if not form.is_valid():
        if any(error.code == "too_many_login_attempts" for error in form.errors.as_data().get("code", [])):
            raise LimitExceeded(_("Too many attempts. Wait five minutes, then try again."), code="too_many")
        raise InputError(str(form.errors["code"][0]), code="code_wrong", field="code")
    form.authenticator.record_usage()
