"""The first organisation: a one-time page or a command, never twice, never for a wrong key."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from apps.accounts import services, setup
from apps.accounts.contracts import Role
from apps.accounts.models import Membership, User
from apps.tenants.models import Tenant
from tests.factories.people import make_actor, make_organisation

pytestmark = pytest.mark.django_db(transaction=True)
FORM = {
    "organisation": "Işık Sigorta A.Ş.",
    "name": "Ada Deniz",
    "email": "Ada@Isik.example",
    "password": "correct horse battery",
}


def link_of(command: str, *arguments: str, **options: str) -> str:
    said = StringIO()
    call_command(command, *arguments, stdout=said, **options)
    return "".join(re.findall(r"http://[^/]+(/\S+)", said.getvalue()))


def test_the_page_makes_the_organisation_and_its_owner_once() -> None:
    link = link_of("setup_link")
    client = Client()

    weak = client.post(link, FORM | {"password": "short"})
    made = client.post(link, FORM)

    assert client.get("/accounts/login/").status_code == 302  # signed in
    assert (weak.status_code, made.status_code) == (400, 302)
    assert client.get("/").headers["Location"] == "/t/isik-sigorta-as/"
    assert client.get("/t/isik-sigorta-as/members/").status_code == 200
    assert Client().get(link).status_code == Client().post(link, FORM).status_code == 404
    assert link_of("setup_link") == ""


def test_a_wrong_or_replaced_key_is_an_unknown_address() -> None:
    older, newer = link_of("setup_link"), link_of("setup_link")

    refused = Client().post(older, FORM)

    assert refused.status_code == Client().get("/setup/guess/").status_code == 404
    assert Client().get(newer).status_code == 200
    assert not Tenant.objects.exists()


def test_demo_owners_do_not_count_and_real_ones_close_the_page() -> None:
    demo = services.create_organisation(name="Demo", slug="demo", is_demo=True)
    person = services.create_person(email="d@demo.example", name="D", password="x", is_demo=True)
    services.add_member(tenant_id=demo, user_id=person, role=Role.OWNER, added_by=None)
    link = link_of("setup_link")

    assert Client().get(link).status_code == 200
    make_actor(make_organisation(), Role.OWNER)

    assert Client().get(link).status_code == 404
    assert setup.offer() is None


def test_the_command_lets_a_new_owner_in_by_a_link_and_a_known_one_at_once() -> None:
    link = link_of("create_organisation", "First House", owner="ruth@house.example")
    client = Client()
    joined = client.post(link, {"name": "Ruth", "password": "correct horse battery"})

    link_of("create_organisation", "First House", owner="RUTH@house.example")

    assert joined.headers["Location"] == "/t/first-house/"
    assert client.get("/t/first-house/members/").status_code == 200
    owned = Membership.objects.filter(user__email="ruth@house.example", role=Role.OWNER)
    assert set(owned.values_list("tenant__slug", flat=True)) == {"first-house", "first-house-2"}
    assert User.objects.count() == 1
    with pytest.raises(CommandError):
        call_command("create_organisation", "!!!", owner="ruth@house.example")
