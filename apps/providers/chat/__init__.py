"""Chat models: one conversation turn in, text out. The vendor is named by the profile.

`complete` is the only call. What goes wrong is a ProviderError with a code of FAILURES; no error text is an answer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from django.utils.translation import gettext_lazy as _

FAILURES = {
    "model_unreachable": _("The model server cannot be reached."),
    "model_refused_key": _("The model server refuses the key."),
    "model_unknown": _("The model server does not know this model."),
    "model_busy": _("The model server is busy or out of quota."),
    "model_slow": _("The model server took too long."),
    "model_broken": _("The model server's reply broke off or cannot be read."),
    "model_truncated": _("The model's reply was cut off before its end."),
    "model_refused": _("The model refused to reply."),
    "model_failed": _("The model server reports an error."),
    "host_forbidden": _("This address belongs to the installation's own network."),
}


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """Where a model is and how it is called."""

    name: str  # as the organisation calls it
    base_url: str
    model: str
    api_key: str
    timeout_s: float = 60.0  # without any sign of life
    deadline_s: float = 180.0  # for the whole reply


@dataclass(frozen=True, slots=True)
class ModelReply:
    text: str
    model: str  # as the server names it
    input_tokens: int | None
    output_tokens: int | None


Check = Callable[[], None]


class ChatModel(Protocol):
    """A vendor's model."""

    def complete(self, *, system: str, user: str, most_tokens: int, check: Check) -> ModelReply:
        """The model's whole reply. `check` is called between pieces and may raise to stop. Raises ProviderError."""

    def close(self) -> None:
        """Its connections are closed; it is not used again."""
