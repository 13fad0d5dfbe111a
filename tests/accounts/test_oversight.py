"""What auditors see: acts in words, grants, counts; content only where granted; conversations only with a reason."""

import csv
from io import StringIO
from typing import Any

import pytest

from apps.accounts import groups, services
from apps.accounts.contracts import Actor, GrantLevel, Role
from apps.chat import selectors as chat
from apps.tenants import audit
from apps.tenants.context import tenant_context
from tests.factories.library import ask, make_document
from tests.factories.people import make_actor, make_collection, make_organisation, signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def rows_of(reply: Any) -> list[list[str]]:
    return list(csv.reader(StringIO(reply.content.decode("utf-8-sig"))))


def test_auditors_read_lists_and_files_and_others_do_not() -> None:
    tenant_id = make_organisation("watched")
    owner, auditor, analyst = (make_actor(tenant_id, role) for role in (Role.OWNER, Role.AUDITOR, Role.ANALYST))
    stranger = make_actor(make_organisation(), Role.AUDITOR)
    make_collection(owner, name="=HYPERLINK(evil)", grants={analyst: GrantLevel.CONTRIBUTE})
    root = "/t/watched/audit/"

    browser, parts = signed_in(auditor), ("", "grants/", "settings/", "use/", "why/")
    answers = {
        person: [client.get(root + part).status_code for part in parts]
        for person, client in (("auditor", browser), ("analyst", signed_in(analyst)), ("stranger", signed_in(stranger)))
    }
    files = {part: rows_of(browser.get(f"{root}{part}?format=csv")) for part in ("", "grants/", "settings/", "use/")}

    assert answers == {"auditor": [200] * 5, "analyst": [403] * 5, "stranger": [404] * 5}
    assert ["'=HYPERLINK(evil)", analyst.name, "person", "", "contribute"] in files["grants/"]
    assert ["private_files", "", "on"] in files["settings/"]
    assert [row[1:3] for row in files["use/"] if row[1] == auditor.name] == [[auditor.name, "1"]]
    given = next(row for row in files[""] if row[3] == "grant.set")
    assert (given[1], given[2], given[4]) == (owner.name, "access given", "'=HYPERLINK(evil)")
    assert analyst.name in given[5]
    with tenant_context(tenant_id):
        taken = [e.detail["name"] for e in audit.list_events(limit=9, action="audit.exported")]
    assert taken == ["use", "settings", "grants", "audit"]
    page = browser.get(root).content.decode()
    assert "access given" in page
    assert "grant.set" not in page.partition("<tbody>")[2]


def test_content_only_where_granted_and_that_read_is_on_the_record() -> None:
    tenant_id = make_organisation("careful")
    owner, auditor = make_actor(tenant_id, Role.OWNER), make_actor(tenant_id, Role.AUDITOR)
    opened, closed = make_collection(owner, grants={auditor: GrantLevel.READ}), make_collection(owner)
    seen, unseen = (
        make_document(owner, opened, name="seen.txt"),
        make_document(
            owner, closed, name="unseen.txt", content=b"The option price of another project is 4 million euro."
        ),
    )
    browser = signed_in(auditor)

    answers = [browser.get(f"/t/careful/documents/{d.id}/").status_code for d in (seen, unseen)]
    browser.get("/t/careful/search/?q=option price")

    assert answers == [200, 404]
    with tenant_context(tenant_id):
        mine = [(e.action, e.detail.get("documents")) for e in audit.list_events(limit=9, actor_id=auditor.user_id)]
    assert ("document.viewed", None) in mine
    assert ("search.read", 1) in mine


def make_conversation(tenant_id: Any) -> tuple[Actor, Actor, Any]:
    owner, author = make_actor(tenant_id, Role.OWNER), make_actor(tenant_id)
    make_document(owner, make_collection(owner, grants={author: GrantLevel.READ}))
    message_id = ask(author, "What is the option price of the Kestrel project?")
    with tenant_context(tenant_id):
        return owner, author, chat.get_message(actor=author, message_id=message_id).conversation_id


