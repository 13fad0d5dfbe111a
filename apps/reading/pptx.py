"""PPTX: a page a slide, in the order of the show: title, words, tables, chart data, notes; hidden slides marked.

Shapes come in the order of the slide's tree, which is the order that PowerPoint reads them aloud in; groups are
opened. Nothing is fetched and no macro is run. Masters and layouts are decoration and are not read.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from apps.reading import normalise
from apps.reading.charts import chart_table
from apps.reading.containers import Container
from apps.reading.contracts import (
    BlockKind,
    FileFacts,
    MediaType,
    PageContent,
    ReadingError,
    ReadingFailure,
    ReadingWarning,
    WarningCode,
)
from apps.reading.docx_styles import attribute, local
from apps.reading.flow import Element, Elements
from apps.reading.shapes import DraftCell, DraftRow, Placed
from apps.reading.writing import BETWEEN, PageWriter
from apps.reading.xlsx_parts import relations

READER = "airis-pptx 1"
_PART_LIMIT = 64 * 1024**2
_DEPTH = 60
_TITLES = ("title", "ctrTitle")
_EDGES = ("ftr", "dt", "sldNum", "hdr")
Content = tuple[PageContent, tuple[ReadingWarning, ...]]


@dataclass(slots=True)
class _Slide:
    """What one slide holds, title first."""

    is_hidden: bool
    title: list[Element] = field(default_factory=list)
    body: Elements = field(default_factory=Elements)

    @property
    def elements(self) -> list[Element]:
        return [*self.title, *self.body.found]


class PptxReader:
    """One opened presentation."""

    def __init__(self, data: bytes, *, name_differs: bool = False) -> None:
        self._container = Container(data)
        self._container.refuse_bombs()
        self._paths = _slide_paths(self._container)
        if not self._paths:
            raise ReadingError(ReadingFailure.NO_PAGES, "no slides")
        slides = [self._slide(path) for path in self._paths]
        warnings = list(_package_warnings(self._container, name_differs=name_differs))
        for number, slide in enumerate(slides, start=1):
            if slide is None:
                warnings.append(ReadingWarning(WarningCode.PAGE_FAILED, number, "damaged slide"))
            elif slide.is_hidden:
                warnings.append(ReadingWarning(WarningCode.HIDDEN_CONTENT, number, "slide"))
        self._slides = slides
        first = next((slide for slide in slides if slide is not None and slide.title), None)
        self._facts = FileFacts(
            MediaType.PPTX, len(slides), first.title[0].text[:300] if first else "", READER, tuple(warnings)
        )

    def facts(self) -> FileFacts:
        return self._facts

    def pages(self, first: int, last: int) -> list[Content]:
        """Slides first … last (from 1, inclusive)."""
        return [self._page(number) for number in range(first, last + 1)]

    def _page(self, number: int) -> Content:
        page = PageWriter()
        slide = self._slides[number - 1]
        for element in slide.elements if slide is not None else ():
            if slide is not None and slide.is_hidden:
                page.block(BlockKind.HIDDEN, element.text or _as_words(element.rows))
            elif element.rows:
                page.table(element.rows)
                if element.chart:
                    page.chart(element.chart if element.chart != "chart" else "")
            else:
                page.block(element.kind, element.text, element.level)
        warnings = () if not page.is_empty else (ReadingWarning(WarningCode.BLANK_PAGE, number),)
        return page.page(number, first_line=1), warnings

    def _slide(self, path: str) -> _Slide | None:
        try:
            root = self._container.xml(path, _PART_LIMIT)
        except ReadingError:
            return None
        slide = _Slide(root.get("show") in ("0", "false"))
        targets = relations(self._container, path)
        walker = _Walker(self._container, targets, slide)
        for tree in root.iter():
            if local(tree) == "spTree":
                walker.shapes(tree, 0)
                break
        for target in targets.values():
            if "/notesSlides/" in f"/{target}":
                self._notes(target, slide)
            elif "/comments/" in f"/{target}":
                self._comments(target, slide)
        return slide

    def _notes(self, path: str, slide: _Slide) -> None:
        root = _part(self._container, path)
        if root is None:
            return
        said: list[str] = []
        for shape in root.iter():
            if local(shape) == "sp" and _placeholder(shape) not in (*_EDGES, "sldImg"):
                said += [text for text, _level in _paragraphs(shape)]
        for position, text in enumerate(said):
            slide.body.words(BlockKind.PARAGRAPH, f"Notes: {text}" if position == 0 else text)

    def _comments(self, path: str, slide: _Slide) -> None:
        root = _part(self._container, path)
        for comment in root.iter() if root is not None else ():
            if local(comment) == "cm":
                words = " ".join(_clean(child.text or "") for child in comment.iter() if local(child) in ("text", "t"))
                slide.body.words(BlockKind.NOTE, words)


class _Walker:
    """The shapes of one slide."""

    def __init__(self, container: Container, targets: dict[str, str], slide: _Slide) -> None:
        self._container = container
        self._targets = targets
        self._slide = slide

    def shapes(self, tree: Any, depth: int) -> None:
        """Every shape of the tree, groups opened."""
        if depth > _DEPTH:
            return
        for shape in tree:
            tag = local(shape)
            if tag in ("sp", "cxnSp"):
                self._words(shape)
            elif tag == "graphicFrame":
                self._frame(shape)
            elif tag == "AlternateContent":
                choices = [child for child in shape if local(child) in ("Choice", "Fallback")]
                chosen = next((c for c in choices if local(c) == "Choice" and _has_words(c)), None)
                self.shapes(chosen if chosen is not None else (choices[-1:] or [shape])[0], depth + 1)
            elif tag in ("grpSp", "Choice", "Fallback", "contentPart"):
                self.shapes(shape, depth + 1)

    def _words(self, shape: Any) -> None:
        role = _placeholder(shape)
        if role in _TITLES:
            text = " ".join(text for text, _level in _paragraphs(shape))
            if text:
                self._slide.title.append(Element(BlockKind.HEADING, text, 1))
            return
        found = list(_paragraphs(shape))
        kind = BlockKind.FOOTER if role in _EDGES else BlockKind.PARAGRAPH
        for text, level in found:
            is_item = kind is BlockKind.PARAGRAPH and len(found) > 1 and (role in ("body", "obj", "") or level)
            self._slide.body.words(BlockKind.LIST_ITEM if is_item and role != "" else kind, text)

    def _frame(self, frame: Any) -> None:
        for element in frame.iter():
            tag = local(element)
            if tag == "tbl":
                self._slide.body.table(list(_rows(element)))
                return
            if tag == "chart" and attribute(element, "id"):
                self._chart(self._targets.get(attribute(element, "id"), ""))
                return
            if tag == "relIds":  # SmartArt: its words stand in a part of their own
                self._diagram(self._targets.get(attribute(element, "dm"), ""))
                return

    def _chart(self, path: str) -> None:
        root = _part(self._container, path)
        table = chart_table(root) if root is not None else None
        if table is None:
            return
        self._slide.body.words(BlockKind.PARAGRAPH, table.title)
        if table.rows:
            self._slide.body.found.append(Element(BlockKind.TABLE, rows=table.rows, chart=table.title or "chart"))

    def _diagram(self, path: str) -> None:
        root = _part(self._container, path)
        for point in root.iter() if root is not None else ():
            if local(point) == "pt":
                for text, _level in _paragraphs(point):
                    self._slide.body.words(BlockKind.LIST_ITEM, text)


def _slide_paths(container: Container) -> list[str]:
    """Slides in the order of the show."""
    path = "ppt/presentation.xml"
    targets = relations(container, path)
    listed = [e for e in container.xml(path, _PART_LIMIT).iter() if local(e) == "sldId"]
    paths = [targets.get(next((v for k, v in e.attrib.items() if k.endswith("}id")), ""), "") for e in listed]
    return [found for found in paths if found in container]


def _part(container: Container, path: str) -> Any:  # Any: lxml element, None for a part that is missing or damaged
    try:
        return container.xml(path, _PART_LIMIT) if path in container else None
    except ReadingError:
        return None


def _placeholder(shape: Any) -> str:
    """The role of a shape ("title", "body", "ftr" …), "" for a free one."""
    found = next((e for e in shape.iter() if local(e) == "ph"), None)
    return "" if found is None else (found.get("type") or "obj")


def _paragraphs(shape: Any) -> Iterator[tuple[str, int]]:
    """(words, list level) of each paragraph that has words."""
    for body in shape.iter():
        if local(body) not in ("txBody", "t") or not len(body):
            continue
        for paragraph in body:
            if local(paragraph) != "p":
                continue
            text = _clean("".join(_runs(paragraph)))
            level = next((e.get("lvl") or "0" for e in paragraph if local(e) == "pPr"), "0")
            if text:
                yield text, int(level) if level.isdecimal() else 0


def _runs(paragraph: Any) -> Iterator[str]:
    for element in paragraph.iter():
        tag = local(element)
        if tag == "t":
            yield element.text or ""
        elif tag in ("br", "tab"):
            yield " "


def _clean(text: str) -> str:
    return " ".join(normalise.clean_line(text.replace("\x0b", " ").replace("\n", " ")).split())


def _rows(table: Any) -> Iterator[DraftRow]:
    number = 0
    for row in table:
        if local(row) != "tr":
            continue
        number += 1
        cells = []
        for column, cell in enumerate(child for child in row if local(child) == "tc"):
            if cell.get("hMerge") in ("1", "true") or cell.get("vMerge") in ("1", "true"):
                continue
            text = " ".join(text for text, _level in _paragraphs(cell))
            span = cell.get("gridSpan") or "1"
            if text:
                cells.append(DraftCell(column, text, span=min(int(span), 100) if span.isdecimal() else 1))
        yield DraftRow(number, cells)


def _has_words(element: Any) -> bool:
    return any(local(e) in ("t", "graphicFrame") for e in element.iter())


def _as_words(rows: list[Placed]) -> str:
    return "\n".join(BETWEEN.join(cell.text for cell in row.cells) for row, _role, _shape in rows)


def _package_warnings(container: Container, *, name_differs: bool) -> Iterator[ReadingWarning]:
    if name_differs:
        yield ReadingWarning(WarningCode.NAME_DIFFERS, None, "PPTX")
    if any(name.endswith("vbaProject.bin") for name in container.names):
        yield ReadingWarning(WarningCode.HAS_MACROS, None)
    if any(name.startswith("ppt/comments/") for name in container.names):
        yield ReadingWarning(WarningCode.HAS_COMMENTS, None)
