"""Cells of a table by the white between words, its rules, and what two readings of it agree on."""

from typing import Any

from apps.reading._pymupdf import pymupdf
from apps.reading.contracts import Grid, PageContent
from apps.reading.pdf import PdfReader
from apps.reading.pdf_rules import rules_of
from apps.reading.pdf_words import words_of
from apps.reading.table_grid import Rules, grid_of
from tests.reading.reading import assert_consistent


def _page(*texts: tuple[float, float, str]) -> Any:
    document = pymupdf.open()
    page = document.new_page()
    for x, y, text in texts:
        page.insert_text((x, y), text, fontsize=10)
    return document


def _cells(document: Any, *, ruled: bool = True) -> list[tuple[int, int, int, str]]:
    page = document[0]
    rules = rules_of(page) if ruled else Rules()
    return [(c.row, c.column, c.column_end, c.text) for c in grid_of(words_of(page).tokens, rules)]


def _read(document: Any) -> PageContent:
    content = PdfReader(document.tobytes()).pages(1, 1)[0][0]
    assert_consistent(content)
    return content


def _rows(content: PageContent, grid: Grid) -> list[list[str]]:
    return [[cell.text or content.text[cell.start : cell.end] for cell in row.cells] for row in grid.rows]


def test_words_fall_into_columns_without_any_figure() -> None:
    document = _page(
        (60, 80, "Cover"), (200, 80, "Limit"), (330, 80, "Excess"),
        (60, 100, "Flood"), (200, 100, "as agreed"), (330, 100, "none"),
        (60, 120, "Burglary at night"), (200, 120, "full"), (330, 120, "one tenth"),
    )  # fmt: skip

    assert _cells(document) == [
        (0, 0, 0, "Cover"), (0, 1, 1, "Limit"), (0, 2, 2, "Excess"),
        (1, 0, 0, "Flood"), (1, 1, 1, "as agreed"), (1, 2, 2, "none"),
        (2, 0, 0, "Burglary at night"), (2, 1, 1, "full"), (2, 2, 2, "one tenth"),
    ]  # fmt: skip


def test_a_head_over_two_columns_spans_them() -> None:
    document = _page(
        (210, 80, "Premium in 2024"),
        (200, 100, "gross"), (300, 100, "net"),
        (60, 120, "Motor"), (200, 120, "1,204"), (300, 120, "880"),
        (60, 140, "Marine"), (200, 140, "310"), (300, 140, "275"),
        (60, 160, "Credit"), (200, 160, "95"), (300, 160, "60"),
    )  # fmt: skip

    spans = {text: (first, last) for _row, first, last, text in _cells(document)}

    assert spans["gross"] == (1, 1)
    assert spans["net"] == (2, 2)
    assert spans["Motor"] == (0, 0)
    assert spans["1,204"] == (1, 1)


def test_between_rules_lines_of_several_cells_are_one_row() -> None:
    document = _page(
        (60, 80, "Scale"), (200, 80, "Meaning"),
        (60, 110, "Watch"), (200, 104, "Payments are late but"), (200, 118, "no loss is expected"),
        (60, 150, "Default"), (200, 144, "Recovery has begun and"), (200, 158, "a loss is expected"),
    )  # fmt: skip
    for y in (90, 126, 166):
        document[0].draw_line((55, y), (350, y))

    assert _cells(document) == [
        (0, 0, 0, "Scale"), (0, 1, 1, "Meaning"),
        (1, 0, 0, "Watch"), (1, 1, 1, "Payments are late but no loss is expected"),
        (2, 0, 0, "Default"), (2, 1, 1, "Recovery has begun and a loss is expected"),
    ]  # fmt: skip


def _statement(*, heads: bool = True) -> Any:
    rows = [("Loans", "4,120", "3,980"), ("Deposits", "6,010", "5,700"), ("Bonds", "870", "912")]
    texts = [(60.0, 80.0, "Position"), (255.0, 80.0, "2024"), (355.0, 80.0, "2023")] if heads else []
    for number, (label, one, two) in enumerate(rows):
        y = 100.0 + 16 * number
        texts += [(60.0, y, label), (280.0 - 5 * len(one), y, one), (380.0 - 5 * len(two), y, two)]
    return _page(*texts)


def test_a_statement_is_also_a_grid_with_its_heads() -> None:
    content = _read(_statement())

    grid = content.grids[0]
    assert grid.block == content.tables[0].block
    assert _rows(content, grid) == [
        ["Position", "2024", "2023"], ["Loans", "4,120", "3,980"], ["Deposits", "6,010", "5,700"],
        ["Bonds", "870", "912"],
    ]  # fmt: skip
    assert [row.is_head for row in grid.rows] == [True, False, False, False]


def test_a_table_that_two_readings_see_alike_is_sure_and_one_without_heads_less() -> None:
    sure = _read(_statement()).tables[0].confidence
    unsure = _read(_statement(heads=False)).tables[0].confidence

    assert sure == 100
    assert unsure == 80
