"""Document lists stand in the order of the Turkish alphabet: the database sorts as Python does."""

import random

import pytest

from apps.core.collation import ordered, sort_key
from apps.documents import selectors
from apps.documents.contracts import DocumentOrder
from apps.documents.models import Document
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk
from tests.factories.documents import upload

NAMES = [
    "2024 özet",
    "cevher",
    "Ceviz",
    "Çam",
    "Gül",
    "Ihlamur",
    "ısı",
    "İğde",
    "iz",
    "Kâr",
    "karar",
    "Ördek",
    "Zeytin",
]


@pytest.mark.django_db(transaction=True)
def test_the_database_sorts_in_the_same_order(desk: Desk) -> None:
    for position, name in enumerate(random.Random(8).sample(NAMES, len(NAMES))):
        upload(desk.member, desk.shared, f"{name}.txt", f"number {position}".encode())

    with tenant_context(desk.tenant_id):
        stored = list(Document.objects.order_by(ordered("name"), "name").values_list("name", flat=True))
        listed = selectors.list_documents(actor=desk.reader, collection_id=desk.shared, order=DocumentOrder.NAME)

    assert stored == sorted(stored, key=sort_key)
    assert [item.name for item in listed.items] == stored
    assert [name.removesuffix(".txt") for name in stored] == NAMES
