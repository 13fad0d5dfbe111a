"""The base of Celery tasks that work for an organisation: `tenant_id` is a compulsory argument."""

from typing import Any
from uuid import UUID

from celery import Task


class TenantTask(Task):
    """Refuses to be sent or run without a tenant_id; sets no context by itself: long work holds no transaction."""

    abstract = True

    def apply_async(self, args: Any = None, kwargs: Any = None, **options: Any) -> Any:
        _require_tenant(kwargs)
        return super().apply_async(args, kwargs, **options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        _require_tenant(kwargs)
        return super().__call__(*args, **kwargs)


def _require_tenant(kwargs: Any) -> None:
    UUID(str((kwargs or {})["tenant_id"]))
