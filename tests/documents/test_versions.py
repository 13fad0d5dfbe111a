"""A new version takes over when it is searchable; earlier ones stay citable and say that they are superseded."""

from collections.abc import Iterator
from uuid import UUID

import pytest

from apps.chat import selectors as chat
from apps.core.errors import NotAllowed, NotFound
from apps.documents import followers, selectors, services, versions
from apps.documents.contracts import OnSameName, UploadResult
from apps.documents.models import Document, Page
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.retrieval import selectors as retrieval
from apps.retrieval.models import Chunk
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk
from tests.factories.documents import ingest, reload, run_jobs, upload
from tests.factories.library import ask
from tests.factories.people import signed_in, slug_of

pytestmark = pytest.mark.django_db(transaction=True)
OLD = b"The option price of project Kestrel is 3.15 million euro.\nIt is due in March.\n"
NEW = b"The option price of project Kestrel is 4.20 million euro.\nIt is due in June.\n"


@pytest.fixture
def told() -> Iterator[list[tuple[UUID, tuple[UUID, ...]]]]:
    calls: list[tuple[UUID, tuple[UUID, ...]]] = []
    name = "test versions"
    followers.register(followers.DocumentFollower(name=name, superseded=lambda d, v: calls.append((d, v))))
    yield calls
    followers.register(followers.DocumentFollower(name=name))


def bring(desk: Desk, data: bytes, on_same_name: OnSameName, *, of: UUID | None = None) -> UploadResult:
    return services.receive_upload(
        actor=desk.member,
        collection_id=desk.shared,
        name="offer.txt",
        chunks=[data],
        new_version_of=of,
        on_same_name=on_same_name,
    )


def found(desk: Desk) -> str:
    with tenant_context(desk.tenant_id):
        scope = retrieval.scope_for(actor=desk.reader)
        result = retrieval.search_passages(scope=scope, query="option price Kestrel", limit=10)
    return " ".join(passage.text for passage in result.passages)


def test_a_new_version_takes_over_when_it_is_searchable_and_not_before(
    desk: Desk, told: list[tuple[UUID, tuple[UUID, ...]]]
) -> None:
    old = ingest(desk.member, desk.shared, "offer.txt", OLD)

    result = bring(desk, NEW, OnSameName.KEEP_BOTH, of=old.id)
    before = found(desk)
    run_jobs(desk.tenant_id)

    assert result.document is not None
    assert (result.document.id, result.is_version, result.is_new) == (old.id, True, True)
    assert "3.15" in before
    assert "4.20" not in before
    assert "4.20" in found(desk)
    assert "3.15" not in found(desk)
    assert told == [(old.id, (old.version_id,))]
    with tenant_context(desk.tenant_id):
        history = versions.list_versions(actor=desk.reader, document_id=old.id)
        page = selectors.get_version_page(actor=desk.reader, document_id=old.id, version_id=old.version_id, number=1)
        assert not Chunk.objects.filter(version_id=old.version_id).exists()
    assert [(v.number, v.is_current, v.superseded_at is None) for v in history] == [(2, True, True), (1, False, False)]
    assert "3.15" in page.text


def test_an_upload_of_the_same_name_asks_and_makes_nothing(desk: Desk) -> None:
    old = ingest(desk.member, desk.shared, "offer.txt", OLD)

    asked = bring(desk, NEW, OnSameName.ASK)
    with tenant_context(desk.tenant_id):
        after_asking = Document.objects.count()
    beside = bring(desk, NEW, OnSameName.KEEP_BOTH)
    newer = bring(desk, NEW + b"More.", OnSameName.NEW_VERSION)

    assert asked.document is None
    assert asked.same_name is not None
    assert asked.same_name.id == old.id
    assert after_asking == 1
    assert beside.document is not None
    assert beside.document.id != old.id
    assert newer.document is not None
    assert newer.document.id == beside.document.id


