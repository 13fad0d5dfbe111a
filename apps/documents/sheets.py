"""What the viewer lays over a page image: lit boxes and selectable lines, in points, as SVG numbers.

Numbers are strings here: templates would print them with the person's decimal comma.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.documents.contracts import PageView, PageWord
from apps.reading.contracts import Box

BASELINE = 0.22  # of a line's height, from its bottom
FONT_SHARE = 0.78  # of a line's height


@dataclass(frozen=True, slots=True)
class Rectangle:
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True, slots=True)
class TextLine:
    x: str
    y: str  # baseline
    width: str
    size: str
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    width: str
    height: str
    boxes: tuple[Rectangle, ...]
    lines: tuple[TextLine, ...]

    @classmethod
    def of(cls, page: PageView, words: Sequence[PageWord], boxes: Iterable[Box]) -> "Sheet":
        lit = tuple(rectangle(box) for box in boxes)
        return cls(_pt(page.width), _pt(page.height), lit, tuple(_lines(page.text, words)))


def rectangle(box: Box) -> Rectangle:
    """The box with a point of air around it."""
    x0, y0, x1, y1 = box
    return Rectangle(_pt(x0 - 1), _pt(y0 - 1), _pt(x1 - x0 + 2), _pt(y1 - y0 + 2))


@dataclass(frozen=True, slots=True)
class LitLine:
    """A line of a text file, with its lit part cut out ("" when nothing of it is lit)."""

    number: int
    before: str
    lit: str
    after: str


def lit_lines(text: str, first_line: int, start: int, end: int) -> tuple[LitLine, ...]:
    """Lines of a section; text[start:end] is lit, nothing when end is 0."""
    lines, offset = [], 0
    for position, line in enumerate(text.split("\n")):
        a, b = max(start - offset, 0), min(end - offset, len(line))
        number = max(first_line, 1) + position
        lines.append(LitLine(number, line[:a], line[a:b], line[b:]) if a < b else LitLine(number, line, "", ""))
        offset += len(line) + 1
    return tuple(lines)


def _lines(text: str, words: Sequence[PageWord]) -> Iterable[TextLine]:
    """Words of one printed line together, so that a selection copies whole lines."""
    group: list[PageWord] = []
    for word in words:
        if group and not _continues(text, group[-1], word):
            yield _line(group)
            group = []
        group.append(word)
    if group:
        yield _line(group)


def _continues(text: str, left: PageWord, right: PageWord) -> bool:
    between = text[left.start + len(left.text) : right.start]
    gap, height = right.box[0] - left.box[2], max(left.box[3] - left.box[1], 1.0)
    return "\n" not in between and -height < gap < 2.5 * height and abs(right.box[3] - left.box[3]) < height / 2


def _line(words: Sequence[PageWord]) -> TextLine:
    x0, x1 = words[0].box[0], words[-1].box[2]
    y0, y1 = min(w.box[1] for w in words), max(w.box[3] for w in words)
    height = max(y1 - y0, 1.0)
    return TextLine(
        x=_pt(x0),
        y=_pt(y1 - BASELINE * height),
        width=_pt(max(x1 - x0, 1.0)),
        size=_pt(height * FONT_SHARE),
        text=" ".join(w.text for w in words),
    )


def _pt(value: float) -> str:
    return f"{value:.2f}"
