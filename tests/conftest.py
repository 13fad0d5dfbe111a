"""The default suite runs on real PostgreSQL as the app role, and real Valkey. `make test` starts both."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connections
from xdist.scheduler import LoadFileScheduling

import airis.celery  # noqa: F401  (tasks sent from tests reach the broker)

ROOT = Path(__file__).resolve().parent.parent
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")  # each process has its own database, files and cache
TEST_DATABASE = f"airis_test_{WORKER}"
FIRST_HOUR = "tests/live/test_first_hour.py"  # it needs an installation without an owner
_TEMPLATE_LOCK = 8_120_301  # one process makes the template, the others wait


def pytest_configure() -> None:
    """Tests keep files apart from the product's."""
    settings.FILES_DIRECTORY = settings.VAR / "test" / WORKER / "files"
    settings.CACHE_DIRECTORY = settings.VAR / "test" / WORKER / "cache"
    settings.CACHES["default"]["OPTIONS"] = {"db": 2 + int(WORKER.removeprefix("gw"))}
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # whitenoise warns when it is missing


class ByFile(LoadFileScheduling):
    """A file is one process's work; so are all files that test the shared product: it is started once."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return "shared product" if file.startswith("tests/live/") and file != FIRST_HOUR else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile:  # Any: xdist's Producer
    return ByFile(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow files first, the kills last among them: the short ones fill up the other process's end."""
    items.sort(key=lambda item: ("tests/live/" not in item.nodeid, "test_kills" in item.nodeid))


def with_database(url: str, name: str) -> str:
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc or "", f"/{name}", parts.query, "")).replace(
        f"{parts.scheme}:/{name}", f"{parts.scheme}:///{name}"
    )


def schema_digest() -> str:
    digest = hashlib.sha256()
    for file in sorted(ROOT.glob("apps/*/migrations/*.py")) + sorted(ROOT.glob("apps/tenants/rls.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def make_database(name: str) -> str:
    """A migrated, empty database of this name, copied from a template of this schema; returns the app role's URL."""
    owner_url = os.environ["DATABASE_OWNER_URL"]
    template = f"airis_template_{schema_digest()}"
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_TEMPLATE_LOCK])
        known = {row[0] for row in connection.execute("SELECT datname FROM pg_database")}
        if template not in known:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            connection.execute(f'CREATE DATABASE "{name}"')
            _migrate(with_database(owner_url, name))
            connection.execute(f'ALTER DATABASE "{name}" RENAME TO "{template}"')
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return with_database(os.environ["DATABASE_URL"], name)


def _migrate(owner_url: str) -> None:
    environment = os.environ | {"DATABASE_OWNER_URL": owner_url, "DJANGO_SETTINGS_MODULE": "airis.settings.test"}
    command = [sys.executable, str(ROOT / "manage.py"), "prepare", "--schema-only"]
    subprocess.run(command, check=True, env=environment, cwd=ROOT)
    with psycopg.connect(owner_url, autocommit=True) as connection:
        # Only tests empty whole tables; the product's role may not.
        connection.execute(f"GRANT TRUNCATE ON ALL TABLES IN SCHEMA public TO {settings.DATABASE_APP_ROLE}")


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: Any) -> Iterator[None]:
    if not os.environ.get("DATABASE_OWNER_URL", "").startswith("postgresql://"):
        pytest.exit("no database: run `make test`", returncode=2)
    make_database(TEST_DATABASE)
    connection = connections["default"]
    connection.close()
    connection.settings_dict["NAME"] = TEST_DATABASE
    settings.DATABASES["default"]["NAME"] = TEST_DATABASE
    yield
    with django_db_blocker.unblock():
        connections.close_all()


@pytest.fixture
def require() -> Callable[[bool, str], None]:
    """Skips when a part of the machine is missing; fails instead where everything must be there (CI)."""

    def check(is_there: bool, part: str) -> None:
        if is_there:
            return
        if os.environ.get("AIRIS_REQUIRE_ALL") == "1":
            pytest.fail(f"{part} is missing")
        pytest.skip(f"{part} is missing")

    return check
