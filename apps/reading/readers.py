"""Which reader opens which type: the one place to name a new format. Parsers are imported when they are needed."""

from typing import Protocol

from apps.reading.contracts import FileFacts, MediaType, PageContent, ReadingError, ReadingFailure, ReadingWarning
from apps.reading.detect import detect


class Reader(Protocol):
    """What every reader can do. Some have more: `image(page, dpi)`, `decrypted()`, `member(index)`."""

    def facts(self) -> FileFacts: ...

    def pages(self, first: int, last: int) -> list[tuple[PageContent, tuple[ReadingWarning, ...]]]: ...


def open_reader(data: bytes, name: str, password: str = "") -> Reader:  # one line a format
    """The file, opened by the reader of its content. Raises ReadingError with the reason why it cannot be read."""
    found = detect(data, name)
    differs = found.name_differs
    match found.media_type:
        case MediaType.PDF:
            from apps.reading.pdf import PdfReader

            return PdfReader(data, password)
        case MediaType.PNG | MediaType.JPEG:
            from apps.reading.image import ImageReader

            return ImageReader(data, found.media_type, name_differs=differs)
        case MediaType.DOCX:
            from apps.reading.docx import DocxReader

            return DocxReader(data, name_differs=differs)
        case MediaType.XLSX:
            from apps.reading.xlsx import XlsxReader

            return XlsxReader(data, name_differs=differs)
        case MediaType.XLS:
            from apps.reading.xls import XlsReader

            return XlsReader(data, name_differs=differs)
        case MediaType.CSV:
            from apps.reading.delimited import DelimitedReader

            return DelimitedReader(data, name_differs=differs)
        case MediaType.HTML:
            from apps.reading.html import HtmlReader

            return HtmlReader(data, name_differs=differs)
        case MediaType.EML:
            from apps.reading.mail import MailReader

            return MailReader(data)
        case MediaType.ZIP:
            from apps.reading.archive import ArchiveReader

            return ArchiveReader(data)
        case MediaType.TEXT | MediaType.MARKDOWN:
            from apps.reading.plain import TextReader

            return TextReader(data, found.media_type)
    raise ReadingError(ReadingFailure.UNSUPPORTED, found.media_type.value)
