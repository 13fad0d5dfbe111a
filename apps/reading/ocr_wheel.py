"""Words of a picture by the recogniser that comes as a wheel with its models (rapidocr), where it is installed."""

import importlib
import importlib.metadata
import logging
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from PIL import Image

from apps.reading import normalise
from apps.reading.contracts import Box
from apps.reading.geometry import Token
from apps.reading.ocr_image import Prepared, levelled

_PACKAGE = "rapidocr"
_LONGEST_SIDE = 2200  # pixels: 200 dpi of a page; more costs time and finds nothing
_LEAST_SCORE = 0.3
_DETECTOR = {"Det.limit_type": "max", "Det.limit_side_len": 1600}  # half the memory of the full image


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
        ready = levelled(grey)  # smoothing would turn commas into points
        result = self.engine(np.asarray(ready.image.convert("RGB"))[:, :, ::-1], return_word_box=True, use_cls=False)
        return _tokens_of(result, points_per_pixel / factor, ready)


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
        params={**threads, **_DETECTOR, "Global.text_score": _LEAST_SCORE, "Global.log_level": "error"}
    )
    return WheelRecogniser(engine, importlib.metadata.version(_PACKAGE))


def _tokens_of(result: Any, scale: float, ready: Prepared) -> list[Token]:
    """Tokens as the engine found them; a run is one stretch of text of its detector.

    The engine's scores lie close to 1: their fourth power gives one threshold for both recognisers (.95 becomes 81).
    """
    tokens = []
    for run, words in enumerate(result.word_results or ()):
        for word, score, corners in words:
            cleaned = normalise.clean_word(str(word)).strip()
            if not cleaned:
                continue
            xs, ys = [float(corner[0]) for corner in corners], [float(corner[1]) for corner in corners]
            own = (min(xs), min(ys), max(xs), max(ys))
            size = round(0.8 * scale * (own[3] - own[1]), 1)
            confidence = round(100 * float(score) ** 4)
            layout, shown = _scaled(own, scale), _scaled(ready.drawn(own), scale)
            tokens.append(Token(cleaned, *layout, shown, size, bold=False, run=run, confidence=confidence))
    return tokens


def _scaled(box: Box, scale: float) -> Box:
    return box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale
