"""Chart data of Office files: the values that the file holds beside the drawing, as a table."""

from dataclasses import dataclass
from typing import Any

from openpyxl.styles.numbers import is_date_format
from openpyxl.utils.datetime import from_excel

from apps.reading import normalise
from apps.reading.contracts import CellKind
from apps.reading.docx_styles import local
from apps.reading.shapes import DraftCell, DraftRow, Placed, Role, Shape
from apps.reading.typed import Typed, from_moment, from_number

_MOST_POINTS = 5_000
_MOST_SERIES = 100


@dataclass(frozen=True, slots=True)
class ChartTable:
    """Rows are categories, columns are series."""

    title: str
    rows: list[Placed]


def chart_table(root: Any) -> ChartTable:  # Any: lxml element, <c:chartSpace>
    """The chart's title and cached values; no rows when the file holds none."""
    title = _rich_text(next((e for e in root.iter() if local(e) == "title"), None))
    series = [element for element in root.iter() if local(element) == "ser"][:_MOST_SERIES]
    names: dict[int, str] = {}
    values: dict[int, dict[int, Typed]] = {}
    categories: dict[int, str] = {}
    for column, element in enumerate(series, start=1):
        names[column] = _name(element) or f"{column}"
        for child in element:
            tag = local(child)
            if tag in ("cat", "xVal"):
                categories = {index: typed.text for index, typed in _points(child).items()} | categories
            elif tag in ("val", "yVal", "bubbleSize") and column not in values:
                values[column] = _points(child)
    places = sorted({index for points in values.values() for index in points})[:_MOST_POINTS]
    if not places:
        return ChartTable(title, [])
    shape = Shape(names, 0, title, "")
    for column in names:
        shape.index_of(column)
    head = DraftRow(1, [DraftCell(column, name, is_head=True) for column, name in names.items()])
    rows: list[Placed] = [(head, Role.HEAD, shape)]
    for number, place in enumerate(places, start=2):
        cells = [DraftCell(0, categories.get(place, f"{place + 1}"))]
        for column, points in values.items():
            typed = points.get(place)
            if typed is not None:
                cells.append(DraftCell(column, typed.text, typed.kind, typed.value, typed.unit))
        rows.append((DraftRow(number, cells), Role.BODY, shape))
    return ChartTable(title, rows)


def _name(series: Any) -> str:
    said = next((child for child in series if local(child) == "tx"), None)
    if said is None:
        return ""
    return _words(" ".join(e.text or "" for e in said.iter() if local(e) == "v"))


def _points(element: Any) -> dict[int, Typed]:
    """Cached points by index."""
    code = next((e.text or "" for e in element.iter() if local(e) == "formatCode"), "General")
    is_number = any(local(e) in ("numCache", "numLit") for e in element.iter())
    points: dict[int, Typed] = {}
    for point in element.iter():
        index = point.get("idx") or ""
        said = next((child.text or "" for child in point if local(child) == "v"), "")
        if local(point) == "pt" and index.isdecimal() and said and len(points) < _MOST_POINTS:
            points[int(index)] = _typed(said, point.get("formatCode") or code) if is_number else _text(said)
    return points


def _typed(said: str, code: str) -> Typed:
    try:
        number = float(said)
    except ValueError:
        return _text(said)
    if is_date_format(code):
        try:
            moment = from_excel(number)
        except (ValueError, OverflowError):
            moment = None
        if moment is not None:
            return from_moment(moment, code)
    return from_number(int(number) if number.is_integer() and abs(number) < 1e15 else number, code)


def _text(said: str) -> Typed:
    return Typed(_words(said), CellKind.TEXT)


def _rich_text(element: Any) -> str:
    if element is None:
        return ""
    return _words("".join(e.text or "" for e in element.iter() if local(e) in ("t", "v")))


def _words(text: str) -> str:
    return " ".join(normalise.clean_line(text.replace("\n", " ")).split())