def test_a_conversation_is_read_with_a_reason_where_an_owner_allowed_it_and_the_author_sees_who_and_why() -> None:
    tenant_id = make_organisation("reviewing")
    owner, author, conversation_id = make_conversation(tenant_id)
    auditor, admin = make_actor(tenant_id, Role.AUDITOR), make_actor(tenant_id, Role.ADMIN)
    foreign = make_actor(make_organisation(), Role.AUDITOR)
    listed, address = "/t/reviewing/audit/conversations/", f"/t/reviewing/audit/conversations/{conversation_id}/"
    reason, browser = "Complaint 2026-14 of a client", signed_in(auditor)
    switch = {"conversation_review": "1"}

    off = browser.post(address, {"reason": reason})
    by_admin = signed_in(admin).post("/t/reviewing/members/", switch)
    signed_in(owner).post("/t/reviewing/members/", switch)
    without = browser.post(address, {"reason": "  because "})
    facts = browser.get(listed)
    read = browser.post(address, {"reason": reason})

    assert (off.status_code, by_admin.status_code, without.status_code, read.status_code) == (403, 403, 400, 200)
    assert b"3.15" in read.content
    assert b"Kestrel" not in facts.content  # the list tells who and when, not what
    mine = signed_in(author).get("/t/reviewing/activity/").content.decode()
    assert auditor.name in mine
    assert reason in mine
    assert [signed_in(a).post(address, {"reason": reason}).status_code for a in (owner, admin, author, foreign)] == [
        404
    ] * 4
    assert [signed_in(a).get(listed).status_code for a in (owner, author, foreign)] == [403, 403, 404]
    assert browser.get(address).status_code == 405


def test_why_tells_in_words_and_names_nothing_of_elsewhere() -> None:
    tenant_id = make_organisation("why")
    owner, auditor, viewer = (make_actor(tenant_id, role) for role in (Role.OWNER, Role.AUDITOR, Role.VIEWER))
    analyst, stranger = make_actor(tenant_id, name="Ada"), make_actor(make_organisation(), Role.OWNER)
    collection_id = make_collection(owner, name="Contracts")
    foreign_id = make_collection(stranger)
    with tenant_context(tenant_id):
        group_id = groups.create_group(actor=owner, name="Desk")
        groups.set_members(actor=owner, group_id=group_id, name="Desk", user_ids=[viewer.user_id])
        groups.grant_to_group(actor=owner, collection_id=collection_id, group_id=group_id, level=GrantLevel.CONTRIBUTE)
    browser, root = signed_in(auditor), "/t/why/audit/why/"

    both = browser.get(f"{root}?person={viewer.user_id}&collection={collection_id}")
    person = browser.get(f"{root}?person={analyst.user_id}")
    everybody = browser.get(f"{root}?collection={collection_id}").context["reasons"]

    [reason] = both.context["reasons"]
    assert (reason.effective, reason.groups, reason.is_capped) == (
        GrantLevel.READ, (("Desk", GrantLevel.CONTRIBUTE),), True
    )  # fmt: skip
    assert "Group “Desk”: can add documents." in both.content.decode()
    assert "caps this to reading" in both.content.decode()
    assert "their own private collection" in person.content.decode()
    assert "a role alone opens no collection" in person.content.decode()
    assert {r.person: r.effective for r in everybody}[owner.name] == GrantLevel.MANAGE
    for query in (f"collection={foreign_id}", f"person={stranger.user_id}"):
        assert browser.get(f"{root}?{query}").status_code == 404


def test_switching_things_stands_in_the_trail() -> None:
    tenant_id = make_organisation()
    owner = make_actor(tenant_id, Role.OWNER)

    with tenant_context(tenant_id):
        services.set_conversation_review(actor=owner, is_allowed=True)
        [event] = audit.list_events(limit=1)

    assert (event.action, event.detail) == ("organisation.conversation_review", {"allowed": True})
