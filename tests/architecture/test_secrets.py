"""Cases h21 and h22: a secret that was given to the product turns up nowhere else, however the use of it ends."""

import logging
import re
import subprocess
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
import redis
from django.conf import LazySettings, settings
from django.db import connection
from django.test import Client

from apps.accounts.contracts import Role
from apps.api.contracts import DELIVER_KIND
from apps.core.logging import LineFormatter
from apps.jobs.models import Job
from apps.providers.models import ModelProfile
from apps.tenants.context import tenant_context
from tests.api.receiver import receiving
from tests.factories.library import ask, make_document, run_jobs
from tests.factories.people import email_of, make_actor, make_collection, make_organisation, signed_in, slug_of
from tests.providers.openai_server import Turn, openai_server

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "TESTKEY-SECRET"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def changed(settings: LazySettings) -> LazySettings:
    return settings


@pytest.fixture
def log() -> Iterator[StringIO]:
    """Every line that any logger writes at any level, as the product writes it."""
    text, root = StringIO(), logging.getLogger()
    handler = logging.StreamHandler(text)
    handler.setFormatter(LineFormatter())
    level, root.level = root.level, logging.DEBUG
    root.addHandler(handler)
    yield text
    root.removeHandler(handler)
    root.setLevel(level)


def stored(tenant_id: object) -> Iterator[str]:
    """Every row of every table that the product can read for this organisation, as text."""
    with tenant_context(tenant_id), connection.cursor() as cursor:  # type: ignore[arg-type]  # a UUID
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT t::text FROM "{table}" t')
            yield from (f"{table}: {row[0]}" for row in cursor.fetchall())


def in_valkey() -> Iterator[str]:
    """Keys and values of the cache and the broker."""
    for database in range(6):
        with redis.Redis.from_url(settings.VALKEY_URL, db=database) as client:
            for key in client.scan_iter():
                read = {b"string": client.get, b"list": lambda k: client.lrange(k, 0, -1), b"hash": client.hgetall}
                yield repr((key, read.get(client.type(key), lambda _key: None)(key)))


@pytest.mark.parametrize(
    "turn",
    [Turn(status=500), Turn(status=401), Turn(body=b"<html>no</html>"), Turn("half", breaks=True), Turn("no json")],
    ids=lambda turn: f"{turn.status}-{turn.text or turn.body}",
)
def test_a_model_key_stays_in_its_sealed_column(turn: Turn, changed: LazySettings, log: StringIO) -> None:
    tenant_id = make_organisation()
    admin = make_actor(tenant_id, Role.OWNER)
    browser, base = signed_in(admin), f"/t/{slug_of(tenant_id)}/"
    make_document(admin, make_collection(admin))
    with openai_server(turn) as server:
        changed.PRIVATE_HOSTS = [f"127.0.0.1:{server.port}"]
        given = {"name": "Own", "base_url": server.base_url, "model": "m", "api_key": f"{SECRET}-7"}
        pages = [browser.post(f"{base}models/", given, follow=True).content]
        browser.post(f"{base}models/switch/", {"is_on": "1", "understood": "1"})
        with tenant_context(tenant_id):
            profile = ModelProfile.objects.get()
        pages.append(browser.post(f"{base}models/{profile.id}/try/", follow=True).content)
        ask(admin, "What is the option price of the Kestrel project?")
        shown = ("models/", "audit/", "audit/settings/", "audit/?format=csv", "audit/settings/?format=csv", "inbox/")
        pages += [browser.get(base + path).content for path in shown]
        assert server.keys[0] == f"Bearer {SECRET}-7"  # it was really used
        assert SECRET not in str(server.requests)

    assert [page for page in pages if SECRET.encode() in page] == []
    assert [row for row in stored(tenant_id) if SECRET in row] == []
    assert [entry for entry in in_valkey() if SECRET in entry] == []
    assert SECRET not in log.getvalue()


def test_a_key_in_a_webhook_s_path_is_sealed_and_shown_short(changed: LazySettings, log: StringIO) -> None:
    tenant_id = make_organisation()
    admin = make_actor(tenant_id, Role.OWNER)
    browser, base = signed_in(admin), f"/t/{slug_of(tenant_id)}/"
    with receiving(500) as receiver:
        changed.PRIVATE_HOSTS = [f"127.0.0.1:{receiver.port}"]
        url = f"http://127.0.0.1:{receiver.port}/services/T0/{SECRET}-3"
        pages = [browser.post(f"{base}webhooks/", {"url": url, "kinds": ["job.failed"]}, follow=True).content]
        hook = re.search(rb"/webhooks/([0-9a-f-]{36})/", browser.get(f"{base}webhooks/").content)
        assert hook is not None
        page = f"{base}webhooks/{hook.group(1).decode()}/"
        browser.post(f"{page}try/")
        with tenant_context(tenant_id):
            [job] = Job.objects.filter(kind=DELIVER_KIND)
        run_jobs(tenant_id)
        shown = (f"{base}webhooks/", page, f"{base}audit/", f"{base}audit/?format=csv")
        pages += [browser.get(path).content for path in shown]
        assert receiver.taken  # the whole address was called

    assert SECRET not in str(job.payload)
    assert [content for content in pages if SECRET.encode() in content] == []
    assert [row for row in stored(tenant_id) if SECRET in row] == []
    assert [entry for entry in in_valkey() if SECRET in entry] == []
    assert SECRET not in log.getvalue()


def test_what_is_typed_at_the_door_or_stands_in_an_address_is_not_kept(log: StringIO) -> None:
    tenant_id = make_organisation()
    person = make_actor(tenant_id)
    client = Client(raise_request_exception=False)
    wrong = {"login": email_of(person), "password": f"{SECRET}-5"}

    replies = [
        client.post("/accounts/login/", wrong),
        client.post("/api/v1/sign-in/", wrong | {"email": wrong["login"]}, content_type="application/json"),
        client.get(f"/media/x?sig={SECRET}-6"),
        client.get("/api/v1/documents/", headers={"authorization": f"Bearer {SECRET}-1"}),
        client.get(f"/setup/{SECRET}-2/"),
        client.get(f"/invitations/{SECRET}-4/"),
    ]

    assert [reply.content for reply in replies if SECRET.encode() in reply.content] == []
    assert [row for row in stored(tenant_id) if SECRET in row] == []
    assert [entry for entry in in_valkey() if SECRET in entry] == []
    assert SECRET not in log.getvalue()


def test_no_address_of_a_page_is_told_to_other_sites() -> None:
    reply = Client().get("/accounts/login/")

    assert reply["Referrer-Policy"] in ("same-origin", "no-referrer")


def test_nothing_that_looks_like_a_key_is_kept_in_the_repository() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    looks = re.compile(r"\b(?:sk-\w{20,}|AKIA[0-9A-Z]{16}|ghp_\w{30,})\b|-----BEGIN [A-Z ]*PRIVATE KEY")
    kept = [ROOT / name for name in listed.stdout.splitlines() if not name.startswith("tests/files/")]

    assert [path.name for path in kept if path.name.startswith(".env")] == []
    assert [path.name for path in kept if path.is_file() and looks.search(path.read_text(errors="replace"))] == []
