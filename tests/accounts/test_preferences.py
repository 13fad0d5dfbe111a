"""A person's own settings: language, appearance, time zone, numbers."""

from decimal import Decimal

import pytest
from django.test import Client
from django.utils import translation

from apps.accounts.contracts import Role
from apps.core.formats import format_number, person_formats
from tests.factories.people import PASSWORD, email_of, make_actor, make_organisation, signed_in

pytestmark = pytest.mark.django_db(transaction=True)
CHOSEN = {
    "name": "Ayşe Yılmaz",
    "language": "tr",
    "theme": "dark",
    "time_zone": "Europe/Istanbul",
    "number_format": "point",
}


def test_settings_hold_for_this_browser_and_for_the_next_sign_in() -> None:
    tenant_id = make_organisation("wishes")
    actor = make_actor(tenant_id, Role.ADMIN)
    browser = signed_in(actor)

    saved = browser.post("/account/", CHOSEN)
    page = browser.get("/account/")
    fresh = Client(REMOTE_ADDR="10.7.0.1")
    fresh.post("/accounts/login/", {"login": email_of(actor), "password": PASSWORD})

    assert saved.status_code == 302
    assert 'lang="tr" data-theme="dark"' in page.content.decode()
    assert "12,345.67" in page.content.decode()  # the person's choice, though the language is Turkish
    assert {name: fresh.cookies[name].value for name in ("django_language", "theme")} == {
        "django_language": "tr",
        "theme": "dark",
    }
    assert "Europe/Istanbul" in fresh.get("/t/wishes/audit/").content.decode()


@pytest.mark.parametrize(
    "change", [{"time_zone": "Mars/Base"}, {"language": "xx"}, {"number_format": "?"}, {"name": ""}]
)
def test_what_does_not_exist_cannot_be_chosen(change: dict[str, str]) -> None:
    browser = signed_in(make_actor(make_organisation()))

    assert browser.post("/account/", CHOSEN | change).status_code == 400


@pytest.mark.parametrize(
    ("language", "chosen", "expected"),
    [("en", "", "1,234.56"), ("tr", "", "1.234,56"), ("tr", "point", "1,234.56"), ("en", "comma", "1.234,56")],
)
def test_numbers_follow_the_choice_then_the_language(language: str, chosen: str, expected: str) -> None:
    with translation.override(language), person_formats(number_format=chosen, time_zone=""):
        assert format_number(Decimal("1234.56")) == expected
        assert format_number(1234567) == expected[:2] + "234" + expected[1] + "567"
