from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from apps.reading.contracts import PageContent
from apps.reading.pdf import PdfReader

FILES = Path(__file__).resolve().parent.parent / "files"


def chunks_of_file(name: str) -> Iterator[bytes]:
    yield (FILES / name).read_bytes()


@cache
def _pages(name: str) -> tuple[PageContent, ...]:
    reader = PdfReader((FILES / name).read_bytes())
    return tuple(page for page, _warnings in reader.pages(1, reader.facts().page_count))


@pytest.fixture
def read_pages() -> Callable[[str], tuple[PageContent, ...]]:
    """All pages of a PDF of tests/files; read in this process, the child has its own tests."""
    return _pages
