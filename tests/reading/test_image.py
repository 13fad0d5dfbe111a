"""Pictures: sizes before decoding, upright by EXIF, words by OCR when there is a recogniser."""

import pytest

from apps.reading import ocr
from apps.reading._pymupdf import pymupdf
from apps.reading.contracts import MediaType, ReadingError, ReadingFailure, WarningCode
from apps.reading.image import ImageReader, jpeg_size, png_size

TURN_RIGHT = (
    b"\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"
    b"\x00\x00\x00\x00"
)


def picture(kind: str) -> bytes:
    page = pymupdf.open().new_page(width=400, height=300)
    page.insert_text((30, 60), "Invoice total 47,310.00 EUR", fontsize=20)
    return bytes(page.get_pixmap(dpi=144).tobytes(kind))


def test_sizes_come_from_the_headers() -> None:
    assert png_size(picture("png")) == (800, 600)
    assert jpeg_size(picture("jpg")) == (800, 600)


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n", picture("png")[:900]])
def test_a_broken_picture_is_damaged(data: bytes) -> None:
    with pytest.raises(ReadingError) as caught:
        ImageReader(data, MediaType.PNG)

    assert caught.value.failure is ReadingFailure.DAMAGED


def test_a_picture_stands_upright_as_its_camera_said() -> None:
    jpeg = picture("jpg")
    turned = ImageReader(jpeg[:2] + TURN_RIGHT + jpeg[2:], MediaType.JPEG).pages(1, 1)[0][0]
    upright = ImageReader(jpeg, MediaType.JPEG).pages(1, 1)[0][0]

    assert upright.width > upright.height
    assert (turned.width, turned.height) == (upright.height, upright.width)


def test_a_picture_is_read_by_ocr_or_says_that_it_is_not() -> None:
    [(page, warnings)] = ImageReader(picture("png"), MediaType.PNG).pages(1, 1)

    if ocr.recogniser() is None:
        assert [w.code for w in warnings] == [WarningCode.NO_TEXT_LAYER]
        assert page.text == ""
    else:
        assert [w.code for w in warnings] == [WarningCode.TEXT_RECOGNISED]
        assert "47,310.00" in page.text


def test_recognised_words_have_boxes_in_points_and_unsure_ones_are_left_out() -> None:
    tsv = "\n".join([
        "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext",
        "4\t1\t1\t1\t1\t0\t100\t50\t600\t40\t-1\t",
        "5\t1\t1\t1\t1\t1\t100\t60\t200\t30\t96.1\tToplam",
        "5\t1\t1\t1\t1\t2\t320\t50\t180\t40\t91.0\t12.500",
        "5\t1\t1\t1\t1\t3\t520\t50\t180\t40\t11.0\t~|",
    ])  # fmt: skip

    tokens = ocr.tokens_of(tsv, 0.5)

    assert [(token.text, token.box) for token in tokens] == [
        ("Toplam", (50.0, 25.0, 150.0, 45.0)),
        ("12.500", (160.0, 25.0, 250.0, 45.0)),
    ]
