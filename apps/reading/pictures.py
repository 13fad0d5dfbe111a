"""GIF, BMP, TIFF, WebP: every page of the file as a picture, decoded by Pillow one at a time, then read as a PNG is.

Sizes are checked before a pixel is decoded. Of an animation only the first frame is a page.
"""

import io
from dataclasses import replace
from functools import lru_cache

from PIL import Image, ImageOps

from apps.reading.contracts import (
    FileFacts,
    MediaType,
    PageContent,
    ReadingError,
    ReadingFailure,
    ReadingWarning,
    WarningCode,
)
from apps.reading.image import MAX_PIXELS, ImageReader

MAX_FRAMES = 2_000
_FORMATS = {MediaType.GIF: "GIF", MediaType.BMP: "BMP", MediaType.TIFF: "TIFF", MediaType.WEBP: "WEBP"}
_PLAIN_MODES = ("1", "L", "RGB")
Content = tuple[PageContent, tuple[ReadingWarning, ...]]

Image.MAX_IMAGE_PIXELS = None  # the limit below is checked before anything is decoded


class PictureReader:
    """One opened picture file."""

    def __init__(self, data: bytes, media_type: MediaType, *, name_differs: bool = False) -> None:
        self._data = data
        self._media_type = media_type
        try:
            self._file = Image.open(io.BytesIO(data), formats=(_FORMATS[media_type],))
            frames = getattr(self._file, "n_frames", 1) if media_type is MediaType.TIFF else 1
        except MemoryError:
            raise
        except Exception as exc:  # Pillow raises undocumented kinds for damaged files
            raise ReadingError(ReadingFailure.DAMAGED, type(exc).__name__) from exc
        self._refuse_large()
        warnings = [ReadingWarning(WarningCode.NAME_DIFFERS, None, media_type.name)] if name_differs else []
        if frames > MAX_FRAMES:
            warnings.append(ReadingWarning(WarningCode.CONTENT_CUT, None, "pages"))
        self._count = min(frames, MAX_FRAMES)
        self._warnings = tuple(warnings)
        self._frame = lru_cache(maxsize=1)(self._opened)

    def facts(self) -> FileFacts:
        inner = self._frame(1).facts()
        return FileFacts(self._media_type, self._count, "", inner.reader, self._warnings)

    def pages(self, first: int, last: int) -> list[Content]:
        """Pages first … last with the words that OCR finds, or a warning that there are none."""
        return [self._page(number) for number in range(first, last + 1)]

    def image(self, number: int, dpi: int) -> bytes:
        """PNG of a page as shown."""
        return self._frame(number).image(1, dpi)

    def _page(self, number: int) -> Content:
        content, warnings = self._frame(number).pages(1, 1)[0]
        return replace(content, number=number), tuple(replace(warning, page=number) for warning in warnings)

    def _opened(self, number: int) -> ImageReader:
        """The page as a PNG in memory. Raises ReadingError(DAMAGED, TOO_LARGE)."""
        try:
            self._file.seek(number - 1)
            self._refuse_large()
            upright = ImageOps.exif_transpose(self._file)
            plain = upright if upright.mode in _PLAIN_MODES else _flat(upright)
            out = io.BytesIO()
            plain.save(out, "PNG", compress_level=1, dpi=_resolution(self._file))
        except (MemoryError, ReadingError):
            raise
        except Exception as exc:  # Pillow raises undocumented kinds for damaged files
            raise ReadingError(ReadingFailure.DAMAGED, type(exc).__name__) from exc
        return ImageReader(out.getvalue(), MediaType.PNG)

    def _refuse_large(self) -> None:
        width, height = self._file.size
        if width * height > MAX_PIXELS:
            raise ReadingError(ReadingFailure.TOO_LARGE, f"{width} × {height} pixels")


def _flat(picture: Image.Image) -> Image.Image:
    """On white where it is transparent: words must not vanish into black."""
    full = picture.convert("RGBA")
    ground = Image.new("RGBA", full.size, "white")
    ground.alpha_composite(full)
    return ground.convert("RGB")


def _resolution(picture: Image.Image) -> tuple[float, float]:
    """Dots per inch as the file says, 96 where it says nothing that can be."""
    said = picture.info.get("dpi") or (96, 96)
    try:
        across, down = float(said[0]), float(said[1])
    except (TypeError, ValueError, IndexError):
        return 96.0, 96.0
    return (across, down) if 30 <= across <= 2400 and 30 <= down <= 2400 else (96.0, 96.0)
