"""Slides, OpenDocument, RTF, JSON, messages, pictures, submissions, locked Office files: what each becomes."""

import io
import shutil
import stat
import zipfile
from pathlib import Path
from typing import Any

import msoffcrypto
import pptx
import pytest
from PIL import Image, ImageDraw
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from apps.reading import libreoffice, ocr
from apps.reading.contracts import BlockKind, CellKind, MediaType, MemberRefusal, ReadingError, ReadingFailure
from apps.reading.readers import open_reader
from apps.reading.rtf import decompressed, text_of_rtf
from tests.reading.office import archive, workbook
from tests.reading.reading import FILES, cell, codes, read, text_of

_SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text", "style")
)


def odf(kind: str, body: str, styles: str = "") -> bytes:
    content = f"<office:document-content {_SPACES}><office:automatic-styles>{styles}</office:automatic-styles>"
    content += f"<office:body>{body}</office:body></office:document-content>"
    return archive({"mimetype": f"application/vnd.oasis.opendocument.{kind}".encode(), "content.xml": content.encode()})


def deck() -> bytes:
    """Two slides: a table, a chart of two series, notes, a group; the second one hidden."""
    made = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Results"
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table
    for (row, column), text in {(0, 0): "TL m", (0, 1): "2024", (1, 0): "Profit", (1, 1): "1.250,5"}.items():
        table.cell(row, column).text = text
    data = CategoryChartData()
    data.categories = ["2022", "2023"]
    data.add_series("Loans", (10.5, 12))
    data.add_series("Deposits", (20, 21.25))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(3), Inches(4), Inches(3), data)
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1)).text_frame.text = "Ratio 16.2 per cent"
    slide.notes_slide.notes_text_frame.text = "Nine points came from Izmir"
    hidden = made.slides.add_slide(made.slide_layouts[5])
    hidden.shapes.title.text = "Pricing idea"
    hidden._element.set("show", "0")
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def test_a_slide_gives_its_title_tables_chart_data_groups_and_notes() -> None:
    facts, pages = read("d.pptx", deck())

    assert (facts.media_type, facts.page_count, facts.title) == (MediaType.PPTX, 2, "Results")
    text = pages[0].text
    assert text.startswith("Results\n")
    assert "Ratio 16.2 per cent" in text
    assert "Notes: Nine points came from Izmir" in text
    places = (("Profit", "2024"), ("2023", "Loans"), ("2023", "Deposits"))
    profit, loans, deposits = (cell(pages, *place) for place in places)
    assert profit is not None
    assert loans is not None
    assert deposits is not None
    assert (profit.value, loans.value, deposits.value) == ("1250.5", "12", "21.25")


def test_a_hidden_slide_is_marked_and_named() -> None:
    facts, pages = read("d.pptx", deck())

    assert [(w.code.value, w.page, w.detail) for w in facts.warnings] == [("hidden_content", 2, "slide")]
    assert [block.kind for block in pages[1].blocks] == [BlockKind.HIDDEN]
    assert pages[1].text == "Pricing idea"


def test_slides_come_in_the_order_of_the_show_not_of_their_names() -> None:
    made = pptx.Presentation(io.BytesIO(deck()))
    listed = made.slides._sldIdLst
    listed.insert(0, listed[1])
    out = io.BytesIO()
    made.save(out)

    assert [page.text.split("\n")[0] for page in read("d.pptx", out.getvalue())[1]] == ["Pricing idea", "Results"]


