"""EML: headers and body as text, HTML bodies as their visible words, attachments as members. Nothing is fetched."""

import mimetypes
import re
from email import policy
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser

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
from apps.reading.plain import decoded_text

READER = "airis-mail 1"
MAX_ATTACHMENTS = 100
_MAX_PARTS = 2_000
_HEADERS = ("From", "To", "Cc", "Date")
_MAIL_START = re.compile(rb"^From [^\r\n]{3,200}\r?\n(?=[A-Za-z][A-Za-z-]{0,70}:|\s)", re.MULTILINE)


class MailReader(FlowReader):
    """One opened mail."""

    def __init__(self, data: bytes) -> None:
        message = _parsed(data)
        self._attachments = _attachments(message)
        members = tuple(_member(part, position) for position, part in enumerate(self._attachments))
        warnings: list[ReadingWarning] = []
        if any(member.refusal for member in members):
            warnings.append(ReadingWarning(WarningCode.MEMBERS_LEFT_OUT, None))
        elements = Elements()
        subject = _header(message, "Subject")
        elements.words(BlockKind.HEADING, subject, 1)
        for name in _HEADERS:
            said = _date(message) if name == "Date" else _header(message, name)
            elements.words(BlockKind.PARAGRAPH, f"{name}: {said}" if said else "")
        warnings += _body(message, elements)
        for member in members:
            elements.words(BlockKind.LIST_ITEM, f"Attachment: {member.name}")
        super().__init__(
            elements.found,
            MediaType.EML,
            READER,
            title=subject,
            warnings=tuple(warnings),
            members=members,
            details=tuple((name.lower(), said) for name in ("Subject", *_HEADERS) if (said := _header(message, name))),
        )

    def member(self, index: int) -> bytes:
        """The attachment's bytes."""
        return _payload(self._attachments[index])


class MailboxReader(FlowReader):
    """A file of several mails (mbox): each one is a member, the pages are their list."""

    def __init__(self, data: bytes) -> None:
        starts = [match.start() for match in _MAIL_START.finditer(data)][: MAX_ATTACHMENTS * 10 + 1]
        ends = [*starts[1:], len(data)]
        self._mails = [data[start:end].split(b"\n", 1)[-1] for start, end in zip(starts, ends, strict=True)]
        members = tuple(
            Member(
                f"message-{position}.eml",
                len(mail),
                MemberRefusal.TOO_MANY if position > MAX_ATTACHMENTS * 10 else None if mail else MemberRefusal.EMPTY,
            )
            for position, mail in enumerate(self._mails, start=1)
        )
        elements = Elements()
        for member, mail in zip(members, self._mails, strict=True):
            subject = _header(_parsed(mail), "Subject") if len(mail) < 50 * 1024**2 else ""
            elements.words(BlockKind.LIST_ITEM, f"{member.name}: {subject}" if subject else member.name)
        super().__init__(elements.found, MediaType.MBOX, READER, members=members)

    def member(self, index: int) -> bytes:
        """One mail as EML; lines that mbox quoted are as they were written."""
        return re.sub(rb"^>(>*From )", rb"\1", self._mails[index], flags=re.MULTILINE)


def _parsed(data: bytes) -> EmailMessage:
    try:
        message = BytesParser(policy=policy.default).parsebytes(data)
        parts = sum(1 for _part in message.walk())
    except (ValueError, LookupError, RecursionError) as exc:
        raise ReadingError(ReadingFailure.DAMAGED, type(exc).__name__) from exc
    if parts > _MAX_PARTS:
        raise ReadingError(ReadingFailure.TOO_LARGE, "parts")
    assert isinstance(message, EmailMessage)
    return message


def _header(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(normalise.clean_line(str(message.get(name) or "")).split())[:2000]
    except (ValueError, LookupError, AttributeError, IndexError):  # email's header parsers on damaged headers
        return ""


def _date(message: EmailMessage) -> str:
    header = message.get("Date")
    moment = getattr(header, "datetime", None)
    return moment.isoformat(" ", "minutes") if moment is not None else _header(message, "Date")


def _body(message: EmailMessage, elements: Elements) -> list[ReadingWarning]:
    """The plain body, or the HTML one when it is alone or holds a table."""
    plain = message.get_body(preferencelist=("plain",))
    rich = message.get_body(preferencelist=("html",))
    page = _payload(rich) if rich is not None else b""
    if page and (plain is None or b"<table" in page.lower() or not _payload(plain).strip()):
        root, warnings = html.tree_of(_declared(rich, page))
        for found in html.elements_of(root).found:
            elements.found.append(found)
        return list(warnings)
    if plain is None:
        return []
    text, more = decoded_text(_declared(plain, _payload(plain)))
    for paragraph in text.replace("\r\n", "\n").split("\n\n"):
        lines = (normalise.clean_line(line).rstrip() for line in paragraph.split("\n"))
        elements.words(BlockKind.PARAGRAPH, "\n".join(lines))
    return list(more)


def _declared(part: MIMEPart | None, payload: bytes) -> bytes:
    """The bytes as UTF-8 when the part names a charset that fits them; else as they came: evidence decides."""
    name = part.get_content_charset() if part is not None else None
    if name is None or name in ("us-ascii", "ascii"):
        return payload
    try:
        return payload.decode("cp1254" if name == "iso-8859-9" else name).encode("utf-8-sig")
    except (LookupError, UnicodeDecodeError):
        return payload


def _attachments(message: EmailMessage) -> list[EmailMessage]:
    """Parts that a mail program lists: everything but the bodies and the pictures inside them."""
    bodies = {id(part) for kind in ("plain", "html") if (part := message.get_body(preferencelist=(kind,))) is not None}
    found: list[EmailMessage] = []
    inside: set[int] = set()
    for part in message.walk():
        if id(part) in inside:
            continue
        if part.get_content_type() == "message/rfc822":
            inside.update(id(child) for child in part.walk())
        elif part.is_multipart() or id(part) in bodies:
            continue
        is_picture = part.get_content_maintype() == "image" and part.get("Content-ID") is not None
        is_inline_text = part.get_content_maintype() == "text" and not part.get_filename()
        if is_picture and part.get_content_disposition() != "attachment":
            continue
        if is_inline_text and part.get_content_disposition() != "attachment":
            continue
        if part is not message and isinstance(part, EmailMessage):
            found.append(part)
    return found


def _member(part: EmailMessage, position: int) -> Member:
    payload = _payload(part)
    refusal = MemberRefusal.EMPTY if not payload else None
    if position >= MAX_ATTACHMENTS:
        refusal = MemberRefusal.TOO_MANY
    return Member(_name(part, position), len(payload), refusal)


def _name(part: EmailMessage, position: int) -> str:
    said = part.get_filename()
    if said:
        return safe_path(said).rsplit("/", 1)[-1]
    if part.get_content_type() == "message/rfc822":
        return f"message-{position + 1}.eml"
    return f"attachment-{position + 1}{mimetypes.guess_extension(part.get_content_type()) or ''}"


def _payload(part: MIMEPart) -> bytes:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload(0)
        return inner.as_bytes() if isinstance(inner, EmailMessage) else b""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""
