"""What the modules of table finding share: drafts of tables and rows, lines as rows see them, columns."""

from dataclasses import dataclass, field

from apps.reading import headings
from apps.reading.geometry import Line, Segment, Token
from apps.reading.values import Value


@dataclass(slots=True)
class RowDraft:
    label: list[Token]
    values: list[tuple[Value, int]]
    first: int  # line indexes in the region
    last: int
    section: str = ""
    borrowed: list[Token] = field(default_factory=list)  # label words of another row, kept out of this row's span


@dataclass(slots=True)
class TableDraft:
    first: int  # first line of the region that belongs to the table, header included
    last: int
    columns: list[str]
    rows: list[RowDraft]
    title: str = ""
    scale_note: str = ""
    edges: list[float] = field(default_factory=list)  # right edge of each column, for continued tables
    continues: bool = False  # the logical table began on the page before

    def inherit(self, other: "TableDraft") -> bool:
        """Takes names, title and scale of a table that this one continues; False when the columns differ."""
        if any(self.columns) or len(self.edges) > len(other.edges):
            return False
        nearest = [min(range(len(other.edges)), key=lambda i: abs(other.edges[i] - edge)) for edge in self.edges]
        apart = [abs(other.edges[i] - edge) for i, edge in zip(nearest, self.edges, strict=True)]
        if len(set(nearest)) != len(nearest) or max(apart) > 8.0:
            return False
        self.columns = [other.columns[i] for i in nearest]
        self.title = self.title or other.title
        self.scale_note = self.scale_note or other.scale_note
        return True

    def continue_from(self, other: "TableDraft") -> bool:
        """Whether this table at the top of a page goes on with the last one of the page before: without heads of its
        own, or with the same heads printed again over the same columns. It then bears that table's title and scale.
        """
        if not any(self.columns):
            self.continues = self.inherit(other)
            return self.continues
        same = self.columns == other.columns and len(self.edges) == len(other.edges)
        if not same or any(abs(a - b) > 8.0 for a, b in zip(self.edges, other.edges, strict=True)):
            return False
        self.title = other.title or self.title
        self.scale_note = self.scale_note or other.scale_note
        self.continues = True
        return True


@dataclass(slots=True)
class ParsedLine:
    """A line as a row may see it."""

    line: Line
    label: list[Token]
    values: list[Value]
    after: list[Segment] = field(default_factory=list)  # words to the right of the first value
    is_dated: bool = False  # its first value was a year that belongs to the label

    @property
    def is_value_line(self) -> bool:
        return bool(self.values) and sum(len(s.tokens) for s in self.after) < 4

    @property
    def is_year_line(self) -> bool:
        if not self.values or not all(value.is_year for value in self.values):
            return False
        text = " ".join(token.text for token in self.label)
        return not text or headings.has_period(text) or bool(headings.scale_note_in(text)) or len(self.values) > 1


@dataclass(slots=True)
class Column:
    x0: float
    x1: float
    edge: float
    lines: set[int]
    reach: float  # left edge with the currency signs set apart: headers are centred over that width

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


def nearest_column(columns: list[Column], x0: float, x1: float, edge: float) -> int:
    def distance(column: Column) -> float:
        overlap = min(column.x1, x1) - max(column.x0, x0)
        return -overlap if overlap > 0 else min(abs(column.edge - edge), abs(column.middle - (x0 + x1) / 2))

    return min(range(len(columns)), key=lambda i: distance(columns[i]))


def digit_edge(value: Value) -> float:
    """Right edge of the last digit: a closing bracket or percent sign hangs out of the column."""
    text = value.tokens[-1].text if value.tokens[-1].x1 == value.x1 else ""
    hanging = len(text) - len(text.rstrip(")%*†"))
    if not hanging or not text:
        return value.x1
    return value.x1 - min(hanging * 0.36 * value.tokens[-1].size, 0.8 * (value.x1 - value.x0))
