"""Opening a file with a person's password: once, in a reading child. The password goes nowhere else."""

from collections.abc import Iterator

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from apps.core.errors import InputError
from apps.documents import storage
from apps.reading.client import ReadingClient
from apps.reading.contracts import ReadingError, ReadingFailure
from apps.reading.limits import Limits


def reading_limits() -> Limits:
    """What a reading child may use, from the settings."""
    return Limits(memory_mb=settings.READING_MEMORY_BYTES // (1024 * 1024))


def decrypted_copy(*, key: str, name: str, password: str) -> Iterator[bytes]:
    """The file without its encryption. Raises InputError("wrong_password")."""
    try:
        with ReadingClient(
            storage.read(key),
            name=name,
            password=password,
            limits=reading_limits(),
            window_timeout_s=settings.READING_WINDOW_TIMEOUT_S,
        ) as client:
            client.open()
            return iter([client.decrypt()])
    except ReadingError as exc:
        if exc.failure in (ReadingFailure.WRONG_PASSWORD, ReadingFailure.NEEDS_PASSWORD):
            message = _("This password does not open the file.")
            raise InputError(message, code="wrong_password", field="password") from exc
        if exc.failure is ReadingFailure.ENCRYPTED_OFFICE:
            message = _(
                "No password opens this file: it is protected by a certificate or by rights management. Save a copy "
                "without protection and add that."
            )
            raise InputError(message, code=exc.failure.value, field="password") from exc
        raise InputError(code=exc.failure.value, field="password", detail=exc.detail) from exc
