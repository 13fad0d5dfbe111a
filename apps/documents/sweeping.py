"""Stored bytes that no row knows: what a process that died between writing them and its commit left behind."""

from datetime import timedelta
from uuid import UUID

from apps.documents import storage
from apps.documents.models import StoredFile
from apps.tenants.context import tenant_context
from apps.tenants.models import Tenant

ORPHAN_AGE = timedelta(hours=6)


def sweep_files(*, tenant_id: UUID, age: timedelta = ORPHAN_AGE) -> int:
    """Stored bytes that no row knows are gone: a process died between writing them and its commit. Returns how many.

    Only files older than `age` are looked at: younger ones may belong to an upload that is about to commit.
    """
    storage.delete_unfinished(tenant_id=tenant_id, age=age)
    removed = 0
    for key in storage.keys_older_than(tenant_id=tenant_id, age=age):
        with tenant_context(tenant_id):
            is_known = StoredFile.objects.filter(storage_key=key).exists()
        if not is_known:
            storage.delete(key)
            removed += 1
    return removed


def sweep_all_files() -> int:
    """As sweep_files, for every organisation of the installation."""
    return sum(sweep_files(tenant_id=tenant_id) for tenant_id in Tenant.objects.values_list("id", flat=True))
