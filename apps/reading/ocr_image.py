"""A scanned page made ready for recognition: grey, upright to a tenth of a degree, specks gone. Pure functions."""

import io
from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from apps.reading.contracts import Box

_SKEW_WIDTH = 700  # pixels of the small copy in which the angle is looked for
_STEEPEST = 6.0  # degrees
_LEAST_SKEW = 0.15  # degrees below which turning would only blur
_NOISY = 6.0  # mean grey difference to the median of the neighbours, of 255


@dataclass(frozen=True, slots=True)
class Prepared:
    """The image that is read, and the way back from its pixels to those of the page as drawn."""

    image: Image.Image
    angle: float  # degrees that the page was turned counter-clockwise
    size: tuple[int, int]  # of the page as drawn

    def png(self) -> bytes:
        out = io.BytesIO()
        self.image.save(out, "PNG", compress_level=1)
        return out.getvalue()

    def drawn(self, box: Box) -> Box:
        """The box of the page as drawn that has the size of a box of the image, at its turned-back middle."""
        return turned(box, self.angle, self.image.size, self.size) if self.angle else box


def turned(box: Box, angle: float, size: tuple[int, int], other: tuple[int, int]) -> Box:
    """A box of an image of `size` at its place in one of size `other` that was turned clockwise by `angle` degrees."""
    turn = radians(angle)
    x, y = (box[0] + box[2]) / 2 - size[0] / 2, (box[1] + box[3]) / 2 - size[1] / 2
    middle_x = x * cos(turn) - y * sin(turn) + other[0] / 2
    middle_y = x * sin(turn) + y * cos(turn) + other[1] / 2
    half_x, half_y = (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
    return middle_x - half_x, middle_y - half_y, middle_x + half_x, middle_y + half_y


def smoothed(grey: Image.Image) -> Image.Image:
    """The page without specks, when it is noisy; a clean one stays as it is. `grey`: mode L, dark on light."""
    return grey.filter(ImageFilter.MedianFilter(3)) if _noise(grey) > _NOISY else grey


def levelled(grey: Image.Image) -> Prepared:
    """The page with its lines of text level."""
    angle = skew_of(grey)
    if abs(angle) < _LEAST_SKEW:
        return Prepared(grey, 0.0, grey.size)
    turned = grey.rotate(angle, resample=Image.Resampling.BICUBIC, expand=True, fillcolor=_paper(grey))
    return Prepared(turned, angle, grey.size)


def skew_of(grey: Image.Image) -> float:
    """Degrees counter-clockwise that bring lines of text level: where the rows of pixels differ most in ink."""
    factor = _SKEW_WIDTH / max(grey.width, 1)
    small = grey.resize((_SKEW_WIDTH, max(1, round(grey.height * factor))), Image.Resampling.BOX)
    ink = 255.0 - np.asarray(small, dtype=np.float32)
    ink = np.where(ink > ink.mean() + 20, ink, 0.0).astype(np.float32)
    if not ink.any():
        return 0.0
    best, step = 0.0, 0.5
    span = np.arange(-_STEEPEST, _STEEPEST + step, step)
    for _round in range(3):
        scores = [_levelness(ink, float(angle)) for angle in span]
        best = float(span[int(np.argmax(scores))])
        step /= 4
        span = best + step * np.arange(-4, 5)
    return round(best, 2) if abs(best) < _STEEPEST else 0.0


def _levelness(ink: NDArray[np.float32], angle: float) -> float:
    """Energy of the profile of rows after a shear by the angle."""
    height, width = ink.shape
    shift = np.round(np.arange(width) * np.tan(radians(angle))).astype(int)
    rows = np.arange(height)[:, None] - (shift - shift[width // 2])[None, :]
    inside = (rows >= 0) & (rows < height)
    profile = np.bincount(rows[inside], weights=ink[inside], minlength=height)
    return float((np.diff(profile) ** 2).sum())


def _noise(grey: Image.Image) -> float:
    """Mean difference between pixels and the median of their neighbours, on the paper."""
    middle = grey.crop((grey.width // 4, grey.height // 4, 3 * grey.width // 4, 3 * grey.height // 4))
    smooth = np.asarray(middle.filter(ImageFilter.MedianFilter(3)), dtype=np.int16)
    return float(
        np.abs(np.asarray(middle, dtype=np.int16) - smooth)[smooth > 150].mean() if (smooth > 150).any() else 0
    )


def _paper(grey: Image.Image) -> int:
    return int(np.percentile(np.asarray(grey.resize((64, 64))), 80))
