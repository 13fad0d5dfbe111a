"""Pages to chunks: passages of about 250 words that keep headings, paragraphs and tables whole where they can.

Pure: takes reading contracts in page order, gives drafts whose spans point exactly into the pages' text.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from apps.reading.contracts import Block, BlockKind, PageContent, Table
from apps.retrieval.contracts import ChunkKind, PageSpan

TARGET_CHARACTERS = 1100  # about 250 tokens of English
_HARD_CHARACTERS = 1700
_TABLE_CHARACTERS = 1300
_ROWS_CHARACTERS = 2600
_SKIPPED = (BlockKind.HEADER, BlockKind.FOOTER, BlockKind.NOTE, BlockKind.HIDDEN)
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|\n")
_HEADER_LIMIT = 420
PAGES_WITH_MEANING = 20  # of a sheet: rows beyond say with vectors what the first two thousand said


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    kind: ChunkKind
    header: str
    text: str
    spans: tuple[PageSpan, ...]
    language: str


@dataclass(slots=True)
class _Open:
    """A prose chunk being filled."""

    header: str
    language: str
    spans: list[PageSpan] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    length: int = 0
    has_body: bool = False


def chunks_of(pages: Iterable[PageContent], *, identity: str) -> Iterator[ChunkDraft]:
    """Chunks of a document in reading order. `identity` (name, title) begins every header."""
    chunker = _Chunker(identity)
    for page in pages:
        yield from chunker.page(page)
    yield from chunker.close()


class _Chunker:
    def __init__(self, identity: str) -> None:
        self._identity = identity
        self._path: dict[int, str] = {}
        self._open: _Open | None = None

    def page(self, page: PageContent) -> Iterator[ChunkDraft]:
        tables = {table.block: table for table in page.tables}
        for block in page.blocks:
            if block.kind in _SKIPPED or not page.text[block.start : block.end].strip():
                continue
            if block.kind is BlockKind.TABLE and block.ordinal in tables:
                yield from self.close()
                yield from self._table(page, block, tables[block.ordinal])
            elif block.kind is BlockKind.HEADING and block.end - block.start <= TARGET_CHARACTERS:
                yield from self._heading(page, block)
            else:
                for start, end in _pieces(page.text, block.start, block.end):
                    yield from self._prose(page, start, end)

    def close(self) -> Iterator[ChunkDraft]:
        """The open chunk, when it holds anything."""
        chunk, self._open = self._open, None
        if chunk is None or not chunk.texts:
            return
        text = "\n\n".join(chunk.texts)
        yield ChunkDraft(ChunkKind.PROSE, chunk.header, text, tuple(chunk.spans), chunk.language)

    def _heading(self, page: PageContent, block: Block) -> Iterator[ChunkDraft]:
        text = " ".join(page.text[block.start : block.end].split())
        level = block.level or 3
        if self._open is not None and (self._open.has_body or level <= 1):
            yield from self.close()
        self._path = {known: title for known, title in self._path.items() if known < level}
        self._path[level] = text
        yield from self._add(page, block.start, block.end, is_body=False)

    def _prose(self, page: PageContent, start: int, end: int) -> Iterator[ChunkDraft]:
        if self._open is not None and self._open.length + (end - start) > TARGET_CHARACTERS and self._open.has_body:
            yield from self.close()
        yield from self._add(page, start, end, is_body=True)

    def _add(self, page: PageContent, start: int, end: int, *, is_body: bool) -> Iterator[ChunkDraft]:
        if self._open is None:
            self._open = _Open(self._header(), page.language)
        chunk = self._open
        last = chunk.spans[-1] if chunk.spans else None
        if last is not None and last.page == page.number and not page.text[last.end : start].strip():
            chunk.spans[-1] = PageSpan(page.number, last.start, end)
            chunk.texts[-1] = page.text[last.start : end]
        else:
            chunk.spans.append(PageSpan(page.number, start, end))
            chunk.texts.append(page.text[start:end])
        chunk.length += end - start
        chunk.has_body = chunk.has_body or is_body
        if not is_body:
            chunk.header = self._header()
        if chunk.length >= _HARD_CHARACTERS:
            yield from self.close()

    def _table(self, page: PageContent, block: Block, table: Table) -> Iterator[ChunkDraft]:
        columns = " | ".join(column for column in table.columns if column)
        kind = ChunkKind.ROWS if page.uniform and page.number > PAGES_WITH_MEANING else ChunkKind.TABLE
        header = self._header(table.title, table.scale_note, columns)
        ends = _line_ends(page.text) if page.uniform else [row.end for row in table.rows]
        most = _ROWS_CHARACTERS if kind is ChunkKind.ROWS else _TABLE_CHARACTERS
        for start, end in _row_groups(page.text, block, ends, most):
            span = PageSpan(page.number, start, end)
            yield ChunkDraft(kind, header, page.text[start:end], (span,), page.language)

    def _header(self, *more: str) -> str:
        parts: list[str] = [self._identity]
        for part in (*(self._path[level] for level in sorted(self._path)), *more):
            if part and part not in parts:
                parts.append(part)
        return " · ".join(parts)[:_HEADER_LIMIT]


def _line_ends(text: str) -> list[int]:
    return [*(match.start() for match in re.finditer("\n", text)), len(text)]


def _row_groups(text: str, block: Block, ends: Iterable[int], most: int) -> Iterator[tuple[int, int]]:
    """Stretches of a table's block that end with whole rows; the first one begins with its column heads."""
    start = block.start
    previous = block.start
    for row_end in ends:
        line_end = text.find("\n", row_end)
        end = block.end if line_end < 0 else min(line_end, block.end)
        if end - start > most and previous > start:
            yield start, previous
            start = previous + 1 if text[previous : previous + 1] == "\n" else previous
        previous = max(previous, end)
    if block.end > start:
        yield start, block.end


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretch itself, or its sentences grouped when it is longer than a chunk may be."""
    if end - start <= _HARD_CHARACTERS:
        yield start, end
        return
    cuts = [start + match.end() for match in _SENTENCE.finditer(text[start:end])]
    begin = last = start
    for cut in (*cuts, end):
        while cut - begin > _HARD_CHARACTERS and last == begin:  # one endless sentence
            yield begin, begin + TARGET_CHARACTERS
            begin = last = begin + TARGET_CHARACTERS
        if cut - begin > TARGET_CHARACTERS and last > begin:
            yield begin, last
            begin = last
        last = cut
    if end > begin:
        yield begin, end


def title_of(title: str, first_page: PageContent | None) -> str:
    """What a file calls itself: the title of its metadata when it says something, and the largest words of page 1."""
    parts: list[str] = []
    if len(title) > 4 and any(c.isalpha() for c in title) and title.lower() not in ("untitled", "(anonymous)"):
        parts.append(title[:120])
    if first_page is not None:
        large = [b for b in first_page.blocks if b.kind is BlockKind.HEADING and 0 < b.level <= 2][:5]
        parts.extend(" ".join(first_page.text[b.start : b.end].split())[:80] for b in large)
    return " · ".join(dict.fromkeys(parts))[:260]


def identity_of(name: str, title: str) -> str:
    """What every header begins with: the file's name without its suffix, then its title."""
    stem = name.rsplit(".", 1)[0] if "." in name else name
    return f"{stem} · {title}"[:300] if title and title != stem else stem[:260]
