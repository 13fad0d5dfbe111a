"""Pages as viewers and citations see them."""

from typing import Any

import pytest

from apps.core.errors import NotFound
from apps.documents import images, selectors
from apps.tenants import audit
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk
from tests.factories.documents import ingest

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_cited_stretch_has_a_box_on_the_page(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "labels.pdf")

    with tenant_context(desk.tenant_id):
        page = selectors.get_page(actor=desk.reader, document_id=document.id, number=5)
        start = page.text.index("64.2 million")
        boxes = selectors.boxes_for_span(
            actor=desk.reader, document_id=document.id, number=5, start=start, end=start + len("64.2 million")
        )

    assert page.label == "2"
    assert len(boxes) == 1
    x0, y0, x1, y1 = boxes[0]
    assert 0 < x0 < x1 < page.width
    assert 0 < y0 < y1 < page.height


def test_a_stretch_over_lines_has_one_box_a_line(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "ligatures.pdf")

    with tenant_context(desk.tenant_id):
        text = selectors.get_page(actor=desk.reader, document_id=document.id, number=1).text
        boxes = selectors.boxes_for_span(actor=desk.reader, document_id=document.id, number=1, start=0, end=len(text))

    tops = [box[1] for box in boxes]
    assert len(boxes) == 5  # printed lines
    assert tops == sorted(tops)


def test_viewing_is_recorded_once_a_minute(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "ops.txt")

    with tenant_context(desk.tenant_id):
        for _ in range(3):
            selectors.get_page(actor=desk.reader, document_id=document.id, number=1)
        events = audit.list_events(limit=10, action="document.viewed")

    assert [(event.actor_id, event.object_id) for event in events] == [(desk.reader.user_id, document.id)]


def test_page_images_are_drawn_cached_encrypted_and_only_for_readers(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "labels.pdf")
    try:
        first = selectors.page_image(actor=desk.reader, document_id=document.id, number=1, dpi=60)
        images.close_warm()
        again = selectors.page_image(actor=desk.reader, document_id=document.id, number=1, dpi=72)
    finally:
        images.close_warm()

    assert first.startswith(b"\x89PNG")
    assert again == first
    cached = images._directory(desk.tenant_id, document.version_id) / "1-72.png"
    assert not cached.read_bytes().startswith(b"\x89PNG")
    for number, actor in ((1, desk.stranger), (99, desk.reader)):
        with pytest.raises(NotFound):
            selectors.page_image(actor=actor, document_id=document.id, number=number, dpi=72)


def test_the_image_cache_stays_under_its_cap(desk: Desk, settings: Any) -> None:
    document = ingest(desk.member, desk.shared, "labels.pdf")
    settings.PAGE_IMAGE_CACHE_BYTES = 1
    try:
        selectors.page_image(actor=desk.reader, document_id=document.id, number=1, dpi=72)
    finally:
        images.close_warm()

    assert not list(images._directory(desk.tenant_id, document.version_id).glob("*.png"))


def test_the_original_comes_back_byte_for_byte(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "ops.txt")

    with tenant_context(desk.tenant_id):
        file = selectors.original(actor=desk.reader, document_id=document.id)
        data = b"".join(file.chunks)

    assert b"O'Brien" in data
    assert len(data) == file.size


def test_pages_for_answers_carry_blocks_and_tables(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "loan_book.pdf")

    with tenant_context(desk.tenant_id):
        pages = selectors.read_pages(version_id=document.version_id, numbers=[2, 99])

    assert [page.number for page in pages] == [2]
    row = next(row for row in pages[0].tables[0].rows if row.label == "Branch 077")
    assert pages[0].text[row.start : row.end] == "Branch 077 3,849 3,287"
