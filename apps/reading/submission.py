"""SEC full submissions (SGML): the header's facts, and every document inside told apart: filing, exhibits, data.

The form of the container: https://www.sec.gov/info/edgar/specifications/pds_dissemination_spec.pdf. Tags have no end
(`<TYPE>10-K`), documents are wrapped in <DOCUMENT> … </DOCUMENT>, binary parts are uuencoded.
"""

import binascii
import re
from dataclasses import dataclass

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

READER = "airis-sec 1"
MAX_DOCUMENTS = 1_000
_DOCUMENT = re.compile(r"<DOCUMENT>(.*?)(?:</DOCUMENT>|(?=<DOCUMENT>)|\Z)", re.DOTALL)
_TAG = re.compile(r"^<([A-Z][A-Z0-9-]*)>([^\r\n<]*)", re.MULTILINE)
_LABEL = re.compile(r"^\s*([A-Z][A-Z0-9 /&.-]+):[ \t]*(\S[^\r\n]*)$", re.MULTILINE)
_TEXT = re.compile(r"<TEXT>\r?\n?(.*?)(?:</TEXT>|\Z)", re.DOTALL)
_WRAPPER = re.compile(r"^\s*<(XBRL|XML|PDF)>\r?\n?(.*?)\r?\n?</\1>\s*$", re.DOTALL | re.IGNORECASE)
_UUENCODED = re.compile(r"^begin [0-7]{3,4} [^\r\n]+$", re.MULTILINE)
_DATA = re.compile(r"^(?:GRAPHIC|ZIP|EXCEL|JSON|XML|COVER|EX-10[01]\b.*|EX-27.*|INFORMATION TABLE)$")
_DATA_SUFFIXES = (".xsd", ".xml", ".json", ".js", ".css", ".zip", ".xlsx", ".jpg", ".jpeg", ".gif", ".png")
_HEADER = {
    "CONFORMED SUBMISSION TYPE": "form", "ACCESSION NUMBER": "accession", "COMPANY CONFORMED NAME": "company",
    "CENTRAL INDEX KEY": "cik", "CONFORMED PERIOD OF REPORT": "period", "FILED AS OF DATE": "filed",
    "FISCAL YEAR END": "fiscal_year_end",
}  # fmt: skip
_TAGS = {
    "TYPE": "form", "ACCESSION-NUMBER": "accession", "CONFORMED-NAME": "company", "CIK": "cik", "PERIOD": "period",
    "FILING-DATE": "filed", "FISCAL-YEAR-END": "fiscal_year_end",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Document:
    kind: str  # "10-K", "EX-21"
    name: str
    description: str
    content: str

    @property
    def is_data(self) -> bool:
        """Pictures, code and XBRL: for programs, not for readers; a uuencoded copy repeats what stands as text."""
        suffix = self.name.lower()[self.name.rfind(".") :] if "." in self.name else ""
        return bool(_DATA.match(self.kind) or suffix in _DATA_SUFFIXES or _UUENCODED.search(self.content[:2000]))


class SubmissionReader(FlowReader):
    """One opened submission; its own pages are the header and the list of documents."""

    def __init__(self, data: bytes) -> None:
        text, warnings = decoded_text(data)
        first = text.find("<DOCUMENT>")
        header = text[: first if first >= 0 else len(text)]
        self._documents = [_document(match[1]) for match in _DOCUMENT.finditer(text)]
        if not self._documents:
            raise ReadingError(ReadingFailure.NO_PAGES, "no documents")
        details = _details(header)
        members = tuple(_member(found, position) for position, found in enumerate(self._documents))
        if any(member.refusal not in (None, MemberRefusal.DATA) for member in members):
            warnings = (*warnings, ReadingWarning(WarningCode.MEMBERS_LEFT_OUT, None))
        said = dict(details)
        title = " ".join(filter(None, (said.get("company"), said.get("form"), said.get("period"))))
        elements = Elements()
        elements.words(BlockKind.HEADING, title, 1)
        for name, value in details:
            elements.words(BlockKind.PARAGRAPH, f"{name.replace('_', ' ').capitalize()}: {value}")
        for found in self._documents:
            if found.is_data:
                continue
            line = " · ".join(dict.fromkeys(filter(None, (found.kind, found.name, found.description))))
            elements.words(BlockKind.LIST_ITEM, line)
        super().__init__(
            elements.found,
            MediaType.SEC,
            READER,
            title=title,
            warnings=warnings,
            members=members,
            details=tuple(details),
        )

    def member(self, index: int) -> bytes:
        """The document's bytes: what stands between its text tags, binary parts decoded."""
        content = self._documents[index].content
        if _UUENCODED.search(content[:2000]):
            return _decoded(content)
        return content.encode("utf-8")


def _document(text: str) -> _Document:
    before, _, _rest = text.partition("<TEXT>")
    tags = {name: value.strip() for name, value in _TAG.findall(before)}
    found = _TEXT.search(text)
    content = found[1] if found else ""
    wrapped = _WRAPPER.match(content)
    return _Document(
        tags.get("TYPE", "")[:40],
        tags.get("FILENAME", "")[:120],
        tags.get("DESCRIPTION", "")[:200],
        (wrapped[2] if wrapped else content).strip("\r\n") + "\n",
    )


def _member(found: _Document, position: int) -> Member:
    name = safe_path(found.name or f"document-{position + 1}.txt").rsplit("/", 1)[-1]
    refusal = None
    if position >= MAX_DOCUMENTS:
        refusal = MemberRefusal.TOO_MANY
    elif found.is_data:
        refusal = MemberRefusal.DATA
    elif not found.content.strip():
        refusal = MemberRefusal.EMPTY
    return Member(name, len(found.content), refusal, found.kind)


def _details(header: str) -> list[tuple[str, str]]:
    """The header's facts, by either of its two forms; the first filer's name and number."""
    said: dict[str, str] = {}
    for label, value in _LABEL.findall(header):
        name = _HEADER.get(label.strip())
        if name and name not in said:
            said[name] = value.strip()
    for tag, value in _TAG.findall(header):
        name = _TAGS.get(tag)
        if name and value.strip() and name not in said:
            said[name] = value.strip()
    for name in ("period", "filed"):
        if re.fullmatch(r"\d{8}", said.get(name, "")):
            said[name] = f"{said[name][:4]}-{said[name][4:6]}-{said[name][6:]}"
    order = ("form", "company", "cik", "period", "filed", "accession", "fiscal_year_end")
    return [(name, said[name][:200]) for name in order if name in said]


def _decoded(content: str) -> bytes:
    """The bytes of a uuencoded part. Raises ReadingError(DAMAGED)."""
    out = bytearray()
    start = _UUENCODED.search(content)
    for line in content[start.end() if start else 0 :].splitlines():
        if line.strip() in ("end", "`"):
            break
        if not line.strip():
            continue
        try:
            out += binascii.a2b_uu(line.encode("ascii"))
        except (binascii.Error, UnicodeEncodeError) as exc:
            raise ReadingError(ReadingFailure.DAMAGED, "uuencoded part") from exc
    return bytes(out)
