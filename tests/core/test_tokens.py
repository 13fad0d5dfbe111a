"""Every pair of text and ground that the design uses has enough contrast, light and dark."""

import re
from pathlib import Path

import pytest

TOKENS = (Path(__file__).resolve().parents[2] / "static" / "css" / "tokens.css").read_text()
PAIR = re.compile(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")
COLOURS = {name: (light, dark) for name, light, dark in PAIR.findall(TOKENS)}
GROUNDS = ("paper", "surface", "surface-sunken", "surface-raised", "surface-hover")
TEXT_PAIRS = [
    *((text, ground) for text in ("ink", "ink-muted", "accent") for ground in GROUNDS),
    *((f"{kind}", f"{kind}-soft") for kind in ("positive", "negative", "warning")),
    *((kind, ground) for kind in ("positive", "negative", "warning") for ground in ("surface", "paper")),
    ("accent", "accent-soft"),
    ("on-accent", "accent"),
    ("on-accent", "accent-hover"),
    *(("ink", f"{kind}-soft") for kind in ("positive", "negative", "warning", "accent")),
]
MARK_PAIRS = [("line-strong", ground) for ground in ("paper", "surface", "surface-sunken")]


def luminance(colour: str) -> float:
    """WCAG 2.2 relative luminance of #rrggbb."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_PAIRS)
def test_text_reads_on_its_ground(text: str, ground: str, theme: int) -> None:
    assert contrast(COLOURS[text][theme], COLOURS[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("mark", "ground"), MARK_PAIRS)
def test_marks_show_on_their_ground(mark: str, ground: str, theme: int) -> None:
    assert contrast(COLOURS[mark][theme], COLOURS[ground][theme]) >= 3
