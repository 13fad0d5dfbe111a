"""Stored bytes that no row knows: what a process that died between writing them and its commit left behind."""

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from apps.documents import storage
from apps.documents.models import StoredFile
from apps.tenants.context import tenant_context
from apps.tenants.models import Tenant

ORPHAN_AGE = timedelta(hours=6)  # younger bytes may belong to an upload that is about to commit


def files_without_rows(*, tenant_id: UUID, age: timedelta) -> tuple[str, ...]:
    """Storage keys older than `age` that no row names."""
    keys = tuple(storage.keys_older_than(tenant_id=tenant_id, age=age))
    with tenant_context(tenant_id):
        known = set(StoredFile.objects.values_list("storage_key", flat=True))
    return tuple(key for key in keys if key not in known)


def remove_files(*, keys: Iterable[str]) -> None:
    for key in keys:
        storage.delete(key)


def sweep_files(*, tenant_id: UUID, age: timedelta = ORPHAN_AGE) -> int:
    """Stored bytes older than `age` that no row knows are gone, and unfinished ones. Returns how many of the former."""
    storage.delete_unfinished(tenant_id=tenant_id, age=age)
    orphans = files_without_rows(tenant_id=tenant_id, age=age)
    remove_files(keys=orphans)
    return len(orphans)


def sweep_all_files() -> int:
    """As sweep_files, for every organisation of the installation."""
    return sum(sweep_files(tenant_id=tenant_id) for tenant_id in Tenant.objects.values_list("id", flat=True))
