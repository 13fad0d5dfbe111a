"""What a document says of itself: rules with evidence on English and Turkish documents, and what people set."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.core.errors import InputError, NotAllowed, NotFound
from apps.documents import metadata_store, selectors
from apps.documents.contracts import DocumentFilter, DocumentOrder
from apps.documents.metadata.checksums import is_iban, is_isin, is_tckn, is_vkn
from apps.documents.metadata.fields import Field, Found
from apps.documents.metadata.reader import MetadataReader
from apps.documents.metadata_words import period_in_words, value_in_words
from apps.reading.contracts import Block, BlockKind, MediaType, PageContent
from apps.tenants.context import tenant_context
from apps.tenants.models import AuditEvent
from tests.factories.desk import Desk
from tests.factories.documents import ingest
from tests.factories.library import run_jobs
from tests.factories.people import slug_of

LEASE = """LEASE AGREEMENT

This Lease Agreement is made as of March 3, 2024 by and between Harbour Leasing N.V., a company
having its seat in Rotterdam ("Lessor"), and Kestrel Shipping Ltd, a company incorporated in
Malta ("Lessee").
Contract No: HL-2024/0117. Payments go to NL91 ABNA 0417 1643 00.
This Agreement expires on 2 March 2029 unless it is renewed. It renews for successive terms of one (1) year.
Either party may end it with at least ninety (90) days' prior written notice.
"""
POLICY = """YANGIN SİGORTA POLİÇESİ

