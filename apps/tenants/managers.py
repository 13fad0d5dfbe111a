"""The default manager of tenant tables: filtered by the context, closed without one."""

from typing import TypeVar

from django.db import models

from apps.tenants.context import current_tenant_id

T = TypeVar("T", bound=models.Model)


class TenantManager(models.Manager[T]):
    """A guard against mistakes, not a wall: forward keys and saves pass it; Postgres does not."""

    def get_queryset(self) -> models.QuerySet[T]:
        return super().get_queryset().filter(tenant_id=current_tenant_id())
