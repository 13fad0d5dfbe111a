"""Case files read as the product reads them: in a limited reading child, members as children, time and memory seen."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic

from django.utils.translation import override

from apps.documents.selectors import FAILURES
from apps.evaluation.memory import MemoryPeaks, watched_memory
from apps.reading.client import ReadingClient
from apps.reading.contracts import (
    FileFacts,
    PageContent,
    ReadingError,
    ReadingFailure,
    ReadingWarning,
)

_WINDOW = 16
_DEEPEST = 2
_PASSWORD = (ReadingFailure.NEEDS_PASSWORD, ReadingFailure.ENCRYPTED_OFFICE)
_BROKE = (ReadingFailure.TIMED_OUT, ReadingFailure.OUT_OF_MEMORY, ReadingFailure.CRASHED)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """What a file became. Pages and texts of its members count as its own where a check names the file."""

    name: str
    state: str  # as documents.contracts.VersionState
    failure: str
    detail: str
    facts: FileFacts | None
    pages: tuple[PageContent, ...]
    warnings: tuple[ReadingWarning, ...]
    children: tuple["ReadFile", ...]
    seconds: float
    growth_mib: int  # of the reading child over one that read a line of text

    @property
    def reasons(self) -> tuple[str, ...]:
        """What a person is told, in English and in Turkish."""
        said = FAILURES.get(self.failure)
        if said is None:
            return ()
        with override("en"):
            english = str(said)
        with override("tr"):
            return english, str(said)

    def family(self) -> Iterator["ReadFile"]:
        """The file and everything inside it."""
        yield self
        for child in self.children:
            yield from child.family()

    def text(self, page: int | None = None) -> str:
        """The text of one page of the file itself, or of all pages and members."""
        if page is not None:
            return "\n".join(found.text for found in self.pages if found.number == page)
        return "\n\n".join(found.text for part in self.family() for found in part.pages)


class CaseFiles:
    """The files of one case, each read once and only when a check asks for it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[str, ReadFile] = {}

    def path(self, name: str) -> Path:
        """The file of the case; names differ in normal form between file systems."""
        wanted = _plain(name)
        found = next((path for path in sorted(self.folder.iterdir()) if _plain(path.name) == wanted), None)
        return found or self.folder / name

    def read(self, name: str) -> ReadFile:
        """The file as the reading child gave it. Raises FileNotFoundError."""
        if name not in self._read:
            path = self.path(name)
            self._read[name] = read_file(path.read_bytes(), path.name)
        return self._read[name]


def read_file(data: bytes, name: str, *, depth: int = 0, password: str = "") -> ReadFile:
    """The bytes read in a child of their own; whatever happens ends in a state."""
    started = monotonic()
    pages: list[PageContent] = []
    warnings: list[ReadingWarning] = []
    children: list[ReadFile] = []
    facts: FileFacts | None = None
    state, failure, detail = "ready", "", ""
    with watched_memory() as peaks, ReadingClient(iter([data]), name=name, password=password) as client:
        try:
            facts = client.open()
            warnings += facts.warnings
            for first in range(1, facts.page_count + 1, _WINDOW):
                window = client.pages(first, min(first + _WINDOW - 1, facts.page_count))
                pages += window.pages
                warnings += window.warnings
            peaks.look()
            seconds = monotonic() - started
            children = _children(client, facts, depth)
        except ReadingError as error:
            peaks.look()
            seconds = monotonic() - started
            state, failure, detail = _state_of(error), error.failure.value, error.detail
    if facts is not None and not failure:
        state = "ready_with_warnings" if warnings else "ready"
        if facts.page_count and not pages:
            state, failure = "rejected", ReadingFailure.DAMAGED.value
    return ReadFile(
        name, state, failure, detail, facts, tuple(pages), tuple(warnings), tuple(children), seconds, _growth(peaks)
    )


def _children(client: ReadingClient, facts: FileFacts, depth: int) -> list[ReadFile]:
    found = []
    for index, member in enumerate(facts.members):
        if member.refusal is not None or depth >= _DEEPEST:
            continue
        try:
            data = client.member(index)
        except ReadingError as error:
            state = _state_of(error)
            found.append(ReadFile(member.name, state, error.failure.value, error.detail, None, (), (), (), 0.0, 0))
            continue
        found.append(read_file(data, member.name, depth=depth + 1))
    return found


def _state_of(error: ReadingError) -> str:
    """As ingestion decides: a password is asked for, a broken reader is tried again, the rest is refused."""
    if error.failure in _PASSWORD:
        return "needs_password"
    return "failed" if error.failure in _BROKE else "rejected"


def _growth(peaks: MemoryPeaks) -> int:
    return max(0, peaks.child_mib - _idle_mib())


@cache
def _idle_mib() -> int:
    """What a reading child takes that has read one line."""
    with watched_memory() as peaks, ReadingClient(iter([b"one line\n"]), name="idle.txt") as client:
        client.open()
        client.pages(1, 1)
        peaks.look()
    return peaks.child_mib


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name)