def test_an_open_document_sheet_has_typed_cells_and_marked_hidden_parts() -> None:
    def row(*cells: str) -> str:
        return f"<table:table-row>{''.join(cells)}</table:table-row>"

    def said(text: str) -> str:
        return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'

    money = '<table:table-cell office:value-type="currency" office:currency="TRY" office:value="1250.5"/>'
    share = '<table:table-cell office:value-type="percentage" office:value="0.125"/>'
    day = '<table:table-cell office:value-type="date" office:date-value="2024-02-29"/>'
    formula = '<table:table-cell table:formula="of:=SUM([.B2:.B3])"/>'
    blank = '<table:table-row table:number-rows-repeated="1000000"><table:table-cell/></table:table-row>'
    columns = '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>'
    data = odf(
        "spreadsheet",
        "<office:spreadsheet>"
        f'<table:table table:name="S">{columns}{row(said("item"), said("value"), said("note"))}'
        f"{row(said('Rent'), money, said('secret'))}{row(said('Share'), share)}{row(said('Signed'), day)}"
        f"{row(said('Sum'), formula)}{blank}{row(said('far'), said('away'))}</table:table>"
        f'<table:table table:name="H" table:style-name="h">{row(said("hid"), money)}</table:table>'
        "</office:spreadsheet>",
        '<style:style style:name="h"><style:table-properties table:display="false"/></style:style>',
    )

    facts, pages = read("b.ods", data)

    values = {label: cell(pages, label) for label in ("Rent", "Share", "Signed", "Sum")}
    assert {label: (c.value, c.unit, c.kind) for label, c in values.items() if c is not None} == {
        "Rent": ("1250.5", "TRY", CellKind.NUMBER),
        "Share": ("12.5", "percent", CellKind.NUMBER),
        "Signed": ("2024-02-29", "", CellKind.DATE),
        "Sum": ("", "", CellKind.ERROR),
    }
    assert [(w.code.value, w.page, w.detail) for w in facts.warnings] == [
        ("formula_not_calculated", 1, ""),
        ("hidden_content", 1, "columns"),
        ("hidden_content", 2, "sheet"),
    ]
    assert [b.kind for b in pages[1].blocks] == [BlockKind.HIDDEN, BlockKind.HIDDEN]
    assert pages[0].grids[0].rows[-1].number == 1_000_006


def test_an_open_document_text_is_read_as_accepted_with_its_notes() -> None:
    body = (
        "<office:text><text:tracked-changes><text:changed-region><text:p>old price</text:p></text:changed-region>"
        '</text:tracked-changes><text:h text:outline-level="2">Loan</text:h>'
        '<text:p>The rate is<text:s text:c="2"/>4 per cent<text:note><text:note-body><text:p>Fixed until 2030.</text:p>'
        "</text:note-body></text:note>.<office:annotation><text:p>check</text:p></office:annotation></text:p>"
        "<table:table><table:table-row><table:table-cell><text:p>Bank</text:p></table:table-cell><table:table-cell>"
        "<text:p>Share</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Harbour"
        "</text:p></table:table-cell><table:table-cell><text:p>35 %</text:p></table:table-cell></table:table-row>"
        "</table:table></office:text>"
    )

    facts, pages = read("a.odt", odf("text", body))

    text = text_of(pages)
    assert "The rate is 4 per cent." in text
    assert "Fixed until 2030." in text
    assert "old price" not in text
    assert codes(facts) == {"tracked_changes", "has_comments"}
    found = cell(pages, "Harbour", "Share")
    assert found is not None
    assert (found.value, found.unit) == ("35", "percent")
    assert [b.kind for b in pages[0].blocks][:4] == [
        BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.FOOTNOTE, BlockKind.NOTE,
    ]  # fmt: skip
    assert "Flat text 57" in text_of(read("flat.fodt")[1])


def test_rtf_gives_its_words_in_their_code_page_and_its_tables() -> None:
    data = (
        rb"{\rtf1\ansi\ansicpg1254{\fonttbl{\f0 Arial;}}{\*\generator X;}{\info{\title Secret}}\pard "
        rb"Fee 1.75 per cent, \'fe\u305?li. \par\trowd\cellx1\cellx2 Bank\cell Share\cell\row Harbour\cell 35\cell\row"
        rb"\pard end\par}"
    )

    _facts, pages = read("a.rtf", data)

    assert pages[0].text.split("\n\n") == ["Fee 1.75 per cent, şıli.", "Bank | Share\nHarbour | 35", "end"]
    assert text_of_rtf(rb"{\rtf1 one\par two}") == "one\ntwo"


def test_packed_rtf_of_a_message_is_unpacked() -> None:
    # the example of MS-OXRTFCP 3.1.1: a line of text
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )

    assert decompressed(packed) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


def test_a_list_of_records_is_a_sheet_and_other_json_is_lines_with_their_paths() -> None:
    facts, pages = read("r.jsonl", b'{"kalem":"Kira","tutar":1250.50}\n{"kalem":"Vergi","tutar":40}\n')
    found = cell(pages, "Kira", "tutar")

    assert facts.media_type is MediaType.JSON
    assert found is not None
    assert (found.text, found.value) == ("1250.50", "1250.50")
    assert text_of(read("t.json", b'{"a":{"b":[1.50,"x\\u0000y"]},"n":null}')[1]) == "a.b[0]: 1.50\n\na.b[1]: xy"
    for broken in (b'{"a": ', b"[" * 100_000):
        with pytest.raises(ReadingError):
            read("b.json", broken)


