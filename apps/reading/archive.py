"""ZIP as a batch: members with safe paths, each one's bytes on request. Nothing is unpacked to disk."""

import stat
import zipfile

from apps.reading.containers import Container, is_bomb, is_encrypted, safe_path
from apps.reading.contracts import (
    BlockKind,
    MediaType,
    Member,
    MemberRefusal,
    ReadingError,
    ReadingFailure,
    ReadingWarning,
    WarningCode,
)
from apps.reading.flow import Element, FlowReader

READER = "airis-zip 1"
MAX_MEMBERS = 1_000
MAX_MEMBER_BYTES = 200 * 1024**2
_LITTER = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")
_UTF8_NAME = 0x800


class ArchiveReader(FlowReader):
    """One opened archive; its pages are the list of what it holds."""

    def __init__(self, data: bytes) -> None:
        self._container = Container(data)
        self._entries = [entry for entry in self._container.entries if not entry.is_dir() and not _is_litter(entry)]
        members = tuple(_member(entry, position) for position, entry in enumerate(self._entries))
        if not members:
            raise ReadingError(ReadingFailure.NO_PAGES, "no members")
        refused = [member for member in members if member.refusal]
        warnings = (ReadingWarning(WarningCode.MEMBERS_LEFT_OUT, None, str(len(refused))),) if refused else ()
        lines = [Element(BlockKind.LIST_ITEM, member.name) for member in members]
        super().__init__(lines, MediaType.ZIP, READER, warnings=warnings, members=members)

    def member(self, index: int) -> bytes:
        """The member's bytes. Raises ReadingError(DAMAGED, TOO_LARGE)."""
        return self._container.read_entry(self._entries[index], MAX_MEMBER_BYTES)


def _member(entry: zipfile.ZipInfo, position: int) -> Member:
    return Member(safe_path(_name(entry)), entry.file_size, _refusal(entry, position))


def _refusal(entry: zipfile.ZipInfo, position: int) -> MemberRefusal | None:
    if position >= MAX_MEMBERS:
        return MemberRefusal.TOO_MANY
    if is_encrypted(entry):
        return MemberRefusal.ENCRYPTED
    if stat.S_ISLNK(entry.external_attr >> 16):
        return MemberRefusal.LINK
    if entry.file_size == 0:
        return MemberRefusal.EMPTY
    if entry.file_size > MAX_MEMBER_BYTES:
        return MemberRefusal.TOO_LARGE
    return MemberRefusal.SUSPICIOUS if is_bomb(entry) else None


def _name(entry: zipfile.ZipInfo) -> str:
    """Names without the UTF-8 flag are UTF-8 all the same, or the DOS code page of Turkish Windows."""
    if entry.flag_bits & _UTF8_NAME:
        return entry.filename
    try:
        raw = entry.filename.encode("cp437")
    except UnicodeEncodeError:
        return entry.filename
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp857", "replace")


def _is_litter(entry: zipfile.ZipInfo) -> bool:
    return entry.filename.startswith(_LITTER[0]) or entry.filename.rsplit("/", 1)[-1] in _LITTER[1:]
