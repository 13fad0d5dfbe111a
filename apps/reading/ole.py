"""OLE containers (old Office, Outlook, encrypted Office): what stands in them, and opening them with a password."""

import io
from typing import Any

import msoffcrypto  # type: ignore[import-untyped]  # carries no types
import olefile  # type: ignore[import-untyped]  # carries no types
from msoffcrypto.exceptions import DecryptionError, FileFormatError, InvalidKeyError  # type: ignore[import-untyped]

from apps.reading.contracts import MediaType, ReadingError, ReadingFailure

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_WRITE_PROTECTED = "VelvetSweatshop"  # Excel's own key for workbooks that are only protected against writing
_STREAMS = (
    ("__properties_version1.0", MediaType.MSG),
    ("Workbook", MediaType.XLS),
    ("Book", MediaType.XLS),
    ("WordDocument", MediaType.DOC),
    ("PowerPoint Document", MediaType.PPT),
)


def type_of(data: bytes) -> MediaType:
    """What an OLE file that is not encrypted holds. Raises ReadingError(UNSUPPORTED)."""
    names = _stream_names(data)
    for name, found in _STREAMS:
        if name.lower() in names:
            return found
    raise ReadingError(ReadingFailure.UNSUPPORTED, "old Office file")


def is_encrypted(data: bytes) -> bool:
    """Whether a password is needed to read it."""
    if not data.startswith(SIGNATURE):
        return False
    names = _stream_names(data)
    if "encryptedpackage" in names or "EncryptedPackage".encode("utf-16-le") in data[:4096]:
        return True
    if not names & {"workbook", "book", "worddocument", "powerpoint document"}:
        return False
    try:
        return bool(msoffcrypto.OfficeFile(io.BytesIO(data)).is_encrypted())
    except Exception:  # noqa: BLE001  # parsers of damaged files raise whatever they meet: their reader will say so
        return False


def decrypted(data: bytes, password: str) -> bytes:
    """The file without its encryption.

    Raises ReadingError: NEEDS_PASSWORD without one, WRONG_PASSWORD, ENCRYPTED_OFFICE for a kind of encryption that no
    password opens (a certificate, rights management).
    """
    tried = password or _WRITE_PROTECTED
    out = io.BytesIO()
    try:
        file: Any = msoffcrypto.OfficeFile(io.BytesIO(data))
        file.load_key(password=tried)
        file.decrypt(out)
    except (InvalidKeyError, DecryptionError) as exc:
        failure = ReadingFailure.WRONG_PASSWORD if password else ReadingFailure.NEEDS_PASSWORD
        raise ReadingError(failure, type(exc).__name__) from exc
    except FileFormatError as exc:
        raise ReadingError(ReadingFailure.ENCRYPTED_OFFICE, type(exc).__name__) from exc
    except Exception as exc:  # damaged encryption data raises whatever its parser meets
        failure = ReadingFailure.WRONG_PASSWORD if password else ReadingFailure.NEEDS_PASSWORD
        raise ReadingError(failure, type(exc).__name__) from exc
    plain = out.getvalue()
    if not plain or plain == data:
        raise ReadingError(ReadingFailure.ENCRYPTED_OFFICE, "nothing decrypted")
    return plain


def _stream_names(data: bytes) -> set[str]:
    """Names in the root of the container, lower case; by their bytes where the directory is damaged."""
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            return {path[0].lower() for path in file.listdir(streams=True, storages=True)}
    except Exception:  # noqa: BLE001  # damaged directories raise whatever their parser meets
        known = [name for name, _type in _STREAMS] + ["EncryptedPackage"]
        return {name.lower() for name in known if name.encode("utf-16-le") + b"\x00\x00" in data}
