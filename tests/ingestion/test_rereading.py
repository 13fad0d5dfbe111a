"""Read again while the old reading answers; what is unchanged keeps its ids, what changed keeps its citations."""

import signal
from uuid import UUID

import pytest

from apps.chat import selectors as chat
from apps.chat.models import Citation, Statement
from apps.core.errors import NotAllowed
from apps.documents import selectors, services
from apps.documents.contracts import REREAD_KIND, DocumentSummary
from apps.documents.models import Block, DocumentMetadata, DocumentVersion, Figure, Page, Table
from apps.ingestion import rereading
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.retrieval import selectors as retrieval
from apps.retrieval.models import Chunk
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk
from tests.factories.documents import ingest, reload, run_jobs, upload
from tests.factories.library import ask, make_document
from tests.ingestion.test_stages import expire_lease, index_of, long_pages, run_and_die

pytestmark = pytest.mark.django_db(transaction=True)
MISREAD = "The option price of project Kestrel is 3.l5 million euro."


def again(desk: Desk, collection_id: UUID | None = None) -> int:
    with tenant_context(desk.tenant_id):
        return rereading.reread_collection(actor=desk.admin, collection_id=collection_id or desk.shared)


def ids(desk: Desk, document: DocumentSummary) -> dict[str, set[UUID]]:
    with tenant_context(desk.tenant_id):
        return {
            "pages": set(Page.objects.filter(version_id=document.version_id).values_list("id", flat=True)),
            "blocks": set(Block.objects.filter(page__version_id=document.version_id).values_list("id", flat=True)),
            "chunks": set(Chunk.objects.filter(version_id=document.version_id).values_list("id", flat=True)),
        }


def as_an_older_reader_read_it(desk: Desk, document: DocumentSummary, number: int) -> str:
    """The page says other words, in a row of the database; returns them."""
    with tenant_context(desk.tenant_id):
        page = Page.objects.get(version_id=document.version_id, number=number)
        Page.objects.filter(id=page.id).update(text=MISREAD + page.text)
        Chunk.objects.filter(version_id=document.version_id, spans__0__0=number).update(text="other words")
    return MISREAD + page.text


@pytest.mark.parametrize("name", ["span.pdf", "budget.xlsx", "contract.docx", "loan_book.pdf"])
def test_what_reads_the_same_keeps_its_ids_and_its_tables(desk: Desk, name: str) -> None:
    document = ingest(desk.member, desk.shared, name)
    before = ids(desk, document), index_of(desk, document)
    with tenant_context(desk.tenant_id):
        pages = selectors.read_pages(version_id=document.version_id, numbers=range(1, 100))

    assert again(desk) == 1
    run_jobs(desk.tenant_id, REREAD_KIND)

    assert (ids(desk, document), index_of(desk, document)) == before
    with tenant_context(desk.tenant_id):
        assert selectors.read_pages(version_id=document.version_id, numbers=range(1, 100)) == pages
        assert DocumentVersion.objects.filter(document_id=document.id).count() == 1
        assert Table.objects.exclude(page__version_id=document.version_id).count() == 0
    assert reload(desk.member, document.id).is_searchable


def test_a_document_of_an_older_reader_gets_what_only_todays_finds(desk: Desk) -> None:
    ingest(desk.member, desk.shared, "deck.pptx")
    with tenant_context(desk.tenant_id):
        found = {
            model: set(model.objects.values_list(*fields))
            for model, fields in {
                Figure: ("page__number", "ordinal", "kind", "caption"),
                DocumentMetadata: ("field", "value", "rule", "page"),
            }.items()
        }
        Figure.objects.all().delete()
        DocumentMetadata.objects.all().delete()

    again(desk)
    run_jobs(desk.tenant_id, REREAD_KIND)

    assert all(found.values())
    with tenant_context(desk.tenant_id):
        assert set(Figure.objects.values_list("page__number", "ordinal", "kind", "caption")) == found[Figure]
        assert set(DocumentMetadata.objects.values_list("field", "value", "rule", "page")) == found[DocumentMetadata]


