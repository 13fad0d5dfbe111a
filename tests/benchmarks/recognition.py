"""Numbers of scanned pages: pages of real files drawn as scans, read by OCR, compared with their text layer.

    python -m tests.benchmarks.recognition --documents DIR/documents [--kind clean|noisy] [--show]

Each page of `PAGES` is drawn twice as a picture inside a PDF without text: clean (200 dpi, JPEG 90) and noisy (150 dpi,
turned by 1 to 2.2 degrees, grey paper, Gaussian noise 18 of 255, black specks, blur, JPEG 70; seeds fixed). A number is
a word of the text layer with a digit; it is right when the page as read holds a word with the same digits, points,
commas and bracket, as often. A wrong number is a word read with a digit that the page does not have; it is marked when
its confidence is below `ocr.LOW_CONFIDENCE`.
"""

import argparse
import io
import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageFilter

from apps.reading import ocr
from apps.reading._pymupdf import pymupdf
from apps.reading.pdf import PdfReader

PAGES = [
    ("financebench/COSTCO_2021_10K.pdf", 36), ("financebench/COSTCO_2021_10K.pdf", 38),
    ("financebench/AMCOR_2023_10K.pdf", 52), ("kap_tr/1508775.pdf", 3), ("kap_tr/1595642.pdf", 4),
    ("uda/ADI_2009.pdf", 51), ("financebench/NETFLIX_2017_10K.pdf", 42), ("sec_10q/2023 Q1 NVDA.pdf", 4),
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", required=True)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--kind", choices=("clean", "noisy"), nargs="*", default=["clean", "noisy"])
    options = parser.parse_args()
    for kind in options.kind:
        total: Counter[str] = Counter()
        seconds = 0.0
        for seed, (name, number) in enumerate(PAGES):
            page = pymupdf.open(Path(options.documents) / name)[number - 1]
            gold = numbers([word[4] for word in page.get_text("words")])
            scan = scanned(page, noisy=kind == "noisy", seed=seed)
            began = time.monotonic()
            content, _warnings = PdfReader(scan).recognise(1)
            seconds += time.monotonic() - began
            found = numbers([word.text for word in content.words])
            wrong = found - gold
            low = numbers([word.text for word in content.words if word.confidence < ocr.LOW_CONFIDENCE])
            total.update(
                numbers=gold.total(),
                right=(gold & found).total(),
                wrong=wrong.total(),
                wrong_marked=(wrong & low).total(),
                right_marked=((gold & found) & low).total(),
                turkish=letters([word[4] for word in page.get_text("words")]).total(),
                turkish_right=(
                    letters([word[4] for word in page.get_text("words")]) & letters([w.text for w in content.words])
                ).total(),
            )
            if options.show:
                print(kind, name, number, "missing", dict(gold - found), "wrong", dict(wrong))
        print(json.dumps({"kind": kind, **total, "s_a_page": round(seconds / len(PAGES), 1)}))


def numbers(words: list[str]) -> Counter[str]:
    kept = ("".join(c for c in word if c.isdigit() or c in ".,(-%") for word in words)
    return Counter(word.strip(".,-%") for word in kept if any(c.isdigit() for c in word))


def letters(words: list[str]) -> Counter[str]:
    """Words with a letter that only Turkish has."""
    return Counter(word for word in (w.strip(".,:;()") for w in words) if set(word) & set("ğışİĞŞ"))


def scanned(page: Any, *, noisy: bool, seed: int) -> bytes:
    """A PDF of one page that is nothing but a picture of the given one."""
    dpi = 150 if noisy else 200
    pixmap = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
    image = Image.frombytes("L", (pixmap.width, pixmap.height), bytes(pixmap.samples))
    if noisy:
        chance, dice = np.random.default_rng(seed), random.Random(seed)
        angle = dice.choice([-1, 1]) * dice.uniform(1, 2.2)
        image = image.rotate(angle, fillcolor=255, resample=Image.Resampling.BICUBIC, expand=True)
        grey = np.asarray(image, dtype=float) * 0.85 + 20 + chance.normal(0, 18, (image.height, image.width))
        grey[chance.random(grey.shape) < 0.002] = 0
        image = Image.fromarray(np.clip(grey, 0, 255).astype("uint8")).filter(ImageFilter.GaussianBlur(0.6))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=70 if noisy else 90)
    document = pymupdf.open()
    made = document.new_page(width=image.width * 72 / dpi, height=image.height * 72 / dpi)
    made.insert_image(made.rect, stream=out.getvalue())
    return bytes(document.tobytes())


if __name__ == "__main__":
    main()
