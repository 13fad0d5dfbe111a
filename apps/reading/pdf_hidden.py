"""Text of a PDF page that no reader sees: invisible mode, the colour of its ground, covered, tiny, off the page, off
its layer. Found by cheap signs of the drawing order; the page's own image decides where a sign can be innocent.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.reading._pymupdf import pymupdf

_FILLED_OR_STROKED = 16 | 32
_FAINT_ALPHA = 20  # of 255
_TINY_PT = 1.5
_LIGHT = 225  # luminance of 255 from which a colour may vanish on paper
_DPI = 100
_LEAST_CONTRAST = 20  # of 255, between the darkest and the lightest pixel of a letter's place
_LEAST_SHARE = 0.3  # of the letters' places that must show something
_SCAN_SHARE = 0.5  # of the page that an image covers when invisible words over it are its own text layer
_MOST_COVERS = 2000

Boxes = NDArray[np.float64]  # n × 4: x0, y0, x1, y1


class Hiding(StrEnum):
    """Why words are not seen."""

    INVISIBLE = "invisible"
    SAME_COLOUR = "same colour"
    COVERED = "covered"
    TINY = "tiny"
    OFF_PAGE = "off page"
    OFF_LAYER = "off layer"


@dataclass(slots=True)
class PageInk:
    """What the page's drawing tells about its text; made once a page, its image only when a span is in doubt."""

    page: Any
    over: Boxes = field(default_factory=lambda: np.empty((0, 4)))  # text boxes that something was drawn upon
    under_image: Boxes = field(default_factory=lambda: np.empty((0, 4)))  # text boxes under a later, opaque image
    on_fill: Boxes = field(default_factory=lambda: np.empty((0, 4)))  # text boxes on an earlier fill
    off_page: int = 0  # pieces of text outside the page
    is_scan: bool = False  # an image covers most of the page
    image: NDArray[np.uint8] | None = None
    fills: tuple[Boxes, NDArray[np.float64]] | None = None

    def hiding(self, span: dict[str, Any]) -> Hiding | None:
        """Why a reader does not see this span of MuPDF's dictionary; None when it is seen or in doubt."""
        box = span["bbox"]
        alpha, flags = span.get("alpha", 255), span.get("char_flags", _FILLED_OR_STROKED)
        if alpha < _FAINT_ALPHA or not flags & _FILLED_OR_STROKED:
            return None if self.is_scan else Hiding.INVISIBLE
        if span["size"] < _TINY_PT and min(box[3] - box[1], box[2] - box[0]) < 2 * _TINY_PT:
            return Hiding.TINY
        if self.under_image.size and not self.is_scan and _inside_any(box, self.under_image):
            return Hiding.COVERED
        if self.over.size and _inside_any(box, self.over) and not self._shows(box):
            return None if self.is_scan else Hiding.COVERED
        luminance = _luminance(span["color"])
        in_doubt = luminance >= _LIGHT or (self.on_fill.size and self._same_as_fill(box, luminance))
        if in_doubt and not self._shows(box):
            return Hiding.SAME_COLOUR
        return None

    def _same_as_fill(self, box: tuple[float, ...], luminance: int) -> bool:
        if not _inside_any(box, self.on_fill):
            return False
        if self.fills is None:
            self.fills = _filled_areas(self.page)
        areas, colours = self.fills
        near = colours[_holding(box, areas)]
        return bool((np.abs(near - luminance) < 2 * _LEAST_CONTRAST).any())

    def _shows(self, box: tuple[float, ...]) -> bool:
        """Whether the page's image has contrast where the span's letters stand."""
        if self.image is None:
            self.image = _grey(self.page)
        scale = _DPI / 72
        rect = pymupdf.Rect(box) * self.page.rotation_matrix
        x0, y0, x1, y1 = (max(0, int(value * scale)) for value in rect)
        part = self.image[y0 : y1 + 1, x0 : x1 + 1]
        if part.size == 0:
            return False
        if part.shape[0] > part.shape[1]:
            part = part.T
        trim = part.shape[0] // 5  # rules stand at the edges of a line's box
        part = part[trim : part.shape[0] - trim]
        step = max(4, part.shape[0] // 2)
        cells = [part[:, left : left + step] for left in range(0, part.shape[1], step)]
        shown = sum(1 for cell in cells if int(cell.max()) - int(cell.min()) >= _LEAST_CONTRAST)
        return shown >= _LEAST_SHARE * len(cells)


def ink_of(page: Any) -> PageInk:
    """The page's drawing order, looked through once (about 3 ms a page of a 10-K)."""
    ink = PageInk(page)
    log = page.get_bboxlog()
    texts = np.array([box for kind, box in log if kind in ("fill-text", "stroke-text")], dtype=float).reshape(-1, 4)
    order = np.array([i for i, (kind, _box) in enumerate(log) if kind in ("fill-text", "stroke-text")])
    width, height = page.cropbox.width, page.cropbox.height
    images = [box for kind, box in log if kind.startswith("fill-im")]
    ink.is_scan = any(_area(box) >= _SCAN_SHARE * width * height for box in images)
    if not len(texts):
        return ink
    outside = (texts[:, 2] < 0) | (texts[:, 3] < 0) | (texts[:, 0] > width) | (texts[:, 1] > height)
    ink.off_page = int(outside.sum())
    painted = [
        (i, kind, box)
        for i, (kind, box) in enumerate(log)
        if kind in ("fill-path", "fill-image", "fill-shade") and box[2] - box[0] > 4 and box[3] - box[1] > 4
    ]
    painted.sort(key=lambda item: -_area(item[2]))
    over, image, under = (np.zeros(len(texts), dtype=bool) for _ in range(3))
    for index, kind, box in painted[:_MOST_COVERS]:
        inside = _mostly_inside(texts, box)
        later = inside & (order < index)
        over |= later
        if kind == "fill-image":
            image |= later
        under |= inside & (order > index)
    ink.over, ink.on_fill = texts[over], texts[under]
    if image.any():
        opaque = [info["bbox"] for info in page.get_image_info() if not info.get("has-mask")]
        hit = np.zeros(len(texts), dtype=bool)
        for box in opaque:
            hit |= _mostly_inside(texts, box)
        ink.under_image = texts[image & hit]
    return ink


def has_hidden_layers(document: Any) -> bool:
    return bool(_layers_off(document))


def has_text_on_hidden_layers(document: Any, page_number: int) -> bool:
    """Whether switching every layer on gives the page (from 0) more text. The document is left as it was."""
    off = _layers_off(document)
    shown = len(document[page_number].get_text("text"))
    try:
        for number in off:
            document.set_layer_ui_config(number, pymupdf.PDF_OC_ON)
        return len(document[page_number].get_text("text")) > shown + 1
    finally:
        for number in off:
            document.set_layer_ui_config(number, pymupdf.PDF_OC_OFF)


def _layers_off(document: Any) -> list[int]:
    layers = document.layer_ui_configs()
    return [layer["number"] for layer in layers if layer["type"] != "label" and not layer["on"]]


def _grey(page: Any) -> NDArray[np.uint8]:
    scale = _DPI / 72
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csGRAY, alpha=False)
    pixels = np.frombuffer(pixmap.samples, dtype=np.uint8)
    return pixels.reshape(pixmap.height, pixmap.stride)[:, : pixmap.width]


