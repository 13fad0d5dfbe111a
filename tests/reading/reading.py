"""Short ways to a reader's result, in this process; the limited child has its own tests."""

from pathlib import Path

from apps.reading.contracts import Cell, FileFacts, PageContent
from apps.reading.readers import open_reader

FILES = Path(__file__).resolve().parent.parent / "files"


def read(name: str, data: bytes | None = None) -> tuple[FileFacts, tuple[PageContent, ...]]:
    """Facts and all pages of the file, by default one of tests/files."""
    reader = open_reader((FILES / name).read_bytes() if data is None else data, name)
    facts = reader.facts()
    pages = tuple(page for page, _warnings in reader.pages(1, facts.page_count))
    for page in pages:
        assert_consistent(page)
    return facts, pages


def text_of(pages: tuple[PageContent, ...]) -> str:
    return "\n\n".join(page.text for page in pages)


def cell(pages: tuple[PageContent, ...], label: str, column: str = "") -> Cell | None:
    """The cell of the first row whose label begins so, under the first head that holds all the words."""
    for page in pages:
        for table in page.tables:
            for row in table.rows:
                for found in row.cells if row.label.startswith(label) else ():
                    if set(column.split()) <= set(table.columns[found.column].split()):
                        return found
    return None


def codes(facts: FileFacts) -> set[str]:
    return {warning.code.value for warning in facts.warnings}


def assert_consistent(page: PageContent) -> None:
    """Every place stands where it says it stands: blocks in order, cells and grid cells inside the text."""
    previous = 0
    for block in page.blocks:
        assert previous <= block.start < block.end <= len(page.text)
        previous = block.end
    for table in page.tables:
        for row in table.rows:
            for found in row.cells:
                assert page.text[found.start : found.end] == found.text
                assert row.start <= found.start < found.end <= row.end
                assert 0 <= found.column < len(table.columns)
    for grid in page.grids:
        numbers = [row.number for row in grid.rows]
        assert numbers == sorted(set(numbers))
        for line in grid.rows:
            for item in line.cells:
                assert page.text[item.start : item.end].strip()
