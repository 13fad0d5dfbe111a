"""Roles and removal: owners over owners, always one left, everything open of who is out ends."""

import threading
from collections.abc import Callable

import pytest
from django.db import connections
from django.test import Client

from apps.accounts import members, services
from apps.accounts.contracts import Actor, GrantLevel, Role
from apps.accounts.models import ApiToken, Membership
from apps.accounts.permissions import grant_level
from apps.core.errors import AirisError, Conflict, NotAllowed, NotFound
from apps.tenants import audit
from apps.tenants.context import tenant_context
from tests.factories.people import email_of, make_actor, make_collection, make_organisation, signed_in, slug_of

pytestmark = pytest.mark.django_db(transaction=True)


def role_of(actor: Actor) -> str:
    return str(Membership.objects.values_list("role", flat=True).get(tenant_id=actor.tenant_id, user_id=actor.user_id))


def act(actor: Actor, work: Callable[..., None], **arguments: object) -> None:
    with tenant_context(actor.tenant_id):
        work(actor=actor, **arguments)


def test_roles_change_as_far_as_the_changer_may_and_the_trail_tells() -> None:
    tenant_id = make_organisation()
    owner, admin, analyst = (make_actor(tenant_id, role) for role in (Role.OWNER, Role.ADMIN, Role.ANALYST))
    stranger = make_actor(make_organisation(), Role.OWNER)

    act(admin, members.change_role, user_id=analyst.user_id, role=Role.VIEWER)

    assert role_of(analyst) == "viewer"
    with tenant_context(tenant_id):
        [event] = audit.list_events(limit=1)
    assert (event.action, event.object_id) == ("member.role_changed", analyst.user_id)
    for actor, user_id, role, error in (
        (admin, owner.user_id, Role.VIEWER, NotAllowed),
        (admin, analyst.user_id, Role.OWNER, NotAllowed),
        (analyst, admin.user_id, Role.VIEWER, NotAllowed),
        (owner, stranger.user_id, Role.VIEWER, NotFound),
    ):
        with pytest.raises(error):
            act(actor, members.change_role, user_id=user_id, role=role)


def test_the_last_owner_is_neither_removed_nor_demoted() -> None:
    tenant_id = make_organisation()
    owner, second = make_actor(tenant_id, Role.OWNER), make_actor(tenant_id, Role.OWNER)
    act(owner, members.deactivate, user_id=second.user_id)  # an inactive owner does not count

    for work, arguments in ((members.change_role, {"role": Role.ADMIN}), (members.deactivate, {})):
        with pytest.raises(Conflict):
            act(owner, work, user_id=owner.user_id, **arguments)

    assert (
        signed_in(owner).post(f"/t/{slug_of(tenant_id)}/members/{owner.user_id}/role/", {"role": "viewer"}).status_code
        == 409
    )


@pytest.mark.parametrize("work", [members.change_role, members.deactivate])
def test_two_owners_against_each_other_at_once_leave_one(work: Callable[..., None]) -> None:
    tenant_id = make_organisation()
    first, second = make_actor(tenant_id, Role.OWNER), make_actor(tenant_id, Role.OWNER)
    together = threading.Barrier(2)
    refused: list[str] = []

    def strike(actor: Actor, other: Actor) -> None:
        try:
            together.wait(10)
            arguments = {"role": Role.ADMIN} if work is members.change_role else {}
            act(actor, work, user_id=other.user_id, **arguments)
        except AirisError as exc:
            refused.append(exc.code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=strike, args=pair) for pair in ((first, second), (second, first))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(refused) == 1
    assert Membership.objects.filter(tenant_id=tenant_id, role=Role.OWNER, is_active=True).count() == 1


def test_who_is_removed_is_out_everywhere_and_comes_back_without_old_keys() -> None:
    tenant_id = make_organisation("leaving")
    owner, leaver = make_actor(tenant_id, Role.OWNER), make_actor(tenant_id)
    token, _row = services.issue_token(user_id=leaver.user_id, tenant_id=tenant_id, label="t")
    browser, api = signed_in(leaver), {"HTTP_AUTHORIZATION": f"Bearer {token}"}
    assert Client().get("/api/v1/documents/", **api).status_code == 200

    signed_in(owner).post(f"/t/leaving/members/{leaver.user_id}/state/", {"active": "0"})

    assert Client().get("/api/v1/documents/", **api).status_code == 401
    assert browser.get("/t/leaving/").status_code == 302  # the sign-in is over too: they belong nowhere else
    act(owner, members.reactivate, user_id=leaver.user_id)
    assert Client().get("/api/v1/documents/", **api).status_code == 401
    assert not ApiToken.objects.filter(user_id=leaver.user_id).exists()
    assert signed_in(leaver).get("/t/leaving/").status_code == 200


def test_a_collection_whose_only_manager_is_removed_goes_to_who_removed_them() -> None:
    tenant_id = make_organisation()
    owner, admin, other = (make_actor(tenant_id, role) for role in (Role.OWNER, Role.ADMIN, Role.ADMIN))
    alone, shared = make_collection(admin), make_collection(admin, grants={other: GrantLevel.MANAGE})

    act(owner, members.deactivate, user_id=admin.user_id)

    with tenant_context(tenant_id):
        assert grant_level(owner, alone) == GrantLevel.MANAGE
        assert grant_level(owner, shared) is None
        assert [e.detail["instead_of"] for e in audit.list_events(limit=1)] == [str(admin.user_id)]


def test_who_is_removed_from_one_organisation_stays_in_the_other() -> None:
    here, there = make_organisation("one"), make_organisation("two")
    owner, person = make_actor(here, Role.OWNER), make_actor(here)
    services.add_member(tenant_id=there, user_id=person.user_id, role=Role.VIEWER, added_by=None)
    browser = signed_in(person)

    act(owner, members.deactivate, user_id=person.user_id)

    assert (browser.get("/t/one/").status_code, browser.get("/t/two/").status_code) == (404, 200)


def test_an_administrator_hands_over_a_password_link_that_works_once() -> None:
    tenant_id = make_organisation("forgetful")
    admin, person, owner = make_actor(tenant_id, Role.ADMIN), make_actor(tenant_id), make_actor(tenant_id, Role.OWNER)
    token, _row = services.issue_token(user_id=person.user_id, tenant_id=tenant_id, label="t")
    older = signed_in(person)
    address = "/t/forgetful/members/{}/password/"

    page = signed_in(admin).post(address.format(person.user_id))
    client = Client()
    form = client.get(page.context["link"], follow=True)
    new = "another horse battery"
    client.post(form.request["PATH_INFO"], {"password1": new, "password2": new})

    assert client.post("/accounts/login/", {"login": email_of(person), "password": new}).status_code == 302
    assert older.get("/t/forgetful/").status_code == 302  # old sign-ins and tokens are over
    assert Client().get("/api/v1/documents/", HTTP_AUTHORIZATION=f"Bearer {token}").status_code == 401
    assert b"no longer valid" in Client().get(page.context["link"], follow=True).content
    assert signed_in(admin).post(address.format(owner.user_id)).status_code == 403


def test_no_password_link_for_an_account_that_other_organisations_share() -> None:
    here, there = make_organisation("shared"), make_organisation()
    owner, person = make_actor(here, Role.OWNER), make_actor(here)
    services.add_member(tenant_id=there, user_id=person.user_id, role=Role.OWNER, added_by=None)

    reply = signed_in(owner).post(f"/t/shared/members/{person.user_id}/password/")

    assert reply.status_code == 403
