"""Rows that describe one thing each (a loan, a department, a service): the question names it and asks for a column.

The row is named by its label or by a cell of words that stands whole in the question; the column by its header.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.agents.contracts import Evidence, EvidencePage, Statement, StatementCitation, StatementKind, StatementNumber
from apps.agents.engine import frames, glossary
from apps.agents.engine.analysis import Analysis
from apps.agents.engine.tables import header_of, read_cell, table_mark
from apps.agents.engine.text import fold, key, stem, stems, tokens
from apps.reading.contracts import Cell, CellKind, Row, Table

SURE = 0.85
LIKELY = 0.68
DOUBTFUL = 0.55
_PERIOD = re.compile(r"(?:19|20)\d\d$|q[1-4]$")
_CORPORATE = frozenset(("ltd", "inc", "plc", "llc", "as", "a s", "sti", "gmbh", "co", "corp", "sa"))


@dataclass(frozen=True, slots=True)
class Record:
    """The cell that the question asks for, and how surely: `covered` is the weighted share of its words."""

    evidence_id: str
    page: EvidencePage
    table: Table
    row: Row
    cell: Cell
    name: str  # the words by which the question names the row
    covered: float


def find_record(analysis: Analysis, evidence: Sequence[Evidence]) -> tuple[Statement | None, float]:
    """A statement of the one cell that the question names by row and column, with its confidence; None without."""
    words = _asked_words(analysis.core)
    found = sorted(_candidates(analysis.core, words, evidence), key=lambda r: (-round(r.covered, 4), -len(r.name)))
    if not found:
        return None, 0.0
    best = found[0]
    rivals = [r for r in found[1:] if r.covered > best.covered - 0.05 and _value(r) != _value(best)]
    if rivals or best.covered < 0.5:
        return None, 0.0
    if analysis.currency and _unit(best) not in ("", analysis.currency):
        return None, 0.0  # the amount is printed in another currency than is asked for
    sure = SURE if best.covered >= 0.97 else LIKELY if best.covered >= 0.78 else DOUBTFUL
    return _statement(best, analysis.language), sure


def _asked_words(question: str) -> dict[str, str]:
    """{stem: folded word} of the question's content words; names in capitals count though they look like "it"."""
    stop = glossary.stop_words()
    kept = {}
    for token in tokens(question):
        written = question[token.start : token.end]
        if token.folded not in stop or (written.isupper() and len(written) > 1):
            kept[stem(token.folded)] = token.folded
    return kept


def _candidates(question: str, words: dict[str, str], evidence: Sequence[Evidence]) -> Iterator[Record]:
    asked = f" {key(question)} "
    seen: set[tuple[object, int]] = set()
    for item in evidence:
        for page in item.pages:
            if (page.version_id, page.number) in seen:
                continue
            seen.add((page.version_id, page.number))
            for table in page.tables:
                yield from _of_table(item.id, page, table, asked, words, question)


def _of_table(
    evidence_id: str, page: EvidencePage, table: Table, asked: str, words: dict[str, str], question: str
) -> Iterator[Record]:
    if len(table.rows) < 2 or not any(table.columns):
        return
    named = [(row, name) for row in table.rows for name in _names_in(row, asked, question)]
    if not named:
        return
    longest = max(len(key(name)) for _row, name in named)
    chosen = [(row, name) for row, name in named if len(key(name)) == longest]
    if len({row.start for row, _name in chosen}) != 1:
        return  # several rows are about it: which one is meant is not said
    row, name = chosen[0]
    headers = {cell.column: header_of(table, cell) for cell in row.cells}
    counts = Counter(root for header in headers.values() for root in stems(header))
    about = stems(f"{table.title} {page.document_name} {page.label} {_lead(page, table)} {row.section}")
    for cell in row.cells:
        covered = _covered(words, stems(name), stems(headers[cell.column]), about, counts, len(headers))
        if covered:
            yield Record(evidence_id, page, table, row, cell, name, covered)


def _names_in(row: Row, asked: str, question: str) -> Iterable[str]:
    """The row's label and its cells of words that stand whole in the question."""
    texts = [row.label, *(cell.text for cell in row.cells if cell.kind in (None, CellKind.TEXT))]
    for text in texts:
        bare = " ".join(word for word in key(text).split() if word not in _CORPORATE)
        if not bare or not any(letter.isalpha() for letter in bare) or f" {bare} " not in asked:
            continue
        if bare in glossary.stop_words() and text.strip() not in question:  # "it" is not "IT"
            continue
        yield text


def _covered(
    words: dict[str, str], name: frozenset[str], header: frozenset[str], about: frozenset[str],
    counts: Counter[str], columns: int,
) -> float:  # fmt: skip
    """Weighted share of the question's words in row name, header and what stands around; 0 without the header.

    A header word that few columns share tells more than one of all.
    """
    total = found = own = 0.0
    for root in words:
        weight = 1.0
        if root in name:
            found += weight
        elif _is_in(root, header):
            weight += math.log(columns / max(counts.get(root, 1), 1) + 1.0)
            found += weight
            own += weight
        elif root not in counts and _is_in(root, about):  # in counts: the head of another column
            weight = 0.5
            found += weight
        elif _PERIOD.match(root):
            return 0.0  # another year or quarter is asked
        total += weight
    if not own and columns > 1:
        return 0.0
    return found / total if total else 0.0


def _is_in(root: str, offered: frozenset[str]) -> bool:
    if root in offered or glossary.related_words(root) & offered:
        return True
    return len(root) >= 5 and root.isalpha() and any(other[:5] == root[:5] for other in offered if len(other) >= 5)


def _lead(page: EvidencePage, table: Table) -> str:
    """The words just above the table, and the heads left of its columns."""
    first = table.rows[0].start
    return page.text[max(0, first - 160) : first]


def _value(record: Record) -> str:
    return fold(record.cell.text).strip()


def _unit(record: Record) -> str:
    reading = read_cell(record.table, record.row, record.cell, record.page, mark=table_mark(record.table, record.page))
    return reading.unit if reading is not None else ""


def _statement(record: Record, language: str) -> Statement:
    page, cell = record.page, record.cell
    quote = page.text[cell.start : cell.end]
    citation = StatementCitation(
        record.evidence_id, page.document_id, page.version_id, page.number, cell.start, cell.end, quote
    )
    mark = table_mark(record.table, page)
    reading = read_cell(record.table, record.row, cell, page, mark=mark) if cell.kind is not CellKind.DATE else None
    if reading is None:
        return Statement(f"“{quote}”", StatementKind.QUOTED, (citation,), ())
    text = frames.amount(reading.value, reading.scale, reading.unit, reading.decimals, language)
    subject = ", ".join(part for part in (record.name.strip(), header_of(record.table, cell)) if part)
    number = StatementNumber(text, reading.value, reading.unit, 0)
    said = frames.say("value_no_period", language, subject=subject, value=text)
    return Statement(said, StatementKind.COMPUTED, (citation,), (number,))
