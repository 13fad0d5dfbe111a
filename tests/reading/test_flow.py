"""DOCX, HTML and mail: the words as a reader sees them, with headings, tables and what stands apart."""

from typing import Any

import pytest

from apps.reading import codec
from apps.reading.contracts import BlockKind, WarningCode
from apps.reading.html import HtmlReader
from tests.reading.office import archive, document, mail
from tests.reading.reading import cell, codes, read, text_of


def test_tracked_changes_are_read_as_accepted() -> None:
    facts, pages = read("contract.docx")

    text = text_of(pages)
    assert "The purchase price is 3.9 million euro, due on 15 June 2025." in text
    assert "penalty 2 per cent" in text
    assert "no penalty" not in text
    assert codes(facts) == {WarningCode.TRACKED_CHANGES}


def test_headers_boxes_nested_tables_footnotes_and_comments_all_have_their_place() -> None:
    facts, pages = read("memo.docx")
    text = text_of(pages)
    kinds = {page.text[b.start : b.end]: b.kind for page in pages for b in page.blocks}

    assert kinds["CONFIDENTIAL - Project Heron, version 7"] is BlockKind.HEADER
    assert kinds["Contact: treasury desk"] is BlockKind.FOOTER
    assert kinds["² Falls to 210 basis points after a rating upgrade."] is BlockKind.FOOTNOTE
    assert text.index("Margin is 240 basis points²") < text.index("² Falls to 210")
    assert kinds["[Reviewer] Check: lender asked for 2029"] is BlockKind.NOTE
    assert text.count("BOX: upfront fee 1.75 per cent") == 1
    share = cell(pages, "Harbour Bank", "Share")
    assert share is not None
    assert (share.value, share.unit) == ("35", "percent")
    assert codes(facts) == {WarningCode.HAS_COMMENTS}


def test_headings_have_levels_and_long_documents_become_sections_that_count_paragraphs() -> None:
    def write(made: Any) -> None:
        made.add_heading("Contract", 0)
        for chapter in range(1, 7):
            made.add_heading(f"Chapter {chapter}", 1)
            made.add_heading("Details", 2)
            for _ in range(10):
                made.add_paragraph("The lessee pays the rent on the fifteenth of each month. " * 3)
            made.add_paragraph("first point", style="List Bullet")

    _facts, pages = read("long.docx", document(write))

    first = [(b.kind, b.level) for b in pages[0].blocks[:4]]
    assert first == [
        (BlockKind.HEADING, 1),
        (BlockKind.HEADING, 1),
        (BlockKind.HEADING, 2),
        (BlockKind.PARAGRAPH, 0),
    ]
    assert any(b.kind is BlockKind.LIST_ITEM for b in pages[0].blocks)
    assert len(pages) > 1
    counts = [page.first_line for page in pages]
    assert counts == [1, *(a + len(p.blocks) for a, p in zip(counts, pages, strict=False))][: len(counts)]
    assert pages[1].text.startswith("Chapter")


def test_scripts_hidden_parts_and_markup_are_no_words() -> None:
    _facts, pages = read("body.html")
    _more, filing = read("ixhidden.htm")

    assert text_of(pages) == "Report\n\nCost 77\n\nl"
    text = text_of(filing)
    assert "Revenue was $512.4 million." in text
    assert "handed over to the dealer" in text
    assert not any(word in text for word in ("777777", "2022-01-01", "iso4217", "Table of Contents"))


@pytest.mark.parametrize("style", ["display:none", "DISPLAY : NONE;", "visibility:hidden", "font-size:0"])
def test_invisible_text_is_left_out(style: str) -> None:
    reader = HtmlReader(f"<p>Total 5</p><p style='{style}'>Ignore the total</p>".encode())

    assert reader.pages(1, 1)[0][0].text == "Total 5"


def test_the_page_s_own_charset_and_a_layout_table_do_not_hide_its_words() -> None:
    inner = "<table><tr><th>Kalem<th>Tutar<tr><td>Kredi<td>1.250,00</table>"
    page = f"<meta charset='iso-8859-9'><table><tr><td><h2>Başlık</h2>{inner}</table>"
    reader = HtmlReader(page.encode("iso-8859-9"))
    found = tuple(content for content, _ in reader.pages(1, 1))

    kredi = cell(found, "Kredi", "Tutar")
    assert kredi is not None
    assert kredi.value == "1250"
    assert found[0].tables[0].title == "Başlık"


def test_a_mail_in_html_alone_is_read_with_its_charset_and_its_attachment_is_a_member() -> None:
    facts, pages = read("mail.eml")
    text = text_of(pages)

    assert facts.title == "Kira onayı - ağustos"
    assert "Date: 2024-08-01 10:46+03:00" in text
    assert "ağustos kira bedeli 18.500 TL" in text
    assert "Vade 05.09.2024" in text
    assert not any(word in text for word in ("=3D", "color:red", "tracker.invalid"))
    assert [(member.name, member.refusal) for member in facts.members] == [("ek.csv", None)]


def test_a_mail_inside_a_mail_is_one_attachment_and_names_lose_their_paths() -> None:
    facts, _pages = read("attach.eml")
    outer, _more = read("outer.eml", mail("Outer", "See inside.", {"inner.eml": mail("Inner", "x", {"a.txt": b"1"})}))

    assert [member.name for member in facts.members] == ["evil_eml.txt"]
    assert [member.name for member in outer.members] == ["inner.eml"]


def test_members_of_an_archive_have_safe_paths_and_reasons() -> None:
    data = archive({
        "reports/2024.txt": b"fine", "a/../../../evil.txt": b"x", "C:\\x\\y.txt": b"y", "empty.txt": b"",
        "bomb.txt": b"0" * 20_000_000, "__MACOSX/._a": b"z",
    })  # fmt: skip

    facts, pages = read("batch.zip", data)

    assert [(member.name, member.refusal and member.refusal.value) for member in facts.members] == [
        ("reports/2024.txt", None),
        ("a/evil.txt", None),
        ("x/y.txt", None),
        ("empty.txt", "empty"),
        ("bomb.txt", "suspicious"),
    ]
    assert "reports/2024.txt" in text_of(pages)
    assert codes(facts) == {WarningCode.MEMBERS_LEFT_OUT}


def test_both_states_of_a_tracked_change_are_kept_and_the_text_has_the_accepted_one() -> None:
    _facts, pages = read("contract.docx")
    changes = pages[0].changes

    assert [(c.block, c.is_deletion, c.text) for c in changes[:3]] == [
        (0, True, "4.2 million"),
        (0, False, "3.9 million"),
        (0, True, "1 May"),
    ]
    assert {c.author for c in changes} == {"Reviewer"}
    assert "no penalty" in changes[-1].text
    assert "no penalty" not in text_of(pages)
    assert codec.page_from_json(codec.page_to_json(pages[0])) == pages[0]
