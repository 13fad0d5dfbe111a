"""What a file is, by its bytes. The name is only compared afterwards, to name an impostor."""

from pathlib import PurePosixPath

from apps.reading.contracts import MediaType, ReadingError, ReadingFailure

PROBE_BYTES = 64 * 1024
_TEXT_SUFFIXES = {"", ".txt", ".text", ".md", ".markdown", ".log", ".csv", ".tsv"}
_MARKDOWN_SUFFIXES = {".md", ".markdown"}
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "zip container"),
    (b"PK\x05\x06", "zip container"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "OLE container"),
    (b"MZ", "Windows program"),
    (b"\x7fELF", "program"),
    (b"\x89PNG", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF8", "GIF image"),
    (b"II*\x00", "TIFF image"),
    (b"MM\x00*", "TIFF image"),
    (b"\x1f\x8b", "gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (b"Rar!", "RAR archive"),
    (b"{\\rtf", "RTF document"),
)
_MARKUP = (b"<!doctype html", b"<html", b"<?xml", b"<svg")


def media_type_of(head: bytes, name: str, size: int) -> MediaType:
    """The type of a file from its first `PROBE_BYTES` bytes.

    Raises ReadingError: EMPTY for no bytes, DISGUISED when the name promises a type that we read and the
    bytes
    are another, UNSUPPORTED for everything else that we do not read.
    """
    if size == 0 or not head:
        raise ReadingError(ReadingFailure.EMPTY)
    suffix = PurePosixPath(name.strip()).suffix.lower()
    promises_pdf = suffix == ".pdf"
    promises_text = suffix in _TEXT_SUFFIXES and suffix != ""
    if b"%PDF-" in head[:1024]:
        if promises_text:
            raise ReadingError(ReadingFailure.DISGUISED, f"PDF named {suffix}")
        return MediaType.PDF
    kind = next((label for signature, label in _SIGNATURES if head.startswith(signature)), None)
    if kind is not None:
        is_disguised = promises_pdf or promises_text
        raise ReadingError(ReadingFailure.DISGUISED if is_disguised else ReadingFailure.UNSUPPORTED, kind)
    if promises_pdf:
        raise ReadingError(ReadingFailure.DISGUISED, "no PDF header")
    if suffix not in _TEXT_SUFFIXES:
        raise ReadingError(ReadingFailure.UNSUPPORTED, f"suffix {suffix[:12]}")
    if head.lstrip()[:20].lower().startswith(_MARKUP):
        raise ReadingError(ReadingFailure.UNSUPPORTED, "markup")
    if not _looks_like_text(head):
        raise ReadingError(ReadingFailure.UNSUPPORTED, "binary")
    return MediaType.MARKDOWN if suffix in _MARKDOWN_SUFFIXES else MediaType.TEXT


def _looks_like_text(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return True
    sample = head[:8192]
    nul = sample.count(0)
    if nul and (_is_utf16(sample, 0) or _is_utf16(sample, 1)):
        return True
    controls = sum(1 for byte in sample if byte < 9 or 13 < byte < 32)
    return controls / len(sample) < 0.05


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
