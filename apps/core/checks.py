"""System checks that stop a wrong start, each with an id and a hint (ids are listed in docs/configuration.md)."""

import os
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register

REROUTING = ("LANGSMITH_GATEWAY", "LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "LANGCHAIN_TRACING")


@register(Tags.security)
def no_rerouting_of_model_traffic(**_kwargs: Any) -> list[CheckMessage]:
    """Variables that make LangChain send prompts elsewhere are refused."""
    return [
        Error(f"{name} is set and would send prompts to an outside service.", hint=f"Unset {name}.", id="airis.E020")
        for name in REROUTING
        if os.environ.get(name, "").lower() not in {"", "0", "false"}
    ]
