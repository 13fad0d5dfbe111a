"""DOCX: headings with level, paragraphs, lists, tables (nested ones too), notes tied to their sentence, as accepted.

Tracked insertions are read, deletions are not; comments stand apart as notes; fields show their last result; text
boxes are read once. Nothing is fetched and no macro is run. Deeper structure (numbering, sections) has its place here.
"""

from collections.abc import Iterator
from typing import Any

from apps.reading import normalise
from apps.reading.containers import Container
from apps.reading.contracts import BlockKind, MediaType, ReadingWarning, TrackedChange, WarningCode
from apps.reading.docx_styles import Styles, attribute, local, parts_of, styles_of
from apps.reading.flow import Elements, FlowReader
from apps.reading.shapes import DraftCell, DraftRow

READER = "airis-docx 1"
_GONE = {"del", "moveFrom", "delText", "instrText", "Fallback", "rPr", "pPr", "sectPr", "tblPr", "trPr", "tcPr"}
_TEXT = {"t": None, "tab": " ", "br": " ", "cr": " ", "noBreakHyphen": "-", "softHyphen": ""}
_DEPTH = 200
_MOST_CHANGES = 10_000  # of one block
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class DocxReader(FlowReader):
    """One opened document."""

    def __init__(self, data: bytes, *, name_differs: bool = False) -> None:
        container = Container(data)
        container.refuse_bombs()
        root = container.xml("word/document.xml")
        walker = _Walker(container, styles_of(container))
        headers, footers = parts_of(container, "header"), parts_of(container, "footer")
        walker.edges(headers, BlockKind.HEADER)
        walker.body(root)
        walker.edges(footers, BlockKind.FOOTER)
        warnings = [ReadingWarning(WarningCode.NAME_DIFFERS, None, "DOCX")] if name_differs else []
        warnings += _warnings(container, root, walker)
        super().__init__(
            walker.elements.found, MediaType.DOCX, READER, title=_title(container), warnings=tuple(warnings)
        )


class _Walker:
    def __init__(self, container: Container, styles: Styles) -> None:
        self.elements = Elements()
        self.has_hidden = False
        self._changes: list[TrackedChange] = []  # of the block that is being read
        self._styles = styles
        self._notes = {
            kind: {attribute(note, "id"): note for part in parts_of(container, part_kind) for note in part}
            for kind, part_kind in (("footnote", "footnotes"), ("endnote", "endnotes"), ("comment", "comments"))
        }

    def body(self, root: Any) -> None:
        """Blocks of the document in reading order."""
        self._blocks(next((child for child in root if local(child) == "body"), root), 0)
        self._note_changes()

    def edges(self, parts: list[Any], kind: BlockKind) -> None:
        """Running headers and footers, each wording once."""
        seen: set[str] = set()
        for part in parts:
            text = " ".join(filter(None, (self._text(p, []) for p in part.iter() if local(p) == "p")))
            if text and text not in seen:
                seen.add(text)
                self.elements.words(kind, text)

    def _blocks(self, parent: Any, depth: int) -> None:
        if depth > _DEPTH:
            return
        for child in parent:
            tag = local(child)
            if tag == "p":
                self._paragraph(child, depth)
            elif tag == "tbl":
                self._table(child, depth)
            elif tag in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"):
                self._blocks(child, depth + 1)

    def _paragraph(self, paragraph: Any, depth: int) -> None:
        aside: list[Any] = []
        text = self._text(paragraph, aside)
        kind, level = self._styles.kind_of(paragraph)
        self.elements.words(kind, text, level)
        self._note_changes()
        self._asides(aside, depth)

    def _note_changes(self) -> None:
        """Changes met since the last block belong to it; those before the first block wait for it."""
        if self.elements.found:
            self.elements.found[-1].changes += self._changes
            self._changes = []

    def _note(self, element: Any, *, is_deletion: bool) -> None:
        """A change that nobody accepted yet, both states kept: what is gone is no part of the text."""
        tags = ("t", "delText")
        words = " ".join(
            normalise.clean_line("".join(e.text or "" for e in element.iter() if local(e) in tags)).split()
        )
        if words and len(self._changes) < _MOST_CHANGES:
            author = normalise.clean_word(attribute(element, "author"))[:80]
            self._changes.append(TrackedChange(0, is_deletion, words[:2000], author, attribute(element, "date")[:30]))

    def _asides(self, aside: list[Any], depth: int) -> None:
        """Notes and boxes whose anchors stood in a paragraph, right after it."""
        for element in aside:
            tag = local(element)
            if tag == "txbxContent":
                self._blocks(element, depth + 1)
                continue
            kind = tag.removesuffix("Reference")
            note = self._notes.get(kind, {}).get(attribute(element, "id"))
            if note is None:
                continue
            words = " ".join(filter(None, (self._text(p, []) for p in note.iter() if local(p) == "p")))
            if kind == "comment":
                author = normalise.clean_word(attribute(note, "author"))[:80]
                self.elements.words(BlockKind.NOTE, f"[{author or '—'}] {words}" if words else "")
            elif words:
                self.elements.words(BlockKind.FOOTNOTE, f"{_mark(element)} {words}")

    def _text(self, element: Any, aside: list[Any]) -> str:
        """Words of a paragraph as accepted; anchors of notes and boxes are collected."""
        return " ".join(normalise.clean_line("".join(self._pieces(element, aside, 0))).replace("\t", " ").split())

    def _pieces(self, element: Any, aside: list[Any], depth: int) -> Iterator[str]:
        if depth > _DEPTH:
            return
        for child in element:
            tag = local(child)
            if tag in ("del", "moveFrom", "ins", "moveTo"):
                self._note(child, is_deletion=tag in ("del", "moveFrom"))
            if tag in _GONE:
                continue
            if tag in ("footnoteReference", "endnoteReference"):
                aside.append(child)
                yield _mark(child)
            elif tag in ("commentReference", "txbxContent"):
                aside.append(child)
            elif tag in _TEXT:
                said = _TEXT[tag]
                yield (child.text or "") if said is None else said
            elif tag == "r" and self._styles.is_hidden(child):
                self.has_hidden = True
            else:
                yield from self._pieces(child, aside, depth + 1)

    def _table(self, table: Any, depth: int) -> None:
        aside: list[Any] = []
        nested: list[Any] = []
        rows: list[DraftRow] = []
        above: dict[int, str] = {}
        for row in _rows(table):
            cells, column = [], 0
            properties = next((child for child in row if local(child) == "trPr"), None)
            marks = {local(child) for child in properties} if properties is not None else set()
            if "del" in marks:
                self._note(row, is_deletion=True)
                continue
            for cell in _cells(row):
                span, merge = _span(cell)
                text = self._cell_text(cell, aside, nested)
                if merge == "continue":
                    text = text or (above.get(column, "") if column == 0 else "")
                above[column] = text
                cells.append(DraftCell(column, text, span=span, is_head="tblHeader" in marks))
                column += span
            rows.append(DraftRow(len(rows) + 1, [cell for cell in cells if cell.text]))
        filled = [row for row in rows if row.cells]
        if filled and all(len(row.cells) < 2 for row in filled):  # a frame around words
            for row in filled:
                self.elements.words(BlockKind.PARAGRAPH, row.cells[0].text)
        else:
            self.elements.table(filled)
        self._note_changes()
        for inner in nested:
            self._table(inner, depth + 1)
        self._asides(aside, depth)

    def _cell_text(self, cell: Any, aside: list[Any], nested: list[Any]) -> str:
        words = []
        for child in cell:
            if local(child) == "tbl":
                nested.append(child)
            elif local(child) in ("p", "sdt", "ins"):
                words.append(self._text(child, aside))
        return " ".join(filter(None, words))


