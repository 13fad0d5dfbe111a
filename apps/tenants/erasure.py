"""Removes an organisation whole. Needs the owner role: the app role may not touch the audit trail."""

from uuid import UUID

from django.apps import apps
from django.db import connection

from apps.tenants.context import tenant_context
from apps.tenants.models import Tenant, TenantModel


def erase_organisation(*, tenant_id: UUID) -> None:
    """No row of the organisation is left. Its files are the caller's business (documents.storage)."""
    with tenant_context(tenant_id):
        with connection.cursor() as cursor:
            for model in apps.get_models():
                if issubclass(model, TenantModel):  # keys are checked at the commit: any order will do
                    cursor.execute(
                        f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)} WHERE tenant_id = %s",  # noqa: S608  (a table name of ours)
                        [tenant_id],
                    )
        Tenant.objects.filter(id=tenant_id).delete()
