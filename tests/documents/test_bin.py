"""The bin hides at once as a deletion does, keeps everything, and gives it back without reading it again."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from apps.chat import selectors as chat
from apps.core.errors import Conflict, NotAllowed, NotFound
from apps.documents import binning, selectors, services
from apps.documents.contracts import INGEST_KIND
from apps.documents.models import Document, Page
from apps.ingestion.meaning import EMBED_KIND
from apps.jobs.models import Job
from apps.retrieval import selectors as retrieval
from apps.retrieval.models import Chunk
from apps.tenants.audit import list_events
from apps.tenants.context import tenant_context
from apps.tenants.models import Tenant
from tests.factories.desk import Desk
from tests.factories.documents import ingest, reload, run_jobs, upload
from tests.factories.library import ask, make_document
from tests.factories.people import signed_in, slug_of

pytestmark = pytest.mark.django_db(transaction=True)


def move(desk: Desk, document_id: UUID) -> bool:
    with tenant_context(desk.tenant_id):
        return binning.bin_document(actor=desk.member, document_id=document_id)


def restore(desk: Desk, document_id: UUID) -> None:
    with tenant_context(desk.tenant_id):
        binning.restore_document(actor=desk.member, document_id=document_id)


def found(desk: Desk, scope: object = None) -> set[UUID]:
    with tenant_context(desk.tenant_id):
        chosen = scope or retrieval.scope_for(actor=desk.reader)
        result = retrieval.search_passages(scope=chosen, query="discount 17 per cent", limit=10)  # type: ignore[arg-type]
        return {passage.document_id for passage in result.passages}


def test_what_is_in_the_bin_is_nowhere_and_comes_back_without_being_read_again(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "old_offer.txt")
    with tenant_context(desk.tenant_id):
        scope = retrieval.scope_for(actor=desk.reader)
        kept = (Page.objects.count(), Chunk.objects.count(), Job.objects.filter(kind=INGEST_KIND).count())
    browser, start = signed_in(desk.reader), f"/t/{slug_of(desk.tenant_id)}"

    assert move(desk, document.id)

    assert found(desk) == found(desk, scope) == set()
    for address in (f"/documents/{document.id}/", f"/documents/{document.id}/original/"):
        assert browser.get(start + address).status_code == 404
    with tenant_context(desk.tenant_id):
        assert selectors.list_documents(actor=desk.reader).items == ()
        assert selectors.count_documents(collection_ids=[desk.shared]) == {}
        assert not selectors.hold_live_documents(document_ids=[document.id])
        [row] = binning.list_binned(actor=desk.member)
        assert binning.list_binned(actor=desk.reader) == ()
    assert (row.binned_by_name, row.goes_at - row.binned_at) == (desk.member.name, timedelta(days=30))

    restore(desk, document.id)

    assert found(desk) == {document.id}
    with tenant_context(desk.tenant_id):
        assert kept == (Page.objects.count(), Chunk.objects.count(), Job.objects.filter(kind=INGEST_KIND).count())
        actions = {event.action for event in list_events(limit=20) if event.object_id == document.id}
    assert {"document.binned", "document.restored"} <= actions


def test_words_of_an_answer_are_hidden_with_their_document_and_come_back_with_it(desk: Desk) -> None:
    document = make_document(desk.member, desk.shared)
    message_id = ask(desk.reader, "What is the option price of the Kestrel project?")

    def cited() -> tuple[str, bool, str, bool]:
        """Quote of the first citation, whether it is gone, the verdict, whether any number is verified."""
        with tenant_context(desk.tenant_id):
            message = chat.get_message(actor=desk.reader, message_id=message_id)
        statement = message.statements[0]
        citation = statement.citations[0]
        is_verified = any(number.verified for number in statement.numbers)
        return citation.quote, citation.is_deleted, statement.verdict, is_verified

    before = cited()
    move(desk, document.id)
    hidden = cited()
    restore(desk, document.id)

    assert before[0]
    assert before[1:] == (False, "supported", True)
    assert hidden == ("", True, "unsupported", False)
    assert cited() == before


def test_a_meaning_index_that_the_bin_stopped_goes_on_and_says_no_more_that_it_stopped(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "span.pdf")

    move(desk, document.id)
    restore(desk, document.id)
    back = reload(desk.member, document.id)
    run_jobs(desk.tenant_id, EMBED_KIND)

    assert (back.state, back.warning_count) == ("searchable", 0)
    done = reload(desk.member, document.id)
    assert (done.state, done.meaning_percent) == ("ready", 100)


def test_only_those_who_may_add_documents_move_and_restore_them(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "old_offer.txt")

    with tenant_context(desk.tenant_id):
        with pytest.raises(NotAllowed):
            binning.bin_document(actor=desk.reader, document_id=document.id)
        with pytest.raises(NotFound):
            binning.bin_document(actor=desk.stranger, document_id=document.id)
        binning.bin_document(actor=desk.member, document_id=document.id)
        for act in (binning.restore_document, binning.delete_binned):
            for actor in (desk.reader, desk.stranger):
                with pytest.raises(NotFound):
                    act(actor=actor, document_id=document.id)


def test_a_document_goes_for_good_when_its_days_are_over_and_not_before(desk: Desk) -> None:
    over, young = ingest(desk.member, desk.shared, "old_offer.txt"), ingest(desk.member, desk.shared, "new_offer.txt")
    move(desk, over.id)
    move(desk, young.id)
    with tenant_context(desk.tenant_id):
        Document.objects.filter(id=over.id).update(binned_at=timezone.now() - timedelta(days=31))

    removed = [binning.empty_bin(tenant_id=desk.tenant_id) for _ in range(2)]

    assert removed == [1, 0]
    with tenant_context(desk.tenant_id):
        assert Document.objects.get(id=over.id).deleted_at is not None
        assert [row.id for row in binning.list_binned(actor=desk.member)] == [young.id]


def test_without_days_in_the_bin_moving_there_is_final(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "old_offer.txt")
    with tenant_context(desk.tenant_id):
        with pytest.raises(NotAllowed):
            binning.set_bin_days(actor=desk.member, days=0)
        binning.set_bin_days(actor=desk.admin, days=0)

    assert not move(desk, document.id)

    with tenant_context(desk.tenant_id):
        assert Document.objects.get(id=document.id).deleted_at is not None
    assert Tenant.objects.get(id=desk.tenant_id).bin_days == 0


def test_the_same_file_brought_again_meanwhile_keeps_the_binned_one_where_it_is(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "old_offer.txt")
    move(desk, document.id)

    again = upload(desk.member, desk.shared, "old_offer.txt")

    assert again.id != document.id
    with pytest.raises(Conflict):
        restore(desk, document.id)


def test_a_document_moved_while_it_waits_to_be_read_is_read_after_its_return(desk: Desk) -> None:
    document = upload(desk.member, desk.shared, "old_offer.txt")
    move(desk, document.id)
    assert run_jobs(desk.tenant_id) == 0

    restore(desk, document.id)
    run_jobs(desk.tenant_id)

    assert reload(desk.member, document.id).is_searchable


def test_attachments_lie_in_the_bin_with_their_mail_and_return_with_it(desk: Desk) -> None:
    mail = ingest(desk.member, desk.shared, "attach.eml")
    with tenant_context(desk.tenant_id):
        attached = {d.id for d in selectors.list_documents(actor=desk.reader).items} - {mail.id}
    assert attached

    move(desk, mail.id)
    with tenant_context(desk.tenant_id):
        assert selectors.list_documents(actor=desk.reader).items == ()
    restore(desk, mail.id)

    with tenant_context(desk.tenant_id):
        assert {d.id for d in selectors.list_documents(actor=desk.reader).items} == attached | {mail.id}


def test_a_document_is_deleted_for_good_out_of_the_bin(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "old_offer.txt")
    move(desk, document.id)
    browser, start = signed_in(desk.member), f"/t/{slug_of(desk.tenant_id)}"

    assert b"old_offer.txt" in browser.get(f"{start}/bin/").content
    browser.post(f"{start}/bin/{document.id}/delete/")

    with tenant_context(desk.tenant_id):
        assert Document.objects.get(id=document.id).deleted_at is not None
        with pytest.raises(NotFound):
            services.retry_ingestion(actor=desk.member, document_id=document.id)
