"""What mails and archives hold: documents of their own, once, whatever dies in between, and never outside storage."""

import signal
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings

from apps.chat import selectors as chat
from apps.documents import members, selectors, services
from apps.documents.contracts import PURGE_KIND, DocumentSummary
from apps.documents.models import Document, StoredFile
from apps.jobs import services as jobs
from apps.reading.contracts import MemberRefusal
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk
from tests.factories.documents import ingest, reload, run_jobs, upload
from tests.factories.library import ask
from tests.ingestion.test_stages import expire_lease, run_and_die
from tests.reading.office import archive, mail, workbook

pytestmark = pytest.mark.django_db(transaction=True)
LEDGER = "Kalem;Tutar\r\nkira;18.500,00\r\ndepozito;37.000,00\r\n".encode("cp1254")


def outcomes(desk: Desk, document: DocumentSummary) -> dict[str, tuple[str, str]]:
    """Outcome and document name by member."""
    with tenant_context(desk.tenant_id):
        found = selectors.list_members(actor=desk.reader, document_id=document.id)
    return {m.name: (m.outcome, m.document.name if m.document else "") for m in found}


def live_names(desk: Desk) -> set[str]:
    with tenant_context(desk.tenant_id):
        return set(Document.objects.filter(deleted_at=None).values_list("name", flat=True))


def test_an_attachment_is_a_document_beside_its_mail_and_answers_with_its_cell(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "kira.eml", mail("Kira onayı", "Ekte.", {"ek.csv": LEDGER}))

    with tenant_context(desk.tenant_id):
        [member] = selectors.list_members(actor=desk.reader, document_id=document.id)
    assert member.document is not None
    assert (member.document.parent_id, member.document.parent_name) == (document.id, "kira.eml")
    assert member.document.collection_id == desk.shared
    message_id = ask(desk.reader, "Depozito ne kadar?")
    with tenant_context(desk.tenant_id):
        message = chat.get_message(actor=desk.reader, message_id=message_id)
    citation = message.statements[0].citations[0]
    assert "37.000" in message.statements[0].text
    assert (citation.document_name, citation.label, citation.quote) == ("ek.csv", "B3", "37.000,00")


def test_a_mail_takes_its_attachments_along_and_an_archive_leaves_its_members(desk: Desk) -> None:
    letter = ingest(desk.member, desk.shared, "m.eml", mail("s", "b", {"a.csv": LEDGER}))
    batch = ingest(desk.member, desk.shared, "b.zip", archive({"deep/er/note.txt": b"kept"}))
    assert live_names(desk) == {"m.eml", "a.csv", "b.zip", "deep/er/note.txt"}

    with tenant_context(desk.tenant_id):
        services.delete_document(actor=desk.member, document_id=letter.id)
        services.delete_document(actor=desk.member, document_id=batch.id)
    run_jobs(desk.tenant_id, PURGE_KIND)

    assert live_names(desk) == {"deep/er/note.txt"}
    with tenant_context(desk.tenant_id):
        assert StoredFile.objects.count() == 1
        kept = selectors.list_documents(actor=desk.reader).items[0]
    assert (kept.parent_id, kept.is_searchable) == (None, True)


def test_a_batch_tells_of_every_member_what_became_of_it(desk: Desk) -> None:
    ingest(desk.member, desk.shared, "known.txt", b"known already")
    inner = archive({"innermost.txt": b"too deep"})
    batch = archive({
        "2024/rapor.csv": LEDGER, "again.txt": b"known already", "empty.txt": b"", "bomb.txt": b"0" * 20_000_000,
        "model.xlsx": workbook({"S": [["a", "b"], ["x", 1]]}), "bad.pdf": b"%PDF-1.4\nnothing",
        "one.zip": archive({"two.zip": inner, "ok.txt": b"fine"}), "../../evil.txt": b"evil",
    })  # fmt: skip

    document = ingest(desk.member, desk.shared, "batch.zip", batch)

    assert document.is_searchable
    assert outcomes(desk, document) == {
        "2024/rapor.csv": ("taken", "2024/rapor.csv"),
        "again.txt": ("known", "known.txt"),
        "empty.txt": ("empty", ""),
        "bomb.txt": ("suspicious", ""),
        "model.xlsx": ("taken", "model.xlsx"),
        "bad.pdf": ("taken", "bad.pdf"),
        "one.zip": ("taken", "one.zip"),
        "evil.txt": ("taken", "evil.txt"),
    }
    with tenant_context(desk.tenant_id):
        found = {d.name: d for d in selectors.list_documents(actor=desk.reader).items}
        assert outcomes(desk, found["two.zip"]) == {"innermost.txt": ("too_deep", "")}
        damaged = found["bad.pdf"]
    assert damaged.state == "rejected"
    assert damaged.failure in ("damaged", "no_pages")
    root = Path(settings.FILES_DIRECTORY)
    assert not list(root.parent.rglob("*evil*"))
    assert all(len(p.name) == 40 for p in (root / str(desk.tenant_id)).glob("*/*"))


