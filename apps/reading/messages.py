"""MSG (Outlook): headers, body and attachments by python-oxmsg, written as a mail is. Nothing is fetched."""

import codecs
import io
from collections.abc import Iterator
from typing import Any

import oxmsg

from apps.reading import html, normalise
from apps.reading.containers import safe_path
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
from apps.reading.flow import Elements, FlowReader
from apps.reading.rtf import decompressed, text_of_rtf

READER = "oxmsg 1"
MAX_ATTACHMENTS = 100
_RTF = 0x1009  # PidTagRtfCompressed
_CODE_PAGES = ("874", "932", "936", "949", "950", "1361")


class MessageReader(FlowReader):
    """One opened message."""

    def __init__(self, data: bytes, *, name_differs: bool = False) -> None:
        message = _opened(data)
        self._attachments = list(_safely(lambda: list(message.attachments), []))
        members = tuple(_member(found, position) for position, found in enumerate(self._attachments))
        warnings = [ReadingWarning(WarningCode.NAME_DIFFERS, None, "MSG")] if name_differs else []
        if any(member.refusal for member in members):
            warnings.append(ReadingWarning(WarningCode.MEMBERS_LEFT_OUT, None))
        elements = Elements()
        subject = _line(_safely(lambda: message.subject, ""))
        elements.words(BlockKind.HEADING, subject, 1)
        details = [("subject", subject)] if subject else []
        for name, said in _headers(message):
            elements.words(BlockKind.PARAGRAPH, f"{name}: {said}" if said else "")
            details += [(name.lower(), said)] if said else []
        _body(message, elements)
        for member in members:
            elements.words(BlockKind.LIST_ITEM, f"Attachment: {member.name}")
        super().__init__(
            elements.found,
            MediaType.MSG,
            READER,
            title=subject,
            warnings=tuple(warnings),
            members=members,
            details=tuple(details),
        )

    def member(self, index: int) -> bytes:
        """The attachment's bytes."""
        return bytes(self._attachments[index].file_bytes or b"")


def _windows(name: str) -> codecs.CodecInfo | None:
    """Code pages as Outlook names them ("windows-950") that Python knows by number alone."""
    number = name.replace("-", "_").removeprefix("windows_")
    return codecs.lookup(f"cp{number}") if name.startswith("windows") and number in _CODE_PAGES else None


codecs.register(_windows)


def _opened(data: bytes) -> Any:
    try:
        message = oxmsg.Message.load(io.BytesIO(data))
        _ = message.properties
    except Exception as exc:  # the parser raises whatever it meets in damaged files
        raise ReadingError(ReadingFailure.DAMAGED, type(exc).__name__) from exc
    return message


def _headers(message: Any) -> Iterator[tuple[str, str]]:
    yield "From", _line(_safely(lambda: message.sender, ""))
    people = [_person(found) for found in _safely(lambda: list(message.recipients), [])]
    yield "To", "; ".join(filter(None, people))[:2000]
    moment = _safely(lambda: message.sent_date, None)
    yield "Date", moment.isoformat(" ", "minutes") if moment is not None else ""


def _person(recipient: Any) -> str:
    name = _line(_safely(lambda: recipient.name, ""))
    address = _line(_safely(lambda: recipient.email_address, ""))
    return f"{name} <{address}>" if name and address and name != address else name or address


def _body(message: Any, elements: Elements) -> None:
    """The HTML body where it holds a table or stands alone, else the plain one, else the RTF one."""
    plain = _safely(lambda: message.body, "") or ""
    rich = _safely(lambda: message.html_body, "") or ""
    if rich and (not plain.strip() or "<table" in rich.lower()):
        root, _warnings = html.tree_of(b"\xef\xbb\xbf" + rich.encode("utf-8", "replace"))
        elements.found.extend(html.elements_of(root).found)
        return
    if not plain.strip():
        packed = _safely(lambda: message.properties.binary_prop_value(_RTF), None)
        plain = text_of_rtf(decompressed(bytes(packed))) if packed else ""
    for paragraph in plain.replace("\r\n", "\n").replace("\r", "\n").split("\n\n"):
        lines = (normalise.clean_line(line).rstrip() for line in paragraph.split("\n"))
        elements.words(BlockKind.PARAGRAPH, "\n".join(lines))


def _member(attachment: Any, position: int) -> Member:
    name = safe_path(str(_safely(lambda: attachment.file_name, "") or f"attachment-{position + 1}"))
    data = _safely(lambda: attachment.file_bytes, None)
    refusal = MemberRefusal.EMPTY if not data else None
    if data is None:
        refusal = MemberRefusal.DAMAGED  # an object inside the message, or a link to a file elsewhere
    if position >= MAX_ATTACHMENTS:
        refusal = MemberRefusal.TOO_MANY
    return Member(name.rsplit("/", 1)[-1], len(data or b""), refusal)


def _line(said: Any) -> str:
    return " ".join(normalise.clean_line(str(said or "")).split())[:2000]


def _safely(read: Any, otherwise: Any) -> Any:
    """A property of the message, or the other value where its bytes are damaged."""
    try:
        return read()
    except Exception:  # noqa: BLE001  # one damaged property must not cost the message
        return otherwise
