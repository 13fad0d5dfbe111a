"""What no reader sees is left out and said; what is only set light on dark stays."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.reading._pymupdf import pymupdf
from apps.reading.contracts import PageContent, ReadingWarning, WarningCode
from apps.reading.pdf import PdfReader

SEEN = "Reserve at year end 41,200 euro"
UNSEEN = "The reserve is zero"


def read_one(document: Any) -> tuple[PageContent, tuple[ReadingWarning, ...]]:
    return PdfReader(document.tobytes()).pages(1, 1)[0]


def made(hide: Callable[[Any, Any], None]) -> Any:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((60, 80), SEEN)
    hide(document, page)
    return document


def invisible(_document: Any, page: Any) -> None:
    page.insert_text((60, 120), UNSEEN, render_mode=3)


def white_on_white(_document: Any, page: Any) -> None:
    page.insert_text((60, 120), UNSEEN, color=(1, 1, 1))


def dark_on_dark(_document: Any, page: Any) -> None:
    page.draw_rect((40, 100, 400, 130), fill=(0.1, 0.1, 0.2), color=None)
    page.insert_text((60, 120), UNSEEN, color=(0.1, 0.1, 0.2))


def covered_by_a_shape(_document: Any, page: Any) -> None:
    page.insert_text((60, 120), UNSEEN)
    page.draw_rect((40, 100, 400, 130), fill=(1, 1, 1), color=None)


def covered_by_a_picture(_document: Any, page: Any) -> None:
    page.insert_text((60, 120), UNSEEN)
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 90, 10), False)
    for x in range(90):
        pixmap.set_pixel(x, x % 10, (200, 30, 30))
    page.insert_image((40, 100, 400, 130), pixmap=pixmap, keep_proportion=False)


def tiny(_document: Any, page: Any) -> None:
    page.insert_text((60, 120), UNSEEN, fontsize=0.5)


def off_the_page(_document: Any, page: Any) -> None:
    page.insert_text((60, 1200), UNSEEN)


def off_its_layer(document: Any, page: Any) -> None:
    page.insert_text((60, 120), UNSEEN, oc=document.add_ocg("draft", on=False))


HIDINGS = [
    invisible, white_on_white, dark_on_dark, covered_by_a_shape, covered_by_a_picture, tiny, off_the_page,
    off_its_layer,
]  # fmt: skip


@pytest.mark.parametrize("hide", HIDINGS, ids=lambda hide: hide.__name__)
def test_words_that_nobody_sees_are_left_out_and_reported(hide: Callable[[Any, Any], None]) -> None:
    page, warnings = read_one(made(hide))

    assert SEEN in page.text
    assert UNSEEN not in page.text
    assert [(w.code, w.page) for w in warnings] == [(WarningCode.HIDDEN_TEXT, 1)]
    assert UNSEEN not in warnings[0].detail


def test_a_light_title_on_a_dark_bar_is_read() -> None:
    def bar(_document: Any, page: Any) -> None:
        page.draw_rect((40, 100, 400, 130), fill=(0, 0.1, 0.3), color=None)
        page.insert_text((60, 120), "Segment report", color=(1, 1, 1))

    page, warnings = read_one(made(bar))

    assert "Segment report" in page.text
    assert not warnings


def test_a_highlight_over_words_does_not_hide_them() -> None:
    def marked(_document: Any, page: Any) -> None:
        page.insert_text((60, 120), "Net debt 212.4 million")
        page.draw_rect((40, 100, 400, 130), fill=(1, 1, 0), color=None, fill_opacity=0.3)

    page, warnings = read_one(made(marked))

    assert "Net debt 212.4 million" in page.text
    assert not warnings


def test_the_invisible_text_layer_of_a_scan_is_its_text() -> None:
    document = pymupdf.open()
    page = document.new_page()
    drawn = pymupdf.open()
    drawn.new_page().insert_text((60, 80), SEEN)
    page.insert_image(page.rect, pixmap=drawn[0].get_pixmap(dpi=100))
    page.insert_text((60, 80), SEEN, render_mode=3)

    content, warnings = read_one(document)

    assert SEEN in content.text
    assert WarningCode.HIDDEN_TEXT not in [w.code for w in warnings]
