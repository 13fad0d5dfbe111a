"""What a reader of the page sees is what the text says: order, letters, labels, tables."""

from collections.abc import Callable

import pytest

from apps.reading.client import ReadingClient
from apps.reading.contracts import BlockKind, PageContent, ReadingError, ReadingFailure, Table, WarningCode
from apps.reading.pdf import PdfReader
from tests.reading.conftest import FILES, chunks_of_file

Read = Callable[[str], tuple[PageContent, ...]]


def plain(page: PageContent) -> str:
    return " ".join(page.text.split())


def cell(table: Table, label: str, column: str) -> str:
    """Text of the cell in the row that begins with the label, under the column whose head holds the word."""
    row = next(row for row in table.rows if row.label.startswith(label))
    index = next(i for i, name in enumerate(table.columns) if column in name)
    return next(c.text for c in row.cells if c.column == index)


def test_two_columns_are_read_one_after_the_other(read_pages: Read) -> None:
    text = plain(read_pages("two_columns.pdf")[0])

    assert "share, to be paid on 14 May once the meeting has agreed to it" in text
    assert text.index("19 million.") < text.index("Both figures are unaudited")


def test_a_table_over_pages_keeps_its_columns_on_every_page(read_pages: Read) -> None:
    pages = read_pages("loan_book.pdf")

    tables = [table for page in pages for table in page.tables]
    assert sum(len(table.rows) for table in tables) == 105
    assert all(table.columns == ("2023", "2022") for table in tables)
    assert cell(pages[1].tables[0], "Branch 077", "2022") == "3,287"
    assert sum(int(c.text.replace(",", "")) for t in tables for r in t.rows for c in r.cells if c.column == 0) == 310905


def test_a_sideways_page_gives_the_rows_that_a_reader_sees(read_pages: Read) -> None:
    page = read_pages("rotated.pdf")[0]

    table = page.tables[0]
    assert cell(table, "South", "Result") == "(107)"
    assert cell(table, "North", "Revenue") == "5,210"
    assert table.scale_note == "thousand dollars"


def test_ligatures_and_soft_hyphens_become_letters_and_hard_hyphens_stay(read_pages: Read) -> None:
    text = plain(read_pages("ligatures.pdf")[0])

    assert "financial offer was confirmed" in text
    assert "profitability rose" in text
    assert "official working-capital ratio was 1.7" in text
    assert "long-term target" in text
    assert not {"ﬁ", "\u00ad"} & set(text)


def test_dot_leaders_belong_to_no_label_and_no_number(read_pages: Read) -> None:
    table = read_pages("leaders.pdf")[0].tables[0]

    assert cell(table, "Gross profit", "2024") == "401.4"
    assert cell(table, "Cost of sales", "2024") == "(803.1)"
    assert cell(table, "Restructuring", "2024") == "-"
    assert table.scale_note == "(million)"
    assert not any("." in row.label for row in table.rows)


def test_footnote_marks_are_no_digits_of_the_number(read_pages: Read) -> None:
    table = read_pages("footnotes.pdf")[0].tables[0]

    assert cell(table, "EBITDA", "2024").startswith("1,234")
    assert cell(table, "Net debt", "2024") == "250"
    assert cell(table, "Capital expenditure", "2024") == "88"
    assert not {"2509", "2,509", "12341", "882"} & {c.text for row in table.rows for c in row.cells}


def test_a_label_that_spans_rows_is_said_for_each_of_them(read_pages: Read) -> None:
    table = read_pages("merged.pdf")[0].tables[0]

    assert cell(table, "Paper 2023", "Abroad") == "102"
    assert cell(table, "Paper 2024", "Domestic") == "410"
    assert cell(table, "Board 2023", "Domestic") == "131"


