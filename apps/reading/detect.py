"""What a file is, by its bytes. The name is only compared afterwards, to name an impostor."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from apps.reading import ole
from apps.reading.containers import Container
from apps.reading.contracts import MediaType, ReadingError, ReadingFailure

PROBE_BYTES = 64 * 1024
_TEXT_SUFFIXES = {"", ".txt", ".text", ".md", ".markdown", ".log"}
_SHEET_SUFFIXES = {".xlsx", ".xlsm", ".xltx", ".xls", ".xlt", ".csv", ".tsv", ".tab"}
_WORD_SUFFIXES = {".docx", ".docm", ".dotx", ".dotm", ".doc", ".dot", ".rtf", ".odt", ".fodt"}
_SLIDE_SUFFIXES = {".pptx", ".pptm", ".ppsx", ".potx", ".ppt", ".pps"}
_PICTURE_SUFFIXES = {
    ".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".gif", ".bmp", ".dib", ".tif", ".tiff", ".webp",
}  # fmt: skip
_HTML_SUFFIXES = {".htm", ".html", ".xhtml"}
_MAIL_SUFFIXES = {".eml", ".mht", ".mhtml", ".msg", ".mbox"}
_FAMILIES: dict[str, frozenset[MediaType]] = {  # what a suffix promises; the first family that holds it
    ".pdf": frozenset({MediaType.PDF}),
    **dict.fromkeys(_TEXT_SUFFIXES - {""}, frozenset({MediaType.TEXT, MediaType.MARKDOWN, MediaType.SEC})),
    ".nc": frozenset({MediaType.SEC}),
    **dict.fromkeys(_SHEET_SUFFIXES, frozenset({MediaType.XLSX, MediaType.XLS, MediaType.CSV, MediaType.HTML})),
    **dict.fromkeys(_HTML_SUFFIXES, frozenset({MediaType.HTML})),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), frozenset({MediaType.JSON})),
    **dict.fromkeys((".ods", ".fods", ".ots"), frozenset({MediaType.ODS, MediaType.XLSX, MediaType.XLS})),
    **dict.fromkeys(_MAIL_SUFFIXES, frozenset({MediaType.EML, MediaType.MSG, MediaType.MBOX})),
    **dict.fromkeys(_WORD_SUFFIXES, frozenset({MediaType.DOCX, MediaType.DOC, MediaType.RTF, MediaType.ODT})),
    **dict.fromkeys(_SLIDE_SUFFIXES, frozenset({MediaType.PPTX, MediaType.PPT})),
    **dict.fromkeys(_PICTURE_SUFFIXES, frozenset(kind for kind in MediaType if kind.is_picture)),
    ".zip": frozenset({MediaType.ZIP, MediaType.DOCX, MediaType.XLSX}),
}
_EXACT: dict[MediaType, set[str]] = {  # a suffix of the family that still says another type gives a warning
    MediaType.XLSX: {".xlsx", ".xlsm", ".xltx"},
    MediaType.XLS: {".xls", ".xlt"},
    MediaType.CSV: {".csv", ".tsv", ".tab"},
    MediaType.HTML: _HTML_SUFFIXES,
    MediaType.PNG: {".png"},
    MediaType.JPEG: {".jpg", ".jpeg", ".jpe", ".jfif"},
    MediaType.GIF: {".gif"},
    MediaType.BMP: {".bmp", ".dib"},
    MediaType.TIFF: {".tif", ".tiff"},
    MediaType.WEBP: {".webp"},
    MediaType.DOC: {".doc", ".dot"},
    MediaType.RTF: {".rtf"},
    MediaType.ODT: {".odt", ".fodt"},
    MediaType.PPT: {".ppt", ".pps"},
    MediaType.ODS: {".ods", ".fods"},
    MediaType.MSG: {".msg"},
    MediaType.EML: {".eml", ".mht", ".mhtml"},
    MediaType.DOCX: {".docx", ".docm", ".dotx", ".dotm"},
    MediaType.PPTX: {".pptx", ".pptm", ".ppsx", ".potx"},
}
_FOREIGN: tuple[tuple[bytes, str], ...] = (
    (b"MZ", "Windows program"),
    (b"\x7fELF", "program"),
    (b"\x1f\x8b", "gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (b"Rar!", "RAR archive"),
)
_PICTURES = (
    (b"GIF87a", MediaType.GIF),
    (b"GIF89a", MediaType.GIF),
    (b"II*\x00", MediaType.TIFF),
    (b"MM\x00*", MediaType.TIFF),
)
_MAILBOX = re.compile(rb"From \S+ .{8,60}\d{4}[^\r\n]{0,20}\r?\n")  # the line between the mails of an mbox
_OPEN_DOCUMENTS = {MediaType.ODT.value: MediaType.ODT, MediaType.ODS.value: MediaType.ODS}
_FLAT_TEXT = b'office:mimetype="application/vnd.oasis.opendocument.text"'
_JSON_SUFFIXES = {".json", ".jsonl", ".ndjson", ".geojson"}
_MARKUP = (b"<?xml", b"<svg")
_SUBMISSION = re.compile(  # a full submission, the daily feed's `.nc` form of one, or one document of it
    rb"^\s*(?:-----BEGIN PRIVACY-ENHANCED MESSAGE-----.{0,4000}?)?<(?:SEC-DOCUMENT|IMS-DOCUMENT|SUBMISSION|DOCUMENT)>",
    re.DOTALL,
)
_SUBMISSION_PART = re.compile(rb"<(?:DOCUMENT|SEC-HEADER|TYPE)>")
_HTML_START = (b"<!doctype html", b"<html", b"<table", b"<body", b"<head")
_HTML_INSIDE = re.compile(rb"<(?:html|body|table|h[1-6]|p|div)[\s>]", re.IGNORECASE)
_MAIL_HEADER = re.compile(
    rb"^(from|to|cc|subject|date|mime-version|received|message-id|content-type|return-path|delivered-to|x-[\w-]+):",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Detection:
    media_type: MediaType
    name_differs: bool = False


def detect(data: bytes, name: str) -> Detection:
    """The type of a file by its content.

    Raises ReadingError: EMPTY for no bytes, DISGUISED when the name promises a type that we read and the bytes are
    quite another, ENCRYPTED_OFFICE for one with a password, UNSUPPORTED for everything else that we do not read.
    """
    if not data:
        raise ReadingError(ReadingFailure.EMPTY)
    suffix = PurePosixPath(name.strip()).suffix.lower()
    promised = _FAMILIES.get(suffix)
    try:
        found = _type_of(data, suffix)
    except ReadingError as error:
        if error.failure is ReadingFailure.UNSUPPORTED and promised:
            raise ReadingError(ReadingFailure.DISGUISED, error.detail) from error
        raise
    if promised and found not in promised:
        raise ReadingError(ReadingFailure.DISGUISED, f"{found.name} named {suffix}")
    exact = _EXACT.get(found)
    return Detection(found, name_differs=bool(promised and exact and suffix not in exact))


def _type_of(data: bytes, suffix: str) -> MediaType:
    head = data[:PROBE_BYTES]
    if b"%PDF-" in head[:1024]:
        return MediaType.PDF
    if head.startswith(b"\x89PNG\r\n"):
        return MediaType.PNG
    if head.startswith(b"\xff\xd8\xff"):
        return MediaType.JPEG
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return MediaType.WEBP
    if head.startswith(b"BM") and head[6:10] == bytes(4) and int.from_bytes(head[10:14], "little") < 4096:
        return MediaType.BMP
    for signature, picture in _PICTURES:
        if head.startswith(signature):
            return picture
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_type(data)
    if head.startswith(ole.SIGNATURE):
        return ole.type_of(data)
    if head.lstrip()[:5] == b"{\\rtf":
        return MediaType.RTF
    kind = next((label for signature, label in _FOREIGN if head.startswith(signature)), None)
    if kind is not None:
        raise ReadingError(ReadingFailure.UNSUPPORTED, kind)
    if not _looks_like_text(head):
        raise ReadingError(ReadingFailure.UNSUPPORTED, "binary")
    return _text_type(head, suffix)


def _zip_type(data: bytes) -> MediaType:
    container = Container(data)
    if "word/document.xml" in container:
        return MediaType.DOCX
    if "xl/workbook.xml" in container:
        return MediaType.XLSX
    if "ppt/presentation.xml" in container:
        return MediaType.PPTX
    if "mimetype" in container and "content.xml" in container:
        said = container.read("mimetype", 200).decode("ascii", "replace").strip()
        found = _OPEN_DOCUMENTS.get(said.removesuffix("-template"))
        if found is not None:
            return found
    if "[Content_Types].xml" in container or "mimetype" in container or "xl/workbook.bin" in container:
        raise ReadingError(ReadingFailure.UNSUPPORTED, "another Office file")
    return MediaType.ZIP


def _text_type(head: bytes, suffix: str) -> MediaType:
    if _SUBMISSION.match(head[:8192]) and _SUBMISSION_PART.search(head):
        return MediaType.SEC
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:2000].lower()
    is_page = start.startswith(_HTML_START) or (start.startswith(_MARKUP) and b"<html" in start)
    if is_page or (suffix in _HTML_SUFFIXES and _HTML_INSIDE.search(head)):
        return MediaType.HTML
    if start.startswith(_MARKUP) and _FLAT_TEXT in head:
        return MediaType.ODT
    if start.startswith(_MARKUP) or suffix in _HTML_SUFFIXES:
        raise ReadingError(ReadingFailure.UNSUPPORTED, "markup")
    if _MAILBOX.match(head):
        return MediaType.MBOX
    headers = {found.lower() for found in _MAIL_HEADER.findall(head.split(b"\r\n\r\n")[0].split(b"\n\n")[0])}
    if _MAIL_HEADER.match(head) and len(headers) >= (2 if suffix in _MAIL_SUFFIXES else 4):
        return MediaType.EML
    if suffix in _JSON_SUFFIXES and start[:1] in (b"{", b"["):
        return MediaType.JSON
    if suffix in _SHEET_SUFFIXES:
        return MediaType.CSV
    if suffix not in _TEXT_SUFFIXES:
        raise ReadingError(ReadingFailure.UNSUPPORTED, f"suffix {suffix[:12]}")
    return MediaType.MARKDOWN if suffix in (".md", ".markdown") else MediaType.TEXT


def _looks_like_text(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return True
    sample = head[:8192]
    nul = sample.count(0)
    if nul and (_is_utf16(sample, 0) or _is_utf16(sample, 1)):
        return True
    controls = sum(1 for byte in sample if byte < 9 or 13 < byte < 32)
    printable = sum(1 for byte in sample if 32 <= byte < 127 or byte in (9, 10, 13))
    return controls / len(sample) < 0.05 or (controls < 0.2 * len(sample) and printable > 0.75 * len(sample))


def _is_utf16(sample: bytes, offset: int) -> bool:
    """Whether every second byte is mostly NUL: UTF-16 of mainly Latin text without a byte order mark."""
    half = sample[offset::2]
    return len(half) > 4 and half.count(0) / len(half) > 0.6 and sample[1 - offset :: 2].count(0) < len(half) * 0.1


def utf16_variant(sample: bytes) -> str | None:
    """ "utf-16-le" or "utf-16-be" for UTF-16 without a byte order mark, else None."""
    if _is_utf16(sample, 1):
        return "utf-16-le"
    if _is_utf16(sample, 0):
        return "utf-16-be"
    return None
