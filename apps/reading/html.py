"""HTML: the words a reader sees, headings, lists and tables. Nothing of the markup survives, nothing is fetched."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from apps.reading import normalise
from apps.reading.contracts import (
    BlockKind,
    MediaType,
    ReadingError,
    ReadingFailure,
    ReadingWarning,
    WarningCode,
)
from apps.reading.flow import Elements, FlowReader
from apps.reading.html_pages import breaks_after, breaks_before, heading_level, page_break, without_page_breaks
from apps.reading.plain import decoded_text
from apps.reading.shapes import DraftCell, DraftRow

READER = "airis-html 1"
_SILENT = {
    "script", "style", "head", "noscript", "template", "svg", "math", "iframe", "object", "embed", "canvas", "audio",
    "video", "select", "textarea", "ix:header", "ix:hidden", "ix:exclude", "ix:resources",
}  # fmt: skip
_BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "header", "hr", "html", "legend", "main", "nav", "ol", "p", "pre",
    "section", "summary", "table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption", "ul",
}  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px|pt|em|%)?\s*(?:;|$)", re.I)
_WEIGHT = re.compile(r"font-weight\s*:\s*(\w+)", re.IGNORECASE)
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([\w-]{3,40})""", re.IGNORECASE)
_LONGEST_CELL = 1_500  # a longer one belongs to a table that only lays out the page
_PREFIXES = {"$", "€", "£", "₺", "US$", "("}
_SUFFIXES = {")", "%", ")%", "%)", "]"}


class HtmlReader(FlowReader):
    """One opened page."""

    def __init__(self, data: bytes, *, name_differs: bool = False) -> None:
        warnings = [ReadingWarning(WarningCode.NAME_DIFFERS, None, "HTML")] if name_differs else []
        root, more = tree_of(data)
        elements = elements_of(root)
        super().__init__(elements.found, MediaType.HTML, READER, title=_title(root), warnings=(*warnings, *more))


def tree_of(data: bytes) -> tuple[Any, tuple[ReadingWarning, ...]]:  # Any: lxml element
    """Root of the page, decoded by its BOM, its own word or the evidence of its bytes. Raises ReadingError."""
    text, warnings = _decoded(data)
    text = normalise_markup(text)
    parser = etree.HTMLParser(no_network=True, remove_comments=True, remove_pis=True, huge_tree=False, encoding="utf-8")
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError) as exc:
        raise ReadingError(ReadingFailure.DAMAGED, "HTML") from exc
    if root is None:
        raise ReadingError(ReadingFailure.NO_PAGES, "no words")
    return root, warnings


def elements_of(root: Any) -> Elements:  # Any: lxml element
    """Blocks and tables in reading order."""
    walker = _Walker()
    walker.element(root)
    walker.flush()
    walker.elements.found = without_page_breaks(walker.elements.found)
    return walker.elements


def normalise_markup(text: str) -> str:
    """Without characters that no page may hold: libxml2 would stop at a NUL."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]", "", re.sub(r"^\s*<\?xml[^>]*\?>", "", text))


class _Walker:
    """Depth first; libxml2 allows 256 levels, so recursion is bounded."""

    def __init__(self) -> None:
        self.elements = Elements()
        self._words: list[str] = []
        self._kind = BlockKind.PARAGRAPH
        self._level = 0
        self._is_bold = False
        self._bold = 0  # letters of the open block that are bold
        self._is_link = False

    def element(self, element: Any) -> None:
        """The element and everything in it, its tail left to the caller."""
        tag = _tag(element)
        if tag in _SILENT or is_invisible(element):
            self._words.append(" ")
            return
        if tag == "hr" or breaks_before(element):
            self.flush()
            self.elements.found.append(page_break())
        if tag == "table" and not _is_layout(element):
            self.flush()
            self.elements.table(list(_rows(element)))
            return
        if tag == "br":
            self._words.append(" ")
            return
        opens = tag in _BLOCKS or tag in _HEADINGS or tag == "li"
        kind, level = self._kind, self._level
        if opens:
            self.flush()
            if tag in _HEADINGS:
                self._kind, self._level = BlockKind.HEADING, _HEADINGS[tag]
            elif tag == "li":
                self._kind, self._level = BlockKind.LIST_ITEM, 0
        is_bold, is_link = self._is_bold, self._is_link
        self._is_bold = _bold_of(element, tag, is_bold)
        self._is_link = is_link or (tag == "a" and (element.get("href") or "").startswith("#"))
        self._say(element.text)
        for child in element:
            self.element(child)
            self._say(child.tail)
        self._is_bold, self._is_link = is_bold, is_link
        if opens:
            self.flush()
            self._kind, self._level = kind, level
        if breaks_after(element):
            self.flush()
            self.elements.found.append(page_break())

    def flush(self) -> None:
        """The collected words are a block; one that stands as a heading is one, whatever its tag."""
        text = tidy("".join(self._words))
        kind, level = self._kind, self._level
        if kind is BlockKind.PARAGRAPH and text:
            found = heading_level(text, is_bold=self._bold >= _letters(text), is_link=self._is_link)
            kind, level = (BlockKind.HEADING, found) if found else (kind, level)
        self._words, self._bold = [], 0
        self.elements.words(kind, text, level)

    def _say(self, text: str | None) -> None:
        if text:
            self._words.append(text)
            self._bold += _letters(text) if self._is_bold else 0


def _letters(text: str) -> int:
    return sum(1 for character in text if character.isalnum())


def _bold_of(element: Any, tag: str, inherited: bool) -> bool:
    """Whether the element's words are bold; its own style decides over what stands around it."""
    if tag in ("b", "strong"):
        return True
    weight = _WEIGHT.search(element.get("style") or "")
    return inherited if weight is None else weight[1].lower() in ("bold", "bolder", "600", "700", "800", "900")