def test_a_mailbox_gives_each_mail_as_a_member() -> None:
    mail = b"From: a@b.invalid\nSubject: Offer %d\nDate: Thu, 01 Aug 2024 10:46:09 +0300\n\nText\n>From here on\n\n"
    data = b"".join(b"From a@b Thu Aug 01 10:46:09 2024\n" + mail % number for number in (1, 2))

    facts, pages = read("m.mbox", data)

    assert [member.name for member in facts.members] == ["message-1.eml", "message-2.eml"]
    assert "Offer 2" in text_of(pages)
    first: Any = open_reader(data, "m.mbox")
    assert b"\nFrom here on" in first.member(0)


def picture(text: str) -> Image.Image:
    made = Image.new("RGB", (700, 200), "white")
    ImageDraw.Draw(made).text((20, 40), text, fill="black", font_size=48)
    return made


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF", "WEBP"])
def test_pictures_of_every_kind_have_a_page_each_and_an_image(kind: str) -> None:
    out = io.BytesIO()
    more = {"save_all": True, "append_images": [picture("Second 99")]} if kind == "TIFF" else {}
    picture("Total 1,234").save(out, kind, **more)

    reader: Any = open_reader(out.getvalue(), f"scan.{kind.lower()}")
    count = reader.facts().page_count
    contents = reader.pages(1, count)

    assert count == (2 if kind == "TIFF" else 1)
    assert [page.number for page, _warnings in contents] == list(range(1, count + 1))
    assert [warning.page for _page, warnings in contents for warning in warnings] == list(range(1, count + 1))
    assert reader.image(count, 72).startswith(b"\x89PNG")
    if ocr.recogniser() is not None:
        assert "1,234" in contents[0][0].text


def test_a_picture_beyond_the_limit_or_cut_is_refused_before_it_is_decoded() -> None:
    out = io.BytesIO()
    Image.new("1", (40_000, 40_000)).save(out, "TIFF", compression="group4")
    small = io.BytesIO()
    picture("x").save(small, "GIF")

    for data, failure in ((out.getvalue(), ReadingFailure.TOO_LARGE), (small.getvalue()[:60], ReadingFailure.DAMAGED)):
        with pytest.raises(ReadingError) as caught:
            read("p.tif" if failure is ReadingFailure.TOO_LARGE else "p.gif", data)
        assert caught.value.failure is failure


def test_a_submission_tells_filing_exhibits_and_data_apart() -> None:
    facts, pages = read("0009999999-24-000042.txt")

    assert facts.media_type is MediaType.SEC
    assert dict(facts.details) == {
        "form": "10-K", "company": "GREENVALE MOTORS INC", "cik": "0009999999", "period": "2023-12-31",
        "filed": "2024-03-08", "accession": "0009999999-24-000042", "fiscal_year_end": "1231",
    }  # fmt: skip
    assert [(m.name, m.kind) for m in facts.members if m.refusal is None] == [
        ("gvm10k.htm", "10-K"), ("ex21.htm", "EX-21"), ("ex23.txt", "EX-23"),
    ]  # fmt: skip
    assert {m.refusal for m in facts.members[3:]} == {MemberRefusal.DATA}
    text = text_of(pages)
    assert "begin 644" not in text
    assert "EX-101" not in text
    reader: Any = open_reader((FILES / "0009999999-24-000042.txt").read_bytes(), "x.nc")
    assert b"<html>" in reader.member(0)
    assert reader.member(3).startswith(b"GIF89a")


def test_a_daily_feed_and_a_single_document_are_submissions_too() -> None:
    feed = b"<SUBMISSION>\n<ACCESSION-NUMBER>0001-24-1\n<TYPE>8-K\n<PERIOD>20240305\n<FILER>\n<CONFORMED-NAME>ORNEK\n"
    one = b"<DOCUMENT>\n<TYPE>EX-99\n<SEQUENCE>1\n<FILENAME>ex99.txt\n<TEXT>\nProfit was 5.\n</TEXT>\n</DOCUMENT>\n"

    facts, _pages = read("f.nc", feed + one)
    single, _more = read("ex99.txt", one)

    assert dict(facts.details)["form"] == "8-K"
    assert dict(facts.details)["period"] == "2024-03-05"
    assert [member.kind for member in (*facts.members, *single.members)] == ["EX-99", "EX-99"]


