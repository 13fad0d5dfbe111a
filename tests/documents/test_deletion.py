"""Deletion hides at once and leaves nothing; bytes stay only for documents that still use them."""

from pathlib import Path

import pytest
from django.conf import settings

from apps.core.errors import NotAllowed, NotFound
from apps.documents import followers, selectors, services
from apps.documents.contracts import PURGE_KIND
from apps.documents.models import Block, Document, DocumentVersion, Page, StoredFile, Table
from apps.jobs.models import Job
from apps.retrieval import selectors as retrieval
from apps.retrieval.models import Chunk, ChunkEmbedding, TermFrequency
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk
from tests.factories.documents import ingest, run_jobs, upload

pytestmark = pytest.mark.django_db(transaction=True)


def delete(desk: Desk, document_id: object) -> None:
    with tenant_context(desk.tenant_id):
        services.delete_document(actor=desk.member, document_id=document_id)


def rows_left(desk: Desk) -> int:
    with tenant_context(desk.tenant_id):
        return sum(m.objects.count() for m in (Page, Block, Table, Chunk, ChunkEmbedding, TermFrequency))


def files_left(desk: Desk) -> list[Path]:
    return [p for p in (Path(settings.FILES_DIRECTORY) / str(desk.tenant_id)).rglob("*") if p.is_file()]


def test_a_deleted_document_is_gone_from_search_list_and_viewer_in_the_same_moment(desk: Desk) -> None:
    old = ingest(desk.member, desk.shared, "old_offer.txt")
    ingest(desk.member, desk.shared, "new_offer.txt")
    with tenant_context(desk.tenant_id):
        scope = retrieval.scope_for(actor=desk.reader)

    delete(desk, old.id)

    with tenant_context(desk.tenant_id):
        fresh = retrieval.scope_for(actor=desk.reader)
        for chosen in (scope, fresh):  # even a scope made before finds nothing of it
            found = retrieval.search_passages(scope=chosen, query="discount 17 per cent", limit=10)
            assert old.id not in {passage.document_id for passage in found.passages}
        assert [d.name for d in selectors.list_documents(actor=desk.reader).items] == ["new_offer.txt"]
        with pytest.raises(NotFound):
            selectors.get_page(actor=desk.reader, document_id=old.id, number=1)
        shell = Document.objects.get(id=old.id)
    assert (shell.name, shell.sha256) == ("", "")


def test_the_purge_leaves_no_row_with_content_and_no_file(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "loan_book.pdf")

    delete(desk, document.id)
    run_jobs(desk.tenant_id, PURGE_KIND)

    assert rows_left(desk) == 0
    assert files_left(desk) == []
    with tenant_context(desk.tenant_id):
        assert StoredFile.objects.count() == 0
        version = DocumentVersion.objects.get(document_id=document.id)
    assert (version.state, version.title, version.warnings, version.file_id) == ("deleted", "", [], None)


def test_bytes_stay_while_another_document_uses_them(desk: Desk) -> None:
    secret = upload(desk.admin, desk.secret, "a.txt", b"shared bytes")
    shared = upload(desk.member, desk.shared, "a.txt", b"shared bytes")

    delete(desk, shared.id)
    run_jobs(desk.tenant_id, PURGE_KIND)

    assert len(files_left(desk)) == 1
    run_jobs(desk.tenant_id)
    with tenant_context(desk.tenant_id):
        assert selectors.get_document(actor=desk.admin, document_id=secret.id).summary.is_searchable


def test_followers_are_told_and_a_second_run_changes_nothing(desk: Desk) -> None:
    told: list[object] = []
    followers.register(
        followers.DocumentFollower(name="test", deleted=lambda document, _versions: told.append(document))
    )
    try:
        document = ingest(desk.member, desk.shared, "ops.txt")
        delete(desk, document.id)
        for _ in range(2):
            services.purge_document(document_id=document.id, tenant_id=desk.tenant_id)
    finally:
        followers._followers.pop("test")

    assert told == [document.id, document.id]
    assert files_left(desk) == []


def test_the_same_file_can_be_brought_again_after_its_deletion(desk: Desk) -> None:
    first = ingest(desk.member, desk.shared, "ops.txt")
    delete(desk, first.id)

    second = ingest(desk.member, desk.shared, "ops.txt")
    run_jobs(desk.tenant_id, PURGE_KIND)

    assert second.id != first.id
    assert second.is_searchable
    assert len(files_left(desk)) == 1


def test_readers_may_not_delete_and_strangers_find_nothing(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "ops.txt")

    with tenant_context(desk.tenant_id):
        with pytest.raises(NotAllowed):
            services.delete_document(actor=desk.reader, document_id=document.id)
        with pytest.raises(NotFound):
            services.delete_document(actor=desk.stranger, document_id=document.id)


def test_a_document_deleted_before_its_ingestion_ends_it_as_cancelled(desk: Desk) -> None:
    document = upload(desk.member, desk.shared, "long.txt")

    delete(desk, document.id)
    run_jobs(desk.tenant_id)
    run_jobs(desk.tenant_id, PURGE_KIND)

    assert rows_left(desk) == 0
    assert files_left(desk) == []
    with tenant_context(desk.tenant_id):
        assert Job.objects.get(subject_id=document.id).state == "cancelled"
