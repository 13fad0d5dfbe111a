"""Sheets and CSV: typed values, heads, hidden parts, windows of rows."""

from datetime import date
from typing import Any

import pytest
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from apps.reading import client
from apps.reading.contracts import BlockKind, CellKind, ReadingError, ReadingFailure, WarningCode
from apps.reading.delimited import DelimitedReader, delimiter_of
from apps.reading.limits import Limits
from apps.reading.xlsx import XlsxReader
from apps.retrieval.chunker import chunks_of
from tests.reading.office import repacked, workbook
from tests.reading.reading import cell, codes, read, text_of


@pytest.mark.parametrize(
    ("file", "row", "column", "value", "unit"),
    [
        ("dates.xlsx", "signed", "when", "2024-02-29", ""),
        ("dates.xlsx", "raw_serial", "when", "45351", ""),
        ("dates.xlsx", "month", "when", "2024-03", ""),
        ("dates.xlsx", "time", "when", "2024-03-01T14:30", ""),
        ("dates.xlsx", "percent", "when", "12.5", "percent"),
        ("dates.xlsx", "thousands_fmt", "when", "1234567", ""),
        ("dates.xlsx", "negative_fmt", "when", "-1250", ""),
        ("dates.xlsx", "lira", "when", "99.5", "TRY"),
        ("merged.xlsx", "Aegean", "2023 Wholesale", "205", ""),
        ("merged.xlsx", "Marmara", "2024 Retail", "900", ""),
        ("ids.xlsx", "account_number", "value", "191431000001010", ""),
        ("ids.xlsx", "small_fee", "value", "-0.0000030335", ""),
        ("far_cell.xlsx", "answer", "v", "42", ""),
        ("hidden.xlsx", "Bid price", "value", "118", ""),
        ("eski.xls", "Nakit", "Tutar", "5120.75", ""),
        ("really_xlsx.xls", "renamed", "v", "7", ""),
        ("really_html.xls", "Kredi", "Tutar", "1250", ""),
        ("really_csv.xlsx", "satis", "b", "19", ""),
        ("export.csv", "100;01", "Tutar", "1250.5", ""),
        ("export.csv", "100;02", "Tutar", "-40", ""),
        ("hareket.csv", "Tahsilat", "Tutar", "1234567.89", ""),
        ("hareket.csv", "Faiz", "Tutar", "1355.9", "TRY"),
        ("hareket.csv", "Havale", "Tutar", "12500", ""),
        ("moves_us.csv", "ratio", "amount", "1.234", ""),
        ("moves_us.csv", "units", "amount", "12500", ""),
        ("musteri_1254.csv", "Şölen Işık Ltd.", "Bakiye", "-870.25", ""),
        ("musteri_utf16.csv", "Şölen Işık Ltd.", "Bakiye", "-870.25", ""),
        ("spacers.htm", "Net loss", "2023", "-1905", "USD"),
        ("spacers.htm", "Effective tax rate", "2022", "20.9", "percent"),
    ],
)
def test_a_cell_has_the_value_that_its_file_means(file: str, row: str, column: str, value: str, unit: str) -> None:
    _facts, pages = read(file)

    found = cell(pages, row, column)

    assert found is not None
    assert (found.value, found.unit) == (value, unit)


def test_identifiers_stay_text_digit_by_digit_and_blanks_stay_blank() -> None:
    _facts, ids = read("ids.xlsx")
    _more, sales = read("merged.xlsx")

    assert {row.label: row.cells[0].text for row in ids[0].tables[0].rows}.items() >= {
        "account_text": "1914310000010100016", "code_with_E": "219E01BE", "code_like_number": "12E5",
        "leading_zero": "000457",
    }.items()  # fmt: skip
    assert cell(sales, "Black Sea", "2024 Retail") is None
    assert sales[0].tables[0].scale_note == "Regional sales, thousand TL"