def _mark(anchor: Any) -> str:
    """The raised number of a note: never read as a figure."""
    return attribute(anchor, "id").translate(_RAISED)


def _rows(table: Any) -> Iterator[Any]:
    for child in table:
        if local(child) == "tr":
            yield child
        elif local(child) in ("sdt", "sdtContent", "ins", "customXml"):
            yield from _rows(child)


def _cells(row: Any) -> Iterator[Any]:
    for child in row:
        if local(child) == "tc":
            yield child
        elif local(child) in ("sdt", "sdtContent", "customXml"):
            yield from _cells(child)


def _span(cell: Any) -> tuple[int, str]:
    """(columns covered, "continue" for a cell that goes on from the row above)."""
    span, merge = 1, ""
    for properties in (child for child in cell if local(child) == "tcPr"):
        for child in properties:
            if local(child) == "gridSpan":
                said = attribute(child, "val")
                span = min(int(said), 100) if said.isdecimal() and said != "0" else 1
            elif local(child) == "vMerge":
                merge = attribute(child, "val") or "continue"
    return span, merge


def _title(container: Container) -> str:
    if "docProps/core.xml" not in container:
        return ""
    found = [e.text or "" for e in container.xml("docProps/core.xml") if local(e) == "title"]
    return normalise.clean_line(found[0]).strip() if found else ""


def _warnings(container: Container, root: Any, walker: _Walker) -> Iterator[ReadingWarning]:
    tags = {local(element) for element in root.iter()}
    if tags & {"ins", "del", "moveFrom", "moveTo"}:
        yield ReadingWarning(WarningCode.TRACKED_CHANGES, None)
    if "commentReference" in tags:
        yield ReadingWarning(WarningCode.HAS_COMMENTS, None)
    if walker.has_hidden:
        yield ReadingWarning(WarningCode.HIDDEN_CONTENT, None, "text")
    if any(name.endswith("vbaProject.bin") for name in container.names):
        yield ReadingWarning(WarningCode.HAS_MACROS, None)
    rels = [name for name in container.names if name.startswith("word/_rels/") and name.endswith(".rels")]
    for name in rels:
        for relation in container.xml(name):
            kind = str(relation.get("Type") or "").rsplit("/", 1)[-1]
            if relation.get("TargetMode") == "External" and kind != "hyperlink":
                yield ReadingWarning(WarningCode.EXTERNAL_CONTENT, None, kind[:40])
                return
