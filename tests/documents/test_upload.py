"""Uploads: bytes once per organisation, one document per collection, no hint of what a person may not read."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.db import connections

from apps.accounts.contracts import GrantLevel, Role
from apps.core.errors import InputError, LimitExceeded, NotAllowed, NotFound, TooLarge
from apps.documents import selectors, services
from apps.documents.contracts import UploadResult
from apps.documents.models import Document, StoredFile
from apps.jobs.models import Job
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk
from tests.factories.documents import FILES, ingest, reload, run_jobs, upload
from tests.factories.people import make_actor, make_collection, make_organisation

pytestmark = pytest.mark.django_db(transaction=True)


def test_eight_uploads_at_once_give_one_document(desk: Desk) -> None:
    def send(_number: int) -> UploadResult:
        try:
            return services.receive_upload(
                actor=desk.member, collection_id=desk.shared, name="same.txt", chunks=[b"the same bytes"]
            )
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(send, range(8)))

    ids = {result.document.id for result in results if result.document}
    assert len(ids) == 1
    assert sum(result.is_new for result in results) == 1
    with tenant_context(desk.tenant_id):
        assert Document.objects.count() == 1
        assert StoredFile.objects.count() == 1
        assert Job.objects.count() == 1
        key = StoredFile.objects.get().storage_key
    assert [p.name for p in (Path(settings.FILES_DIRECTORY) / str(desk.tenant_id)).glob("*/*")] == [
        key.rsplit("/", 1)[1]
    ]


def test_another_organisation_gets_its_own_document_and_its_own_bytes(desk: Desk) -> None:
    other = make_organisation()
    person = make_actor(other)
    collection = make_collection(make_actor(other, Role.OWNER), grants={person: GrantLevel.CONTRIBUTE})
    mine = upload(desk.member, desk.shared, "same.txt", b"the same bytes")

    theirs = services.receive_upload(
        actor=person, collection_id=collection, name="same.txt", chunks=[b"the same bytes"]
    )

    assert theirs.is_new
    assert theirs.elsewhere is None
    assert theirs.document is not None
    assert theirs.document.id != mine.id


def test_bytes_that_the_person_can_read_elsewhere_offer_a_choice(desk: Desk) -> None:
    first = upload(desk.admin, desk.secret, "a.txt", b"known bytes")

    result = services.receive_upload(actor=desk.admin, collection_id=desk.shared, name="b.txt", chunks=[b"known bytes"])

    assert result.document is None
    assert result.elsewhere is not None
    assert result.elsewhere.id == first.id
    with tenant_context(desk.tenant_id):
        added = services.add_here(actor=desk.admin, document_id=first.id, collection_id=desk.shared)
        assert StoredFile.objects.count() == 1
    assert added.collection_id == desk.shared


def test_bytes_in_a_collection_that_the_person_may_not_read_leave_no_hint(desk: Desk) -> None:
    upload(desk.admin, desk.secret, "a.txt", b"secret bytes")

    result = services.receive_upload(
        actor=desk.member, collection_id=desk.shared, name="b.txt", chunks=[b"secret bytes"]
    )

    assert result.is_new
    assert result.elsewhere is None
    assert result.document is not None
    assert result.document.collection_id == desk.shared


def test_a_duplicate_in_a_batch_does_not_spoil_the_rest(desk: Desk) -> None:
    names = ["one.txt", "one again.txt", "two.txt"]
    contents = [b"one", b"one", b"two"]

    documents = [upload(desk.member, desk.shared, n, c) for n, c in zip(names, contents, strict=True)]

    assert documents[0].id == documents[1].id
    assert documents[2].id != documents[0].id


def test_who_may_not_contribute_stores_nothing(desk: Desk) -> None:
    with pytest.raises(NotAllowed):
        services.receive_upload(actor=desk.reader, collection_id=desk.shared, name="a.txt", chunks=[b"x"])
    with pytest.raises(NotFound):
        services.receive_upload(actor=desk.stranger, collection_id=desk.shared, name="a.txt", chunks=[b"x"])

    assert not list((Path(settings.FILES_DIRECTORY) / str(desk.tenant_id)).glob("*/*"))


def test_an_empty_file_is_refused_at_once(desk: Desk) -> None:
    with pytest.raises(InputError) as caught:
        services.receive_upload(actor=desk.member, collection_id=desk.shared, name="a.pdf", chunks=[])

    assert caught.value.code == "empty"
    assert "empty" in str(caught.value.message)


def test_a_file_of_exactly_the_limit_is_taken_and_one_byte_more_is_not(desk: Desk, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 100_000
    upload(desk.member, desk.shared, "full.txt", b"x" * 100_000)

    with pytest.raises(TooLarge):
        services.receive_upload(actor=desk.member, collection_id=desk.shared, name="b.txt", chunks=[b"y" * 100_001])

    assert len(list((Path(settings.FILES_DIRECTORY) / str(desk.tenant_id)).glob("*/*"))) == 1


def test_parallel_uploads_never_pass_the_quota(desk: Desk, settings: Any) -> None:
    settings.STORAGE_QUOTA_BYTES = 5_000

    def send(number: int) -> bool:
        try:
            upload(desk.member, desk.shared, f"{number}.txt", bytes([65 + number]) * 1000)
        except LimitExceeded:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(8) as pool:
        taken = sum(pool.map(send, range(20)))

    assert taken == 5
    with tenant_context(desk.tenant_id):
        assert sum(StoredFile.objects.values_list("size", flat=True)) == 5_000


def test_names_are_shown_clean_and_never_reach_a_path(desk: Desk) -> None:
    names = (
        json.loads((FILES / "names.json").read_text()) + json.loads((FILES / "upload_names.json").read_text())["names"]
    )

    for number, name in enumerate(names):
        shown = upload(desk.member, desk.shared, name, f"content {number}".encode()).name
        assert shown
        assert not any(c in shown for c in "/\\\r\n\x00\u202e")
        assert shown not in ("..", ".")

    root = Path(settings.FILES_DIRECTORY)
    assert not list(root.parent.rglob("*evil*"))
    assert all(len(p.name) == 40 for p in (root / str(desk.tenant_id)).glob("*/*"))


def test_a_decomposed_name_is_listed_composed_and_found_either_way(desk: Desk) -> None:
    upload(desk.member, desk.shared, "S\u0327irket Deg\u0306erlemesi - çeyrek.txt", b"x")

    with tenant_context(desk.tenant_id):
        listed = selectors.list_documents(actor=desk.member, collection_id=desk.shared)
        found = selectors.find_by_name(actor=desk.member, query="ŞİRKET değerlemesi")

    assert [item.name for item in listed.items] == ["Şirket Değerlemesi - çeyrek.txt"]
    assert len(found) == 1


def test_a_list_costs_three_queries_however_long_it_is(desk: Desk, django_assert_max_num_queries: Any) -> None:
    for number in range(12):
        upload(desk.member, desk.shared, f"{number}.txt", f"{number}".encode())

    with tenant_context(desk.tenant_id), django_assert_max_num_queries(3):
        page = selectors.list_documents(actor=desk.member, collection_id=desk.shared, page_size=10)

    assert (len(page.items), page.total, page.pages) == (10, 12, 2)


@pytest.mark.parametrize(
    ("name", "password", "word"),
    [
        ("locked.pdf", "Zx9-unknown", "LOCKED-77"),
        ("locked.xlsx", "pw-Sample-1", "987654"),
        ("locked.docx", "pw-Sample-1", ""),
    ],
)
def test_a_locked_file_waits_for_its_password_and_is_then_read(desk: Desk, name: str, password: str, word: str) -> None:
    document = ingest(desk.member, desk.shared, name)
    assert document.state == "needs_password"

    with pytest.raises(InputError) as caught:
        services.supply_password(actor=desk.member, document_id=document.id, password="wrong")
    assert caught.value.code == "wrong_password"
    services.supply_password(actor=desk.member, document_id=document.id, password=password)
    run_jobs(desk.tenant_id)

    assert reload(desk.member, document.id).is_searchable
    with tenant_context(desk.tenant_id):
        assert word in selectors.get_page(actor=desk.reader, document_id=document.id, number=1).text
        assert password not in str(list(Job.objects.values_list("payload", flat=True)))


def test_only_contributors_may_supply_a_password(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "locked.pdf")

    with pytest.raises(NotAllowed):
        services.supply_password(actor=desk.reader, document_id=document.id, password="Zx9-unknown")
    with pytest.raises(NotFound):
        services.supply_password(actor=desk.stranger, document_id=document.id, password="Zx9-unknown")


def test_unknown_and_unreadable_documents_look_alike(desk: Desk) -> None:
    document = upload(desk.admin, desk.secret, "a.txt", b"secret")

    with tenant_context(desk.tenant_id):
        for document_id in (document.id, UUID(int=7)):
            with pytest.raises(NotFound) as caught:
                selectors.get_document(actor=desk.member, document_id=document_id)
            assert (caught.value.code, caught.value.detail) == ("not_found", "")
