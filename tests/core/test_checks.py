"""Production refuses to start with public passwords, example keys or a powerful database role."""

import importlib
import os
from typing import Any

import psycopg
import pytest
from django.conf import settings as django_settings
from django.db import connection

from airis.settings.env import ConfigurationError, mail
from apps.accounts import services
from apps.core.checks import refuse_unsafe_start
from apps.core.logging import mask_secrets

KEY = "p8Zk-3vQm_N7xR2tLw9YbHc5JfGd1SuA4eXoTiKq"


@pytest.mark.django_db(transaction=True)
def test_a_clean_installation_starts_and_demo_people_stop_it(settings: Any) -> None:
    settings.IS_PRODUCTION = True
    refuse_unsafe_start()

    services.create_person(email="demo@demo.example", name="Demo", password="x", is_demo=True)

    with pytest.raises(SystemExit, match=r"airis\.E014: .*remove_demo"):
        refuse_unsafe_start()
    settings.IS_PRODUCTION = False
    refuse_unsafe_start()


@pytest.mark.django_db(transaction=True)
def test_a_role_that_owns_tables_stops_the_start(settings: Any) -> None:
    settings.IS_PRODUCTION = True
    owner = psycopg.conninfo.conninfo_to_dict(os.environ["DATABASE_OWNER_URL"])
    before = connection.settings_dict["USER"]
    connection.close()
    connection.settings_dict["USER"] = owner["user"]
    try:
        with pytest.raises(SystemExit, match=r"airis\.E016"):
            refuse_unsafe_start()
    finally:
        connection.close()
        connection.settings_dict["USER"] = before


@pytest.mark.parametrize(
    ("given", "check_id"),
    [
        ({}, "E010"),
        ({"AIRIS_SECRET_KEY": KEY}, "E011"),
        ({"AIRIS_SECRET_KEY": KEY, "AIRIS_FILE_KEYS": KEY, "AIRIS_DEMO": "1"}, "E012"),
        ({"AIRIS_SECRET_KEY": "change-me-change-me-change-me-change-me", "AIRIS_FILE_KEYS": KEY}, "E013"),
        ({"AIRIS_SECRET_KEY": KEY, "AIRIS_FILE_KEYS": f"{KEY},short"}, "E013"),
        ({"AIRIS_SECRET_KEY": KEY, "AIRIS_FILE_KEYS": KEY}, ""),
    ],
)
def test_production_settings_refuse_missing_and_example_keys(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], check_id: str
) -> None:
    for name, value in {"AIRIS_DEMO": "0", "AIRIS_VAR": str(django_settings.VAR), **given}.items():
        monkeypatch.setenv(name, value)
    base = importlib.import_module("airis.settings.base")
    monkeypatch.setattr(base, "DEMO", given.get("AIRIS_DEMO") == "1")
    load = lambda: importlib.reload(importlib.import_module("airis.settings.production"))  # noqa: E731

    if not check_id:
        assert load().IS_PRODUCTION
        return
    with pytest.raises(ConfigurationError, match=f"airis.{check_id}"):
        load()


def test_a_mail_server_is_read_from_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRIS_SMTP_URL", "smtp+tls://bot:p%40ss@mail.example")
    found = mail("AIRIS_SMTP_URL")
    assert found is not None
    assert (found.host, found.port, found.password, found.starts_tls, found.is_tls) == (
        "mail.example", 587, "p@ss", True, False
    )  # fmt: skip
    monkeypatch.setenv("AIRIS_SMTP_URL", "mail.example")
    with pytest.raises(ConfigurationError, match=r"airis\.E006"):
        mail("AIRIS_SMTP_URL")


def test_one_time_keys_in_addresses_are_masked_in_logs() -> None:
    assert mask_secrets('"GET /invitations/abcdefghijkl/ HTTP/1.1"') == '"GET /invitations/***/ HTTP/1.1"'
    assert mask_secrets("Not Found: /setup/abcdefghijkl/") == "Not Found: /setup/***/"
    assert "cl3-9f8e7d" not in mask_secrets("/accounts/password/reset/key/1z-cl3-9f8e7d/")