Poliçe No: 34-2024-000917
Sigortalı: Işık Tekstil Sanayi ve Ticaret A.Ş.
Sigortacı: Ege Sigorta A.Ş.
Vergi Kimlik No: 1234567890
Başlangıç Tarihi: 01.07.2024
Bitiş Tarihi: 01.07.2025
"""
FILING = """UNITED STATES
SECURITIES AND EXCHANGE COMMISSION
FORM 10-Q
For the quarterly period ended June 29, 2024
KESTREL HOLDINGS, INC.
(Exact name of registrant as specified in its charter)
Delaware 001-12345 98-7654321
(State) (Commission File Number) (I.R.S. Employer Identification No.)
"""
KAP = """KAP'ta yayınlanma tarihi ve saati: 12.08.2024 18:31:06
KAMUYU AYDINLATMA PLATFORMU
IŞIK TEKSTİL SANAYİ VE TİCARET A.Ş.
Finansal Rapor
Konsolide
2024 - 2. 3 Aylık Bildirim
"""


def page(text: str, number: int = 1, language: str = "en") -> PageContent:
    blocks = []
    for start, block in _stretches(text):
        kind = BlockKind.HEADING if block.isupper() and "\n" not in block else BlockKind.PARAGRAPH
        blocks.append(Block(len(blocks), kind, start, start + len(block), None, 1 if kind is BlockKind.HEADING else 0))
    return PageContent(number, "", 0, 0, 0, text, (), tuple(blocks), (), language)


def _stretches(text: str) -> list[tuple[int, str]]:
    found, start = [], 0
    for block in text.split("\n\n"):
        found.append((start, block))
        start += len(block) + 2
    return found


def read(text: str, language: str = "en", media_type: MediaType = MediaType.PDF, **more: Any) -> list[Found]:
    reader = MetadataReader(media_type=media_type, **more)
    reader.page(page(text, language=language))
    return list(reader.found())


def values(found: list[Found], field: Field) -> list[str]:
    return [item.value for item in found if item.field is field]


def test_a_contract_gives_parties_dates_notice_renewal_number_and_account() -> None:
    found = read(LEASE)

    assert values(found, Field.KIND) == ["contract"]
    assert values(found, Field.TITLE) == ["LEASE AGREEMENT"]
    assert values(found, Field.PARTY) == ["Harbour Leasing N.V.", "Kestrel Shipping Ltd"]
    assert values(found, Field.STARTS) == ["2024-03-03"]
    assert values(found, Field.ENDS) == ["2029-03-02"]
    assert values(found, Field.NOTICE) == ["P90D"]
    assert values(found, Field.RENEWAL) == ["P1Y"]
    assert values(found, Field.CONTRACT_NUMBER) == ["HL-2024/0117"]
    assert values(found, Field.IBAN) == ["NL91ABNA0417164300"]
    assert values(found, Field.ENTITY) == []  # a contract is between parties


def test_a_turkish_policy_gives_number_parties_and_term() -> None:
    found = read(POLICY, "tr")

    assert values(found, Field.KIND) == ["policy"]
    assert values(found, Field.POLICY_NUMBER) == ["34-2024-000917"]
    assert values(found, Field.PARTY) == ["Işık Tekstil Sanayi ve Ticaret A.Ş.", "Ege Sigorta A.Ş."]
    assert values(found, Field.STARTS) == ["2024-07-01"]
    assert values(found, Field.ENDS) == ["2025-07-01"]
    assert values(found, Field.TAX_NUMBER) == ["1234567890"]


def test_a_filing_and_a_kap_disclosure_give_entity_and_period() -> None:
    filing, kap = read(FILING), read(KAP, "tr")

    assert values(filing, Field.KIND) == ["interim_report"]
    assert values(filing, Field.ENTITY) == ["KESTREL HOLDINGS, INC."]
    assert values(filing, Field.PERIOD) == ["quarter:2024-06-29"]
    assert values(filing, Field.TAX_NUMBER) == ["98-7654321"]
    assert values(kap, Field.KIND) == ["kap_disclosure"]
    assert values(kap, Field.ENTITY) == ["IŞIK TEKSTİL SANAYİ VE TİCARET A.Ş."]
    assert values(kap, Field.PERIOD) == ["half:2024-06-30"]
    assert values(kap, Field.PUBLISHED) == ["2024-08-12"]
    assert values(kap, Field.TITLE) == ["Finansal Rapor"]


def test_the_header_of_a_container_says_more_than_the_page() -> None:
    found = read("Some words.", details=[("form", "8-K"), ("company", "Kestrel, Inc."), ("filed", "2024-12-27")])

    assert values(found, Field.KIND) == ["current_report"]
    assert values(found, Field.ENTITY) == ["Kestrel, Inc."]
    assert values(found, Field.PUBLISHED) == ["2024-12-27"]


@pytest.mark.parametrize(
    "text",
    [
        "As defined in the agreement of the parties, see page 4.",
        "Nothing is said here of anything at all, in a line that is long enough to be read.",
        "Date: 03/04/2024",  # the third of April or the fourth of March
    ],
)
def test_what_is_not_said_stays_empty(text: str) -> None:
    assert {item.field for item in read(text)} <= {Field.TITLE}


@given(st.text(max_size=400), st.sampled_from(["en", "tr", ""]))
def test_evidence_is_always_words_of_the_page(text: str, language: str) -> None:
    for item in read(f"{text}\n{LEASE}\n{text}", language):
        if item.page:
            content = f"{text}\n{LEASE}\n{text}"[item.start : item.end]
            assert " ".join(content.split())[:240] == item.quote
            assert 50 <= item.confidence <= 100


@pytest.mark.parametrize(
    ("check", "right"),
    [
        (is_iban, "TR330006100519786457841326"),
        (is_iban, "DE89370400440532013000"),
        (is_isin, "US0378331005"),
        (is_isin, "TRAGARAN91N1"),
        (is_vkn, "1234567890"),
        (is_tckn, "10000000146"),
    ],
)
def test_check_digits_tell_one_wrong_digit(check: Any, right: str) -> None:
    assert check(right)
    position = max(index for index, c in enumerate(right) if c.isdigit())
    wrong = right[:position] + str((int(right[position]) + 1) % 10) + right[position + 1 :]
    assert not check(wrong)


def test_values_are_said_in_words() -> None:
    assert period_in_words("year:2024-12-31") == "Year to 31 December 2024"
    assert value_in_words("notice", "P90D") == "90 days"
    assert value_in_words("scale", "1000000") == "1,000,000"
    assert value_in_words("kind", "contract") == "Contract"


@pytest.mark.django_db(transaction=True)
def test_ingestion_stores_values_with_evidence_and_lists_filter_by_them(desk: Desk) -> None:
    lease = ingest(desk.member, desk.shared, "lease.txt", LEASE.encode())
    kap = ingest(desk.member, desk.shared, "kap.txt", KAP.encode())

    with tenant_context(desk.tenant_id):
        found = metadata_store.get_metadata(actor=desk.reader, document_id=lease.id)
        text = selectors.get_page(actor=desk.reader, document_id=lease.id, number=1).text

        def names(narrowed: DocumentFilter, order: DocumentOrder = DocumentOrder.NAME) -> list[str]:
            listed = selectors.list_documents(actor=desk.reader, narrowed=narrowed, order=order)
            return [item.name for item in listed.items]

        assert names(DocumentFilter(kind="contract")) == ["lease.txt"]
        assert names(DocumentFilter(entity="ışık TEKSTIL")) == ["kap.txt"]
        day = metadata_store._day("2024-06-30", Field.PERIOD)
        assert names(DocumentFilter(period_from=day, period_to=day)) == ["kap.txt"]
        assert names(DocumentFilter(language="tr")) == ["kap.txt"]
        assert names(DocumentFilter(), DocumentOrder.PERIOD) == ["kap.txt", "lease.txt"]
        with pytest.raises(NotFound):
            metadata_store.get_metadata(actor=desk.stranger, document_id=lease.id)

    [ends] = [value for value in found if value.field == "ends"]
    assert "2 March 2029" in text[ends.start : ends.end]
    assert kap.kind == "kap_disclosure"


@pytest.mark.django_db(transaction=True)
def test_a_persons_value_wins_both_stay_and_a_second_reading_keeps_it(desk: Desk, client: Client) -> None:
    document = ingest(desk.member, desk.shared, "kap.txt", KAP.encode())
    slug = slug_of(desk.tenant_id)
    address = reverse("documents:metadata", args=[slug, document.id])
    client.force_login(User.objects.get(id=desk.member.user_id))

    client.post(address, {"field": "entity", "value": "Işık Tekstil"})
    client.post(address, {"field": "period", "period_kind": "quarter", "period_end": "2024-06-30"})
    wrong = client.post(address, {"field": "published", "value": "last summer"})
    panel = client.get(reverse("documents:document", args=[slug, document.id]) + "?panel=metadata").content.decode()
    client.force_login(User.objects.get(id=desk.reader.user_id))
    refused = client.post(address, {"field": "entity", "value": "x"})

    assert (wrong.status_code, refused.status_code) == (400, 403)
    assert desk.member.name in panel
    with tenant_context(desk.tenant_id):
        before = metadata_store.get_metadata(actor=desk.reader, document_id=document.id)
        metadata_store.store_found(version_id=document.version_id, found=read(KAP, "tr"))  # read again
        found = metadata_store.get_metadata(actor=desk.reader, document_id=document.id)
        entities = [(value.value, value.is_used) for value in found if value.field == "entity"]
        listed = selectors.list_documents(actor=desk.reader, narrowed=DocumentFilter(entity="isik")).items
        with pytest.raises(NotAllowed):
            metadata_store.set_values(actor=desk.reader, document_id=document.id, field="entity", values=["x"])
        with pytest.raises(InputError):
            metadata_store.set_values(actor=desk.member, document_id=document.id, field="entity", values=["x", "y"])
        metadata_store.set_values(actor=desk.member, document_id=document.id, field="kind", values=[])
        emptied = selectors.summary(document_id=document.id)
        metadata_store.forget_values(actor=desk.member, document_id=document.id, field="kind")
        whole = selectors.summary(document_id=document.id)
        events = set(AuditEvent.objects.filter(object_id=document.id).values_list("action", flat=True))

    assert {value.field for value in before} == {value.field for value in found}
    assert entities == [("Işık Tekstil", True), ("IŞIK TEKSTİL SANAYİ VE TİCARET A.Ş.", False)]
    assert [(item.entity, item.period) for item in listed] == [("Işık Tekstil", "quarter:2024-06-30")]
    assert (emptied.kind, whole.kind) == ("", "kap_disclosure")
    assert {"document.metadata_set", "document.metadata_reset"} <= events


@pytest.mark.django_db(transaction=True)
def test_nothing_of_it_is_left_after_a_deletion(desk: Desk) -> None:
    from apps.documents import services
    from apps.documents.models import DocumentMetadata, DocumentVersion

    document = ingest(desk.member, desk.shared, "kap.txt", KAP.encode())
    with tenant_context(desk.tenant_id):
        services.delete_document(actor=desk.member, document_id=document.id)
    run_jobs(desk.tenant_id)

    with tenant_context(desk.tenant_id):
        assert not DocumentMetadata.objects.filter(version_id=document.version_id).exists()
        assert DocumentVersion.objects.get(id=document.version_id).entity == ""
