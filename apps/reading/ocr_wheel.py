"""Words of a picture by the recogniser that comes as a wheel with its models (rapidocr), where it is installed."""

import importlib
import importlib.metadata
import logging
from dataclasses import dataclass
from functools import cache
from math import radians, tan
from typing import Any

import numpy as np
from PIL import Image

from apps.reading import normalise
from apps.reading.contracts import Box
from apps.reading.geometry import Token
from apps.reading.ocr_image import skew_of, turned

_PACKAGE = "rapidocr"
_LONGEST_SIDE = 2200  # pixels: 200 dpi of a page; more costs time and finds nothing
_LEAST_SCORE = 0.3
_ENGINE = {
    "Det.limit_type": "max",
    "Det.limit_side_len": 1600,  # half the memory of the full image
    "Rec.rec_img_shape": [3, 48, 128],  # the least width to which a stretch is padded: figures are short
}


@dataclass(frozen=True, slots=True)
class WheelRecogniser:
    """PP-OCR models in ONNX form, on one thread."""

    engine: Any
    version: str

    @property
    def name(self) -> str:
        return f"{_PACKAGE} {self.version}"

    def tokens(self, grey: Image.Image, points_per_pixel: float) -> list[Token]:
        """Words with boxes in points and a confidence, lines level; [] when it finds none."""
        factor = min(1.0, _LONGEST_SIDE / max(grey.size))
        if factor < 1.0:
            grey = grey.resize((round(grey.width * factor), round(grey.height * factor)), Image.Resampling.LANCZOS)
        result = self.engine(np.asarray(grey.convert("RGB")), return_word_box=True, use_cls=False)
        return _tokens_of(result, points_per_pixel / factor, skew_of(grey), grey.size)


@cache
def wheel_recogniser() -> WheelRecogniser | None:
    """The wheel's engine, None when it is not installed. Loading takes about a second."""
    try:
        library = importlib.import_module(_PACKAGE)
    except ImportError:
        return None
    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    threads = {f"EngineConfig.onnxruntime.{kind}_op_num_threads": 1 for kind in ("intra", "inter")}
    engine = library.RapidOCR(
        params={**threads, **_ENGINE, "Global.text_score": _LEAST_SCORE, "Global.log_level": "error"}
    )
    return WheelRecogniser(engine, importlib.metadata.version(_PACKAGE))


def _tokens_of(result: Any, scale: float, angle: float, size: tuple[int, int]) -> list[Token]:
    """Tokens as the engine found them; a run is one stretch of text of its detector. The engine follows slanted lines
    itself, and turning the image would blur commas to points: only the places are levelled.

    The engine's scores lie close to 1: their fourth power gives one threshold for both recognisers (.95 becomes 81).
    """
    tokens = []
    for run, words in enumerate(result.word_results or ()) if result.txts else ():
        for word, score, corners in words:
            cleaned = normalise.clean_word(str(word)).strip()
            if not cleaned:
                continue
            xs, ys = [float(corner[0]) for corner in corners], [float(corner[1]) for corner in corners]
            middle_y = sum(ys) / len(ys)
            height = max(1.0, max(ys) - min(ys) - (max(xs) - min(xs)) * abs(tan(radians(angle))))
            own = (min(xs), middle_y - height / 2, max(xs), middle_y + height / 2)
            size_pt = round(0.8 * scale * height, 1)
            confidence = round(100 * float(score) ** 4)
            layout, shown = _scaled(turned(own, -angle, size, size), scale), _scaled(own, scale)
            tokens.append(Token(cleaned, *layout, shown, size_pt, bold=False, run=run, confidence=confidence))
    return tokens


def _scaled(box: Box, scale: float) -> Box:
    return box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale
