"""Seeds the demo through the product's own services; does nothing for an organisation that exists."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from apps.accounts import services as accounts
from apps.accounts.contracts import Actor, GrantLevel, Role
from apps.accounts.demo_people import DEMO_PASSWORD, DEMO_PEOPLE
from apps.accounts.models import User
from apps.accounts.selectors import actor_for, list_collections
from apps.demo.documents import lease, small, word, workbooks
from apps.demo.documents.annual_report import annual_report
from apps.demo.documents.policy import policy
from apps.demo.documents.turkish_report import turkish_report
from apps.documents import services as documents
from apps.providers.embedding import cache
from apps.tenants import audit
from apps.tenants.context import tenant_context
from apps.tenants.erasure import erase_organisation
from apps.tenants.models import Tenant

SLUGS = {"Meridyen Sigorta ve Leasing": "meridyen", "Harbour Research": "harbour"}


@dataclass(frozen=True, slots=True)
class DemoFile:
    name: str
    make: Callable[[], bytes]


REPORT_2024 = DemoFile("Meridyen Holding Annual Report 2024.pdf", lambda: annual_report(2024))
REPORT_2023 = DemoFile("Meridyen Holding Annual Report 2023.pdf", lambda: annual_report(2023))
POLICY = DemoFile("Commercial Property Policy MS-2024-118204.pdf", policy)
TURKISH_REPORT = DemoFile("Meridyen Finansal Kiralama 2024 Finansal Raporu.pdf", turkish_report)
CONTRACT = DemoFile(f"Finansal Kiralama Sözleşmesi {lease.CONTRACT}.docx", word.leasing_contract)
AMENDMENT = DemoFile(f"Ek Protokol 1 {lease.CONTRACT}.docx", word.amendment)
PLAN = DemoFile(f"Ödeme planı {lease.CONTRACT}.xlsx", workbooks.payment_plan)
LEDGER = DemoFile("Muavin defter 2024 Anadolu Lojistik.csv", small.ledger)
MAIL = DemoFile("Çekici ilavesi talebi.eml", small.mail)
CLAIM = DemoFile(f"Hasar Dosyası {lease.CLAIM}.docx", word.claim_file)
MINUTES = DemoFile(f"Ekspertiz tutanağı {lease.CLAIM}.png", small.scanned_page)
RELEASE = DemoFile("Meridyen Holding results 2024.html", small.press_release)
MODEL = DemoFile("Meridyen income model.xlsx", workbooks.analyst_model)

COLLECTIONS: dict[str, dict[str, tuple[DemoFile, ...]]] = {
    "meridyen": {
        "Grup raporları": (REPORT_2024, REPORT_2023, TURKISH_REPORT),
        "Poliçeler": (POLICY, CLAIM, MINUTES),
        "Kiralama dosyaları": (CONTRACT, AMENDMENT, PLAN, LEDGER, MAIL),
    },
    "harbour": {"Coverage: Meridyen": (REPORT_2024, REPORT_2023, RELEASE, MODEL)},
}
LEVELS = {
    Role.OWNER: GrantLevel.MANAGE,
    Role.ADMIN: GrantLevel.MANAGE,
    Role.ANALYST: GrantLevel.CONTRIBUTE,
    Role.VIEWER: GrantLevel.READ,
    Role.AUDITOR: GrantLevel.READ,
}


def seed_people() -> None:
    """Both demo organisations stand with people and collections; those that exist are left alone."""
    for name, slug in SLUGS.items():
        if not Tenant.objects.filter(slug=slug).exists():
            _seed_organisation(name, slug)


def seed_documents() -> None:
    """Each demo collection holds its documents, read by ordinary jobs. What was brought once is not brought again."""
    for name, slug in SLUGS.items():
        maker = _maker(name, slug)
        with tenant_context(maker.tenant_id):
            collections = {c.name: c.id for c in list_collections(actor=maker)}
            brought = {e.detail.get("name") for e in audit.list_events(limit=1000, action="document.uploaded")}
        for collection_name, files in COLLECTIONS[slug].items():
            collection_id = collections.get(collection_name)
            if collection_id is None:  # somebody removed it, or the demo is older than it: `demo-reset` brings it
                continue
            for file in files:
                if file.name in brought:
                    continue
                documents.receive_upload(actor=maker, collection_id=collection_id, name=file.name, chunks=[file.make()])


def remove() -> None:
    """The demo organisations, their files and people are gone. Needs the owner role."""
    for slug in SLUGS.values():
        tenant = Tenant.objects.filter(slug=slug, is_demo=True).first()
        if tenant is not None:
            erase_organisation(tenant_id=tenant.id)
            documents.forget_files(tenant_id=tenant.id)
            cache.forget_owner(tenant.id)
    User.objects.filter(is_demo=True).delete()


def _seed_organisation(name: str, slug: str) -> None:
    tenant_id = accounts.create_organisation(name=name, slug=slug, is_demo=True)
    people = [
        _seed_person(tenant_id, slug, person.email, person.name, Role(person.role))
        for person in DEMO_PEOPLE
        if person.organisation == name
    ]
    maker = next(actor for actor in people if actor.role in (Role.OWNER, Role.ADMIN))
    for collection_name in COLLECTIONS[slug]:
        _seed_collection(maker, collection_name, people)


def _maker(name: str, slug: str) -> Actor:
    """The demo organisation's owner or administrator."""
    for person in DEMO_PEOPLE:
        if person.organisation == name and person.role in (Role.OWNER, Role.ADMIN):
            user = User.objects.get(email=person.email)
            actor = actor_for(user_id=user.id, tenant_slug=slug)
            if actor is not None:
                return actor
    raise RuntimeError(f"{slug} has nobody who manages it")


def _seed_person(tenant_id: UUID, slug: str, email: str, name: str, role: Role) -> Actor:
    known = User.objects.filter(email=email).first()
    if known is None:
        user_id = accounts.create_person(email=email, name=name, password=DEMO_PASSWORD, is_demo=True)
    else:
        user_id = known.id
    accounts.add_member(tenant_id=tenant_id, user_id=user_id, role=role, added_by=None)
    actor = actor_for(user_id=user_id, tenant_slug=slug)
    if actor is None:
        raise RuntimeError(f"{email} is not a member of {slug}")
    return actor


def _seed_collection(maker: Actor, name: str, people: list[Actor]) -> UUID:
    with tenant_context(maker.tenant_id):
        collection_id = accounts.create_collection(actor=maker, name=name)
        for actor in people:
            if actor != maker:
                accounts.grant_access(
                    actor=maker, collection_id=collection_id, user_id=actor.user_id, level=LEVELS[actor.role]
                )
    return collection_id
