"""PNG and JPEG as one page with its image: size checked before a pixel is decoded, upright by EXIF, words by OCR."""

import struct
from typing import Any

from apps.reading import ocr
from apps.reading._pymupdf import pymupdf
from apps.reading.contracts import (
    FileFacts,
    MediaType,
    PageContent,
    ReadingError,
    ReadingFailure,
    ReadingWarning,
    WarningCode,
)
from apps.reading.pdf import page_png, recognised_page

MAX_PIXELS = 80_000_000
_START_OF_FRAME = {0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}
_WITHOUT_LENGTH = {0x01, *range(0xD0, 0xD9)}


class ImageReader:
    """One opened picture."""

    def __init__(self, data: bytes, media_type: MediaType, *, name_differs: bool = False) -> None:
        width, height = png_size(data) if media_type is MediaType.PNG else jpeg_size(data)
        if width * height > MAX_PIXELS:
            raise ReadingError(ReadingFailure.TOO_LARGE, f"{width} × {height} pixels")
        self._media_type = media_type
        self._warnings = (ReadingWarning(WarningCode.NAME_DIFFERS, None, media_type.name),) if name_differs else ()
        try:
            self._document = pymupdf.open(stream=data, filetype="png" if media_type is MediaType.PNG else "jpg")
            self._page: Any = self._document[0]
            self._page.get_pixmap(matrix=pymupdf.Matrix(0.01, 0.01))  # a picture that cannot be decoded ends here
        except MemoryError:
            raise
        except Exception as exc:  # MuPDF raises its own, undocumented kinds
            raise ReadingError(ReadingFailure.DAMAGED, type(exc).__name__) from exc

    def facts(self) -> FileFacts:
        found = ocr.recogniser()
        reader = f"pymupdf {pymupdf.VersionBind}" + (f", {found.name}" if found else "")
        return FileFacts(self._media_type, 1, "", reader[:60], self._warnings)

    def pages(self, first: int, last: int) -> list[tuple[PageContent, tuple[ReadingWarning, ...]]]:
        """The one page, with the words that OCR finds or a warning that there are none."""
        return [recognised_page(self._page, 1)][: last - first + 1]

    def image(self, number: int, dpi: int) -> bytes:
        """PNG of the picture as shown; `dpi` counts 72 as the page's own points."""
        return page_png(self._document[number - 1], dpi)


def png_size(data: bytes) -> tuple[int, int]:
    """(width, height) of the header chunk. Raises ReadingError(DAMAGED)."""
    if len(data) < 33 or data[12:16] != b"IHDR":
        raise ReadingError(ReadingFailure.DAMAGED, "PNG header")
    width, height = struct.unpack(">II", data[16:24])
    return int(width), int(height)


def jpeg_size(data: bytes) -> tuple[int, int]:
    """(width, height) of the frame header. Raises ReadingError(DAMAGED)."""
    position = 2
    while position + 9 < len(data):
        if data[position] != 0xFF:
            break
        marker = data[position + 1]
        if marker == 0xFF or marker in _WITHOUT_LENGTH:
            position += 1 if marker == 0xFF else 2
            continue
        if marker in _START_OF_FRAME:
            height, width = struct.unpack(">HH", data[position + 5 : position + 9])
            return int(width), int(height)
        position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
    raise ReadingError(ReadingFailure.DAMAGED, "JPEG header")
