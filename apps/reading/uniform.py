"""Pages of a sheet whose rows are all alike are kept as text; their cells are typed when the page is looked at.

`uniform_page` and `expanded` undo each other: what comes back is what TableWriter would have written in the first
place (a property test holds them to it).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from apps.finance.numbers import DecimalMark
from apps.reading.contracts import Block, BlockKind, PageContent, Table, Uniform
from apps.reading.language import language_of
from apps.reading.shapes import DraftCell, DraftRow, Placed, PrintedRow, Role, Shape
from apps.reading.typed import from_text
from apps.reading.writing import BETWEEN, PageWriter, TableWriter


def printed_cell(mark: DecimalMark | None) -> Callable[[int, str], DraftCell]:
    """How a field of a file with this decimal mark is typed."""

    def cell(column: int, field: str) -> DraftCell:
        typed = from_text(field, mark)
        return DraftCell(column, typed.text, typed.kind, typed.value, typed.unit)

    return cell


def uniform_page(rows: Sequence[Placed], number: int, *, name: str, mark: DecimalMark | None) -> PageContent | None:
    """The page of these rows by its text alone; None when a row is anything but a line of the one open table."""
    shape = rows[0][2] if rows else None
    if shape is None:
        return None
    known = {shape.label, *shape.values}
    lines, numbers, others = [], [], []
    columns = rows[0][0].columns if isinstance(rows[0][0], PrintedRow) else ()
    if not known.issuperset(columns):
        return None
    for position, (row, role, of) in enumerate(rows):
        if role is not Role.BODY or of is not shape or not isinstance(row, PrintedRow) or len(row.texts) < 2:
            return None
        if row.columns != columns:
            if not known.issuperset(row.columns):
                return None
            others.append((position, row.columns))
        line = BETWEEN.join(row.texts)
        if line.split(BETWEEN) != row.texts:  # the sign between the cells stands in one of them
            return None
        lines.append(line)
        numbers.append(row.number)
    text = "\n".join(lines)
    uniform = Uniform(
        name=name,
        numbers=tuple(numbers),
        columns=columns,
        others=tuple(others),
        label=shape.label,
        values=tuple(shape.values),
        identifiers=tuple(sorted(shape.identifiers)),
        mark=mark.value if mark else "",
    )
    return PageContent(
        number=number,
        label=name,
        width=0.0,
        height=0.0,
        rotation=0,
        text=text,
        words=(),
        blocks=(Block(0, BlockKind.TABLE, 0, len(text), None),),
        tables=(Table(0, shape.names(), (), shape.title[:400], shape.scale_note[:400]),),
        language=language_of(text),
        first_line=numbers[0],
        uniform=uniform,
    )


def expanded(page: PageContent) -> PageContent:
    """The page with the grid and the typed rows of its table; every other page as it is."""
    uniform = page.uniform
    if uniform is None:
        return page
    shape = Shape({}, uniform.label, values=list(uniform.values), identifiers=frozenset(uniform.identifiers))
    typed = printed_cell(DecimalMark(uniform.mark) if uniform.mark else None)
    others = dict(uniform.others)
    made = PageWriter()
    table = TableWriter(made, uniform.name, refs=True)
    for position, (number, line) in enumerate(zip(uniform.numbers, page.text.split("\n"), strict=True)):
        columns = others.get(position, uniform.columns)
        cells = [typed(column, text) for column, text in zip(columns, line.split(BETWEEN), strict=True)]
        table.row(DraftRow(number, cells), Role.BODY, shape)
    table.finish(as_page=True)
    written = made.page(page.number)
    rows = written.tables[0].rows if written.tables else ()
    return replace(page, tables=(replace(page.tables[0], rows=rows),), grids=written.grids, uniform=None)
