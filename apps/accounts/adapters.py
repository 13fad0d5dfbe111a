"""How allauth meets AIris: no sign-up, our words for errors, links that need no mail, sealed second factors."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.core.secrets import seal, unseal


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": _("E-mail address or password is wrong. Check both and try again."),
        "too_many_login_attempts": _("Too many attempts. Wait five minutes, then try again."),
        "incorrect_code": _("This code is not right, or it was used before. Wait for the next one."),
        "incorrect_password": _("The password is wrong."),
        "invalid_password_reset": _("This link is no longer valid. Ask for a new one."),
        "rate_limited": _("Too many attempts. Wait five minutes, then try again."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False  # people join by invitation

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """Pages say themselves what happened."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        if settings.HAS_MAIL:
            super().send_mail(template_prefix, email, context)

    def format_email_subject(self, subject: str) -> str:
        return f"AIris: {subject}"


class SecondFactorAdapter(DefaultMFAAdapter):
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("This code is not right, or it was used before. Wait for the next one."),
    }

    def encrypt(self, text: str) -> str:
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return unseal(encrypted_text)

    def build_totp_svg(self, url: str) -> str:
        """A QR code as an inline drawing without declaration, size and style: the page's policy forbids those."""
        from qrcode.main import QRCode

        code = QRCode(border=2)
        code.add_data(url)
        rows = code.get_matrix()
        cells = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark)
        side = len(rows)
        return f'<svg class="qr" viewBox="0 0 {side} {side}" role="img" aria-label="QR"><path d="{cells}"/></svg>'