def test_formulas_stand_beside_their_results_and_without_one_say_so() -> None:
    facts, pages = read("budget.xlsx")
    total = cell(pages, "Sum", "Total")

    assert codes(facts) == {WarningCode.FORMULA_NOT_CALCULATED}
    assert total is not None
    assert (total.text, total.kind, total.value, total.ref) == ("=D2+D3 (not calculated)", CellKind.ERROR, "", "D4")
    grid_cell = next(c for row in pages[0].grids[0].rows for c in row.cells if c.start == total.start)
    assert grid_cell.formula == "=D2+D3"


def test_hidden_sheets_rows_and_columns_are_kept_and_marked() -> None:
    facts, pages = read("hidden.xlsx")

    assert [(w.code.value, w.page, w.detail) for w in facts.warnings] == [
        ("hidden_content", 1, "rows"),
        ("hidden_content", 1, "columns"),
        ("hidden_content", 2, "sheet"),
        ("hidden_content", 3, "sheet"),
    ]
    assert [(page.label, page.grids[0].is_hidden) for page in pages] == [
        ("Summary", False),
        ("Costs", True),
        ("Keys", True),
    ]
    assert pages[0].grids[0].hidden_columns == (2,)
    assert [row.number for row in pages[0].grids[0].rows if row.is_hidden] == [3]


def test_hidden_cells_share_no_line_and_no_row_with_visible_ones() -> None:
    _facts, pages = read("hidden.xlsx")
    summary, costs = pages[0], pages[1]

    visible = " ".join(summary.text[b.start : b.end] for b in summary.blocks if b.kind is not BlockKind.HIDDEN)
    hidden = " ".join(summary.text[b.start : b.end] for b in summary.blocks if b.kind is BlockKind.HIDDEN)
    assert "Bid price | 118" in visible
    assert "floor 97" not in visible
    assert "Hidden row item" not in visible
    assert "floor 97" in hidden
    assert "Hidden row item" in hidden
    assert [(row.label, [c.text for c in row.cells]) for row in summary.tables[0].rows] == [
        ("Bid price", ["118"]),
        ("Term", ["24"]),
    ]
    assert {block.kind for block in costs.blocks} == {BlockKind.HIDDEN}
    assert costs.tables == ()
    assert not [draft for draft in chunks_of(pages, identity="x") if "97" in draft.text or "91" in draft.text]


def test_a_hidden_row_is_no_gap_in_its_table() -> None:
    def hide(book: Any) -> None:
        for number in (2, 4, 5):
            book["S"].row_dimensions[number].hidden = True

    rows = [["Item", "2024"], ["a", 1], ["b", 2], ["c", 3], ["d", 4], ["e", 5]]
    _facts, pages = read("h.xlsx", workbook({"S": rows}, hide))

    (table,) = pages[0].tables
    assert table.columns == ("2024",)
    assert [row.label for row in table.rows] == ["b", "e"]
    assert [row.number for row in pages[0].grids[0].rows] == [1, 2, 3, 4, 5, 6]


def test_dates_of_both_epochs_are_the_same_day() -> None:
    def use_1904(book: Any) -> None:
        book.epoch = CALENDAR_MAC_1904

    rows = {"D": [["what", "when"], ["signed", date(2024, 2, 29)]]}

    for data in (workbook(rows), workbook(rows, use_1904)):
        found = cell(read("d.xlsx", data)[1], "signed")
        assert found is not None
        assert (found.text, found.kind, found.value) == ("2024-02-29", CellKind.DATE, "2024-02-29")


def test_a_workbook_may_hold_several_tables_under_titles_of_their_own() -> None:
    rows = [
        ["Revenue"],
        ["Region", "2023", "2024"],
        ["North", 10, 12],
        ["South", 5, 6],
        [],
        ["Staff"],
        ["Team", "Heads"],
        ["Sales", 40],
    ]
    _facts, pages = read("b.xlsx", workbook({"S": rows}))  # fmt: skip

    assert [(t.title, t.columns, [r.label for r in t.rows]) for t in pages[0].tables] == [
        ("Revenue", ("2023", "2024"), ["North", "South"]),
        ("Staff", ("Heads",), ["Sales"]),
    ]


