"""OpenDocument text (ODT, flat FODT): headings, paragraphs, lists, tables, notes, comments, as accepted.

Tracked deletions live in a part of their own and are not read; comments stand apart; nothing is fetched.
"""

from collections.abc import Iterator
from typing import Any

from apps.reading import normalise
from apps.reading.containers import Container, parse_xml
from apps.reading.contracts import BlockKind, MediaType, ReadingWarning, WarningCode
from apps.reading.docx_styles import attribute, local
from apps.reading.flow import Elements, FlowReader
from apps.reading.shapes import DraftCell, DraftRow

READER = "airis-odf 1"
_PART_LIMIT = 64 * 1024**2
_DEPTH = 200
_ASIDE = ("note", "annotation")
_SILENT = ("tracked-changes", "sequence-decls", "variable-decls", "forms", "binary-data", "annotation-end", "ruby-text")
_MOST_BLANKS = 200


class OdtReader(FlowReader):
    """One opened text document, packed or flat."""

    def __init__(self, data: bytes, *, name_differs: bool = False) -> None:
        root, meta = _roots(data)
        walker = _Walker()
        body = next((element for element in root.iter() if local(element) == "text" and len(element)), root)
        walker.blocks(body, 0)
        warnings = [ReadingWarning(WarningCode.NAME_DIFFERS, None, "ODT")] if name_differs else []
        tags = {local(element) for element in root.iter()}
        if "changed-region" in tags:
            warnings.append(ReadingWarning(WarningCode.TRACKED_CHANGES, None))
        if "annotation" in tags:
            warnings.append(ReadingWarning(WarningCode.HAS_COMMENTS, None))
        if _has_outside(root):
            warnings.append(ReadingWarning(WarningCode.EXTERNAL_CONTENT, None))
        title = next((e.text or "" for e in meta.iter() if local(e) == "title"), "") if meta is not None else ""
        super().__init__(walker.elements.found, MediaType.ODT, READER, title=_clean(title), warnings=tuple(warnings))


class _Walker:
    def __init__(self) -> None:
        self.elements = Elements()
        self._notes = 0

    def blocks(self, parent: Any, depth: int, *, in_list: bool = False) -> None:
        """Blocks below the element in reading order."""
        if depth > _DEPTH:
            return
        for child in parent:
            tag = local(child)
            if tag in _SILENT:
                continue
            if tag == "h":
                level = attribute(child, "outline-level")
                self._say(child, BlockKind.HEADING, min(int(level), 9) if level.isdecimal() else 1)
            elif tag == "p":
                self._say(child, BlockKind.LIST_ITEM if in_list else BlockKind.PARAGRAPH, 0)
            elif tag == "table":
                self._table(child, depth)
            else:
                self.blocks(child, depth + 1, in_list=in_list or tag == "list")

    def _say(self, paragraph: Any, kind: BlockKind, level: int) -> None:
        aside: list[Any] = []
        self.elements.words(kind, _clean("".join(self._pieces(paragraph, aside, 0))), level)
        self._asides(aside)

    def _asides(self, aside: list[Any]) -> None:
        for element in aside:
            tag = local(element)
            if tag == "annotation":
                words = " ".join(_clean("".join(self._pieces(p, [], 0))) for p in element if local(p) == "p")
                author = next((e.text or "" for e in element if local(e) == "creator"), "")
                self.elements.words(BlockKind.NOTE, f"[{_clean(author) or '—'}] {words}" if words else "")
            elif tag == "note":
                words = " ".join(_clean("".join(self._pieces(p, [], 0))) for p in element.iter() if local(p) == "p")
                self.elements.words(BlockKind.FOOTNOTE, words)
            else:  # a text box or a frame
                self.blocks(element, 1)

    def _pieces(self, element: Any, aside: list[Any], depth: int) -> Iterator[str]:
        yield element.text or ""
        for child in element if depth < _DEPTH else ():
            tag = local(child)
            if tag in _ASIDE or tag in ("frame", "custom-shape"):
                aside.append(child)
            elif tag == "s":
                count = attribute(child, "c")
                yield " " * min(int(count), _MOST_BLANKS) if count.isdecimal() else " "
            elif tag in ("tab", "line-break"):
                yield " "
            elif tag not in _SILENT:
                yield from self._pieces(child, aside, depth + 1)
            yield child.tail or ""

    def _table(self, table: Any, depth: int) -> None:
        rows: list[DraftRow] = []
        nested: list[Any] = []
        aside: list[Any] = []
        for row in _rows(table, 0):
            cells, column = [], 0
            for cell in row:
                if local(cell) not in ("table-cell", "covered-table-cell"):
                    continue
                words = []
                for child in cell:
                    if local(child) == "table":
                        nested.append(child)
                    elif local(child) in ("p", "h"):
                        words.append(_clean("".join(self._pieces(child, aside, 0))))
                    else:
                        words += [_clean("".join(self._pieces(p, aside, 0))) for p in child.iter() if local(p) == "p"]
                text = " ".join(filter(None, words))
                span = attribute(cell, "number-columns-spanned")
                if text:
                    width = min(int(span), 100) if span.isdecimal() and span != "0" else 1
                    cells.append(DraftCell(column, text, span=width))
                repeated = attribute(cell, "number-columns-repeated")
                column += min(int(repeated), 1000) if repeated.isdecimal() else 1
            rows.append(DraftRow(len(rows) + 1, cells))
        self.elements.table([row for row in rows if row.cells])
        for inner in nested:
            self._table(inner, depth + 1)
        self._asides(aside)


def _roots(data: bytes) -> tuple[Any, Any]:
    """(content, metadata or None) of a packed or flat document. Raises ReadingError."""
    if not data.startswith(b"PK"):
        root = parse_xml(data)
        return root, root
    container = Container(data)
    container.refuse_bombs()
    meta = container.xml("meta.xml", _PART_LIMIT) if "meta.xml" in container else None
    return container.xml("content.xml", _PART_LIMIT), meta


def _rows(table: Any, depth: int) -> Iterator[Any]:
    for child in table if depth < _DEPTH else ():
        if local(child) == "table-row":
            yield child
        elif local(child) in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _rows(child, depth + 1)


def _has_outside(root: Any) -> bool:
    """Pictures, objects or sections that stand in other files or at addresses."""
    tags = ("image", "object", "section-source", "object-ole", "plugin")
    places = (attribute(element, "href") for element in root.iter() if local(element) in tags)
    return any(place.startswith(("http:", "https:", "file:", "ftp:", "//", "../")) for place in places)


def _clean(text: str) -> str:
    return " ".join(normalise.clean_line(text.replace("\n", " ")).replace("\t", " ").split())
