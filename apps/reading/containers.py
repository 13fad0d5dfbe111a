"""ZIP containers opened with care: bounded entries, sizes and ratios, safe names, XML without entities or network."""

import io
import re
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import IO, Any

from lxml import etree

from apps.reading import normalise
from apps.reading.contracts import ReadingError, ReadingFailure

MAX_ENTRIES = 10_000
MAX_TOTAL_BYTES = 2 * 1024**3
MAX_RATIO = 150  # of entries larger than _SMALL_BYTES
_SMALL_BYTES = 16 * 1024**2
_ENCRYPTED = 0x1
_Errors = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, ValueError, RuntimeError)


class Container:
    """A ZIP file in memory. Raises ReadingError(TOO_LARGE) when its directory already passes a limit."""

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            self.entries = self._zip.infolist()
        except _Errors as exc:
            raise ReadingError(ReadingFailure.DAMAGED, type(exc).__name__) from exc
        if len(self.entries) > MAX_ENTRIES:
            raise ReadingError(ReadingFailure.TOO_LARGE, "entries")
        if sum(entry.file_size for entry in self.entries) > MAX_TOTAL_BYTES:
            raise ReadingError(ReadingFailure.TOO_LARGE, "unpacked size")
        self._names = {entry.filename.lstrip("/"): entry for entry in self.entries}

    def __contains__(self, name: object) -> bool:
        return name in self._names

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names)

    def refuse_bombs(self) -> None:
        """Raises ReadingError(TOO_LARGE) for an entry that unpacks to far more than it holds."""
        for entry in self.entries:
            if is_bomb(entry):
                raise ReadingError(ReadingFailure.TOO_LARGE, "unpacked size of an entry")

    def open(self, name: str) -> IO[bytes]:
        """The entry as a stream. Raises ReadingError(DAMAGED) for one that is missing or encrypted."""
        entry = self._names.get(name)
        if entry is None or entry.flag_bits & _ENCRYPTED:
            raise ReadingError(ReadingFailure.DAMAGED, "a part is missing")
        try:
            return self._zip.open(entry)
        except _Errors as exc:
            raise ReadingError(ReadingFailure.DAMAGED, type(exc).__name__) from exc

    def read(self, name: str, limit: int) -> bytes:
        """The whole entry; raises ReadingError(TOO_LARGE) beyond `limit` bytes."""
        with self.open(name) as stream:
            return self._all(stream, limit)

    def read_entry(self, entry: zipfile.ZipInfo, limit: int) -> bytes:
        """As read, by directory entry: two entries may bear one name."""
        try:
            with self._zip.open(entry) as stream:
                return self._all(stream, limit)
        except _Errors as exc:
            raise ReadingError(ReadingFailure.DAMAGED, type(exc).__name__) from exc

    def xml(self, name: str, limit: int = 64 * 1024**2) -> Any:  # Any: lxml element
        """The entry's root element. Raises ReadingError for a DOCTYPE (entities), bad XML or a part over the limit."""
        return parse_xml(self.read(name, limit))

    def _all(self, stream: IO[bytes], limit: int) -> bytes:
        try:
            data = stream.read(limit + 1)
        except _Errors as exc:
            raise ReadingError(ReadingFailure.DAMAGED, type(exc).__name__) from exc
        if len(data) > limit:
            raise ReadingError(ReadingFailure.TOO_LARGE, "unpacked size of a part")
        return data


def is_bomb(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > _SMALL_BYTES and entry.file_size > MAX_RATIO * max(entry.compress_size, 1)


def is_encrypted(entry: zipfile.ZipInfo) -> bool:
    return bool(entry.flag_bits & _ENCRYPTED)


def parse_xml(data: bytes) -> Any:  # Any: lxml element
    """Root element; entities are never resolved, nothing is fetched. Raises ReadingError(DAMAGED)."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_pis=True)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as exc:
        raise ReadingError(ReadingFailure.DAMAGED, "XML") from exc
    refuse_doctype(root)
    return root


def refuse_doctype(root: Any) -> None:
    """Office files have no DOCTYPE: one is there to smuggle entities. Raises ReadingError(DAMAGED)."""
    if root.getroottree().docinfo.internalDTD is not None:
        raise ReadingError(ReadingFailure.DAMAGED, "DOCTYPE")


def safe_path(name: str) -> str:
    """A relative path of clean parts: no "..", no drive, no control characters. "unnamed" when nothing is left."""
    cleaned = re.sub(r"[\x00-\x1f\x7f]", "", normalise.clean_word(name.replace("\\", "/")))
    parts = [part.strip() for part in re.sub(r"^[A-Za-z]:", "", cleaned).split("/")]
    kept = [part.lstrip(".") or part for part in parts if part.strip(". ")]
    return str(PurePosixPath(*kept))[-400:] if kept else "unnamed"
