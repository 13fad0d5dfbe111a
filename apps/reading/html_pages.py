"""Traces of paper in HTML: page breaks with their page numbers and running heads, and headings that are only bold.

Filings are printed documents in HTML: sentences run over page breaks, and a section begins with a bold line.
"""

import re
from collections import Counter
from typing import Any

from apps.finance.folding import folded
from apps.reading.contracts import BlockKind
from apps.reading.flow import Element

_BREAK = "\f"  # the text of the element that stands for a page break
_BEFORE = re.compile(r"(?:page-)?break-before\s*:\s*(?:always|page|left|right)", re.IGNORECASE)
_AFTER = re.compile(r"(?:page-)?break-after\s*:\s*(?:always|page|left|right)", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"^(?:[A-Z]{1,2}-?)?\d{1,4}$|^[ivxlc]{1,7}$|^[-–—]\s*\d{1,4}\s*[-–—]$|^(?:page|sayfa)\s+\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?$",
    re.IGNORECASE,
)
_CONTENTS = ("table of contents", "index", "icindekiler", "back to table of contents")
_NEAR = 3  # elements on either side of a break where furniture stands
_LONGEST_FURNITURE = 120
_OFTEN = 3  # breaks beside which a line stands that is a running head
_ITEM = re.compile(r"^(?:part\s+[ivx]{1,4}|item\s+\d{1,2}[a-c]?)\b\s*(?:[.:—–-]|$)", re.IGNORECASE)
_ITEM_CAPITALS = re.compile(r"^ITEM\s+\d{1,2}[A-C]?\s+[A-Z][A-Z ,’'&;-]+$")
_LONGEST_HEADING = 160
_ENDS_AS_PROSE = (".", ";", ",", ":")


def breaks_before(element: Any) -> bool:  # Any: lxml element
    return bool(_BEFORE.search(element.get("style") or ""))


def breaks_after(element: Any) -> bool:  # Any: lxml element
    return element.tag != "hr" and bool(_AFTER.search(element.get("style") or ""))


def page_break() -> Element:
    """The mark of a page break among elements; `without_page_breaks` takes it out."""
    return Element(BlockKind.PARAGRAPH, _BREAK)


def heading_level(text: str, *, is_bold: bool, is_link: bool) -> int:
    """The level of a paragraph that stands as a heading, 0 for prose. Lines of a table of contents are links."""
    if is_link or len(text) > _LONGEST_HEADING or _PAGE_NUMBER.match(text):
        return 0
    if _ITEM.match(text) or _ITEM_CAPITALS.match(text):
        is_listed = bool(re.search(r"\s\d{1,3}$", text))
        return 0 if is_listed else 1 if text[:4].lower() == "part" else 2
    words = text.split()
    is_titled = is_bold and len(words) <= 16 and not text.endswith(_ENDS_AS_PROSE) and any(c.isalpha() for c in text)
    return 3 if is_titled else 0


def without_page_breaks(found: list[Element]) -> list[Element]:
    """Elements without breaks; page numbers and running heads beside them are footers; cut sentences are whole."""
    if not any(element.text == _BREAK for element in found):
        return found
    furniture = _furniture(found)
    kept: list[Element] = []
    waiting: list[Element] = []  # furniture of the breaks passed, said after the sentence that they cut
    is_cut = False
    for position, element in enumerate(found):
        if element.text == _BREAK:
            is_cut = True
        elif position in furniture:
            waiting.append(Element(BlockKind.FOOTER, element.text))
        elif is_cut and kept and _goes_on(kept[-1], element):
            kept[-1] = Element(kept[-1].kind, f"{kept[-1].text} {element.text}", kept[-1].level)
            is_cut = False
        else:
            kept += waiting
            waiting, is_cut = [], False
            kept.append(element)
    return kept + waiting


def _furniture(found: list[Element]) -> set[int]:
    """Positions of short lines beside breaks: numbers, links to the contents, lines that many breaks have."""
    beside: set[int] = set()
    for position, element in enumerate(found):
        if element.text == _BREAK:
            beside |= _reach(found, position, -1) | _reach(found, position, 1)
    lines = Counter(found[position].text for position in beside)
    return {
        position
        for position in beside
        if _PAGE_NUMBER.match(found[position].text)
        or folded(found[position].text) in _CONTENTS
        or lines[found[position].text] >= _OFTEN
    }


def _reach(found: list[Element], position: int, step: int) -> set[int]:
    """Short lines one after the other on one side of a break."""
    taken: set[int] = set()
    position += step
    while 0 <= position < len(found) and len(taken) < _NEAR:
        element = found[position]
        if element.text == _BREAK:
            position += step
            continue
        if element.rows or len(element.text) > _LONGEST_FURNITURE:
            break
        taken.add(position)
        position += step
    return taken


def _goes_on(before: Element, after: Element) -> bool:
    """Whether a sentence runs over the break between two blocks of words."""
    is_prose = before.kind is after.kind and before.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
    if not is_prose or before.rows or after.rows or not before.text or not after.text:
        return False
    return before.text[-1] not in '.!?:;”"' and (after.text[0].islower() or after.text[0].isdigit())