def test_pages_are_windows_of_rows_that_carry_their_heads_and_may_be_read_in_any_order() -> None:
    rows = [["Account", "Amount"], *([f"Entry {n}", n] for n in range(1, 251))]
    reader = XlsxReader(workbook({"Ledger": rows, "Notes": [["only words"]]}))

    forward = [page for page, _ in reader.pages(1, 4)]
    backward = [reader.pages(number, number)[0][0] for number in (4, 3, 2, 1)]

    assert reader.facts().page_count == 4
    assert [(page.label, page.first_line) for page in forward] == [
        ("Ledger", 1), ("Ledger", 101), ("Ledger", 201), ("Notes", 1),
    ]  # fmt: skip
    assert forward == backward[::-1]
    last = cell((forward[2],), "Entry 250", "Amount")
    assert last is not None
    assert (last.value, last.ref) == ("250", "B251")


def test_a_large_sheet_costs_no_more_memory_than_a_small_one() -> None:
    peaks = [_peak_reading(_sheet_of(count)) for count in (100, 12_000)]

    assert peaks[1] < peaks[0] + 25  # its cells as a tree take three times that


def _sheet_of(count: int) -> bytes:
    cells = "".join(f'<c r="{letter}{{n}}"><v>{{n}}</v></c>' for letter in "ABCDEFGH")
    rows = "".join(f'<row r="{n}">{cells.format(n=n)}</row>' for n in range(1, count + 1))
    namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    xml = f'<worksheet xmlns="{namespace}"><sheetData>{rows}</sheetData></worksheet>'
    return repacked(workbook({"S": [["x"]]}), {"xl/worksheets/sheet1.xml": lambda _old: xml.encode()})


def _peak_reading(data: bytes) -> int:
    with client.ReadingClient(iter([data]), name="big.xlsx", limits=Limits(memory_mb=1024)) as child:
        count = child.open().page_count
        window = child.pages(count, count)
        assert window.pages[0].text.splitlines()[-1].startswith(str(100 * count))
        return _peak_mb(child.child_pid)


def _peak_mb(pid: int | None) -> int:
    try:
        with open(f"/proc/{pid}/status") as status:
            return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
    except FileNotFoundError:  # macOS has no /proc
        return 0


def test_tables_are_told_apart_by_the_delimiter_that_fits_all_rows() -> None:
    assert delimiter_of("a;b;c\n1,5;2,5;3,5\n") == ";"
    assert delimiter_of('a,b\n"1;2;3",x\n') == ","
    assert delimiter_of("a\tb\n1\t2\n") == "\t"
    assert delimiter_of("just words\nand more\n") == ","


def test_an_undecided_number_has_no_value() -> None:
    reader = DelimitedReader(b"Kalem;Tutar\nKira;1.234\nVergi;5.678\n")
    found = cell(tuple(page for page, _ in reader.pages(1, 1)), "Kira")

    assert found is not None
    assert (found.kind, found.value) == (CellKind.NUMBER, "")


def test_macros_and_outside_links_are_named_and_never_followed() -> None:
    facts, _pages = read("macro.xlsm")

    assert codes(facts) >= {WarningCode.HAS_MACROS}
    assert "HIDDEN" not in text_of(read("template.docx")[1])


@pytest.mark.parametrize("name", ["xxe.xlsx", "xxe.docx"])
def test_entities_are_refused(name: str) -> None:
    with pytest.raises(ReadingError) as caught:
        read(name)

    assert caught.value.failure is ReadingFailure.DAMAGED


def test_excels_word_on_the_delimiter_is_no_row() -> None:
    _facts, pages = read("s.csv", b"sep=|\r\nkalem|tutar\r\nKira, depo|1.250,50\r\n")

    found = cell(pages, "Kira, depo", "tutar")
    assert found is not None
    assert found.value == "1250.5"
    assert "sep=" not in text_of(pages)


def test_lines_of_two_encodings_in_one_file_are_both_read() -> None:
    data = "Ad;Şehir\nÇağlayan Gıda;İzmir\n".encode() + "Şölen Işık;Iğdır\n".encode("cp1254")

    text = text_of(read("m.csv", data)[1])

    assert "Çağlayan Gıda | İzmir" in text
    assert "Şölen Işık | Iğdır" in text
