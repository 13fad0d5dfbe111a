"""Office files, mails and archives for tests, made in memory."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage
from typing import Any

import docx
import openpyxl

from apps.reading._pymupdf import pymupdf


def workbook(sheets: Mapping[str, Sequence[Sequence[Any]]], change: Callable[[Any], None] | None = None) -> bytes:
    """An XLSX of these rows; `change` may work on the openpyxl workbook before it is saved."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    if change is not None:
        change(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def document(write: Callable[[Any], None]) -> bytes:
    """A DOCX that `write` filled."""
    made = docx.Document()
    write(made)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def archive(members: Mapping[str, bytes]) -> bytes:
    """A ZIP of these members, packed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return out.getvalue()


def repacked(data: bytes, change: Mapping[str, Callable[[bytes], bytes]]) -> bytes:
    """The package with some parts rewritten."""
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        return archive({n: change.get(n, lambda part: part)(source.read(n)) for n in source.namelist()})


def mail(subject: str, body: str, attachments: Mapping[str, bytes] | None = None, *, html: str = "") -> bytes:
    """An EML with these attachments."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "a@ornek.invalid", "b@ornek.invalid", subject
    made["Date"] = "Thu, 01 Aug 2024 10:46:09 +0300"
    made.set_content(body)
    if html:
        made.add_alternative(html, subtype="html")
    for name, data in (attachments or {}).items():
        made.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return bytes(made)


def picture(line: str, kind: str) -> bytes:
    """A page with one printed line as a "png" or "jpeg" of 200 dpi."""
    with pymupdf.open() as made:
        page = made.new_page()
        page.insert_text((60, 120), line, fontsize=14)
        image: bytes = page.get_pixmap(dpi=200).tobytes(kind)
    return image
