"""Words of a picture: by the wheel's recogniser where it is installed, else by Tesseract. Runs in the reading child.

Measured (docs/benchmarks.md): the wheel reads every number of clean scans, Tesseract does not.
"""

import csv
import importlib.util
import io
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Protocol

from PIL import Image

from apps.reading import normalise
from apps.reading.geometry import Token
from apps.reading.ocr_image import Prepared, levelled, smoothed
from apps.reading.ocr_wheel import wheel_recogniser

WANTED = ("eng", "tur")
DPI = 300
LOW_CONFIDENCE = 80  # percent: words below it are marked; see docs/benchmarks.md
_SPECK_CONFIDENCE = 40  # marks without a letter or digit below it are dirt
_DOUBTFUL_PAGE = 55  # percent, mean of a page: perhaps it lies on its side
_ODD_CONFIDENCE = 50  # percent, of a number whose signs do not fit the page
_GROUPED = {sign: re.compile(rf"^\D?\d{{1,3}}(?:{re.escape(sign)}\d{{3}})+\D*$") for sign in ",."}
_MIXED = re.compile(r"\d{1,3}(?:,\d{3}\.\d{3}|\.\d{3},\d{3})(?!\d)")
_TIMEOUT_S = 50
_TURN = re.compile(r"Rotate: (\d+)")


class Recogniser(Protocol):
    """What reads a picture."""

    @property
    def name(self) -> str: ...

    def tokens(self, grey: Image.Image, points_per_pixel: float) -> list[Token]: ...


@dataclass(frozen=True, slots=True)
class Tesseract:
    """The program that is installed, and which of the wanted languages it knows."""

    program: str
    languages: tuple[str, ...]
    version: str
    has_orientation: bool = False

    @property
    def name(self) -> str:
        return f"tesseract {self.version}"

    def tokens(self, grey: Image.Image, points_per_pixel: float) -> list[Token]:
        """Words with boxes in points and a confidence, lines level; [] when it finds none or fails.

        `grey`: mode L. Layout boxes are those of the upright page, `Token.box` lies on the page as drawn.
        """
        ready = levelled(smoothed(grey))
        tokens = self._read(ready, points_per_pixel)
        if self.has_orientation and _mean_confidence(tokens) < _DOUBTFUL_PAGE:
            turn = self._turn(ready)
            if turn:
                turned = levelled(ready.image.rotate(-turn, expand=True, fillcolor=255))
                better = self._read(turned, points_per_pixel)
                if _mean_confidence(better) > _mean_confidence(tokens):
                    width, height = grey.width * points_per_pixel, grey.height * points_per_pixel
                    return [_turned_back(token, turn, width, height) for token in better]
        return tokens

    def _read(self, ready: Prepared, points_per_pixel: float) -> list[Token]:
        command = [self.program, "stdin", "stdout", "-l", "+".join(self.languages), "--dpi", str(DPI), "tsv"]
        output = _output(command, ready.png())
        return tokens_of(output, points_per_pixel, ready) if output else []

    def _turn(self, ready: Prepared) -> int:
        """Degrees clockwise that would bring the page upright: 0, 90, 180 or 270."""
        found = _TURN.search(_output([self.program, "stdin", "stdout", "--psm", "0"], ready.png()))
        return int(found[1]) if found else 0


def recogniser() -> Recogniser | None:
    """The best one that is installed, else None."""
    return wheel_recogniser() or tesseract()


def is_installed() -> bool:
    """Whether `recogniser()` gives one; nothing is loaded for the answer."""
    return importlib.util.find_spec("rapidocr") is not None or tesseract() is not None


@cache
def tesseract() -> Tesseract | None:
    """Tesseract with at least one wanted language, else None. Asked once in a child."""
    program = shutil.which("tesseract")
    if program is None:
        return None
    try:
        listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, timeout=20, check=False)
        version = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    known = set((listed.stdout + listed.stderr).split())
    languages = tuple(language for language in WANTED if language in known)
    said = (version.stdout + version.stderr).split()
    return Tesseract(program, languages, said[1] if len(said) > 1 else "", "osd" in known) if languages else None


def with_doubts(tokens: list[Token]) -> list[Token]:
    """Numbers grouped by another sign than most others of the page ("5.435" among "1,234") are doubtful."""
    grouped = {sign: [t for t in tokens if _GROUPED[sign].search(t.text)] for sign in _GROUPED}
    few, many = sorted(grouped.values(), key=len)
    mixed = [token for token in tokens if _MIXED.search(token.text)]
    doubtful = few if 6 * len(few) <= len(many) else few + many
    for token in mixed + doubtful:
        token.confidence = min(token.confidence, _ODD_CONFIDENCE)
    return tokens


def tokens_of(tsv: str, points_per_pixel: float, ready: Prepared | None = None) -> list[Token]:
    """Tokens from Tesseract's TSV (levels 4 line, 5 word; boxes in pixels, confidence 0 … 100).

    All words of a line get the line's height: a word without tall letters is not set smaller.
    """
    lines: list[tuple[float, float, list[tuple[str, float, float, int]]]] = []
    for row in csv.DictReader(io.StringIO(tsv), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row.get("level") not in ("4", "5"):
            continue
        left, top, width, height = (float(int(row[key])) for key in ("left", "top", "width", "height"))
        if row["level"] == "4":
            lines.append((top, top + height, []))
            continue
        text = normalise.clean_word(row.get("text") or "").strip()
        confidence = max(0, round(float(row.get("conf") or -1)))
        is_speck = confidence < _SPECK_CONFIDENCE and not any(c.isalnum() for c in text)
        if text and lines and not is_speck:
            lines[-1][2].append((text, left, left + width, confidence))
    filled = [line for line in lines if line[2]]
    usual = median(bottom - top for top, bottom, _words in filled) if filled else 0.0
    scale, tokens = points_per_pixel, []
    for run, (top, bottom, words) in enumerate(filled):
        height = bottom - top
        size = round((usual if height < 1.5 * usual else height) * scale, 1)
        for text, x0, x1, confidence in words:
            shown = ready.drawn((x0, top, x1, bottom)) if ready else (x0, top, x1, bottom)
            box = (shown[0] * scale, shown[1] * scale, shown[2] * scale, shown[3] * scale)
            tokens.append(
                Token(
                    text, x0 * scale, top * scale, x1 * scale, bottom * scale, box, size,
                    bold=False, run=run, confidence=confidence,
                )
            )  # fmt: skip
    return tokens


def _turned_back(token: Token, turn: int, width: float, height: float) -> Token:
    """The token with its box on the page (`width` × `height` points) before it was turned clockwise by `turn`."""
    x0, y0, x1, y1 = token.box
    if turn == 90:
        token.box = (y0, height - x1, y1, height - x0)
    elif turn == 180:
        token.box = (width - x1, height - y1, width - x0, height - y0)
    elif turn == 270:
        token.box = (width - y1, x0, width - y0, x1)
    return token


def _mean_confidence(tokens: list[Token]) -> float:
    letters = sum(len(token.text) for token in tokens)
    return sum(token.confidence * len(token.text) for token in tokens) / letters if letters else 0.0


def _output(command: list[str], image: bytes) -> str:
    try:
        done = subprocess.run(command, input=image, capture_output=True, timeout=_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
