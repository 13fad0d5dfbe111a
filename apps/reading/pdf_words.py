"""Words of a PDF page with boxes, style and footnote marks, what no reader sees left out. Runs only in the child."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from apps.reading import normalise
from apps.reading._pymupdf import pymupdf
from apps.reading.contracts import Box
from apps.reading.geometry import Token
from apps.reading.pdf_hidden import Hiding, ink_of

_FLAGS = (
    pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
)  # ligatures are expanded when TEXT_PRESERVE_LIGATURES is absent
_BOLD = 16
_SUPERSCRIPT = 1
_PICTURE_FONTS = ("symbol", "dingbat", "wingding", "webding", "icon", "awesome")


@dataclass(slots=True)
class PageWords:
    """Tokens in an upright layout of `width` × `height`; what was left out and why."""

    tokens: list[Token]
    width: float
    height: float
    hidden: Counter[Hiding] = field(default_factory=Counter)  # pieces of text by reason
    unreadable: frozenset[int] = frozenset()  # parser lines set in fonts whose letters say nothing
    is_scan: bool = False  # an image covers most of the page


def words_of(page: Any) -> PageWords:
    """The words that a reader of the page sees. Coordinates are those of the page as shown."""
    textpage = page.get_textpage(flags=_FLAGS)
    look = _look_of(page, textpage)
    matrix = tuple(page.rotation_matrix) if page.rotation else None
    width, height = float(page.rect.width), float(page.rect.height)
    if look.needs_characters:
        pieces = _words_by_character(textpage, look)
    else:
        pieces = [
            (word[0], word[1], word[2], word[3], word[4], look.styles.get((word[5], word[6]), (0.0, False)), False,
             word[5] * 10_000 + word[6])
            for word in textpage.extractWORDS()
        ]  # fmt: skip
    turn = _turn(look.directions, page.rotation)
    tokens: list[Token] = []
    for x0, y0, x1, y1, text, (size, bold), is_mark, run in pieces:
        box = _shown(x0, y0, x1, y1, matrix)
        if box[2] <= 0 or box[3] <= 0 or box[0] >= width or box[1] >= height:
            look.hidden[Hiding.OFF_PAGE] += 1
            continue
        upright = _turned(box, turn, width, height)
        size = round(size or (upright[3] - upright[1]), 1)
        tokens.extend(
            Token(cleaned, *upright, box, size, bold, run, is_mark)
            for cleaned in normalise.without_leaders(normalise.clean_word(text)).split()
        )
    if turn:
        width, height = height, width
    return PageWords(tokens, width, height, look.hidden, look.unreadable, look.is_scan)


@dataclass(slots=True)
class _Look:
    """How the parser's lines are set, and which spans are not to be read."""

    styles: dict[tuple[int, int], tuple[float, bool]] = field(default_factory=dict)
    directions: dict[tuple[int, int], int] = field(default_factory=dict)  # letters per writing direction
    unseen: set[tuple[int, int, int]] = field(default_factory=set)  # block, line, span
    hidden: Counter[Hiding] = field(default_factory=Counter)
    unreadable: frozenset[int] = frozenset()
    is_scan: bool = False
    needs_characters: bool = False  # raised marks or unseen spans part a line


def _look_of(page: Any, textpage: Any) -> _Look:
    look = _Look()
    blocks = textpage.extractDICT()["blocks"]
    if not blocks:
        return look
    ink = ink_of(page)
    look.is_scan = ink.is_scan
    look.hidden[Hiding.OFF_PAGE] += ink.off_page
    fonts: dict[str, list[tuple[int, str]]] = {}
    for block_number, block in enumerate(blocks):
        for line_number, line in enumerate(block.get("lines", ())):
            key = (block.get("number", block_number), line_number)
            spans = []
            for index, span in enumerate(line["spans"]):
                if not span["text"].strip():
                    continue
                hiding = ink.hiding(span)
                if hiding is None:
                    spans.append(span)
                    fonts.setdefault(span["font"], []).append((key[0] * 10_000 + key[1], span["text"]))
                else:
                    look.unseen.add((*key, index))
                    look.hidden[hiding] += 1
            if not spans:
                continue
            main = max(spans, key=lambda span: len(span["text"]))
            look.styles[key] = (main["size"], _is_bold(main))
            direction = (round(line["dir"][0]), round(line["dir"][1]))
            look.directions[direction] = look.directions.get(direction, 0) + sum(len(s["text"]) for s in spans)
            if len(spans) > 1 and not look.needs_characters:
                look.needs_characters = any(
                    span["flags"] & _SUPERSCRIPT or span["size"] < 0.78 * main["size"] for span in spans
                )
    look.needs_characters = look.needs_characters or bool(look.unseen)
    look.unreadable = _unreadable(fonts)
    return look