def test_a_page_that_reads_differently_changes_and_its_citations_keep_the_words_they_quote(desk: Desk) -> None:
    make_document(desk.member, desk.shared)
    message_id = ask(desk.reader, "What is the option price of the Kestrel project?")
    document = ingest(desk.member, desk.shared, "new_offer.txt", long_pages(3))
    old_text = as_an_older_reader_read_it(desk, document, 2)
    before = ids(desk, document)
    with tenant_context(desk.tenant_id):
        statement = Statement.objects.filter(message_id=message_id).first()
        assert statement is not None
        cited = {
            number: Citation.objects.create(
                statement=statement,
                ordinal=90 + number,
                document_id=document.id,
                version_id=document.version_id,
                page=number,
                start=0,
                end=len(MISREAD),
                quote=MISREAD,
            ).id
            for number in (1, 2)
        }

    again(desk)
    run_jobs(desk.tenant_id, REREAD_KIND)

    with tenant_context(desk.tenant_id):
        now = Page.objects.get(version_id=document.version_id, number=2)
        moved = Citation.objects.get(id=cited[2]).version_id
        assert Citation.objects.get(id=cited[1]).version_id == document.version_id
        kept = selectors.get_version_page(actor=desk.reader, document_id=document.id, version_id=moved, number=2)
        message = chat.get_message(actor=desk.reader, message_id=message_id)
    assert MISREAD not in now.text
    assert kept.text == old_text
    after = ids(desk, document)
    assert len(before["pages"] & after["pages"]) == 2
    assert before["chunks"] & after["chunks"]
    marks = {c.page: c.is_superseded for s in message.statements for c in s.citations if c.quote == MISREAD}
    assert marks == {1: False, 2: True}


def test_the_old_reading_answers_until_the_swap(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "ledger.txt", long_pages(4))
    as_an_older_reader_read_it(desk, document, 2)
    before = index_of(desk, document)
    again(desk)
    with tenant_context(desk.tenant_id):
        job_id = Job.objects.get(kind=REREAD_KIND).id

    assert run_and_die(desk, job_id, "ingestion.reread.half") == -signal.SIGKILL
    meanwhile = index_of(desk, document)
    with tenant_context(desk.tenant_id):
        scope = retrieval.scope_for(actor=desk.reader)
        searchable = scope.document_count
        listed = selectors.list_documents(actor=desk.reader).total

    assert meanwhile == before
    assert (searchable, listed) == (1, 1)


@pytest.mark.parametrize(
    "failpoint", ["ingestion.reread.begun", "ingestion.read.window", "ingestion.reread.read", "ingestion.reread.half"]
)
def test_a_killed_rereading_goes_on_and_ends_like_an_undisturbed_one(desk: Desk, failpoint: str) -> None:
    document = ingest(desk.member, desk.shared, "ledger.txt", long_pages(20))
    expected, kept = index_of(desk, document), ids(desk, document)["pages"]
    as_an_older_reader_read_it(desk, document, 2)
    again(desk)
    with tenant_context(desk.tenant_id):
        job_id = Job.objects.get(kind=REREAD_KIND).id

    assert run_and_die(desk, job_id, failpoint) == -signal.SIGKILL
    expire_lease(desk, job_id)
    jobs.execute(tenant_id=desk.tenant_id, job_id=job_id)
    jobs.execute(tenant_id=desk.tenant_id, job_id=job_id)  # delivered twice

    assert index_of(desk, document) == expected
    assert len(ids(desk, document)["pages"] & kept) == 19
    assert reload(desk.member, document.id).pages_read == 20


def test_a_document_deleted_while_it_is_read_again_is_gone_whole(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "ledger.txt", long_pages(4))
    again(desk)
    with tenant_context(desk.tenant_id):
        job_id = Job.objects.get(kind=REREAD_KIND).id
    run_and_die(desk, job_id, "ingestion.reread.read")

    with tenant_context(desk.tenant_id):
        services.delete_document(actor=desk.member, document_id=document.id)
    expire_lease(desk, job_id)
    jobs.execute(tenant_id=desk.tenant_id, job_id=job_id)

    with tenant_context(desk.tenant_id):
        assert Page.objects.count() == Chunk.objects.count() == 0


def test_what_could_not_be_read_is_tried_anew_and_what_is_in_work_is_left_alone(desk: Desk) -> None:
    broken = ingest(desk.member, desk.shared, "broken.pdf", b"%PDF-1.7 broken")
    upload(desk.member, desk.shared, "waiting.txt", b"words that wait")

    assert again(desk) == 1
    assert reload(desk.member, broken.id).state == "queued"
    assert again(desk) == 0
    with tenant_context(desk.tenant_id), pytest.raises(NotAllowed):
        rereading.reread_collection(actor=desk.member, collection_id=desk.shared)
