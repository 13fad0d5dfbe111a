"""The three nets: ORM, guard, Postgres. Postgres is asked directly, as the app role."""

import psycopg
import pytest
from django.apps import apps
from django.db import connection, transaction

from apps.accounts.contracts import Role
from apps.accounts.models import Collection, CollectionGrant
from apps.tenants import audit
from apps.tenants.context import NoTenant, OtherTenant, tenant_context
from apps.tenants.guard import NoTenantTransaction
from apps.tenants.models import AuditEvent, TenantModel
from apps.tenants.rls import composite_key_name, is_tenant_key
from tests.factories.people import make_actor, make_collection, make_organisation

pytestmark = pytest.mark.django_db(transaction=True)
TENANT_MODELS = [model for model in apps.get_models() if issubclass(model, TenantModel)]


def rows(sql: str, *params: object) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())


def test_the_suite_runs_as_a_role_that_owns_nothing_and_bypasses_nothing() -> None:
    [(is_super, bypasses)] = rows("SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user")
    owned = rows("SELECT tablename FROM pg_tables WHERE tableowner = current_user")

    assert (is_super, bypasses, owned) == (False, False, [])


@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda m: m.__name__)
def test_every_tenant_table_has_the_policy_and_its_composite_keys(model: type[TenantModel]) -> None:
    table = model._meta.db_table

    [(enabled, forced)] = rows("SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE relname = %s", table)
    policies = rows("SELECT polname, polroles FROM pg_policy WHERE polrelid = %s::regclass", table)
    constraints = {row[0] for row in rows("SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass", table)}

    assert (enabled, forced) == (True, True)
    assert "tenant_isolation" in {row[0] for row in policies}
    for field in model._meta.local_fields:
        if is_tenant_key(field):
            assert composite_key_name(model, field) in constraints
            assert not field.db_constraint


@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda m: m.__name__)
def test_every_unique_constraint_begins_with_the_tenant(model: type[TenantModel]) -> None:
    assert model._meta.base_manager_name == "unscoped"
    for constraint in model._meta.constraints:
        if hasattr(constraint, "fields") and constraint.fields:
            assert constraint.fields[0] == "tenant"


def test_without_a_context_the_manager_and_the_guard_raise() -> None:
    with pytest.raises(NoTenant):
        Collection.objects.count()
    with pytest.raises(NoTenantTransaction):
        list(Collection.unscoped.all())


def test_postgres_shows_no_rows_without_the_setting() -> None:
    admin = make_actor(make_organisation(), Role.ADMIN)
    make_collection(admin)

    url = connection.get_connection_params()
    with psycopg.connect(dbname=url["dbname"], user=url["user"], host=url["host"]) as raw:
        count = raw.execute("SELECT count(*) FROM accounts_collection").fetchone()

    assert count == (0,)


def test_another_organisation_sees_and_changes_nothing() -> None:
    admin = make_actor(make_organisation(), Role.ADMIN)
    collection_id = make_collection(admin)
    other_id = make_organisation()

    with tenant_context(other_id):
        seen = Collection.unscoped.filter(id=collection_id).count()
        changed = Collection.unscoped.filter(id=collection_id).update(name="taken")
        deleted, _ = Collection.unscoped.filter(id=collection_id).delete()

    assert (seen, changed, deleted) == (0, 0, 0)


def test_a_key_to_another_organisations_row_is_refused_like_a_key_to_nothing() -> None:
    admin = make_actor(make_organisation(), Role.ADMIN)
    foreign_id = make_collection(admin)
    other = make_actor(make_organisation(), Role.ADMIN)

    with pytest.raises(Exception, match="collection_id_tenant_fk"), tenant_context(other.tenant_id):
        CollectionGrant.objects.create(collection_id=foreign_id, user_id=other.user_id, level="read")


def test_a_row_cannot_be_written_for_another_organisation() -> None:
    here, there = make_organisation(), make_organisation()

    with pytest.raises(Exception, match="row-level security"), tenant_context(here):
        Collection.objects.create(tenant_id=there, name="smuggled")


def test_contexts_do_not_nest_across_organisations_and_leave_nothing_behind() -> None:
    here, there = make_organisation(), make_organisation()

    with tenant_context(here), tenant_context(here):
        with pytest.raises(OtherTenant), tenant_context(there):
            pass

    with transaction.atomic():
        with tenant_context(here):
            pass
        [(setting,)] = rows("SELECT current_setting('airis.tenant_id', true)")
    assert setting in (None, "")


def test_the_trail_can_be_added_to_and_not_rewritten() -> None:
    tenant_id = make_organisation()
    with tenant_context(tenant_id):
        audit.record(action="test.done", actor_id=None)

    for change in (AuditEvent.unscoped.all().delete, lambda: AuditEvent.unscoped.update(action="x")):
        with pytest.raises(Exception, match="permission denied"), tenant_context(tenant_id):
            change()
