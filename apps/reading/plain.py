"""Text and Markdown files: decoded, cleaned, cut into sections of lines that stand for pages."""

import re
from dataclasses import dataclass

from apps.reading import normalise
from apps.reading.contracts import (
    Block,
    BlockKind,
    FileFacts,
    MediaType,
    PageContent,
    ReadingError,
    ReadingFailure,
    ReadingWarning,
    Table,
    WarningCode,
)
from apps.reading.detect import utf16_variant
from apps.reading.language import language_of
from apps.reading.pipe_tables import length_of_table, pipe_table

READER = "airis-text 2"
SECTION_LINES = 200
_SECTION_CHARACTERS = 16_000
_TURKISH_HINTS = frozenset("ğşıİĞŞçÇöÖüÜ")
_HEADING = re.compile(r"^(#{1,6})\s+\S")
_LIST_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S")


@dataclass(frozen=True, slots=True)
class DecodedText:
    lines: tuple[str, ...]
    warnings: tuple[ReadingWarning, ...]


class TextReader:
    """One opened text file. Pages are sections, cut at blank lines where one is near."""

    def __init__(self, data: bytes, media_type: MediaType) -> None:
        decoded = decode(data)
        self._media_type = media_type
        self._warnings = decoded.warnings
        self._sections = _sections(decoded.lines)
        if not self._sections:
            raise ReadingError(ReadingFailure.NO_PAGES, "only white space")

    def facts(self) -> FileFacts:
        """What opening tells; the title is the first Markdown heading or ""."""
        return FileFacts(self._media_type, len(self._sections), self._title(), READER, self._warnings)

    def page(self, number: int) -> tuple[PageContent, tuple[ReadingWarning, ...]]:
        """Section `number` (from 1) with its blocks. Deterministic."""
        first_line, lines = self._sections[number - 1]
        text, blocks, tables = _text_and_blocks(lines, self._media_type)
        page = PageContent(
            number=number,
            label="",
            width=0.0,
            height=0.0,
            rotation=0,
            text=text,
            words=(),
            blocks=blocks,
            tables=tables,
            language=language_of(text),
            first_line=first_line,
        )
        return page, ()

    def pages(self, first: int, last: int) -> list[tuple[PageContent, tuple[ReadingWarning, ...]]]:
        """Sections first … last (from 1, inclusive)."""
        return [self.page(number) for number in range(first, last + 1)]

    def _title(self) -> str:
        for _first, lines in self._sections[:1]:
            for line in lines[:40]:
                if self._media_type is MediaType.MARKDOWN and _HEADING.match(line):
                    return line.lstrip("# ").strip()[:200]
        return ""


def decode(data: bytes) -> DecodedText:
    """Lines of a text file whatever its encoding (UTF-8, UTF-16, Windows-1254, ISO-8859-9), cleaned.

    Turkish code pages are preferred to Western ones: their bytes for ğ, ş and ı are Icelandic letters there.
    """
    text, warnings = decoded_text(data)
    lines = re.split(r"\r\n|\r|\n|\x0b|\x0c|\x85|\u2028|\u2029", text)
    return DecodedText(tuple(normalise.clean_line(line).rstrip() for line in lines), warnings)


def decoded_text(data: bytes) -> tuple[str, tuple[ReadingWarning, ...]]:
    """The characters of a text file whatever its encoding, NUL included as it came (it is said, and cleaned later)."""
    warnings: list[ReadingWarning] = []
    text = _decoded(data, warnings)
    if "\x00" in text:
        warnings.append(ReadingWarning(WarningCode.NUL_REMOVED, None))
    return text, tuple(warnings)