def test_printed_page_labels_are_kept_beside_physical_numbers(read_pages: Read) -> None:
    pages = read_pages("labels.pdf")

    assert [page.number for page in pages] == [1, 2, 3, 4, 5, 6]
    assert pages[2].label == "iii"
    assert pages[4].label == "2"
    assert "64.2 million" in pages[4].text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("aes128_open.pdf", "Deductible 15,000"),
        ("aes256_open.pdf", "Insurance sum 2,750,000 under policy HT-0091"),
        ("rc4_open.pdf", "Guarantee fee 0.85 per cent"),
    ],
)
def test_a_file_with_an_empty_user_password_opens_without_asking(read_pages: Read, name: str, expected: str) -> None:
    assert expected in plain(read_pages(name)[0])


@pytest.mark.parametrize("name", ["locked.pdf", "rc4_locked.pdf"])
def test_a_locked_file_asks_for_its_password(name: str) -> None:
    with pytest.raises(ReadingError) as caught:
        PdfReader((FILES / name).read_bytes())

    assert caught.value.failure is ReadingFailure.NEEDS_PASSWORD


def test_the_password_gives_a_copy_that_opens_without_it() -> None:
    with ReadingClient(chunks_of_file("locked.pdf"), name="locked.pdf", password="Zx9-unknown") as client:
        client.open()
        plain_bytes = client.decrypt()

    with ReadingClient(iter([plain_bytes]), name="locked.pdf") as client:
        assert client.open().page_count == 1


def test_a_wrong_password_is_named() -> None:
    with pytest.raises(ReadingError) as caught:
        PdfReader((FILES / "locked.pdf").read_bytes(), "no")

    assert caught.value.failure is ReadingFailure.WRONG_PASSWORD


def test_a_damaged_file_is_repaired_and_says_so() -> None:
    reader = PdfReader((FILES / "broken_xref.pdf").read_bytes())

    page, _warnings = reader.pages(1, 1)[0]

    assert [warning.code for warning in reader.facts().warnings] == [WarningCode.REPAIRED]
    assert "Net debt at year end: 212.4 million." in plain(page)


def test_a_file_without_pages_says_so() -> None:
    with pytest.raises(ReadingError) as caught:
        PdfReader((FILES / "zero_pages.pdf").read_bytes())

    assert caught.value.failure in (ReadingFailure.NO_PAGES, ReadingFailure.DAMAGED)


def test_an_image_page_is_named_and_a_blank_one_is_not_called_an_image() -> None:
    reader = PdfReader((FILES / "scan_mixed.pdf").read_bytes())

    pages = reader.pages(1, reader.facts().page_count)

    codes = {warning.page: warning.code for _page, warnings in pages for warning in warnings}
    assert codes[2] is WarningCode.NO_TEXT_LAYER
    assert codes[3] is WarningCode.BLANK_PAGE


def test_control_characters_do_not_reach_the_text(read_pages: Read) -> None:
    text = read_pages("nul.pdf")[0].text

    assert "Fee 9.9 per mille" in " ".join(text.split())
    assert "\x00" not in text


@pytest.mark.parametrize("name", ["loan_book.pdf", "two_columns.pdf", "ligatures.pdf", "rotated.pdf", "footnotes.pdf"])
def test_every_anchor_points_at_its_own_words(read_pages: Read, name: str) -> None:
    for page in read_pages(name):
        assert all(page.text[word.start : word.end] == word.text for word in page.words)
        assert [word.start for word in page.words] == sorted(word.start for word in page.words)
        for table in page.tables:
            block = page.blocks[table.block]
            assert block.kind is BlockKind.TABLE
            for row in table.rows:
                assert block.start <= row.start < row.end <= block.end
                for found in row.cells:
                    assert page.text[found.start : found.end] == found.text


def test_a_page_is_drawn_as_png() -> None:
    with ReadingClient(chunks_of_file("labels.pdf"), name="labels.pdf") as client:
        client.open()
        image = client.render(1, 72)

    assert image.startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["gid_font.pdf", "cipher_font.pdf"])
def test_a_text_layer_that_says_nothing_is_named_and_not_kept(name: str) -> None:
    page, warnings = PdfReader((FILES / name).read_bytes()).pages(1, 1)[0]

    assert page.text == ""
    assert [warning.code for warning in warnings] == [WarningCode.UNREADABLE_FONT]