def test_items_of_a_filing_are_headings_and_its_table_of_contents_is_not() -> None:
    _facts, pages = read("toc.htm")
    headings = [pages[0].text[b.start : b.end] for b in pages[0].blocks if b.kind is BlockKind.HEADING]

    assert headings == [
        "Annual report", "Item 1. Business", "ITEM 1A: RISK FACTORS", "Item 7. Management’s Discussion",
    ]  # fmt: skip


def test_a_sentence_runs_over_a_page_break_and_page_numbers_stand_apart() -> None:
    _facts, pages = read("spans.htm")
    kinds = {pages[0].text[b.start : b.end]: b.kind for b in pages[0].blocks}

    assert kinds["The lease term is nine years."] is BlockKind.PARAGRAPH
    assert kinds["14"] is BlockKind.FOOTER
    assert kinds["Table of Contents"] is BlockKind.FOOTER
    assert any("consists of 1,500 stores, of which 212 are franchised." in text for text in kinds)


def test_running_heads_beside_breaks_are_no_text_and_prose_that_ends_is_not_joined() -> None:
    page = "<p>{0} ends here.</p><p>{1}</p><hr><p>Orman Holding A.Ş.</p><p>next {0} starts</p>"
    markup = "".join(page.format(word, number) for number, word in enumerate(("One", "Two", "Three", "Four"), start=1))

    _facts, pages = read("r.html", f"<html><body>{markup}</body></html>".encode())

    footers = [pages[0].text[b.start : b.end] for b in pages[0].blocks if b.kind is BlockKind.FOOTER]
    assert footers.count("Orman Holding A.Ş.") == 4
    assert {"1", "2", "3", "4"} <= set(footers)
    assert "One ends here.\n\n" in pages[0].text


def locked(data: bytes, password: str) -> bytes:
    out = io.BytesIO()
    msoffcrypto.OfficeFile(io.BytesIO(data)).encrypt(password, out)
    return out.getvalue()


def test_a_locked_office_file_opens_with_its_password_and_with_no_other() -> None:
    plain = workbook({"S": [["item", "2024"], ["Rent", 1250]]})
    data = locked(plain, "şifre-1")

    for password, failure in (("", ReadingFailure.NEEDS_PASSWORD), ("other", ReadingFailure.WRONG_PASSWORD)):
        with pytest.raises(ReadingError) as caught:
            open_reader(data, "b.xlsx", password)
        assert caught.value.failure is failure
    reader: Any = open_reader(data, "b.xlsx", "şifre-1")
    assert "Rent | 1250" in reader.pages(1, 1)[0][0].text
    assert zipfile.is_zipfile(io.BytesIO(reader.decrypted()))


def test_a_workbook_that_is_only_protected_against_writing_is_read() -> None:
    data = locked(workbook({"S": [["item", "2024"], ["Rent", 1250]]}), "VelvetSweatshop")

    assert "Rent | 1250" in text_of(read("b.xlsx", data)[1])


@pytest.mark.skipif(shutil.which("soffice") is not None, reason="LibreOffice is here: it is asked itself")
def test_old_word_files_say_that_libreoffice_is_missing() -> None:
    with pytest.raises(ReadingError) as caught:
        libreoffice.reader_of(b"", MediaType.DOC, name_differs=False)

    assert caught.value.failure is ReadingFailure.NEEDS_CONVERTER


def test_what_the_converter_writes_is_read_and_its_failure_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    converted = tmp_path / "made.docx"
    converted.write_bytes((FILES / "memo.docx").read_bytes())
    program = tmp_path / "soffice"
    program.write_text(
        "#!/bin/sh\n"
        'while [ "$#" -gt 1 ]; do [ "$1" = --outdir ] && out="$2"; shift; done\n'
        f'mkdir -p "$out" && cp {converted} "$out/in.docx"\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    try:
        reader = libreoffice.reader_of(b"old", MediaType.DOC, name_differs=False)
    except ReadingError as error:
        assert error.failure is ReadingFailure.NEEDS_CONVERTER  # noqa: PT017  # no namespaces on this machine
        return
    assert "upfront fee" in reader.pages(1, 1)[0][0].text
    program.write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(ReadingError) as caught:
        libreoffice.reader_of(b"old", MediaType.DOC, name_differs=False)
    assert caught.value.failure is ReadingFailure.DAMAGED
