"""The second net's tripwire: a statement on a tenant table outside a tenant transaction raises.

Without it Postgres would answer with zero rows: silently "no documents".
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.apps import apps
from django.conf import settings

from apps.tenants.context import NoTenant, connection_tenant_id

_STATEMENT = re.compile(r"\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b", re.IGNORECASE)


class NoTenantTransaction(NoTenant):
    """A statement on a tenant table ran outside tenant_context()."""


def guard_connection(connection: Any, **_kwargs: Any) -> None:  # Any: Django's signal arguments
    """Every new connection of the app role carries the guard."""
    if not settings.AS_OWNER and _guard not in connection.execute_wrappers:
        connection.execute_wrappers.append(_guard)


def _guard(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]) -> Any:
    if connection_tenant_id() is None and isinstance(sql, str) and _STATEMENT.match(sql):
        touched = _tenant_tables().search(sql)
        if touched is not None:
            raise NoTenantTransaction(f"statement on {touched.group(1)} outside tenant_context()")
    return execute(sql, params, many, context)


@lru_cache(maxsize=1)
def _tenant_tables() -> re.Pattern[str]:
    from apps.tenants.models import TenantModel

    names = [model._meta.db_table for model in apps.get_models() if issubclass(model, TenantModel)]
    return re.compile(f'"({"|".join(map(re.escape, names))})"')
