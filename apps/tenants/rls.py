"""The third net, in migrations: row policies and composite keys. Used in each tenant table's own migration.

`SecureTable("Document")` enables and forces row-level security, adds the tenant policy, the unique key
(tenant_id, id) that composite keys point to, and the composite keys themselves.
"""

from typing import Any

from django.apps.registry import Apps
from django.conf import settings
from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

CONDITION = "tenant_id = nullif(current_setting('airis.tenant_id', true), '')::uuid"
POLICY = "tenant_isolation"
_NO_POLICY = {"accounts_membership", "accounts_apitoken"}  # have a tenant, no policy: read before a context


class SecureTable(Operation):
    """After it, a role sees and writes only rows of the tenant set in its transaction, the table's owner too."""

    reduces_to_sql = True
    reversible = True

    def __init__(self, model: str, *, readers: tuple[str, ...] = (), is_append_only: bool = False) -> None:
        self.model = model
        self.readers = readers  # settings names of NOLOGIN roles that may select all rows
        self.is_append_only = is_append_only

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return type(self).__qualname__, [self.model], {"readers": self.readers, "is_append_only": self.is_append_only}

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Nothing of this is in Django's state."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model)
        table = schema_editor.quote_name(model._meta.db_table)
        schema_editor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {_name(model, 'tenant_key')} UNIQUE (tenant_id, id)")
        schema_editor.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        schema_editor.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
        schema_editor.execute(f"CREATE POLICY {POLICY} ON {table} USING ({CONDITION}) WITH CHECK ({CONDITION})")
        for reader in self.readers:
            role = schema_editor.quote_name(getattr(settings, reader))
            schema_editor.execute(f"GRANT SELECT ON {table} TO {role}")
            schema_editor.execute(f"CREATE POLICY {reader.lower()} ON {table} FOR SELECT TO {role} USING (true)")
        if self.is_append_only:
            role = schema_editor.quote_name(settings.DATABASE_APP_ROLE)
            schema_editor.execute(f"REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM {role}")
        for statement in _composite_keys(schema_editor, model):
            schema_editor.execute(statement)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """The table goes with the CreateModel before it."""

    def describe(self) -> str:
        return f"Secure {self.model} by tenant"


class AddTenantKey(Operation):
    """The composite constraint of one TenantForeignKey that was added to an existing table."""

    reduces_to_sql = True
    reversible = True

    def __init__(self, model: str, field: str) -> None:
        self.model = model
        self.field = field

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return type(self).__qualname__, [self.model, self.field], {}

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Nothing of this is in Django's state."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model)
        for statement in _composite_keys(schema_editor, model, only=self.field):
            schema_editor.execute(statement)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """The constraint goes with its column."""

    def describe(self) -> str:
        return f"Composite tenant key of {self.model}.{self.field}"


def for_each_tenant(apps: Apps, schema_editor: BaseDatabaseSchemaEditor, work: Any) -> int:
    """Calls work(tenant_id) with that tenant set: the owner's statements see no rows otherwise.

    Returns the number of tenants; a data migration asserts that it is not 0 when tenants exist.
    """
    tenant_ids = list(apps.get_model("tenants", "Tenant").objects.values_list("id", flat=True))
    for tenant_id in tenant_ids:
        schema_editor.execute("SELECT set_config('airis.tenant_id', %s, true)", [str(tenant_id)])
        work(tenant_id)
    schema_editor.execute("SELECT set_config('airis.tenant_id', '', true)")
    return len(tenant_ids)


def is_tenant_key(field: Any) -> bool:
    """Whether a model field needs a composite constraint: a key from a tenant table to a tenant table."""
    if not isinstance(field, models.ForeignKey) or field.name == "tenant":
        return False
    target = field.remote_field.model
    return any(f.name == "tenant" for f in target._meta.local_fields) and target._meta.db_table not in _NO_POLICY


def composite_key_name(model: Any, field: Any) -> str:
    return _name(model, f"{field.column}_tenant_fk").strip('"')


def _composite_keys(schema_editor: BaseDatabaseSchemaEditor, model: Any, only: str | None = None) -> list[str]:
    table = schema_editor.quote_name(model._meta.db_table)
    return [
        f'ALTER TABLE {table} ADD CONSTRAINT "{composite_key_name(model, field)}" '
        f"FOREIGN KEY (tenant_id, {schema_editor.quote_name(field.column)}) "
        f"REFERENCES {schema_editor.quote_name(field.related_model._meta.db_table)} (tenant_id, id) "
        "DEFERRABLE INITIALLY DEFERRED"
        for field in model._meta.local_fields
        if is_tenant_key(field) and only in (None, field.name)
    ]


def _name(model: Any, suffix: str) -> str:
    return f'"{model._meta.db_table}_{suffix}"'[:64]


class DefinerFunction(Operation):
    """A SECURITY DEFINER function owned by a NOLOGIN role, executable by the app role alone.

    `body` is SQL or PL/pgSQL that checks the tenant setting itself where it returns more than ids. search_path is
    pinned; PUBLIC may not execute it. `signature` is "name(argument type, …)", `returns` what stands after RETURNS.
    """

    reduces_to_sql = True
    reversible = True

    def __init__(
        self,
        name: str,
        *,
        arguments: str,
        returns: str,
        body: str,
        owner: str,
        language: str = "sql",
        options: str = "STABLE",
    ) -> None:
        self.name = name
        self.arguments = arguments
        self.returns = returns
        self.body = body
        self.owner = owner  # settings name of the NOLOGIN role
        self.language = language
        self.options = options

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        keywords = {
            "arguments": self.arguments,
            "returns": self.returns,
            "body": self.body,
            "owner": self.owner,
            "language": self.language,
            "options": self.options,
        }
        return type(self).__qualname__, [self.name], keywords

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Nothing of this is in Django's state."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        quote = schema_editor.quote_name
        owner, app = quote(getattr(settings, self.owner)), quote(settings.DATABASE_APP_ROLE)
        signature = f"{self.name}({self.arguments})"
        for statement in (
            f"CREATE OR REPLACE FUNCTION {signature} RETURNS {self.returns} LANGUAGE {self.language} {self.options} "
            f"SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $airis${self.body}$airis$",
            f"REVOKE ALL ON FUNCTION {self.name} FROM PUBLIC",
            f"GRANT EXECUTE ON FUNCTION {self.name} TO {app}",
            f"GRANT USAGE, CREATE ON SCHEMA public TO {owner}",
            f"ALTER FUNCTION {self.name} OWNER TO {owner}",
            f"REVOKE CREATE ON SCHEMA public FROM {owner}",
        ):
            schema_editor.execute(statement, params=None)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        schema_editor.execute(f"DROP FUNCTION IF EXISTS {self.name}")

    def describe(self) -> str:
        return f"Definer function {self.name}"
