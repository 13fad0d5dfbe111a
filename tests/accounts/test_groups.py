"""Grants to groups: part of every right that is asked for, capped by role, gone with the group."""

import pytest

from apps.accounts import groups, members, services
from apps.accounts.contracts import Actor, GrantLevel, Permission, Role
from apps.accounts.permissions import grant_level, readable_collections, require
from apps.accounts.selectors import get_collection, list_collections
from apps.core.errors import Conflict, NotAllowed, NotFound
from apps.documents import selectors as documents
from apps.retrieval.selectors import scope_for
from apps.tenants.context import tenant_context
from tests.factories.library import make_document
from tests.factories.people import make_actor, make_collection, make_organisation, signed_in, slug_of

pytestmark = pytest.mark.django_db(transaction=True)


def make_group(owner: Actor, *people: Actor, name: str = "Desk") -> object:
    with tenant_context(owner.tenant_id):
        group_id = groups.create_group(actor=owner, name=name)
        groups.set_members(actor=owner, group_id=group_id, name=name, user_ids=[p.user_id for p in people])
    return group_id


def test_a_group_opens_a_collection_to_its_people_alone_in_lists_reads_and_searches() -> None:
    tenant_id = make_organisation()
    owner, inside, outside = (make_actor(tenant_id, role) for role in (Role.OWNER, Role.ANALYST, Role.ANALYST))
    collection_id = make_collection(owner)
    document = make_document(owner, collection_id)
    group_id = make_group(owner, inside)

    with tenant_context(tenant_id):
        groups.grant_to_group(actor=owner, collection_id=collection_id, group_id=group_id, level=GrantLevel.READ)
        opened = {c.id for c in list_collections(actor=inside)}

        assert collection_id in opened
        assert documents.get_document(actor=inside, document_id=document.id)
        assert scope_for(actor=inside).document_count == 1
        assert scope_for(actor=outside).document_count == 0
        assert get_collection(actor=inside, collection_id=collection_id).level == GrantLevel.READ
        with pytest.raises(NotFound):
            documents.get_document(actor=outside, document_id=document.id)
        groups.set_members(actor=owner, group_id=group_id, name="Desk", user_ids=[])
        assert collection_id not in readable_collections(inside)
        with pytest.raises(NotFound):
            require(inside, Permission.READ, collection_id=collection_id)


def test_the_best_of_own_and_group_grants_counts_and_the_role_caps_it() -> None:
    tenant_id = make_organisation()
    owner, analyst, viewer = (make_actor(tenant_id, role) for role in (Role.OWNER, Role.ANALYST, Role.VIEWER))
    collection_id = make_collection(owner, grants={analyst: GrantLevel.READ})
    first, second = make_group(owner, analyst, viewer), make_group(owner, analyst, name="Committee")

    with tenant_context(tenant_id):
        for group_id, level in ((first, GrantLevel.CONTRIBUTE), (second, GrantLevel.MANAGE)):
            groups.grant_to_group(actor=owner, collection_id=collection_id, group_id=group_id, level=level)

        assert grant_level(analyst, collection_id) == GrantLevel.MANAGE
        assert grant_level(viewer, collection_id) == GrantLevel.READ
        groups.delete_group(actor=owner, group_id=second)
        assert grant_level(analyst, collection_id) == GrantLevel.CONTRIBUTE


def test_private_collections_take_no_group_and_a_collection_keeps_a_manager() -> None:
    tenant_id = make_organisation()
    owner, analyst = make_actor(tenant_id, Role.OWNER), make_actor(tenant_id)
    collection_id = make_collection(owner)
    group_id = make_group(owner, analyst)

    with tenant_context(tenant_id):
        [private] = [c for c in list_collections(actor=analyst) if c.is_private]
        with pytest.raises(NotAllowed):
            groups.grant_to_group(actor=analyst, collection_id=private.id, group_id=group_id, level=GrantLevel.READ)
        with pytest.raises(Conflict):  # lowering counts like removing
            services.grant_access(
                actor=owner, collection_id=collection_id, user_id=owner.user_id, level=GrantLevel.READ
            )
        groups.grant_to_group(actor=owner, collection_id=collection_id, group_id=group_id, level=GrantLevel.MANAGE)
        services.revoke_access(actor=owner, collection_id=collection_id, user_id=owner.user_id)
        with pytest.raises(Conflict):
            groups.grant_to_group(actor=analyst, collection_id=collection_id, group_id=group_id, level=None)


def test_an_inactive_member_reaches_nothing_by_a_group() -> None:
    tenant_id = make_organisation("sleeping")
    owner, analyst = make_actor(tenant_id, Role.OWNER), make_actor(tenant_id)
    collection_id = make_collection(owner)
    group_id = make_group(owner, analyst)
    with tenant_context(tenant_id):
        groups.grant_to_group(actor=owner, collection_id=collection_id, group_id=group_id, level=GrantLevel.READ)
    browser, address = signed_in(analyst), f"/t/sleeping/collections/{collection_id}/"
    before = browser.get(address).status_code

    with tenant_context(tenant_id):
        members.deactivate(actor=owner, user_id=analyst.user_id)

    assert (before, browser.get(address).status_code, signed_in(analyst).get(address).status_code) == (200, 302, 404)


def test_pages_of_groups_make_fill_grant_and_delete() -> None:
    tenant_id = make_organisation()
    owner, viewer = make_actor(tenant_id, Role.OWNER), make_actor(tenant_id, Role.VIEWER)
    stranger = make_actor(make_organisation(), Role.OWNER)
    collection_id, root, browser = make_collection(owner), f"/t/{slug_of(tenant_id)}", signed_in(owner)

    address = browser.post(f"{root}/groups/", {"name": "Credit"}).headers["Location"]
    taken = browser.post(f"{root}/groups/", {"name": "Credit"})
    browser.post(address, {"name": "Credit committee", "member": str(viewer.user_id)})
    foreign = browser.post(address, {"name": "x", "member": str(stranger.user_id)})
    group_id = address.split("/")[-2]
    browser.post(f"{root}/collections/{collection_id}/access/", {"group": group_id, "level": "read"})
    opened = signed_in(viewer).get(f"{root}/collections/{collection_id}/").status_code
    browser.post(f"{address}delete/")

    assert (taken.status_code, foreign.status_code, opened) == (400, 404, 200)
    assert signed_in(viewer).get(f"{root}/collections/{collection_id}/").status_code == 404
    assert (signed_in(viewer).get(f"{root}/groups/").status_code, signed_in(stranger).get(address).status_code) == (
        403,
        404,
    )
