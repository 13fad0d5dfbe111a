"""RTF: its words, without the markup; and the packed RTF of Outlook messages (MS-OXRTFCP)."""

import codecs
import re
from dataclasses import dataclass, field

from apps.reading import normalise
from apps.reading.contracts import BlockKind, MediaType, ReadingError, ReadingFailure, ReadingWarning, WarningCode
from apps.reading.flow import Elements, FlowReader
from apps.reading.shapes import DraftCell, DraftRow

READER = "airis-rtf 1"
_TOKEN = re.compile(r"\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|(.)", re.DOTALL)
_SILENT = {
    "fonttbl", "colortbl", "stylesheet", "listtable", "listoverridetable", "info", "pict", "object", "themedata",
    "colorschememapping", "latentstyles", "datastore", "xmlnstbl", "generator", "fldinst", "rsidtbl", "mmathPr",
    "template", "revtbl", "userprops", "filetbl", "pgdsctbl", "nonshppict", "shpinst", "bkmkstart", "bkmkend",
}  # fmt: skip
_SIGNS = {
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
    "tab": "\t", "emspace": " ", "enspace": " ", "qmspace": " ", "line": "\n",
}  # fmt: skip
_BREAKS = {"par", "page", "sect"}
_CELL, _ROW = "\x1f", "\x1e"
_MOST_GROUPS = 500
_DICTIONARY = (  # the initial dictionary of MS-OXRTFCP 2.1.2.1
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)


class RtfReader(FlowReader):
    """One opened document: paragraphs and tables."""

    def __init__(self, data: bytes, *, name_differs: bool = False) -> None:
        warnings = (ReadingWarning(WarningCode.NAME_DIFFERS, None, "RTF"),) if name_differs else ()
        elements = Elements()
        rows: list[DraftRow] = []
        for line in _marked_text(data).split("\n"):
            if _ROW in line or _CELL in line:
                cells = line.replace(_ROW, "").split(_CELL)
                drafts = [DraftCell(c, _words(text)) for c, text in enumerate(cells) if _words(text)]
                rows.append(DraftRow(len(rows) + 1, drafts))
                continue
            if rows:
                elements.table(rows)
                rows = []
            elements.words(BlockKind.PARAGRAPH, _words(line))
        elements.table(rows)
        super().__init__(elements.found, MediaType.RTF, READER, warnings=warnings)


def text_of_rtf(data: bytes) -> str:
    """The words of an RTF, a line a paragraph; HTML that an Outlook message wrapped in RTF loses its tags."""
    return _marked_text(data).replace(_ROW, "").replace(_CELL, "\t")


def decompressed(packed: bytes) -> bytes:
    """Outlook's packed RTF as RTF; what a damaged one still gives. Never more than its header says."""
    if len(packed) < 16:
        return b""
    size = int.from_bytes(packed[4:8], "little")
    if packed[8:12] == b"MELA":
        return packed[16 : 16 + size]
    window = bytearray(_DICTIONARY.ljust(4096, b"\0"))
    write, out, position = len(_DICTIONARY), bytearray(), 16
    while position < len(packed) and len(out) < size:
        flags = packed[position]
        position += 1
        for bit in range(8):
            if position >= len(packed) or len(out) >= size:
                break
            if not flags >> bit & 1:
                taken = bytearray(packed[position : position + 1])
                position += 1
            else:
                pair = int.from_bytes(packed[position : position + 2], "big")
                position += 2
                offset, length = pair >> 4, (pair & 15) + 2
                if offset == write:
                    return bytes(out)
                taken = bytearray()
                for step in range(length):
                    taken.append(window[(offset + step) % 4096])
                    window[(write + step) % 4096] = taken[-1]
            for byte in taken:
                window[write] = byte
                write = (write + 1) % 4096
            out += taken
    return bytes(out)


@dataclass(slots=True)
class _State:
    """What a group may change."""

    is_silent: bool = False
    skip: int = 1  # replacement characters after \\u


@dataclass(slots=True)
class _Text:
    pieces: list[str] = field(default_factory=list)
    pending: bytearray = field(default_factory=bytearray)
    encoding: str = "cp1252"

    def byte(self, value: int) -> None:
        self.pending.append(value)

    def put(self, text: str) -> None:
        self.flush()
        self.pieces.append(text)

    def flush(self) -> None:
        if self.pending:
            self.pieces.append(bytes(self.pending).decode(self.encoding, "replace"))
            self.pending.clear()


def _marked_text(data: bytes) -> str:
    """Words of the document; cells and rows of tables end with marks of their own."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise ReadingError(ReadingFailure.DAMAGED, "RTF")
    text, stack, state = _Text(), [], _State()
    left_out = 0  # replacement characters still to be skipped
    is_ignorable = False
    for match in _TOKEN.finditer(data.decode("latin-1")):
        word, number, code, sign, brace, letter = match.groups()
        if brace == "{":
            stack.append(_State(state.is_silent, state.skip))
            if len(stack) > _MOST_GROUPS:
                raise ReadingError(ReadingFailure.TOO_LARGE, "groups")
            is_ignorable = False
        elif brace == "}":
            state = stack.pop() if stack else _State()
        elif sign == "*":
            is_ignorable = True
        elif word:
            if is_ignorable or word in _SILENT:
                state.is_silent = state.is_silent or word != "htmltag" or is_ignorable
                is_ignorable = False
            left_out = _control(word, number, state, text)
        elif state.is_silent:
            continue
        elif code and left_out:
            left_out -= 1
        elif code:
            text.byte(int(code, 16))
        elif sign:
            text.put({"~": "\u00a0", "_": "-", "-": "", "\n": "\n", "\r": "\n"}.get(sign, sign))
        elif letter and left_out:
            left_out -= 1
        elif letter:
            text.byte(ord(letter))
    text.flush()
    return "".join(text.pieces)


def _control(word: str, number: str | None, state: _State, text: _Text) -> int:
    """One control word; returns how many replacement characters follow."""
    if word == "ansicpg" and number:
        name = f"cp{number}" if number != "65001" else "utf-8"
        with_codec = _known(name)
        text.encoding = with_codec or text.encoding
    if word == "uc" and number:
        state.skip = min(abs(int(number)), 8)
    if state.is_silent:
        return 0
    if word == "u" and number:
        point = int(number) % 0x10000
        text.put(chr(point) if not 0xD800 <= point < 0xE000 else "\ufffd")
        return state.skip
    if word in _BREAKS:
        text.put("\n")
    elif word == "cell":
        text.put(_CELL)
    elif word == "row":
        text.put(_ROW + "\n")
    elif word in _SIGNS:
        text.put(_SIGNS[word])
    return 0


def _known(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""


def _words(text: str) -> str:
    return " ".join(normalise.clean_line(text).replace("\t", " ").split())
