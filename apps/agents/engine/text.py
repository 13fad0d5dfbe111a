"""Words, stems and sentences with offsets: the engine's only way of looking at text. Matching is on folded text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from apps.agents.contracts import EvidencePage
from apps.core.text import fold as fold_letters
from apps.reading.contracts import Block, BlockKind

__all__ = ["Sentence", "Token", "fold", "key", "sentences", "stem", "stems", "tokens"]

_WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*%?|[%$€£₺]")
_SENTENCE_END = re.compile(
    r"[.!?;](?:[\"”’)\]])*\s+(?=[\"“‘(\[]?[A-ZÇĞİÖŞÜ0-9•])|\n\s*\n|\n(?=\s*(?:[•·▪*]|\(?[a-z0-9ivx]{1,3}[.)])\s)"
)
_ABBREVIATIONS = frozenset({
    "a.s", "a.ş", "approx", "apr", "art", "aug", "bkz", "co", "corp", "dec", "dr", "e.g", "feb", "fig",
    "i.e", "inc", "jan", "jul", "jun", "ltd", "mad", "mar", "md", "mr", "mrs", "ms", "no", "nos", "nov",
    "oct", "sec", "sep", "sept", "st", "u.k", "u.s", "vb", "vd", "vs", "şti",
})  # fmt: skip
_SKIPPED = frozenset({BlockKind.HEADER, BlockKind.FOOTER, BlockKind.NOTE, BlockKind.HIDDEN})


class _Folding(dict[int, str]):
    """core.text.fold as a translation table that fills itself: ten times faster over whole pages."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = fold_letters(chr(code))
        return folded


_FOLDING = _Folding()


def fold(text: str) -> str:
    """As core.text.fold: matching form of the same length."""
    return text.translate(_FOLDING)


@dataclass(frozen=True, slots=True)
class Token:
    folded: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch of one page's text that can be quoted by itself."""

    text: str
    start: int
    end: int
    block: int  # ordinal, -1 when the page has no blocks
    is_heading: bool = False
    in_table: bool = False


def tokens(text: str) -> tuple[Token, ...]:
    """Every word of `text`, folded, with its place."""
    folded = fold(text)
    return tuple(Token(match.group(), match.start(), match.end()) for match in _WORD.finditer(folded))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A rough root for matching: English endings off, long (mostly Turkish) words cut to their first letters."""
    word = re.sub(r"['’].*$", "", word)
    if not word.isalpha() or len(word) <= 3:
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            break
    word = word.removesuffix("e") if len(word) > 4 else word
    return word[:7]


def stems(text: str) -> frozenset[str]:
    return frozenset(stem(token.folded) for token in tokens(text))


@lru_cache(maxsize=65536)
def key(label: str) -> str:
    """A label reduced for comparison: folded, words only, footnote marks and note numbers off."""
    folded = fold(label).replace("&", " and ").replace("’", "'").replace("'", "")
    folded = re.sub(r"\((?:note|not|see|dipnot)?\s*[0-9a-z,.]{0,4}\)|\b(?:note|not)\s*\d+\b|[*†‡:]", " ", folded)
    words = re.findall(r"[^\W_]+%?|%", folded)
    while words and words[-1].isdigit() and len(words[-1]) <= 2 and len(words) > 1:
        words.pop()
    return " ".join(words)


def sentences(page: EvidencePage) -> Iterator[Sentence]:
    """The page's sentences in reading order; running headers and footers are left out."""
    if not page.blocks:
        yield from _split(page.text, 0, len(page.text), -1)
        return
    tabled = {table.block for table in page.tables if table.rows}
    for block in _joined(page):
        if block.kind in _SKIPPED:
            continue
        in_table = block.kind is BlockKind.TABLE or block.ordinal in tabled
        if block.kind is BlockKind.HEADING:
            text = page.text[block.start : block.end]
            if text.strip():
                yield _trimmed(page.text, block.start, block.end, block.ordinal, is_heading=True)
            continue
        yield from _split(page.text, block.start, block.end, block.ordinal, by_line=in_table)


def _joined(page: EvidencePage) -> Iterator[Block]:
    """The page's blocks; a paragraph that breaks off in mid-sentence (next column, next block) takes the next one."""
    waiting: Block | None = None
    for block in page.blocks:
        if waiting is not None:
            head = page.text[block.start : block.end].lstrip()[:1]
            if block.kind is BlockKind.PARAGRAPH and head and not head.isupper():
                waiting = replace(waiting, end=block.end)
                continue
            yield waiting
            waiting = None
        tail = page.text[block.start : block.end].rstrip()
        if block.kind is BlockKind.PARAGRAPH and len(tail) > 40 and tail[-1:].isalnum():
            waiting = block
            continue
        yield block
    if waiting is not None:
        yield waiting


def _split(text: str, start: int, end: int, block: int, *, by_line: bool = False) -> Iterator[Sentence]:
    cursor = start
    pattern = re.compile(r"\n") if by_line else _SENTENCE_END
    for match in pattern.finditer(text, start, end):
        stop = match.start() + (0 if match.group().startswith("\n") else 1)
        while stop < match.end() and not text[stop].isspace():
            stop += 1
        last = re.search(r"([^\s(]+)\W*$", text[cursor:stop])
        if match.group()[0] == "." and last and _is_abbreviation(last.group(1)):
            continue
        if text[cursor:stop].strip():
            yield _trimmed(text, cursor, stop, block, in_table=by_line)
        cursor = match.end()
    if text[cursor:end].strip():
        yield _trimmed(text, cursor, end, block, in_table=by_line)


def _is_abbreviation(word: str) -> bool:
    bare = word.rstrip(".").lower()
    return bare in _ABBREVIATIONS or (len(bare) == 1 and bare.isalpha())


def _trimmed(
    text: str, start: int, end: int, block: int, *, is_heading: bool = False, in_table: bool = False
) -> Sentence:
    raw = text[start:end]
    start += len(raw) - len(raw.lstrip())
    end -= len(raw) - len(raw.rstrip())
    return Sentence(text[start:end], start, end, block, is_heading, in_table)