def _decoded(data: bytes, warnings: list[ReadingWarning]) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    variant = utf16_variant(data[:8192])
    if variant is not None:
        return data.decode(variant, errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    mixed = _line_by_line(data)
    if mixed is not None:
        return mixed
    try:
        return data.decode("cp1254")
    except UnicodeDecodeError:
        pass
    high = sum(1 for byte in data if 0x80 <= byte <= 0x9F)
    if high == 0:
        return data.decode("iso-8859-9")
    warnings.append(ReadingWarning(WarningCode.DECODED_WITH_REPLACEMENT, None))
    mostly_utf8 = data.decode("utf-8", errors="replace")
    legacy = data.decode("cp1254", errors="replace")
    return mostly_utf8 if mostly_utf8.count("\ufffd") <= legacy.count("\ufffd") else legacy


def _line_by_line(data: bytes) -> str | None:
    """Files that several programs wrote to: lines of UTF-8 beside lines of Windows-1254. None for any other file."""
    kinds: set[bool] = set()
    decoded: list[str] = []
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        try:
            text, is_utf8 = line.decode("utf-8"), True
        except UnicodeDecodeError:
            text, is_utf8 = line.decode("cp1254", errors="replace"), False
        if not line.isascii():
            kinds.add(is_utf8)
        decoded.append(text)
    joined = "\n".join(decoded)
    return joined if len(kinds) == 2 and "\ufffd" not in joined else None


def _sections(lines: tuple[str, ...]) -> list[tuple[int, tuple[str, ...]]]:
    """(first line number, lines) of each section: up to SECTION_LINES lines, cut at the last blank line
    near.
    """
    lines = tuple(piece for line in lines for piece in _pieces(line))
    sections: list[tuple[int, tuple[str, ...]]] = []
    start = 0
    while start < len(lines):
        end, characters = start, 0
        while end < len(lines) and end - start < SECTION_LINES and characters < _SECTION_CHARACTERS:
            characters += len(lines[end]) + 1
            end += 1
        if end < len(lines):
            earliest = start + max(1, (end - start) * 3 // 4)
            blank = next((i for i in range(end - 1, earliest, -1) if not lines[i].strip()), None)
            end = blank + 1 if blank is not None else end
        if any(line.strip() for line in lines[start:end]):
            sections.append((start + 1, lines[start:end]))
        start = end
    return sections


def _pieces(line: str) -> list[str]:
    """A line too long for one section in pieces at blanks; every other line as it is."""
    pieces = []
    while len(line) > _SECTION_CHARACTERS:
        cut = line.rfind(" ", 1, _SECTION_CHARACTERS)
        cut = cut if cut > 0 else _SECTION_CHARACTERS
        pieces.append(line[:cut])
        line = line[cut:].lstrip(" ")
    pieces.append(line)
    return pieces


def _text_and_blocks(lines: tuple[str, ...], media_type: MediaType) -> tuple[str, tuple[Block, ...], tuple[Table, ...]]:
    blocks: list[Block] = []
    tables: list[Table] = []
    offset = position = 0
    title = ""
    open_start: int | None = None
    open_end = 0
    while position < len(lines):
        line = lines[position]
        start, end = offset, offset + len(line)
        count = length_of_table(lines[position : position + SECTION_LINES])
        kind, level = (BlockKind.TABLE, 0) if count else _kind_of(line, media_type)
        if open_start is not None and kind is not BlockKind.PARAGRAPH:
            blocks.append(Block(len(blocks), BlockKind.PARAGRAPH, open_start, open_end, None))
            open_start = None
        if count:
            rows = lines[position : position + count]
            end = start + sum(len(row) + 1 for row in rows) - 1
            above = next(
                (line.strip() for line in reversed(lines[max(0, position - 3) : position]) if line.strip()), ""
            )
            tables.append(pipe_table(rows, start=start, block=len(blocks), title=title, above=above.lstrip("# ")))
        if kind is BlockKind.PARAGRAPH:
            open_start = start if open_start is None else open_start
            open_end = end
        elif kind is not None:
            blocks.append(Block(len(blocks), kind, start, end, None, level))
            title = line.lstrip("# ").strip() if kind is BlockKind.HEADING else title
        offset = end + 1
        position += count or 1
    if open_start is not None:
        blocks.append(Block(len(blocks), BlockKind.PARAGRAPH, open_start, open_end, None))
    return "\n".join(lines), tuple(blocks), tuple(tables)


def _kind_of(line: str, media_type: MediaType) -> tuple[BlockKind | None, int]:
    if not line.strip():
        return None, 0
    heading = _HEADING.match(line) if media_type is MediaType.MARKDOWN else None
    if heading:
        return BlockKind.HEADING, len(heading.group(1))
    if _LIST_ITEM.match(line):
        return BlockKind.LIST_ITEM, 0
    return BlockKind.PARAGRAPH, 0
