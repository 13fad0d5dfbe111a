"""What a PDF carries beside its printed words: form fields, notes of reviewers, attached files."""

from typing import Any

from apps.reading import normalise
from apps.reading._pymupdf import pymupdf
from apps.reading.containers import safe_path
from apps.reading.contracts import Box, Member, MemberRefusal, ReadingError, ReadingFailure
from apps.reading.geometry import Token

CHECKED, UNCHECKED = "[checked]", "[ ]"
_BOXES = (pymupdf.PDF_WIDGET_TYPE_CHECKBOX, pymupdf.PDF_WIDGET_TYPE_RADIOBUTTON)
_WITHOUT_VALUE = (pymupdf.PDF_WIDGET_TYPE_BUTTON, pymupdf.PDF_WIDGET_TYPE_SIGNATURE)
_NOTE_KINDS = (pymupdf.PDF_ANNOT_TEXT, pymupdf.PDF_ANNOT_HIGHLIGHT, pymupdf.PDF_ANNOT_UNDERLINE,
               pymupdf.PDF_ANNOT_STRIKE_OUT, pymupdf.PDF_ANNOT_SQUIGGLY, pymupdf.PDF_ANNOT_STAMP)  # fmt: skip
_MOST_NOTE_CHARACTERS = 4000
_MOST_OBJECTS = 60_000  # looked through for attached files of pages
_MOST_MEMBER_BYTES = 200 * 1024 * 1024
_DRAWN_SHARE = 0.95  # of a field's value that its drawing shows at least
_RUN = 50_000_000  # parser line numbers of words that come from fields


def with_fields(page: Any, tokens: list[Token]) -> list[Token]:
    """The page's tokens with the state of its boxes to tick, and with field values that are drawn nowhere."""
    if page.first_widget is None or page.rotation:
        return tokens
    size = sorted(token.size for token in tokens)[len(tokens) // 2] if tokens else 10.0
    for number, widget in enumerate(page.widgets()):
        rect = widget.rect
        if widget.field_type in _WITHOUT_VALUE or rect.is_empty:
            continue
        inside = [token for token in tokens if _middle_in(token.box, rect)]
        if widget.field_type in _BOXES:
            is_on = str(widget.field_value) not in ("Off", "False", "", "None")
            tokens = [token for token in tokens if token not in inside]  # a tick of a picture font reads "4" or "3"
            tokens.append(_token(CHECKED if is_on else UNCHECKED, rect, size, _RUN + number))
            continue
        value = widget.field_value
        text = _clean(" ".join(value) if isinstance(value, list | tuple) else str(value or ""))
        drawn = sum(len(token.text) for token in inside)
        if drawn < _DRAWN_SHARE * sum(len(word) for word in text.split()):  # cut off, or drawn nowhere
            tokens = [token for token in tokens if token not in inside] + _words(text, rect, size, _RUN + number)
    return tokens


def notes_of(page: Any) -> list[list[Token]]:
    """Comments of reviewers whose words stand nowhere on the page, each as tokens over its mark."""
    notes = []
    for annotation in page.annots(types=_NOTE_KINDS) if page.first_annot is not None else ():
        text = _clean(str(annotation.info.get("content") or ""))[:_MOST_NOTE_CHARACTERS]
        if text.strip():
            rect = annotation.rect * page.rotation_matrix
            notes.append(_words(text, rect, max(rect.y1 - rect.y0, 1.0), _RUN))
    return notes


class Attachments:
    """Files inside the PDF: those of its name tree, then those pinned to pages. Nothing is opened here."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self.members: list[Member] = []
        self._sources: list[tuple[str, int]] = []  # ("tree", index) or ("object", number)
        for index in range(document.embfile_count()):
            info = self._info(index)
            self._add(str(info.get("ufilename") or info.get("filename") or ""), int(info.get("size", 0)), "tree", index)
        if document.xref_length() < _MOST_OBJECTS:
            self._pinned()

    def bytes_of(self, index: int) -> bytes:
        """Raises ReadingError(TOO_LARGE | DAMAGED)."""
        kind, number = self._sources[index]
        if self.members[index].size > _MOST_MEMBER_BYTES:
            raise ReadingError(ReadingFailure.TOO_LARGE, "attachment")
        try:
            if kind == "tree":
                return bytes(self._document.embfile_get(number))
            return bytes(self._document.xref_stream(number) or b"")
        except Exception as exc:  # MuPDF raises its own, undocumented kinds
            raise ReadingError(ReadingFailure.DAMAGED, type(exc).__name__) from exc

    def _info(self, index: int) -> dict[str, Any]:
        try:
            return dict(self._document.embfile_info(index))
        except Exception:  # noqa: BLE001  # MuPDF raises its own, undocumented kinds
            return {}

    def _pinned(self) -> None:
        for number in range(1, self._document.xref_length()):
            if self._key(number, "Subtype") != "/FileAttachment":
                continue
            name = self._key(number, "FS/UF", "string") or self._key(number, "FS/F", "string")
            reference = self._key(number, "FS/EF/F", "xref")
            if not reference or safe_path(name) in {member.name for member in self.members}:
                continue
            target = int(reference.split()[0])
            size = self._key(target, "Params/Size")
            self._add(name, int(size) if size.isdigit() else 0, "object", target)

    def _key(self, number: int, path: str, kind: str = "") -> str:
        """The entry's value, "" when the object is broken, has none or another kind."""
        try:
            found, value = self._document.xref_get_key(number, path)
        except Exception:  # noqa: BLE001  # MuPDF raises its own, undocumented kinds
            return ""
        return str(value) if found != "null" and kind in ("", found) else ""

    def _add(self, name: str, size: int, kind: str, number: int) -> None:
        refusal = MemberRefusal.TOO_LARGE if size > _MOST_MEMBER_BYTES else None
        self.members.append(Member(safe_path(name), size, refusal))
        self._sources.append((kind, number))


def _clean(text: str) -> str:
    return normalise.clean_word(text.replace("\r", "\n"))


def _words(text: str, rect: Any, size: float, run: int) -> list[Token]:
    """Words of a value laid out in its field, line by line, as wide as the field allows."""
    tokens = []
    lines = [line.split() for line in text.split("\n") if line.strip()]
    height = (rect.y1 - rect.y0) / max(len(lines), 1)
    for row, words in enumerate(lines):
        letters = sum(len(word) + 1 for word in words)
        step = min(0.5 * size, (rect.x1 - rect.x0) / max(letters, 1))
        x, y = rect.x0 + 1, rect.y0 + row * height
        for word in words:
            box = pymupdf.Rect(x, y, x + step * len(word), y + height)
            tokens.append(_token(word, box, size, run))
            x = box.x1 + step
    return tokens


def _token(text: str, rect: Any, size: float, run: int) -> Token:
    box = (round(rect.x0, 1), round(rect.y0, 1), round(rect.x1, 1), round(rect.y1, 1))
    return Token(text, *box, box, size, bold=False, run=run)


def _middle_in(box: Box, rect: Any) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return bool(rect.x0 <= x <= rect.x1 and rect.y0 <= y <= rect.y1)
