"""Case files of the reading and answering kinds, read by the product's own readers."""

from collections.abc import Callable
from pathlib import Path

import pytest

from apps.reading.contracts import MediaType, PageContent
from apps.reading.pdf import PdfReader
from apps.reading.plain import TextReader
from tests.agents.library import MemoryLibrary

CASES = Path(__file__).parent / "cases"


def pages_of(path: Path) -> tuple[PageContent, ...]:
    if path.suffix == ".pdf":
        pdf = PdfReader(path.read_bytes())
        return tuple(page for page, _warnings in pdf.pages(1, pdf.facts().page_count))
    text = TextReader(path.read_bytes(), MediaType.TEXT)
    return tuple(text.page(number)[0] for number in range(1, text.facts().page_count + 1))


@pytest.fixture
def library_of() -> Callable[..., MemoryLibrary]:
    def make(*names: str) -> MemoryLibrary:
        return MemoryLibrary({name: pages_of(CASES / name) for name in names})

    return make