def _unreadable(fonts: dict[str, list[tuple[int, str]]]) -> frozenset[int]:
    """Parser lines of fonts whose text says nothing: no character map, or one that lies."""
    bad: set[int] = set()
    for name, pieces in fonts.items():
        if any(part in name.lower() for part in _PICTURE_FONTS):
            continue
        if normalise.is_unreadable(" ".join(text for _line, text in pieces)):
            bad.update(line for line, _text in pieces)
    return frozenset(bad)


def _is_bold(span: dict[str, Any]) -> bool:
    return bool(span["flags"] & _BOLD) or any(
        mark in span["font"].lower() for mark in ("bold", "black", "heavy", "semibold")
    )


_Piece = tuple[float, float, float, float, str, tuple[float, bool], bool, int]


def _words_by_character(textpage: Any, look: _Look) -> list[_Piece]:
    """Words built from characters, parted where a raised mark begins or ends; unseen spans left out."""
    pieces: list[_Piece] = []
    for block_number, block in enumerate(textpage.extractRAWDICT()["blocks"]):
        for line_number, line in enumerate(block.get("lines", ())):
            key = (block.get("number", block_number), line_number)
            spans = [
                span
                for index, span in enumerate(line["spans"])
                if span["chars"] and (not look.unseen or (*key, index) not in look.unseen)
            ]
            if not spans:
                continue
            main = max(spans, key=lambda span: sum(1 for c in span["chars"] if not c["c"].isspace()))
            run = key[0] * 10_000 + key[1]
            word: list[Any] = []
            style: tuple[float, bool] = (main["size"], _is_bold(main))
            was_mark = False
            for span in spans:
                raised = span["bbox"][3] < main["bbox"][3] - 0.12 * main["size"]
                is_mark = (
                    span is not main
                    and span["size"] < 0.78 * main["size"]
                    and (bool(span["flags"] & _SUPERSCRIPT) or raised)
                )
                for character in span["chars"]:
                    blank = character["c"].isspace()
                    if word and (blank or is_mark != was_mark):
                        pieces.append(_piece(word, style, was_mark, run))
                        word = []
                    if not blank:
                        style = (span["size"], _is_bold(span))
                        was_mark = is_mark
                        word.append(character)
            if word:
                pieces.append(_piece(word, style, was_mark, run))
    return pieces


def _piece(characters: list[Any], style: tuple[float, bool], is_mark: bool, run: int) -> _Piece:
    boxes = [character["bbox"] for character in characters]
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
        "".join(character["c"] for character in characters),
        style,
        is_mark,
        run,
    )


def _shown(x0: float, y0: float, x1: float, y1: float, matrix: tuple[float, ...] | None) -> Box:
    """The box after the page's own rotation (`matrix`: a b c d e f, None for an upright page)."""
    if matrix is not None:
        a, b, c, d, e, f = matrix
        xs = (a * x0 + c * y0 + e, a * x1 + c * y1 + e)
        ys = (b * x0 + d * y0 + f, b * x1 + d * y1 + f)
        x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
    return round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1)


def _turn(directions: dict[tuple[int, int], int], rotation: int) -> int:
    """Degrees by which most text still lies on its side after the page's own rotation: 0, 90 or 270."""
    if not directions:
        return 0
    x, y = max(directions, key=lambda direction: directions[direction])
    angle = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}.get((x, y), 0)
    left = (angle + rotation) % 360
    return left if left in (90, 270) else 0


def _turned(box: Box, turn: int, width: float, height: float) -> Box:
    x0, y0, x1, y1 = box
    if turn == 90:  # text runs downwards: its right is the page's bottom
        return y0, width - x1, y1, width - x0
    if turn == 270:  # text runs upwards
        return height - y1, x0, height - y0, x1
    return box