def test_a_citation_of_an_earlier_version_opens_it_and_is_marked(desk: Desk) -> None:
    old = ingest(desk.member, desk.shared, "offer.txt", OLD)
    message_id = ask(desk.reader, "What is the option price of the Kestrel project?")
    bring(desk, NEW, OnSameName.NEW_VERSION)
    run_jobs(desk.tenant_id)
    browser, start = signed_in(desk.reader), f"/t/{slug_of(desk.tenant_id)}"

    with tenant_context(desk.tenant_id):
        message = chat.get_message(actor=desk.reader, message_id=message_id)
    [citation, *_] = [c for statement in message.statements for c in statement.citations]
    place = f"page={citation.page}&start={citation.start}&end={citation.end}&version={citation.version_id}"
    opened = browser.get(f"{start}/documents/{old.id}/?{place}")
    thread = browser.get(f"{start}/ask/{message.conversation_id}/")
    current = browser.get(f"{start}/documents/{old.id}/")

    assert citation.is_superseded
    assert citation.quote
    assert b"<mark>" in opened.content
    assert b"3.15" in opened.content
    assert b"superseded" in opened.content
    assert b"4.20" in current.content
    assert b"earlier version" in thread.content


def test_a_new_version_that_cannot_be_read_leaves_the_current_one_in_place(desk: Desk) -> None:
    old = ingest(desk.member, desk.shared, "offer.txt", OLD)

    bring(desk, b"%PDF-1.7 broken", OnSameName.NEW_VERSION)
    run_jobs(desk.tenant_id)

    assert reload(desk.member, old.id).version_id == old.version_id
    assert "3.15" in found(desk)
    with tenant_context(desk.tenant_id):
        [newest, _] = versions.list_versions(actor=desk.reader, document_id=old.id)
    assert (newest.number, newest.is_current, newest.state) == (2, False, "rejected")


def test_a_document_that_was_never_read_is_replaced_at_once(desk: Desk) -> None:
    old = ingest(desk.member, desk.shared, "offer.txt", b"%PDF-1.7 broken")

    bring(desk, NEW, OnSameName.NEW_VERSION)

    assert reload(desk.member, old.id).state == "queued"
    run_jobs(desk.tenant_id)
    assert "4.20" in found(desk)


def test_a_version_that_is_read_after_a_newer_one_does_not_take_over(desk: Desk) -> None:
    old = ingest(desk.member, desk.shared, "offer.txt", OLD)
    second = bring(desk, NEW, OnSameName.NEW_VERSION)
    bring(desk, NEW.replace(b"4.20", b"5.50"), OnSameName.NEW_VERSION)
    assert second.document is not None
    with tenant_context(desk.tenant_id):
        waiting = list(Job.objects.filter(state="queued", kind="ingest_document").order_by("-queued_at"))
    for job in waiting:  # the newest first
        jobs.execute(tenant_id=desk.tenant_id, job_id=job.id)

    assert "5.50" in found(desk)
    assert "4.20" not in found(desk)
    with tenant_context(desk.tenant_id):
        numbers = [(v.number, v.is_current) for v in versions.list_versions(actor=desk.reader, document_id=old.id)]
        indexed = set(Chunk.objects.values_list("version__number", flat=True))
        pages = Page.objects.filter(version__number=2).count()
    assert indexed == {3}
    assert pages == 1  # it stays in the history
    assert numbers == [(3, True), (2, False), (1, False)]


def test_versions_ask_for_the_right_to_add_and_stay_in_their_collection(desk: Desk) -> None:
    secret = ingest(desk.admin, desk.secret, "offer.txt", OLD)
    upload(desk.member, desk.shared, "other.txt", b"something else")

    with pytest.raises(NotFound):
        bring(desk, NEW, OnSameName.ASK, of=secret.id)
    with pytest.raises(NotAllowed):
        services.receive_upload(
            actor=desk.reader, collection_id=desk.shared, name="offer.txt", chunks=[NEW], new_version_of=None
        )
    with tenant_context(desk.tenant_id), pytest.raises(NotFound):
        versions.list_versions(actor=desk.member, document_id=secret.id)


def test_deleting_the_document_deletes_all_its_versions(desk: Desk) -> None:
    old = ingest(desk.member, desk.shared, "offer.txt", OLD)
    bring(desk, NEW, OnSameName.NEW_VERSION)
    run_jobs(desk.tenant_id)

    with tenant_context(desk.tenant_id):
        services.delete_document(actor=desk.member, document_id=old.id)

    with tenant_context(desk.tenant_id), pytest.raises(NotFound):
        selectors.get_version_page(actor=desk.reader, document_id=old.id, version_id=old.version_id, number=1)
    assert found(desk) == ""
