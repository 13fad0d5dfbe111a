"""What a PDF carries beside its printed words: fields, notes, attached files, tables that go on."""

from typing import Any

from apps.reading._pymupdf import pymupdf
from apps.reading.contracts import BlockKind, WarningCode
from apps.reading.pdf import PdfReader


def _field(page: Any, kind: int, rect: tuple[float, ...], name: str, value: Any) -> None:
    widget = pymupdf.Widget()
    widget.field_type, widget.rect, widget.field_name, widget.field_value = kind, pymupdf.Rect(rect), name, value
    page.add_widget(widget)


def test_values_of_fields_stand_behind_their_labels() -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((60, 80), "Limit asked for:")
    page.insert_text((60, 120), "Secured:")
    page.insert_text((60, 160), "Syndicated:")
    _field(page, pymupdf.PDF_WIDGET_TYPE_TEXT, (200, 66, 400, 84), "limit", "2.400.000,00 TL")
    _field(page, pymupdf.PDF_WIDGET_TYPE_CHECKBOX, (200, 106, 214, 120), "secured", True)
    _field(page, pymupdf.PDF_WIDGET_TYPE_CHECKBOX, (200, 146, 214, 160), "syndicated", False)

    content, _warnings = PdfReader(document.tobytes()).pages(1, 1)[0]

    lines = [" ".join(line.split()) for line in content.text.splitlines() if line.strip()]
    assert lines == ["Limit asked for: 2.400.000,00 TL", "Secured: [checked]", "Syndicated: [ ]"]


def test_a_field_value_that_is_drawn_nowhere_is_read() -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((60, 80), "Borrower:")
    _field(page, pymupdf.PDF_WIDGET_TYPE_TEXT, (200, 66, 400, 84), "borrower", "Ilgaz Tekstil")
    widget = next(page.widgets())
    document.xref_set_key(widget.xref, "AP", "null")

    content, _warnings = PdfReader(document.tobytes()).pages(1, 1)[0]

    assert "Borrower: Ilgaz Tekstil" in " ".join(content.text.split())


def test_a_note_of_a_reviewer_stands_apart() -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((60, 80), "The covenant is met.")
    page.add_text_annot((300, 70), "Ask the auditor about this")

    content, warnings = PdfReader(document.tobytes()).pages(1, 1)[0]

    kinds = {content.text[b.start : b.end]: b.kind for b in content.blocks}
    assert kinds["Ask the auditor about this"] is BlockKind.NOTE
    assert kinds["The covenant is met."] is BlockKind.PARAGRAPH
    assert [w.code for w in warnings] == [WarningCode.HAS_COMMENTS]


def test_attached_files_are_members_with_their_bytes() -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((60, 80), "See the attached positions.")
    document.embfile_add("positions", b"fund;value\nA;12,50\n", filename="../positions.csv")
    page.add_file_annot((60, 120), b"pinned to the page", filename="pinned.txt")

    reader = PdfReader(document.tobytes())

    facts = reader.facts()
    assert [member.name for member in facts.members] == ["positions.csv", "pinned.txt"]
    assert reader.member(0) == b"fund;value\nA;12,50\n"
    assert reader.member(1) == b"pinned to the page"
    assert [w.code for w in facts.warnings] == [WarningCode.HAS_ATTACHMENTS]


def _ledger(heads_again: bool, title_again: bool) -> Any:
    document = pymupdf.open()
    for number in range(2):
        page = document.new_page()
        if number == 0 or title_again:
            page.insert_text((60, 70), "Deposits by town (thousand TL)" + " (continued)" * number, fontsize=14)
        if number == 0 or heads_again:
            page.insert_text((60, 100), "Town")
            for x, year in ((300, "2024"), (400, "2023")):
                page.insert_text((x, 100), year)
        for row in range(12):
            page.insert_text((60, 120 + 16 * row), f"Town {number * 12 + row:02}")
            for x, value in ((300, 4000 + row), (400, 3000 + row)):
                page.insert_text((x - 4, 120 + 16 * row), f"{value:,}")
    return document


def test_a_table_over_pages_is_one_logical_table() -> None:
    for heads_again, title_again in ((True, False), (False, False), (True, True)):
        pages = PdfReader(_ledger(heads_again, title_again).tobytes()).pages(1, 2)

        first, second = (content.tables[0] for content, _warnings in pages)
        assert not first.continues
        assert second.continues
        assert len(first.rows) + len(second.rows) == 24
        assert first.columns == second.columns == ("2024", "2023")
        assert second.scale_note == first.scale_note == "(thousand TL)"


def test_another_table_under_its_own_title_does_not_continue() -> None:
    document = _ledger(heads_again=True, title_again=False)
    document[1].insert_text((60, 70), "Loans by town (thousand TL)", fontsize=14)

    pages = PdfReader(document.tobytes()).pages(1, 2)

    assert not pages[1][0].tables[0].continues


def test_a_cipher_of_letters_is_named_and_tables_of_one_word_are_not() -> None:
    document = pymupdf.open()
    page = document.new_page()
    plain = "The operating margin rose after several quarters because material prices fell while demand stayed strong"
    cipher = "".join(chr((ord(c) - 97 + 9) % 26 + 97) if c.islower() else c for c in plain)
    page.insert_textbox((60, 60, 500, 200), cipher)
    ledger = pymupdf.open()
    sheet = ledger.new_page()
    for row in range(30):
        sheet.insert_text((60, 60 + 20 * row), f"Branch {row:03}  Grdk {row}")

    _content, warnings = PdfReader(document.tobytes()).pages(1, 1)[0]
    kept, none = PdfReader(ledger.tobytes()).pages(1, 1)[0]

    assert WarningCode.UNREADABLE_FONT in [w.code for w in warnings]
    assert "Branch 029" in kept.text
    assert not none