def test_a_worker_killed_between_two_members_takes_none_twice(desk: Desk) -> None:
    document = upload(desk.member, desk.shared, "b.zip", archive({f"{n}.txt": b"text %d" % n for n in range(4)}))
    assert document.job_id is not None

    assert run_and_die(desk, document.job_id, "ingestion.unpack.member") == -signal.SIGKILL
    expire_lease(desk, document.job_id)
    jobs.dispatch()
    jobs.execute(tenant_id=desk.tenant_id, job_id=document.job_id)

    assert reload(desk.member, document.id).is_searchable
    assert live_names(desk) == {"b.zip", "0.txt", "1.txt", "2.txt", "3.txt"}
    with tenant_context(desk.tenant_id):
        assert StoredFile.objects.count() == 5


def test_a_full_quota_refuses_members_and_keeps_the_rest(desk: Desk, settings: object) -> None:
    data = archive({"a.txt": b"a" * 500, "b.txt": bytes(range(32, 127)) * 20})
    settings.STORAGE_QUOTA_BYTES = len(data) + 600  # type: ignore[attr-defined]

    document = ingest(desk.member, desk.shared, "b.zip", data)

    assert outcomes(desk, document) == {"a.txt": ("taken", "a.txt"), "b.txt": (MemberRefusal.TOO_LARGE, "")}
    with tenant_context(desk.tenant_id):
        keys = set(StoredFile.objects.values_list("storage_key", flat=True))
    stored = {str(p.relative_to(settings.FILES_DIRECTORY)) for p in _files(desk.tenant_id)}  # type: ignore[attr-defined]
    assert stored == keys


def _files(tenant_id: UUID) -> list[Path]:
    return [p for p in (Path(settings.FILES_DIRECTORY) / str(tenant_id)).rglob("*") if p.is_file()]


@pytest.mark.parametrize(
    ("name", "data", "state", "failure"),
    [
        ("locked.xlsx", None, "needs_password", "needs_password"),
        ("locked.docx", None, "needs_password", "needs_password"),
        ("xxe.xlsx", None, "rejected", "damaged"),
        ("part.docx", archive({"word/document.xml": b"<a>" + b" " * 40_000_000 + b"</a>"}), "rejected", "too_large"),
        ("many.xlsx", archive({f"{n}": b"" for n in range(10_001)}), "rejected", "too_large"),
        ("pic.svg", None, "rejected", "unsupported"),
        ("program.docx", b"MZ\x90 program", "rejected", "disguised"),
    ],
)  # fmt: skip
def test_a_hostile_or_locked_file_ends_with_its_reason(
    desk: Desk, name: str, data: bytes | None, state: str, failure: str
) -> None:
    document = ingest(desk.member, desk.shared, name, data)

    assert (document.state, document.failure) == (state, failure)
    assert selectors.FAILURES[failure]


def test_names_of_members_keep_their_folders_within_the_longest_name() -> None:
    assert members.member_name("a/b/c.pdf") == "a/b/c.pdf"
    long = members.member_name("/".join(["klasör" * 8] * 9) + "/" + "ğ" * 100 + ".pdf")
    assert len(long) <= services.LONGEST_NAME
    assert long.endswith("ğ.pdf")
    assert long.startswith("…")
