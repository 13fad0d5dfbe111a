"""A table as its panel shows and copies it: every row with a slot for every column."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.core.export import formula_safe
from apps.core.formats import format_number
from apps.documents.sheets import Rectangle, rectangle
from apps.documents.table_lines import TableCell, TableLine
from apps.documents.tables import TableView
from apps.finance.units import Scale


@dataclass(frozen=True, slots=True)
class PanelSlot:
    text: str = ""
    safe: str = ""  # for the clipboard: a spreadsheet runs nothing of it
    span: int = 1
    is_number: bool = False
    is_label: bool = False
    place: str = ""  # "12-19" on its page, "" for a blank or a name that was put together
    value: str = ""  # plain decimal
    said: str = ""  # value, unit and scale in words


@dataclass(frozen=True, slots=True)
class PanelRow:
    page: int
    slots: tuple[PanelSlot, ...]
    is_head: bool
    is_part: bool


@dataclass(frozen=True, slots=True)
class CellBox:
    """A cell's place on the page image."""

    place: str
    box: Rectangle


def panel_rows(view: TableView) -> tuple[PanelRow, ...]:
    """The lines of the view, each as wide as the table."""
    return tuple(
        PanelRow(line.page, tuple(_slots(line, view.width)), line.is_head, line.is_part) for line in view.lines
    )


def cell_boxes(view: TableView, page: int) -> tuple[CellBox, ...]:
    """Boxes of the table's cells on one page."""
    return tuple(
        CellBox(_place(cell), rectangle(box))
        for line in view.lines
        if line.page == page
        for cell in line.cells
        for box in cell.boxes
    )


def _slots(line: TableLine, width: int) -> Iterable[PanelSlot]:
    column = 0
    cells = sorted(line.cells, key=lambda cell: cell.column)
    for position, cell in enumerate(cells):
        if cell.column < column:
            continue
        for _blank in range(column, cell.column):
            yield PanelSlot()
        following = cells[position + 1].column if position + 1 < len(cells) else width
        span = width if line.is_part else max(1, min(cell.span, following - cell.column))
        yield PanelSlot(
            text=cell.text,
            safe=str(formula_safe(cell.text)),
            span=span,
            is_number=cell.is_number or (line.is_head and cell.column > 0),
            is_label=cell.column == 0,
            place=_place(cell),
            value="" if cell.value is None else f"{cell.value:f}",
            said=_said(cell),
        )
        column = cell.column + span
    for _blank in range(column, width):
        yield PanelSlot()


def _place(cell: TableCell) -> str:
    return f"{cell.start}-{cell.end}" if cell.end else ""


def _said(cell: TableCell) -> str:
    """What the cell says once read: "12,345 USD × 1,000,000"."""
    if cell.value is None:
        return cell.formula
    unit = "%" if cell.unit == "percent" else "×" if cell.unit == "times" else cell.unit
    scale = "" if cell.scale is Scale.ONE else f"× {format_number(cell.scale.value)}"
    said = " ".join(part for part in (format_number(cell.value), unit, scale) if part)
    return _("%(value)s, from %(place)s") % {"value": said, "place": cell.ref} if cell.ref else said
