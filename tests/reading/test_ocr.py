"""Scans are read level, at their places, and what is doubtful is marked."""

import pytest
from PIL import Image

from apps.reading import codec, ocr
from apps.reading._pymupdf import pymupdf
from apps.reading.contracts import WAITING, ReadingError, ReadingFailure, WarningCode, Word
from apps.reading.geometry import Token
from apps.reading.ocr_image import levelled, skew_of
from apps.reading.pdf import PdfReader

LINES = ("Deposits of customers 81,250", "Loans to banks 12,940", "Bonds at fair value 7,315", "Total assets 101,505")
needs_recogniser = pytest.mark.skipif(not ocr.is_installed(), reason="no recogniser is installed")


def drawn() -> Image.Image:
    """A page of lines at 200 dpi, mode L."""
    document = pymupdf.open()
    page = document.new_page()
    for number, line in enumerate(LINES * 4):
        page.insert_text((70, 90 + 40 * number), line, fontsize=14)
    pixmap = page.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
    return Image.frombytes("L", (pixmap.width, pixmap.height), bytes(pixmap.samples))


def scan_of(image: Image.Image) -> bytes:
    document = pymupdf.open()
    page = document.new_page(width=image.width * 0.36, height=image.height * 0.36)
    pixmap = pymupdf.Pixmap(pymupdf.csGRAY, image.width, image.height, image.tobytes(), False)
    page.insert_image(page.rect, pixmap=pixmap)
    return bytes(document.tobytes())


def token(text: str) -> Token:
    return Token(text, 0, 0, 1, 1, (0, 0, 1, 1), 10, bold=False, run=0)


@pytest.mark.parametrize("angle", [-3.0, -1.2, 0.0, 0.6, 2.4])
def test_the_angle_of_a_slanted_page_is_found(angle: float) -> None:
    page = drawn().rotate(angle, expand=True, fillcolor=255)

    assert abs(skew_of(page) + angle) <= 0.15


def test_a_place_on_the_levelled_page_leads_back_to_the_page_as_scanned() -> None:
    page = drawn().rotate(2.0, expand=True, fillcolor=255)

    ready = levelled(page)

    middle = (
        ready.image.width / 2 - 5,
        ready.image.height / 2 - 5,
        ready.image.width / 2 + 5,
        ready.image.height / 2 + 5,
    )
    x0, y0, x1, y1 = ready.drawn(middle)
    assert abs((x0 + x1) / 2 - page.width / 2) < 1
    assert abs((y0 + y1) / 2 - page.height / 2) < 1
    assert abs(skew_of(ready.image)) <= 0.15


def test_numbers_grouped_by_another_sign_than_the_others_are_doubtful() -> None:
    tokens = [
        token(text)
        for text in ("1,234", "9,870", "12,555", "5.435", "4,12", "3,204,118", "7,001", "8,414", "2,110.550,1")
    ]

    marked = [t.text for t in ocr.with_doubts(tokens) if t.confidence < ocr.LOW_CONFIDENCE]

    assert marked == ["5.435", "2,110.550,1"]


def test_the_confidence_of_words_is_stored_with_them() -> None:
    words = (Word("1,234", 0, (1.0, 2.0, 3.0, 4.0), 61), Word("euro", 6, (4.0, 2.0, 6.0, 4.0)))

    assert codec.decode_words(codec.encode_words(words)) == words


@needs_recogniser
@pytest.mark.parametrize("angle", [0.0, 1.5])
def test_a_scan_is_read_on_demand_line_by_line(angle: float) -> None:
    reader = PdfReader(scan_of(drawn().rotate(angle, expand=True, fillcolor=255)))

    before, said = reader.pages(1, 1)[0]
    page, warnings = reader.recognise(1)

    assert before.text == ""
    assert [(w.code, w.detail) for w in said] == [(WarningCode.NO_TEXT_LAYER, WAITING)]
    assert WarningCode.TEXT_RECOGNISED in [w.code for w in warnings]
    text = " ".join(page.text.split())
    assert text.count("Deposits of customers 81,250") == 4
    assert text.count("Total assets 101,505") == 4
    assert all(page.text[word.start : word.end] == word.text for word in page.words)
    assert all(0 <= word.box[0] < word.box[2] <= page.width + 1 for word in page.words)


@needs_recogniser
def test_a_page_without_words_says_that_none_were_found() -> None:
    noise = Image.new("L", (800, 1000), 255)
    noise.paste(90, (300, 400, 520, 610))

    page, warnings = PdfReader(scan_of(noise)).recognise(1)

    assert page.text == ""
    assert [w.code for w in warnings] == [WarningCode.NO_TEXT_LAYER]


@pytest.mark.skipif(ocr.is_installed(), reason="a recogniser is installed")
def test_without_a_recogniser_the_page_says_so() -> None:
    reader = PdfReader(scan_of(drawn()))

    with pytest.raises(ReadingError) as caught:
        reader.recognise(1)

    assert caught.value.failure is ReadingFailure.UNSUPPORTED
