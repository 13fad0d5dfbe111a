"""What a file is, by its content; the name only exposes impostors."""

from pathlib import Path

import pytest

from apps.reading.contracts import MediaType, ReadingError, ReadingFailure
from apps.reading.detect import detect
from tests.reading.office import archive, workbook

FILES = Path(__file__).resolve().parent.parent / "files"
BINARY_BOOK = archive({"[Content_Types].xml": b"<x/>", "xl/workbook.bin": b"x"})
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 40


@pytest.mark.parametrize(
    ("data", "name", "failure"),
    [
        (b"", "a.txt", ReadingFailure.EMPTY),
        (b"MZ\x90\x00", "report.pdf", ReadingFailure.DISGUISED),
        (b"MZ\x90\x00", "model.xlsx", ReadingFailure.DISGUISED),
        (b"%PDF-1.7\n", "notes.txt", ReadingFailure.DISGUISED),
        (b"%PDF-1.7\n", "model.xlsx", ReadingFailure.DISGUISED),
        (PNG, "contract.docx", ReadingFailure.DISGUISED),
        (archive({"a.txt": b"x"}), "contract.docx", ReadingFailure.DISGUISED),
        (BINARY_BOOK, "b.xlsb", ReadingFailure.UNSUPPORTED),
        (OLE, "m.xlsx", ReadingFailure.DISGUISED),
        (OLE, "m.bin", ReadingFailure.UNSUPPORTED),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "pic.svg", ReadingFailure.UNSUPPORTED),
        (b"<?xml version='1.0'?><a/>", "laughs.xml", ReadingFailure.UNSUPPORTED),
        (b"plain words", "report.pdf", ReadingFailure.DISGUISED),
        (bytes(range(256)) * 8, "a.txt", ReadingFailure.DISGUISED),
        (bytes(range(256)) * 8, "a.bin", ReadingFailure.UNSUPPORTED),
    ],
)  # fmt: skip
def test_the_bytes_decide_the_type_and_impostors_are_named(data: bytes, name: str, failure: ReadingFailure) -> None:
    with pytest.raises(ReadingError) as caught:
        detect(data, name)

    assert caught.value.failure is failure


@pytest.mark.parametrize(
    ("data", "name", "media_type", "differs"),
    [
        (b"%PDF-1.4", "scan", MediaType.PDF, False),
        ("Şube".encode("cp1254"), "notes", MediaType.TEXT, False),
        (b"# Title", "notes.md", MediaType.MARKDOWN, False),
        (b"a;b\n1;2\n", "export.csv", MediaType.CSV, False),
        (b"a;b\n1;2\n", "export.xlsx", MediaType.CSV, True),
        (b"<html><table><tr><td>1</td></tr></table></html>", "export.xls", MediaType.HTML, True),
        (b"<!DOCTYPE html><p>x", "page.html", MediaType.HTML, False),
        (b"<h1>Report</h1>", "body.html", MediaType.HTML, False),
        (workbook({"S": [["a", 1]]}), "model.xlsx", MediaType.XLSX, False),
        (workbook({"S": [["a", 1]]}), "model.xls", MediaType.XLSX, True),
        (archive({"a.txt": b"x"}), "batch.zip", MediaType.ZIP, False),
        (b"From: a@x.invalid\r\nSubject: s\r\n\r\nBody", "mail.eml", MediaType.EML, False),
        (b"From: the board\nTo: the staff\n\nA note", "note.txt", MediaType.TEXT, False),
        (PNG, "photo.jpg", MediaType.PNG, True),
    ],
)
def test_content_is_read_for_what_it_is(data: bytes, name: str, media_type: MediaType, differs: bool) -> None:
    found = detect(data, name)

    assert (found.media_type, found.name_differs) == (media_type, differs)
