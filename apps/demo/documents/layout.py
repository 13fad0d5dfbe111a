"""A small page builder over PyMuPDF: headings, paragraphs, tables that run over pages, bar charts, notes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pymupdf

WIDTH, HEIGHT = 595.0, 842.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 531.0, 78.0, 770.0
INK = (0.11, 0.11, 0.13)
FAINT = (0.45, 0.45, 0.48)
TEAL = (0.04, 0.36, 0.35)


@dataclass(slots=True)
class Column:
    title: str  # may hold line breaks
    width: float = 72.0


@dataclass
class Report:
    """Text flows down the page; a new page begins when something does not fit."""

    title: str
    running_title: str
    document: pymupdf.Document = field(default_factory=pymupdf.open)
    y: float = TOP

    def __post_init__(self) -> None:
        self._regular = pymupdf.Font("helv")
        self._bold = pymupdf.Font("hebo")
        self._outline: list[list[object]] = []
        self._page: pymupdf.Page | None = None
        self._writers: dict[tuple[int, tuple[float, ...]], pymupdf.TextWriter] = {}  # one a page and colour: fast

    # --- pages
    def new_page(self) -> None:
        self._page = self.document.new_page(width=WIDTH, height=HEIGHT)
        self.y = TOP

    def cover(self, lines: Sequence[str]) -> None:
        self.new_page()
        self.page.draw_rect(pymupdf.Rect(0, 0, 18, HEIGHT), color=TEAL, fill=TEAL)
        self.y = 260
        self._line(LEFT, self.title, 28, bold=True)
        self.y += 44
        for line in lines:
            self._line(LEFT, line, 13, color=FAINT)
            self.y += 20

    @property
    def page(self) -> pymupdf.Page:
        if self._page is None:
            raise RuntimeError("new_page() first")
        return self._page

    def need(self, height: float) -> None:
        if self._page is None or self.y + height > BOTTOM:
            self.new_page()

    # --- text
    def heading(self, text: str, *, level: int = 1) -> None:
        size = {1: 18.0, 2: 13.0, 3: 11.0}[level]
        self.need(size * 4)
        self.y += size * 0.6 if self.y > TOP else 0
        self._outline.append([level, text, self.document.page_count])
        for line in self._wrap(text, size, RIGHT - LEFT, bold=True):
            self._line(LEFT, line, size, bold=True, color=TEAL if level == 1 else INK)
            self.y += size * 1.35
        self.y += 4

    def paragraph(self, text: str, *, size: float = 10.0, indent: float = 0.0) -> None:
        for line in self._wrap(text, size, RIGHT - LEFT - indent):
            self.need(size * 1.5)
            self._line(LEFT + indent, line, size)
            self.y += size * 1.45
        self.y += size * 0.6

    def bullets(self, items: Sequence[str]) -> None:
        for item in items:
            lines = self._wrap(item, 10.0, RIGHT - LEFT - 14)
            for number, line in enumerate(lines):
                self.need(15)
                if number == 0:
                    self._line(LEFT + 2, "•", 10.0)
                self._line(LEFT + 14, line, 10.0)
                self.y += 14.5
        self.y += 6

    def note(self, text: str) -> None:
        for line in self._wrap(text, 8.0, RIGHT - LEFT):
            self.need(11)
            self._line(LEFT, line, 8.0, color=FAINT)
            self.y += 10.5
        self.y += 6

    # --- tables
    def table(
        self, title: str, scale: str, columns: Sequence[Column], rows: Sequence[tuple[str, Sequence[str]]]
    ) -> None:
        """Rows are (label, values); a label in capitals is a section line; "Total…" rows are ruled and bold."""
        self.need(110)
        self._line(LEFT, title, 10.5, bold=True)
        self.y += 14
        if scale:
            self._line(LEFT, scale, 8.5, color=FAINT)
            self.y += 14
        self._table_head(columns)
        for label, values in rows:
            if self.y + 16 > BOTTOM:
                self.new_page()
                self._table_head(columns)
            self._table_row(label, values, columns)
        self.y += 14

    def _table_head(self, columns: Sequence[Column]) -> None:
        depth = max(column.title.count("\n") for column in columns) + 1
        edge = RIGHT
        for column in reversed(columns):
            parts = column.title.split("\n")
            for number, part in enumerate(parts):
                offset = (depth - len(parts) + number) * 11
                self._right(edge, part, 8.5, bold=True, y=self.y + offset)
            edge -= column.width
        self.y += depth * 11 - 3
        self._rule()
        self.y += 14

    def _table_row(self, label: str, values: Sequence[str], columns: Sequence[Column]) -> None:
        is_total = label.lower().startswith(("total", "toplam", "net ", "profit", "dönem"))
        label_width = RIGHT - LEFT - sum(column.width for column in columns) - 6
        lines = self._wrap(label, 9.0, label_width, bold=is_total or not values)
        if is_total:
            self._rule(self.y - 10, weight=0.4)
        for number, line in enumerate(lines):
            self._line(LEFT, line, 9.0, bold=is_total or not values)
            if number < len(lines) - 1:
                self.y += 11.5
        edge = RIGHT
        for column, value in zip(reversed(columns), reversed(values), strict=False):
            self._right(edge, value, 9.0, bold=is_total)
            edge -= column.width
        self.y += 14

    # --- charts
    def bar_chart(self, title: str, unit: str, bars: Sequence[tuple[str, float, str]]) -> None:
        """Bars as (label, value, printed value), labelled directly."""
        self.need(170)
        self._line(LEFT, title, 10.5, bold=True)
        self.y += 13
        self._line(LEFT, unit, 8.5, color=FAINT)
        self.y += 12
        height, top = 96.0, self.y
        most = max(value for _, value, _ in bars)
        step = (RIGHT - LEFT) / len(bars)
        for number, (label, value, printed) in enumerate(bars):
            x = LEFT + number * step + step * 0.2
            bar_top = top + 12 + height * (1 - value / most)
            self.page.draw_rect(
                pymupdf.Rect(x, bar_top, x + step * 0.6, top + 12 + height), color=TEAL, fill=TEAL, width=0
            )
            self._centre(x + step * 0.3, printed, 8.5, y=bar_top - 3)
            self._centre(x + step * 0.3, label, 8.5, y=top + height + 24)
        self.y = top + height + 44

    # --- out
    def finish(self, *, front_pages: int, footer: str) -> bytes:
        """The file: running heads, printed page numbers (roman for the front matter), outline, labels."""
        for index in range(1, self.document.page_count):
            self._page = self.document[index]
            label = _roman(index + 1) if index < front_pages else str(index - front_pages + 1)
            self._line(LEFT, self.running_title, 8.0, color=FAINT, y=44)
            self._right(RIGHT, footer, 8.0, color=FAINT, y=44)
            self._centre((LEFT + RIGHT) / 2, label, 8.5, y=808)
        for (number, _color), writer in self._writers.items():
            writer.write_text(self.document[number])
        self.document.set_page_labels(
            [{"startpage": 0, "style": "r"}, {"startpage": front_pages, "style": "D", "firstpagenum": 1}]
        )
        self.document.set_toc(_stepwise(self._outline))
        self.document.set_metadata(
            {"title": self.title, "creationDate": "D:20250301090000Z", "modDate": "D:20250301090000Z"}
        )
        self.document.subset_fonts()
        return bytes(self.document.tobytes(garbage=4, deflate=True, no_new_id=True))

    def _font(self, bold: bool) -> pymupdf.Font:
        return self._bold if bold else self._regular

    def _line(
        self,
        x: float,
        text: str,
        size: float,
        *,
        bold: bool = False,
        color: tuple[float, ...] = INK,
        y: float | None = None,
    ) -> None:
        key = (self.page.number, color)
        if key not in self._writers:
            self._writers[key] = pymupdf.TextWriter(self.page.rect, color=color)
        writer = self._writers[key]
        writer.append((x, (self.y if y is None else y)), text, font=self._font(bold), fontsize=size)

    def _right(
        self,
        x: float,
        text: str,
        size: float,
        *,
        bold: bool = False,
        color: tuple[float, ...] = INK,
        y: float | None = None,
    ) -> None:
        self._line(x - self._font(bold).text_length(text, size), text, size, bold=bold, color=color, y=y)

    def _centre(self, x: float, text: str, size: float, *, y: float) -> None:
        self._line(x - self._regular.text_length(text, size) / 2, text, size, y=y)

    def _rule(self, y: float | None = None, *, weight: float = 0.7) -> None:
        at = self.y if y is None else y
        self.page.draw_line((LEFT, at), (RIGHT, at), color=FAINT, width=weight)

    def _wrap(self, text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
        lines, line = [], ""
        for word in text.split():
            trial = f"{line} {word}".strip()
            if line and self._font(bold).text_length(trial, size) > width:
                lines.append(line)
                line = word
            else:
                line = trial
        return [*lines, line] if line else lines


def _roman(number: int) -> str:
    return ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii"][number]


def _stepwise(outline: list[list[object]]) -> list[list[object]]:
    """Outline levels may rise by one at a time only."""
    result: list[list[object]] = []
    before = 0
    for level, text, page in outline:
        before = min(int(str(level)), before + 1)
        result.append([before, text, page])
    return result
