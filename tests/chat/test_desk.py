"""History, pins, saved scopes, notices, copies: a person's own, and nothing of anybody else's."""

from collections.abc import Callable
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from apps.accounts import services as accounts
from apps.accounts.contracts import GrantLevel
from apps.accounts.selectors import actor_for
from apps.chat import copying, history, live, notices, scopes, selectors, services
from apps.chat.contracts import NoticeKind, Segment
from apps.core.errors import Conflict, InputError, NotFound
from apps.documents import services as documents
from apps.tenants.context import tenant_context
from tests.chat.conftest import Room
from tests.factories.people import make_actor, make_collection, signed_in, slug_of

pytestmark = pytest.mark.django_db(transaction=True)
CITIES = "İSTANBUL ŞUBESİ 2024 kredi hacmi 412 milyon TL.\n\nISPARTA ŞUBESİ 2024 kredi hacmi 37 milyon TL.\n"
OFFER = "Offer 88: the discount is 17 per cent until March.\n"


def marked(parts: tuple[Segment, ...]) -> list[str]:
    return [part.text for part in parts if part.is_hit]


def test_history_finds_folded_words_in_questions_and_answers_best_first(room: Room) -> None:
    room.add("sehirler.txt", CITIES)
    in_answer = room.ask("ISPARTA subesinin kredi hacmi?")
    in_question = room.ask("istanbul şubesinin 2024 kredi hacmi nedir?")
    other = Room(room.admin, room.admin, room.collection_id)
    other.ask("istanbul?")

    with tenant_context(room.tenant_id):
        found = {
            text: history.search_history(actor=room.analyst, query=text)
            for text in ("İSTANBUL hacmi", "ısparta", "milyon", "412", "SUBESI isparta", "yok", "  ?! ")
        }

    assert [hit.message_id for hit in found["İSTANBUL hacmi"].hits] == [in_question.id]
    assert marked(found["İSTANBUL hacmi"].hits[0].question) == ["istanbul", "hacmi"]
    assert found["ısparta"].hits[0].message_id == in_answer.id  # it stands in the question, not in an answer alone
    assert {hit.message_id for hit in found["milyon"].hits} == {in_answer.id, in_question.id}
    assert marked(found["412"].hits[0].excerpt) == ["412"]
    assert found["SUBESI isparta"].hits[0].message_id == in_answer.id
    assert found["yok"].hits == found["  ?! "].hits == ()
    assert found["yok"].searched == 2  # the other person's question was not looked at


def test_words_of_a_deleted_document_are_not_found_in_the_history(room: Room) -> None:
    document_id = room.add("offer.txt", OFFER)
    room.ask("What is the discount of offer 88?")
    with tenant_context(room.tenant_id):
        before = history.search_history(actor=room.analyst, query="march")
        documents.delete_document(actor=room.admin, document_id=document_id)

        assert len(before.hits) == 1
        assert history.search_history(actor=room.analyst, query="march").hits == ()


def test_pinned_conversations_are_listed_first(room: Room) -> None:
    oldest, _, newest = (room.put(text) for text in ("a", "b", "c"))
    with tenant_context(room.tenant_id):
        services.pin_conversation(actor=room.analyst, conversation_id=oldest.conversation_id)
        pinned = selectors.list_conversations(actor=room.analyst)
        services.unpin_conversation(actor=room.analyst, conversation_id=oldest.conversation_id)
        for act in (services.pin_conversation, services.unpin_conversation):
            with pytest.raises(NotFound):
                act(actor=room.admin, conversation_id=oldest.conversation_id)

        assert (pinned[0].id, pinned[0].is_pinned, pinned[1].id) == (
            oldest.conversation_id,
            True,
            newest.conversation_id,
        )
        assert selectors.list_conversations(actor=room.analyst)[0].id == newest.conversation_id


def test_a_saved_scope_says_what_is_closed_and_never_widens(room: Room, another_room: Callable[[], Room]) -> None:
    document_id = room.add("offer.txt", OFFER)
    second = make_collection(room.admin, grants={room.analyst: GrantLevel.READ})
    me, foreign = room.analyst, another_room().collection_id
    with tenant_context(room.tenant_id):
        scope_id = scopes.save_scope(
            actor=me, name=" Offers ", collection_ids=[room.collection_id, second], document_ids=[document_id]
        )
        same = scopes.save_scope(actor=me, name="Offers", collection_ids=[second], document_ids=[document_id])
        for wrong, error in (
            ({"name": " ", "collection_ids": [second]}, InputError),
            ({"name": "x"}, InputError),
            ({"name": "x", "collection_ids": [foreign]}, NotFound),
            ({"name": "x", "document_ids": [uuid4()]}, NotFound),
        ):
            with pytest.raises(error):
                scopes.save_scope(actor=me, **wrong)  # type: ignore[arg-type]  # wrong on purpose
        accounts.revoke_access(actor=room.admin, collection_id=second, user_id=me.user_id)
        part = scopes.usable_scope(actor=me, scope_id=scope_id)
        documents.delete_document(actor=room.admin, document_id=document_id)
        (nothing,) = scopes.list_scopes(actor=me)

        assert (scope_id, part.name, part.lost, part.scope.document_ids) == (same, "Offers", 1, (document_id,))
        assert (nothing.lost, nothing.is_usable) == (2, False)
        with pytest.raises(Conflict):
            scopes.usable_scope(actor=me, scope_id=scope_id)
        with pytest.raises(NotFound):
            scopes.delete_scope(actor=room.admin, scope_id=scope_id)
        assert scopes.list_scopes(actor=room.admin) == ()
    page = signed_in(me).get(f"/t/{slug_of(room.tenant_id)}/ask/", {"scope": str(scope_id)})
    assert page.status_code == 409


