"""What other libraries see in a file: `python -m apps.evaluation.reference FILE`, in the limits of a reading child.

Prints {"words": [...], "numbers": [...]} as JSON, or {} for a file that its library does not open.
"""

import contextlib
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from apps.reading import limits

Seen = Iterator[object]


def seen_by_openpyxl(path: Path) -> Seen:
    """Stored values of all cells."""
    import openpyxl

    book = openpyxl.load_workbook(path, data_only=True)
    for sheet in book.worksheets:
        for row in sheet.iter_rows(values_only=True):
            yield from (value for value in row if value is not None)


def seen_by_docx(path: Path) -> Seen:
    """Paragraphs and tables of the body."""
    import docx

    document = docx.Document(str(path))
    yield from (paragraph.text for paragraph in document.paragraphs)
    for table in document.tables:
        done: set[Any] = set()  # cells merged downwards come once a row
        for row in table.rows:
            for cell in row.cells:
                if cell._tc not in done:
                    done.add(cell._tc)
                    yield from (paragraph.text for paragraph in cell.paragraphs)


def seen_by_pptx(path: Path) -> Seen:
    """Text frames, tables and notes of every slide, groups opened."""
    import pptx

    def shapes(found: Any) -> Seen:
        for shape in found:
            if shape.shape_type == 6:  # MSO_SHAPE_TYPE.GROUP
                yield from shapes(shape.shapes)
            elif shape.has_text_frame:
                yield shape.text_frame.text
            elif getattr(shape, "has_table", False):
                yield from (cell.text for row in shape.table.rows for cell in row.cells)

    for slide in pptx.Presentation(str(path)).slides:
        yield from shapes(slide.shapes)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            yield slide.notes_slide.notes_text_frame.text


def seen_by_xlrd(path: Path) -> Seen:
    """Words and numbers of all cells; dates and flags are left to our own tests."""
    import xlrd  # type: ignore[import-untyped]  # carries no types

    for sheet in xlrd.open_workbook(str(path)).sheets():
        for index in range(sheet.nrows):
            for cell in sheet.row(index):
                if cell.ctype in (xlrd.XL_CELL_TEXT, xlrd.XL_CELL_NUMBER):
                    yield cell.value


def seen_by_pymupdf(path: Path) -> Seen:
    """The text layer."""
    import pymupdf

    with pymupdf.open(path) as document:  # type: ignore[no-untyped-call]  # PyMuPDF carries no types here
        for page in document:
            yield page.get_text()


READERS: dict[str, Callable[[Path], Seen]] = {
    ".xlsx": seen_by_openpyxl, ".xlsm": seen_by_openpyxl, ".docx": seen_by_docx, ".docm": seen_by_docx,
    ".pptx": seen_by_pptx, ".xls": seen_by_xlrd, ".pdf": seen_by_pymupdf,
}  # fmt: skip


def seen(path: Path) -> dict[str, list[str]]:
    """Words and numbers that the library of the file's name sees; {} when there is none or it cannot open it."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        return {}
    words: list[str] = []
    numbers: list[str] = []
    try:
        for value in reader(path):
            if isinstance(value, str):
                words += value.split()
            elif isinstance(value, (int, float)) and not isinstance(value, bool):
                numbers.append(format(value, ".12g"))
    except Exception:  # noqa: BLE001  # libraries raise whatever they meet in broken files
        return {}
    return {"words": words, "numbers": numbers}


def main() -> None:
    limits.apply(limits.Limits())
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(sys.stderr):
        found = seen(Path(sys.argv[1]))
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
