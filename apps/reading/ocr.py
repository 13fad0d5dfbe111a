"""Words of a picture by Tesseract, when the installation has it. Runs inside the reading child, under its limits."""

import csv
import io
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from statistics import median

from apps.reading import normalise
from apps.reading.geometry import Token

WANTED = ("eng", "tur")
DPI = 300
_LEAST_CONFIDENCE = 30.0
_TIMEOUT_S = 50


@dataclass(frozen=True, slots=True)
class Recogniser:
    """The program that is installed, and which of the wanted languages it knows."""

    program: str
    languages: tuple[str, ...]
    version: str

    def tokens(self, image: bytes, points_per_pixel: float) -> list[Token]:
        """Words with boxes in points, in Tesseract's reading order; [] when it finds none or fails."""
        command = [self.program, "stdin", "stdout", "-l", "+".join(self.languages), "--psm", "3", "tsv"]
        try:
            done = subprocess.run(command, input=image, capture_output=True, timeout=_TIMEOUT_S, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return []
        return tokens_of(done.stdout.decode("utf-8", "replace"), points_per_pixel) if done.returncode == 0 else []


@cache
def recogniser() -> Recogniser | None:
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
    return Recogniser(program, languages, said[1] if len(said) > 1 else "") if languages else None


def tokens_of(tsv: str, points_per_pixel: float) -> list[Token]:
    """Tokens from Tesseract's TSV (levels 4 line, 5 word; boxes in pixels, confidence 0 … 100).

    All words of a line get the line's height: a word without tall letters is not set smaller.
    """
    lines: list[tuple[float, float, list[tuple[str, float, float]]]] = []
    for row in csv.DictReader(io.StringIO(tsv), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row.get("level") not in ("4", "5"):
            continue
        left, top, width, height = (int(row[key]) * points_per_pixel for key in ("left", "top", "width", "height"))
        if row["level"] == "4":
            lines.append((top, top + height, []))
            continue
        text = normalise.clean_word(row.get("text") or "").strip()
        if text and lines and float(row.get("conf") or -1) >= _LEAST_CONFIDENCE:
            lines[-1][2].append((text, left, left + width))
    filled = [line for line in lines if line[2]]
    usual = median(bottom - top for top, bottom, _words in filled) if filled else 0.0
    tokens = []
    for run, (top, bottom, words) in enumerate(filled):
        height = bottom - top
        size = round(usual if height < 1.5 * usual else height, 1)
        for text, x0, x1 in words:
            tokens.append(Token(text, x0, top, x1, bottom, (x0, top, x1, bottom), size, bold=False, run=run))
    return tokens
