"""Which reader opens which type: the one place to name a new format. Parsers are imported when they are needed."""

from importlib import import_module
from typing import Protocol, cast

from apps.reading import ole
from apps.reading.contracts import FileFacts, MediaType, PageContent, ReadingError, ReadingFailure, ReadingWarning
from apps.reading.detect import detect

_MARKED = {  # readers of (data, name_differs=…)
    MediaType.DOCX: ("docx", "DocxReader"),
    MediaType.PPTX: ("pptx", "PptxReader"),
    MediaType.XLSX: ("xlsx", "XlsxReader"),
    MediaType.XLS: ("xls", "XlsReader"),
    MediaType.ODS: ("ods", "OdsReader"),
    MediaType.ODT: ("odf", "OdtReader"),
    MediaType.RTF: ("rtf", "RtfReader"),
    MediaType.CSV: ("delimited", "DelimitedReader"),
    MediaType.HTML: ("html", "HtmlReader"),
    MediaType.MSG: ("messages", "MessageReader"),
}
_TYPED = {  # readers of (data, media_type, name_differs=…)
    MediaType.DOC: ("libreoffice", "reader_of"),
    MediaType.PPT: ("libreoffice", "reader_of"),
    MediaType.PNG: ("image", "ImageReader"),
    MediaType.JPEG: ("image", "ImageReader"),
    MediaType.GIF: ("pictures", "PictureReader"),
    MediaType.BMP: ("pictures", "PictureReader"),
    MediaType.TIFF: ("pictures", "PictureReader"),
    MediaType.WEBP: ("pictures", "PictureReader"),
}
_PLAIN = {  # readers of (data)
    MediaType.EML: ("mail", "MailReader"),
    MediaType.MBOX: ("mail", "MailboxReader"),
    MediaType.ZIP: ("archive", "ArchiveReader"),
    MediaType.SEC: ("submission", "SubmissionReader"),
    MediaType.JSON: ("records", "reader_of"),
}


class Reader(Protocol):
    """What every reader can do. Some have more: `image(page, dpi)`, `decrypted()`, `member(index)`."""

    def facts(self) -> FileFacts: ...

    def pages(self, first: int, last: int) -> list[tuple[PageContent, tuple[ReadingWarning, ...]]]: ...


def open_reader(data: bytes, name: str, password: str = "") -> Reader:
    """The file, opened by the reader of its content. Raises ReadingError with the reason why it cannot be read."""
    if ole.is_encrypted(data):
        from apps.reading.unlocked import UnlockedReader

        plain = ole.decrypted(data, password)
        return UnlockedReader(open_reader(plain, name), plain)
    found = detect(data, name)
    kind, differs = found.media_type, found.name_differs
    if kind is MediaType.PDF:
        return _opener("pdf", "PdfReader")(data, password)
    if kind in (MediaType.TEXT, MediaType.MARKDOWN):
        return _opener("plain", "TextReader")(data, kind)
    if kind in _MARKED:
        return _opener(*_MARKED[kind])(data, name_differs=differs)
    if kind in _TYPED:
        return _opener(*_TYPED[kind])(data, kind, name_differs=differs)
    if kind in _PLAIN:
        return _opener(*_PLAIN[kind])(data)
    raise ReadingError(ReadingFailure.UNSUPPORTED, kind.value)


class _Opener(Protocol):
    def __call__(self, data: bytes, *more: object, **named: object) -> Reader: ...


def _opener(module: str, name: str) -> _Opener:
    """The class or function that opens the type."""
    return cast("_Opener", getattr(import_module(f"apps.reading.{module}"), name))