def _filled_areas(page: Any) -> tuple[Boxes, NDArray[np.float64]]:
    """Filled shapes of some size, and the luminance of each one's colour."""
    areas, colours = [], []
    for drawing in page.get_cdrawings():
        colour, rect = drawing.get("fill"), drawing["rect"]
        if colour is not None and rect[2] - rect[0] > 4 and rect[3] - rect[1] > 4:
            red, green, blue = colour[:3] if len(colour) >= 3 else (colour[0],) * 3
            areas.append(rect)
            colours.append(255 * (0.299 * red + 0.587 * green + 0.114 * blue))
    return np.array(areas, dtype=float).reshape(-1, 4), np.array(colours, dtype=float)


def _luminance(colour: int) -> int:
    return round(0.299 * (colour >> 16 & 255) + 0.587 * (colour >> 8 & 255) + 0.114 * (colour & 255))


def _area(box: tuple[float, ...]) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _mostly_inside(boxes: Boxes, cover: tuple[float, ...]) -> NDArray[np.bool_]:
    """Which boxes lie in the cover with nine tenths of their area."""
    width = np.minimum(boxes[:, 2], cover[2]) - np.maximum(boxes[:, 0], cover[0])
    height = np.minimum(boxes[:, 3], cover[3]) - np.maximum(boxes[:, 1], cover[1])
    own = np.maximum((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), 1e-6)
    inside: NDArray[np.bool_] = np.clip(width, 0, None) * np.clip(height, 0, None) >= 0.9 * own
    return inside


def _inside_any(box: tuple[float, ...], boxes: Boxes) -> bool:
    return bool(_holding(box, boxes).any())


def _holding(box: tuple[float, ...], boxes: Boxes) -> NDArray[np.bool_]:
    """Which boxes hold the middle of a box."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    held: NDArray[np.bool_] = (boxes[:, 0] <= x) & (x <= boxes[:, 2]) & (boxes[:, 1] <= y) & (y <= boxes[:, 3])
    return held
