"""The door: e-mail and password, the same answer for unknown and wrong, demo people from this machine only."""

from uuid import uuid4

import pytest
from django.test import Client

from apps.accounts import services
from apps.accounts.contracts import Permission, Role
from apps.accounts.models import User
from apps.accounts.permissions import require
from apps.accounts.selectors import list_collections
from apps.core.errors import NotAllowed
from apps.tenants import audit
from apps.tenants.context import tenant_context
from tests.factories.people import PASSWORD, make_actor, make_organisation

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/accounts/login/"


def email_of(user_id: object) -> str:
    return str(User.objects.values_list("email", flat=True).get(id=user_id))


def test_a_person_signs_in_whatever_the_case_of_the_address_and_the_trail_tells() -> None:
    tenant_id = make_organisation("door")
    actor = make_actor(tenant_id)

    reply = Client().post(ADDRESS, {"login": email_of(actor.user_id).upper(), "password": PASSWORD})

    assert (reply.status_code, reply["Location"]) == (302, "/")
    with tenant_context(tenant_id):
        assert audit.list_events(limit=1)[0].action == "person.signed_in"


def test_unknown_and_wrong_are_refused_alike() -> None:
    actor = make_actor(make_organisation())

    wrong = Client().post(ADDRESS, {"login": email_of(actor.user_id), "password": "nope nope nope"})
    unknown = Client().post(ADDRESS, {"login": f"{uuid4().hex}@example.org", "password": "nope nope nope"})

    assert wrong.status_code == unknown.status_code == 400
    assert b"wrong" in wrong.content
    assert b"wrong" in unknown.content


@pytest.mark.parametrize(("address", "expected"), [("127.0.0.1", 302), ("10.0.0.7", 400)])
def test_demo_people_sign_in_from_this_machine_only(address: str, expected: int) -> None:
    services.create_person(email="demo@example.org", name="Demo", password=PASSWORD, is_demo=True)

    reply = Client(REMOTE_ADDR=address).post(ADDRESS, {"login": "demo@example.org", "password": PASSWORD})

    assert reply.status_code == expected


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_no_address_outside_is_followed_after_sign_in(target: str) -> None:
    actor = make_actor(make_organisation())

    reply = Client().post(ADDRESS, {"login": email_of(actor.user_id), "password": PASSWORD, "next": target})

    assert reply["Location"] == "/"


def test_a_person_without_an_organisation_is_told_what_to_do() -> None:
    services.create_person(email="lone@example.org", name="Lone", password=PASSWORD)
    client = Client()
    client.post(ADDRESS, {"login": "lone@example.org", "password": PASSWORD})

    assert b"belong to no organisation" in client.get("/").content


def test_private_files_are_made_for_those_who_may_add() -> None:
    tenant_id = make_organisation()
    analyst, viewer = make_actor(tenant_id, Role.ANALYST), make_actor(tenant_id, Role.VIEWER)

    with tenant_context(tenant_id):
        assert [c.is_private for c in list_collections(actor=analyst)] == [True]
        assert list_collections(actor=viewer) == ()


def test_switched_off_private_files_stay_readable_and_take_nothing_more() -> None:
    tenant_id = make_organisation()
    admin, analyst = make_actor(tenant_id, Role.ADMIN), make_actor(tenant_id, Role.ANALYST)
    with tenant_context(tenant_id):
        [private] = list_collections(actor=analyst)

    with tenant_context(tenant_id):
        services.set_private_files(actor=admin, is_allowed=False)
        require(analyst, Permission.READ, collection_id=private.id)
        with pytest.raises(NotAllowed):
            require(analyst, Permission.CONTRIBUTE, collection_id=private.id)
    newcomer = make_actor(tenant_id, Role.ANALYST)

    with tenant_context(tenant_id):
        assert list_collections(actor=newcomer) == ()
        services.set_private_files(actor=admin, is_allowed=True)
        assert [c.is_private for c in list_collections(actor=newcomer)] == [True]


def test_another_spelling_of_the_address_is_counted_as_the_same() -> None:
    tenant_id = make_organisation()
    domain = f"{uuid4().hex}.glasses.example"
    user_id = services.create_person(email=f"vic@{domain}", name="Vic", password=PASSWORD)
    services.add_member(tenant_id=tenant_id, user_id=user_id, role=Role.ANALYST, added_by=None)
    spelt = [f"vic@{domain}", f"vic@{domain.replace('ss', 'ß')}", f"vic@{domain.replace('s', 'ſ')}".upper()]

    tries = [Client().post(ADDRESS, {"login": spelt[n % 3], "password": "wrong wrong wrong"}) for n in range(6)]
    locked = Client().post(ADDRESS, {"login": spelt[1], "password": PASSWORD})

    assert b"Too many" in tries[-1].content
    assert locked.status_code == 400


def test_a_cookie_that_nobody_gave_costs_no_error() -> None:
    reply = Client(headers={"cookie": 'sessionid="\\000aaaaaaaaaa"; theme=dark'}).get(ADDRESS)

    assert reply.status_code == 200
