"""Tokens (words with boxes) grouped into visual lines, and lines into columns of reading order. Pure
functions.
"""

from dataclasses import dataclass, field

from apps.reading.contracts import Box

_DASHES = frozenset({"-", "–", "—", "−"})


@dataclass(slots=True)
class Token:
    """A printed word. The layout box is upright (sideways text turned); `box` is the place on the page as
    shown.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    box: Box
    size: float
    bold: bool
    run: int  # the parser's own line: words of one run are never parted by a column gap
    is_mark: bool = False  # a raised footnote mark: never part of a number
    is_glued: bool = False  # written without a blank before it: a bracket or sign that layout set apart
    confidence: int = 100  # percent, of a recogniser
    start: int = -1  # offset into the page text, set when the text is written

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(slots=True)
class Line:
    """Tokens on one baseline, left to right."""

    tokens: list[Token]
    x0: float = 0.0
    y0: float = 0.0
    x1: float = 0.0
    y1: float = 0.0
    size: float = 0.0
    bold: bool = False
    text: str = field(default="")

    def __post_init__(self) -> None:
        self.tokens.sort(key=lambda token: token.x0)
        self.x0 = self.tokens[0].x0
        self.x1 = max(token.x1 for token in self.tokens)
        self.y0 = min(token.y0 for token in self.tokens)
        self.y1 = max(token.y1 for token in self.tokens)
        weight: dict[float, int] = {}
        bold = 0
        for token in self.tokens:
            weight[token.size] = weight.get(token.size, 0) + len(token.text)
            bold += len(token.text) if token.bold else 0
        self.size = max(weight, key=lambda size: (weight[size], size))
        self.bold = bold > 0.8 * sum(weight.values())
        self.text = " ".join(token.text for token in self.tokens)

    @property
    def height(self) -> float:
        return max(self.y1 - self.y0, 1.0)

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2


@dataclass(slots=True)
class Segment:
    """A stretch of a line without a column-wide gap inside."""

    tokens: list[Token]
    x0: float
    x1: float

    @property
    def text(self) -> str:
        return " ".join(token.text for token in self.tokens)


def lines_of(tokens: list[Token]) -> list[Line]:
    """Visual lines, top to bottom. A token joins the line whose tallest token it overlaps by half its
    height.
    """
    rows: list[tuple[Token, list[Token]]] = []
    for token in sorted(tokens, key=lambda t: ((t.y0 + t.y1) / 2, t.x0)):
        for index in range(len(rows) - 1, max(-1, len(rows) - 7), -1):
            anchor, members = rows[index]
            overlap = min(anchor.y1, token.y1) - max(anchor.y0, token.y0)
            smaller = min(anchor.y1 - anchor.y0, token.y1 - token.y0)
            if smaller > 0 and overlap >= 0.5 * smaller:
                members.append(token)
                if token.y1 - token.y0 > 1.15 * (anchor.y1 - anchor.y0):
                    rows[index] = (token, members)
                break
        else:
            rows.append((token, [token]))
    lines = [Line(members) for _anchor, members in rows]
    lines.sort(key=lambda line: (line.middle, line.x0))
    return lines


def segments_of(line: Line, gap_em: float) -> list[Segment]:
    """The line cut where the blank between two tokens is wider than `gap_em` times the type size."""
    first = line.tokens[0]
    segments = [Segment([first], first.x0, first.x1)]
    for token in line.tokens[1:]:
        last = segments[-1]
        if token.x0 - last.x1 > gap_em * max(token.size, 4.0):
            segments.append(Segment([token], token.x0, token.x1))
        else:
            last.tokens.append(token)
            last.x1 = max(last.x1, token.x1)
    return segments


def regions_of(tokens: list[Token], width: float) -> list[list[Line]]:
    """Lines in reading order: one region for a plain page, left column before right where prose stands in
    two.

    A page with columns is cut into bands by the lines that cross the gutter; only bands with prose on both
    sides
    are read column by column, so a table beside the gutter stays whole.
    """
    lines = lines_of(tokens)
    gutter = _gutter(lines, width)
    if gutter is None:
        return [lines]
    regions: list[list[Line]] = []
    band: list[Line] = []
    whole: list[Line] = []

    def close_band() -> None:
        nonlocal band, whole
        split = _split_band(band, gutter)
        if split is None:
            whole.extend(band)
        else:
            if whole:
                regions.append(whole)
                whole = []
            regions.extend(part for part in split if part)
        band = []

    for line in lines:
        if any(s.x0 < gutter - 1 and s.x1 > gutter + 1 for s in segments_of(line, 1.0)):
            close_band()
            whole.append(line)
            continue
        if band and line.y0 - max(other.y1 for other in band) > 3 * line.height:
            close_band()
        band.append(line)
    close_band()
    if whole:
        regions.append(whole)
    return regions


def _split_band(band: list[Line], gutter: float) -> tuple[list[Line], list[Line]] | None:
    left = [token for line in band for token in line.tokens if token.x1 <= gutter + 1]
    right = [token for line in band for token in line.tokens if token.x1 > gutter + 1]
    if not left or not right:
        return None
    left_lines, right_lines = lines_of(left), lines_of(right)
    if sum(map(_is_prose, left_lines)) < 3 or sum(map(_is_prose, right_lines)) < 2:
        return None
    if sum(map(_is_prose, right_lines)) < 0.5 * len(right_lines) or _is_one_table(left_lines, right_lines):
        return None
    return left_lines, right_lines


def _is_one_table(left: list[Line], right: list[Line]) -> bool:
    """Labels beside words and figures: most lines on the right end in a figure, level with a line on the left."""
    figures = [line for line in right if len(line.tokens) > 1 and _is_figure(line.tokens[-1].text)]
    beside = [line for line in figures if any(abs(line.middle - other.middle) < 0.3 * line.height for other in left)]
    return len(beside) >= 3 and len(beside) >= 0.5 * len(right)


def _is_figure(text: str) -> bool:
    return text in _DASHES or (any(c.isdigit() for c in text) and not any(c.isalpha() for c in text))


def _gutter(lines: list[Line], width: float) -> float | None:
    segments = [segment for line in lines for segment in segments_of(line, 1.0)]
    prose = [s for s in segments if _is_prose_text(s.text, len(s.tokens))]
    if len(prose) < 6 or width <= 0:
        return None
    best: tuple[int, float] | None = None
    for step in range(30, 71):
        x = width * step / 100
        left = sum(1 for s in prose if s.x1 <= x)
        right = sum(1 for s in prose if s.x0 >= x)
        crossing = sum(1 for s in prose if s.x0 < x < s.x1)
        if min(left, right) < 3 or crossing > 0.4 * (left + right):
            continue
        if best is None or crossing < best[0]:
            best = (crossing, x)
    if best is None:
        return None
    crossing_best = best[0]
    same = [
        width * step / 100
        for step in range(30, 71)
        if sum(1 for s in prose if s.x0 < width * step / 100 < s.x1) == crossing_best
    ]
    run = [x for x in same if abs(x - best[1]) < 0.15 * width and x >= best[1]]
    return run[len(run) // 2] if run else best[1]


def _is_prose(line: Line) -> bool:
    return _is_prose_text(line.text, len(line.tokens))


def _is_prose_text(text: str, words: int) -> bool:
    letters = sum(1 for character in text if character.isalpha())
    return words >= 3 and letters >= 0.6 * max(1, len(text.replace(" ", "")))
