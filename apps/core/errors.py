"""The one tree of errors. Each has a stable code, a sentence for the person, and a private detail for the log.

AirisError
├── InputError          400  what was sent cannot be used; says what to do
├── NotAllowed          403  a member who may see the thing but not do the act
├── NotFound            404  unknown, another organisation's, or not granted: word for word alike
├── Conflict            409  the thing is in another state than the act needs
├── LimitExceeded       413/429  a size, count or rate limit
├── StorageFull         507  the installation has no room left; nothing was kept
├── ProviderError       502/503  an outside service failed (retryable, retry_after)
├── IngestionError      500  a stage of ingestion failed (stage, retryable)
├── Unavailable         503  the database is restarting
└── GroundingError      500  an answer could not be checked
"""

from datetime import timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Message = str | Promise


class AirisError(Exception):
    """Base of every error that a person may meet."""

    status = 500
    code = "error"
    message: Message = _("Something failed on our side. Nothing was lost; try again.")

    def __init__(self, message: Message | None = None, *, code: str | None = None, detail: str = "") -> None:
        self.message = message or self.message
        self.code = code or self.code
        self.detail = detail
        super().__init__(f"{self.code}: {detail}" if detail else self.code)


class InputError(AirisError):
    """`field` names the form field or JSON key at fault, "" when the whole input is."""

    status = 400
    code = "invalid"
    message = _("This cannot be used as it is. Correct it and send it again.")

    def __init__(
        self, message: Message | None = None, *, code: str | None = None, detail: str = "", field: str = ""
    ) -> None:
        super().__init__(message, code=code, detail=detail)
        self.field = field


class NotAllowed(AirisError):
    status = 403
    code = "not_allowed"
    message = _("Your role here does not allow this. An administrator can change that.")


class NotFound(AirisError):
    status = 404
    code = "not_found"
    message = _("There is nothing at this address, or it is not open to you.")


class Conflict(AirisError):
    status = 409
    code = "conflict"
    message = _("This changed in the meantime. Look again, then repeat the step if it is still needed.")


class LimitExceeded(AirisError):
    status = 429
    code = "limit_exceeded"
    message = _("This is over a limit of the installation.")


class TooLarge(LimitExceeded):
    status = 413
    code = "too_large"
    message = _("This is larger than the installation allows.")


class KeyReused(InputError):
    """An Idempotency-Key came again with another request."""

    status = 422
    code = "idempotency_key_reused"
    message = _("This Idempotency-Key was used for another request. Use a fresh key for each request.")


class StorageFull(AirisError):
    status = 507
    code = "storage_full"
    message = _("The installation has no room left for this. Nothing was kept; an operator has to make room.")


class ProviderError(AirisError):
    status = 502
    code = "provider_failed"
    message = _("An outside service did not answer. Nothing was lost; try again in a moment.")

    def __init__(
        self,
        message: Message | None = None,
        *,
        code: str | None = None,
        detail: str = "",
        is_retryable: bool = True,
        retry_after: timedelta | None = None,
    ) -> None:
        super().__init__(message, code=code, detail=detail)
        self.is_retryable = is_retryable
        self.retry_after = retry_after


class IngestionError(AirisError):
    code = "ingestion_failed"
    message = _("This file could not be read to the end. The original is kept; you can retry.")

    def __init__(
        self,
        message: Message | None = None,
        *,
        code: str | None = None,
        detail: str = "",
        stage: str,
        is_retryable: bool,
    ) -> None:
        super().__init__(message, code=code, detail=detail)
        self.stage = stage
        self.is_retryable = is_retryable


class Unavailable(AirisError):
    status = 503
    code = "unavailable"
    message = _("The installation is restarting a part of itself. Nothing was lost; try again in a moment.")


class GroundingError(AirisError):
    code = "grounding_failed"
    message = _("The answer could not be checked against its sources, so it is not shown.")
