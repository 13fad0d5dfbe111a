"""What stands around a cited place: the cells within it, and the words that say what they are."""

from collections.abc import Iterator

from apps.agents.contracts import EvidencePage, StatementCitation
from apps.agents.engine.tables import header_of
from apps.reading.contracts import Cell, Row, Table


def surroundings(page: EvidencePage, citation: StatementCitation) -> str:
    """The words that say what a cited cell is: its row's label and section, its column, the table's title and note.

    Of a longer quote: its own words, the name of its document, and the same of every cell within it.
    """
    exact = [found for found in cells_of(page) if (found[2].start, found[2].end) == (citation.start, citation.end)]
    parts = [citation.quote, page.document_name] if not exact else []
    for table, row, cell in exact[:1] or cells_within(page, citation):
        parts += [row.label, row.section, header_of(table, cell), table.title, table.scale_note, page.document_name]
        parts.append(page.text[max(0, table.rows[0].start - 450) : table.rows[0].start])
    return " ".join(dict.fromkeys(parts))


def cells_within(page: EvidencePage, citation: StatementCitation) -> Iterator[tuple[Table, Row, Cell]]:
    return (found for found in cells_of(page) if citation.start <= found[2].start and found[2].end <= citation.end)


def cells_of(page: EvidencePage) -> Iterator[tuple[Table, Row, Cell]]:
    for table in page.tables:
        for row in table.rows:
            for cell in row.cells:
                yield table, row, cell