def tidy(text: str) -> str:
    """White space as a browser shows it: one blank between words."""
    return " ".join(normalise.clean_line(re.sub(r"[\r\n\t]", " ", text)).split())


def is_invisible(element: Any) -> bool:
    """Whether the page hides it by attribute or style."""
    if element.get("hidden") is not None or (_tag(element) == "input"):
        return True
    return bool(_INVISIBLE.search(element.get("style") or ""))


def _tag(element: Any) -> str:
    return element.tag.lower() if isinstance(element.tag, str) else ""


def _decoded(data: bytes) -> tuple[str, tuple[ReadingWarning, ...]]:
    said = _CHARSET.search(data[:4096])
    if said and not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        name = said[1].decode("ascii", "replace").lower()
        name = {"iso-8859-1": "cp1254" if _is_turkish(data) else "cp1252", "iso-8859-9": "cp1254"}.get(name, name)
        try:
            return data.decode(name), ()
        except (LookupError, UnicodeDecodeError):
            pass
    return decoded_text(data)


def _is_turkish(data: bytes) -> bool:
    return b'lang="tr' in data[:4096].lower()


def _title(root: Any) -> str:
    found = root.find(".//title")
    return tidy(found.text or "") if found is not None else ""


def _is_layout(table: Any) -> bool:
    """A table that only arranges the page: one column, tables inside, or whole articles in its cells."""
    if table.find(".//table") is not None:
        return True
    widest = 0
    for row in table.iter("tr"):
        cells = [cell for cell in row if _tag(cell) in ("td", "th")]
        widest = max(widest, sum(1 for cell in cells if cell_text(cell)))
        if any(len(cell_text(cell)) > _LONGEST_CELL for cell in cells):
            return True
    return widest < 2


def _rows(table: Any) -> Iterator[DraftRow]:
    below: dict[int, tuple[int, int, str]] = {}  # column → (rows still covered, columns, text to repeat)
    number = 0
    for row in table.iter("tr"):
        if is_invisible(row):
            continue
        number += 1
        cells: list[DraftCell] = []
        column = 0
        for cell in row:
            if _tag(cell) not in ("td", "th") or is_invisible(cell):
                continue
            while column in below:
                column = _covered(below, column, cells)
            span = _span(cell.get("colspan"))
            text = cell_text(cell)
            cells.append(DraftCell(column, text, span=span, is_head=_tag(cell) == "th"))
            if _span(cell.get("rowspan")) > 1:
                below[column] = (_span(cell.get("rowspan")) - 1, span, text if column == 0 else "")
            column += span
        kept = _joined([cell for cell in cells if cell.text])
        if kept:
            yield DraftRow(number, kept)


def _covered(below: dict[int, tuple[int, int, str]], column: int, cells: list[DraftCell]) -> int:
    """A cell from above reaches into this row: the label is said again. The column behind it."""
    left, span, text = below.pop(column)
    if left > 1:
        below[column] = (left - 1, span, text)
    if text:
        cells.append(DraftCell(column, text, span=span))
    return column + span


def _joined(cells: list[DraftCell]) -> list[DraftCell]:
    """ "$", "(1,905" and ")" in cells of their own become one value."""
    joined: list[DraftCell] = []
    prefix: DraftCell | None = None
    for cell in cells:
        if cell.text in _PREFIXES:
            prefix = DraftCell(prefix.column, prefix.text + cell.text) if prefix else cell
            continue
        if cell.text in _SUFFIXES and joined:
            joined[-1].text += cell.text
            joined[-1].span = cell.column + cell.span - joined[-1].column
            continue
        if prefix is not None:  # the value begins where its sign does, as those of rows without a sign do
            cell.text, cell.span = prefix.text + cell.text, cell.column + cell.span - prefix.column
            cell.column, prefix = prefix.column, None
        joined.append(cell)
    return joined


def cell_text(cell: Any) -> str:
    """Visible words of a cell on one line."""
    return tidy("".join(_pieces(cell)))


def _pieces(element: Any) -> Iterator[str]:
    if _tag(element) in _SILENT or is_invisible(element):
        return
    if _tag(element) in _BLOCKS or _tag(element) == "br":
        yield " "
    yield element.text or ""
    for child in element:
        yield from _pieces(child)
        yield child.tail or ""


def _span(text: str | None) -> int:
    return min(int(text), 200) if text and text.isascii() and text.isdecimal() and 0 < len(text) < 5 else 1
