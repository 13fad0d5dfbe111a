"""An Office file whose password opened it: everything is the inner reader's; `decrypted` has the bytes."""

from typing import Any

from apps.reading.contracts import FileFacts, PageContent, ReadingWarning


class UnlockedReader:
    """The reader of the decrypted file."""

    def __init__(self, inner: Any, plain: bytes) -> None:  # Any: one of readers.py
        self._inner = inner
        self._plain = plain

    def facts(self) -> FileFacts:
        found: FileFacts = self._inner.facts()
        return found

    def pages(self, first: int, last: int) -> list[tuple[PageContent, tuple[ReadingWarning, ...]]]:
        found: list[tuple[PageContent, tuple[ReadingWarning, ...]]] = self._inner.pages(first, last)
        return found

    def decrypted(self) -> bytes:
        """The file without its encryption."""
        return self._plain
