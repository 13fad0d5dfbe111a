"""System checks that stop a wrong start, each with an id and a hint (ids are listed in docs/configuration.md)."""

import os
from typing import Any

from django.conf import settings
from django.core.checks import ERROR, CheckMessage, Error, Tags, register, run_checks
from django.db import connection

REROUTING = ("LANGSMITH_GATEWAY", "LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "LANGCHAIN_TRACING")


@register(Tags.security)
def no_rerouting_of_model_traffic(**_kwargs: Any) -> list[CheckMessage]:
    """Variables that make LangChain send prompts elsewhere are refused."""
    return [
        Error(f"{name} is set and would send prompts to an outside service.", hint=f"Unset {name}.", id="airis.E020")
        for name in REROUTING
        if os.environ.get(name, "").lower() not in {"", "0", "false"}
    ]


@register(Tags.database)
def no_powerful_database_role(databases: Any = None, **_kwargs: Any) -> list[CheckMessage]:
    """Production connects as a role that owns nothing and that row policies bind."""
    if not settings.IS_PRODUCTION or not databases or settings.AS_OWNER:
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user")
        row = cursor.fetchone()
        cursor.execute("SELECT count(*) FROM pg_tables WHERE tableowner = current_user AND schemaname = 'public'")
        owned = cursor.fetchone()
    hint = "Let DATABASE_URL name the app role (docs/configuration.md, External services)."
    if row and row[0]:
        return [Error("The database role is a superuser or bypasses row policies.", hint=hint, id="airis.E015")]
    if owned and owned[0]:
        return [Error("The database role owns tables.", hint=hint, id="airis.E016")]
    return []


def refuse_unsafe_start() -> None:
    """Web, workers and beat call it before they serve: SystemExit with ids and hints when a check fails."""
    databases = ["default"] if settings.IS_PRODUCTION else None
    failed = [
        message
        for message in run_checks(tags=[Tags.security, Tags.database], databases=databases)
        if message.level >= ERROR and not message.is_silenced()
    ]
    if failed:
        raise SystemExit("\n".join(f"{message.id}: {message.msg} {message.hint}" for message in failed))
