"""Invitations: for one address, once, for a while; for new people and for people of elsewhere."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from apps.accounts import groups, invitations, members
from apps.accounts.contracts import Actor, GrantLevel, InvitationDraft, Permission, Role
from apps.accounts.models import Invitation, Membership
from apps.accounts.permissions import readable_collections, require
from apps.accounts.selectors import actor_for, list_invitations
from apps.core.errors import NotAllowed, NotFound
from apps.tenants.context import tenant_context
from tests.factories.people import email_of, make_actor, make_collection, make_organisation, signed_in, slug_of

pytestmark = pytest.mark.django_db(transaction=True)
NEW = {"name": "Mina Patel", "password": "correct horse battery"}


def invite(actor: Actor, email: str = "mina@new.example", role: Role = Role.ANALYST, **more: Any) -> str:
    draft = InvitationDraft(email=email, role=role, group_ids=more.get("group_ids", ()), grants=more.get("grants", {}))
    with tenant_context(actor.tenant_id):
        return invitations.invite(actor=actor, draft=draft)


def test_a_new_person_joins_with_groups_and_grants_and_sees_nothing_else() -> None:
    tenant_id = make_organisation("joining")
    owner = make_actor(tenant_id, Role.OWNER)
    granted, by_group, other = make_collection(owner), make_collection(owner), make_collection(owner)
    with tenant_context(tenant_id):
        group_id = groups.create_group(actor=owner, name="Desk")
        groups.grant_to_group(actor=owner, collection_id=by_group, group_id=group_id, level=GrantLevel.READ)
    form = {"email": "Mina@new.example", "role": "viewer", "group": str(group_id), f"level-{granted}": "contribute"}
    page = signed_in(owner).post("/t/joining/members/invite/", form)
    link = page.context["link"].removeprefix("http://testserver")
    client = Client()

    shown = client.get(link)
    weak = client.post(link, NEW | {"password": "password"})
    joined = client.post(link, NEW)

    assert b"mina@new.example" in shown.content
    assert (weak.status_code, joined.headers["Location"]) == (400, "/t/joining/")
    assert client.get("/t/joining/").status_code == 200
    person = Membership.objects.get(tenant_id=tenant_id, user__email="mina@new.example")
    actor = actor_for(user_id=person.user_id, tenant_slug="joining")
    assert actor is not None
    with tenant_context(tenant_id):
        assert readable_collections(actor) == {granted, by_group}
        with pytest.raises(NotAllowed):  # the role caps the grant
            require(actor, Permission.CONTRIBUTE, collection_id=granted)
        with pytest.raises(NotFound):
            require(actor, Permission.READ, collection_id=other)
    assert Client().get(link).status_code == 404


def test_a_person_of_another_organisation_signs_in_and_accepts_and_has_both() -> None:
    here, there = make_organisation("here"), make_organisation("there")
    owner, guest, stranger = make_actor(here, Role.OWNER), make_actor(there), make_actor(there)
    link = invite(owner, email_of(guest))

    nobody = Client().get(link)
    nobody_posts = Client().post(link, NEW)
    wrong_person = signed_in(stranger).post(link)
    browser = signed_in(guest)
    accepted = browser.post(link)

    assert b"Sign in to accept" in nobody.content
    assert nobody_posts.status_code == 200  # no second account, nothing accepted
    assert wrong_person.status_code == 403
    assert accepted.headers["Location"] == "/t/here/"
    home = browser.get("/t/here/").content.decode()
    assert 'href="/t/there/"' in home  # the switcher
    assert browser.get("/t/there/").status_code == 200
    assert signed_in(owner).get("/t/here/").content.decode().count("bar__organisation") == 0  # only one: no switcher


def test_links_die_by_time_revocation_replacement_and_with_their_maker() -> None:
    tenant_id = make_organisation()
    owner, admin = make_actor(tenant_id, Role.OWNER), make_actor(tenant_id, Role.ADMIN)
    links = {name: invite(admin, f"{name}@new.example") for name in ("late", "revoked", "replaced")}
    newer = invite(owner, "replaced@new.example")
    with tenant_context(tenant_id):
        Invitation.objects.filter(email="late@new.example").update(expires_at=timezone.now() - timedelta(seconds=1))
        [revoked] = [i for i in list_invitations(actor=owner) if i.email == "revoked@new.example"]
        invitations.revoke(actor=admin, invitation_id=revoked.id)
    links["orphan"] = invite(admin, "orphan@new.example")
    with tenant_context(tenant_id):
        members.change_role(actor=owner, user_id=admin.user_id, role=Role.ANALYST)

    answers = {
        name: (Client().get(link).status_code, Client().post(link, NEW).status_code) for name, link in links.items()
    }

    assert answers == dict.fromkeys(links, (404, 404))
    assert Client().get(newer).status_code == 200


def test_three_people_may_invite_as_their_role_allows() -> None:
    tenant_id = make_organisation()
    admin, viewer = make_actor(tenant_id, Role.ADMIN), make_actor(tenant_id, Role.VIEWER)
    owner, stranger = make_actor(tenant_id, Role.OWNER), make_actor(make_organisation(), Role.OWNER)
    not_managed = make_collection(owner)
    address = f"/t/{slug_of(tenant_id)}/members/invite/"
    form = {"email": "x@new.example", "role": "analyst"}

    assert signed_in(admin).post(address, form).status_code == 200
    assert signed_in(viewer).post(address, form).status_code == 403
    assert signed_in(stranger).post(address, form).status_code == 404
    assert signed_in(admin).post(address, form | {"role": "owner"}).status_code == 403
    assert signed_in(admin).post(address, form | {f"level-{not_managed}": "read"}).status_code == 404
    assert signed_in(admin).post(address, form | {"email": email_of(viewer)}).status_code == 409


def test_grants_of_an_invitation_do_not_outlive_the_right_to_give_them() -> None:
    tenant_id = make_organisation()
    owner, admin = make_actor(tenant_id, Role.OWNER), make_actor(tenant_id, Role.ADMIN)
    collection_id = make_collection(owner, grants={admin: GrantLevel.MANAGE})
    link = invite(admin, grants={collection_id: GrantLevel.READ})
    from apps.accounts import services

    with tenant_context(tenant_id):
        services.revoke_access(actor=owner, collection_id=collection_id, user_id=admin.user_id)
    Client().post(link, NEW)

    membership = Membership.objects.get(user__email="mina@new.example")
    actor = actor_for(user_id=membership.user_id, tenant_slug=slug_of(tenant_id))
    assert actor is not None
    with tenant_context(tenant_id):
        assert collection_id not in readable_collections(actor)


def test_with_mail_the_link_goes_to_the_address_alone_and_proves_it(settings: Any) -> None:
    settings.HAS_MAIL, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
    owner = make_actor(make_organisation("mailing"), Role.OWNER)

    page = signed_in(owner).post("/t/mailing/members/invite/", {"email": "m@new.example", "role": "viewer"})
    [letter] = mail.outbox
    link = letter.body.split(settings.BASE_URL)[1].split()[0]
    joined = Client().post(link, NEW)

    assert (page.status_code, letter.to) == (302, ["m@new.example"])
    assert joined.headers["Location"] == "/t/mailing/"  # no further confirmation is asked for


def test_an_owner_s_invitation_is_ended_by_owners_alone() -> None:
    tenant_id = make_organisation()
    owner, admin = make_actor(tenant_id, Role.OWNER), make_actor(tenant_id, Role.ADMIN)
    link = invite(owner, role=Role.OWNER)

    with pytest.raises(NotAllowed):
        invite(admin, role=Role.VIEWER)

    assert Client().get(link).status_code == 200