def test_what_ends_elsewhere_is_noted_once_and_nameless_when_it_is_gone(room: Room) -> None:
    document_id = room.add("offer.txt", OFFER)
    message = room.ask("What is the discount of offer 88?")
    with tenant_context(room.tenant_id):
        (upload,) = notices.list_notices(actor=room.admin)
        (answer,) = notices.list_notices(actor=room.analyst)
        unread = notices.count_unread(actor=room.analyst)
        path = f"/t/x/ask/{message.conversation_id}/"
        seen = (notices.see(actor=room.admin, path=path), notices.see(actor=room.analyst, path=path))
        left = notices.count_unread(actor=room.analyst)
        documents.delete_document(actor=room.admin, document_id=document_id)
        (gone,) = notices.list_notices(actor=room.admin)
        services.delete_conversation(actor=room.analyst, conversation_id=message.conversation_id)

        assert (upload.kind, upload.name, upload.has_failed) == (NoticeKind.DOCUMENT, "offer.txt", False)
        assert (answer.kind, answer.name) == (NoticeKind.ANSWER, "What is the discount of offer 88?")
        assert (unread, seen, left) == (1, (False, True), 0)
        assert (gone.id, gone.name) == (upload.id, "")
        assert notices.list_notices(actor=room.analyst) == ()
        with pytest.raises(NotFound):
            notices.mark_read(actor=room.analyst, notice_id=upload.id)
    browser, slug = signed_in(room.admin), slug_of(room.tenant_id)
    assert "offer.txt" not in browser.get(f"/t/{slug}/inbox/").content.decode()
    assert browser.get(f"/t/{slug}/inbox/{upload.id}/").status_code == 404


def test_a_document_that_cannot_be_read_is_noted_as_failed(room: Room) -> None:
    room.add("broken.pdf", "%PDF-1.7\nnothing that can be read\n")

    with tenant_context(room.tenant_id):
        (notice,) = notices.list_notices(actor=room.admin)

    assert notice.has_failed


def test_a_copied_answer_carries_pages_and_links_and_no_markup_of_documents(room: Room) -> None:
    document_id = room.add("offer_*88*.txt", "Offer 88: the [discount](x) is 17 per cent until March.\n")
    message = room.ask("What is the discount of offer 88?")
    browser, slug = signed_in(room.analyst), slug_of(room.tenant_id)

    plain = browser.get(f"/t/{slug}/answers/{message.id}/text/")
    markdown = browser.get(f"/t/{slug}/answers/{message.id}/text/", {"form": "markdown"}).content.decode()

    text = plain.content.decode()
    assert plain["Content-Type"].startswith("text/plain")
    assert "17 per cent" in text
    assert "[1] offer_*88*.txt" in text
    link = next(line.strip() for line in text.splitlines() if "http" in line)
    assert browser.get(f"{urlsplit(link).path}?{urlsplit(link).query}").status_code == 200
    assert f"/documents/{document_id}/" in link
    assert "\\[discount\\](x)" in markdown
    assert "offer\\_\\*88\\*.txt" in markdown
    with tenant_context(room.tenant_id):
        documents.delete_document(actor=room.admin, document_id=document_id)
    assert "offer" not in copying.as_plain(room.message(message.id), lambda _: "").partition("Sources")[2]


def test_the_desk_of_a_tab_is_replayed_after_its_last_revision_and_only_for_the_author(room: Room) -> None:
    first = room.put("hello")
    about = str(first.conversation_id)
    slug = slug_of(room.tenant_id)
    author = actor_for(user_id=room.analyst.user_id, tenant_slug=slug)
    member = actor_for(user_id=make_actor(room.tenant_id).user_id, tenant_slug=slug)
    assert author is not None
    assert member is not None
    with tenant_context(room.tenant_id):
        opened = live.look_at_desk(author, about, -1)
        assert opened is not None
        quiet = live.look_at_desk(author, about, opened.revision)
        services.rename_conversation(actor=room.analyst, conversation_id=first.conversation_id, title="Renamed here")
        services.ask(actor=room.analyst, question="asked in the other tab", conversation_id=first.conversation_id)
        later = live.look_at_desk(author, about, opened.revision)
        foreign, unknown = (live.look_at_desk(member, text, -1) for text in (about, str(uuid4())))

        assert quiet is None
        assert later is not None
        assert "Renamed here" in later.html
        assert "asked in the other tab" in later.html
        assert foreign == unknown
        assert foreign is not None
        assert "hello" not in foreign.html
        services.delete_conversation(actor=room.analyst, conversation_id=first.conversation_id)
        gone = live.look_at_desk(author, about, later.revision)
    assert gone is not None
    assert 'id="gone"' in gone.html


def test_a_missing_note_is_framed_in_the_language_of_the_question(room: Room) -> None:
    message = room.ask("Van şubesinin 2023 personel gideri ne kadar oldu?")
    browser = signed_in(room.analyst)
    browser.cookies["django_language"] = "en"

    page = browser.get(f"/t/{slug_of(room.tenant_id)}/ask/{message.conversation_id}/").content.decode()

    block = page[page.index('class="abstain"') :]
    block = block[: block.index("</div>")]
    assert "bulunamadı" in block
    assert "The documents do not say" not in block
    assert page.count("<h1") == 1
    assert "Send" in page
