"""Which organisation the running code works for. Set for a transaction, never for a connection or a process."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import UUID

from django.db import connection, transaction

_current: ContextVar[UUID | None] = ContextVar("airis_tenant", default=None)


class NoTenant(RuntimeError):
    """A tenant table was asked for outside a tenant context: a programming error, never a person's."""


class OtherTenant(RuntimeError):
    """A context of another organisation was opened inside one."""


def current_tenant_id() -> UUID:
    tenant_id = _current.get()
    if tenant_id is None:
        raise NoTenant("no tenant context: wrap the work in tenant_context(tenant_id)")
    return tenant_id


def connection_tenant_id() -> UUID | None:
    """The tenant that this thread's database connection has set for its running transaction."""
    tenant_id: UUID | None = getattr(connection, "airis_tenant_id", None)
    return tenant_id


@contextmanager
def tenant_context(tenant_id: UUID) -> Iterator[None]:
    """One transaction in which Postgres and the ORM see this organisation's rows, and no others.

    Opens the outermost transaction; inside one of the same organisation it is a savepoint-free no-op. Raises
    OtherTenant when nested in another organisation's. Threads have their own connections: open it again there.
    """
    active = connection_tenant_id()
    if active is not None:
        if active != tenant_id:
            raise OtherTenant(f"tenant_context({tenant_id}) inside {active}")
        token = _current.set(tenant_id)
        try:
            yield
        finally:
            _current.reset(token)
        return
    with transaction.atomic():
        _set(tenant_id)
        token = _current.set(tenant_id)
        try:
            yield
        finally:
            _current.reset(token)
            _unset()


def release_connection() -> None:
    """Before a long wait for somebody else: the pool has this thread's connection again; the next query takes one.

    Nothing happens inside a transaction.
    """
    if not connection.in_atomic_block:
        connection.close()


def _set(tenant_id: UUID) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('airis.tenant_id', %s, true)", [str(tenant_id)])
    connection.airis_tenant_id = tenant_id  # type: ignore[attr-defined]  # our mark on Django's wrapper


def _unset() -> None:
    connection.airis_tenant_id = None  # type: ignore[attr-defined]  # our mark on Django's wrapper
    if connection.in_atomic_block and not connection.needs_rollback and len(connection.savepoint_ids) > 0:
        # Inside an outer transaction (tests): the setting would outlive this block.
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('airis.tenant_id', '', true)")
