"""The checker that stands between a draft and the person: nothing leaves unless its words and numbers are there.

A citation must name evidence of this run, its quote must equal the page's text at its place, and the document must
be open to the asker now. Every number must be read again from its cited cell or words, or recomputed from such.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from uuid import UUID

from apps.agents.contracts import (
    Evidence,
    EvidencePage,
    Statement,
    StatementCitation,
    StatementKind,
    StatementNumber,
    Verdict,
)
from apps.agents.engine.arithmetic import FormulaError, evaluate
from apps.agents.engine.places import cells_of, cells_within, surroundings
from apps.agents.engine.tables import header_of, page_mark, read_cell, table_mark
from apps.agents.engine.text import fold
from apps.finance.numbers import DecimalMark, NumberState, find_numbers, read_number
from apps.reading.contracts import Cell, Row, Table

_FIGURE = re.compile(r"\d+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CONSTANT = re.compile(r"(?<![n\d])\d+")  # of a formula, such as the 3 of an average of three
_SCALE_WORD = re.compile(r"\b(?:thousand|million|billion|bin|milyon|milyar)s?\b")
Judge = Callable[[Statement, tuple[Evidence, ...]], Verdict]


def ground(
    statements: tuple[Statement, ...],
    evidence: tuple[Evidence, ...],
    *,
    readable: Collection[UUID],
    language: str,
    judge: Judge,
) -> tuple[Statement, ...]:
    """The statements that may be shown, with their verdicts; what fails is left out or marked, never passed.

    `readable`: ids of the versions that the asker may read at this moment.
    """
    checker = _Checker(evidence, readable, language)
    shown: list[Statement] = []
    for statement in statements:
        if statement.kind is StatementKind.REPLY:
            shown.append(replace(statement, verdict=Verdict.SUPPORTED, citations=(), numbers=()))
            continue
        checked = checker.check(statement)
        if checked is None:
            continue
        verdict = judge(checked, evidence) if checked.verdict is Verdict.SUPPORTED else checked.verdict
        if verdict in (Verdict.UNSUPPORTED, Verdict.CONTRADICTED) and checked.kind is not StatementKind.QUOTED:
            continue
        shown.append(_marked(checked, verdict))
    return tuple(shown)


def _marked(statement: Statement, verdict: Verdict) -> Statement:
    """With its verdict. What a model worded and its source carries only in part is low in confidence, figures too."""
    if statement.kind is not StatementKind.REWORDED or verdict is Verdict.SUPPORTED:
        return replace(statement, verdict=verdict)
    numbers = tuple(replace(number, verified=False) for number in statement.numbers)
    return replace(statement, verdict=verdict, low_confidence=True, numbers=numbers)


class _Checker:
    def __init__(self, evidence: tuple[Evidence, ...], readable: Collection[UUID], language: str) -> None:
        self._pages: dict[tuple[str, UUID, int], EvidencePage] = {
            (item.id, page.version_id, page.number): page for item in evidence for page in item.pages
        }
        self._readable = frozenset(readable)
        self._mark = DecimalMark.COMMA if language == "tr" else DecimalMark.POINT

    def check(self, statement: Statement) -> Statement | None:
        """The statement with its true citations and verified numbers; None when nothing holds it up."""
        kept = [index for index, citation in enumerate(statement.citations) if self._page_of(citation) is not None]
        if not kept:
            return None
        lost_some = len(kept) < len(statement.citations)
        numbers = self._numbers(statement, frozenset(kept))
        proven = all(number.verified for number in numbers)
        is_worded = statement.kind in (StatementKind.COMPUTED, StatementKind.REWORDED)
        if is_worded and not (proven and self._frame_is_printed(statement, numbers)):
            return None
        place = {old: new for new, old in enumerate(kept)}
        moved = tuple(replace(n, citation=place.get(n.citation) if n.citation is not None else None) for n in numbers)
        verdict = Verdict.PARTLY if lost_some or not all(n.verified for n in numbers) else Verdict.SUPPORTED
        citations = tuple(statement.citations[index] for index in kept)
        return replace(statement, citations=citations, numbers=moved, verdict=verdict)

    def _page_of(self, citation: StatementCitation) -> EvidencePage | None:
        page = self._pages.get((citation.evidence_id, citation.version_id, citation.page))
        if page is None or page.document_id != citation.document_id or citation.version_id not in self._readable:
            return None
        if not 0 <= citation.start < citation.end <= len(page.text):
            return None
        return page if page.text[citation.start : citation.end] == citation.quote else None

    def _numbers(self, statement: Statement, kept: frozenset[int]) -> tuple[StatementNumber, ...]:
        """All numbers with `verified` set: printed ones first, then those computed from verified ones."""
        printed: list[StatementNumber] = []
        for number in statement.numbers:
            if number.formula:
                continue
            verified = number.citation in kept and self._is_printed(statement, number)
            printed.append(replace(number, verified=verified))
        inputs = {f"n{index}": number.value for index, number in enumerate(printed) if number.verified}
        computed = [
            replace(number, verified=self._is_computed(number, inputs))
            for number in statement.numbers
            if number.formula
        ]
        return (*printed, *computed)

    def _frame_is_printed(self, statement: Statement, numbers: tuple[StatementNumber, ...]) -> bool:
        """Whether every other figure of the sentence (years, dates, names) stands in the cited rows and headers."""
        rest = statement.text
        for number in sorted(numbers, key=lambda n: -len(n.text)):
            rest = rest.replace(number.text, " ")
        around = " ".join(
            surroundings(page, citation) for citation in statement.citations if (page := self._page_of(citation))
        )
        constants = " ".join(_CONSTANT.findall(" ".join(number.formula for number in numbers)))
        allowed = set(_FIGURE.findall(f"{around} {constants}"))
        return all(figure in allowed for figure in _FIGURE.findall(rest))

    def _is_printed(self, statement: Statement, number: StatementNumber) -> bool:
        assert number.citation is not None
        citation = statement.citations[number.citation]
        page = self._page_of(citation)
        if page is None or not self._text_says(number, statement):
            return False
        value = _cell_value(page, citation)
        if value is not None:
            return value == number.value
        cells = list(cells_within(page, citation)) if statement.kind is StatementKind.REWORDED else []
        if cells:
            return any(_is_said(statement, number, page, *cell) for cell in cells)
        mark = page_mark(page)
        for found in find_numbers(citation.quote, mark=mark):
            values = (found.value,) if found.state is NumberState.VALUE else found.readings
            if number.value in values:
                return True
        return False

    def _is_computed(self, number: StatementNumber, inputs: dict[str, Decimal]) -> bool:
        try:
            value = evaluate(number.formula, inputs)
        except FormulaError:
            return False
        return value == number.value and self._reads_as(number)

    def _text_says(self, number: StatementNumber, statement: Statement) -> bool:
        is_input = any(other.formula for other in statement.numbers)
        if number.text not in statement.text and not is_input:
            return False
        return statement.kind is StatementKind.QUOTED or self._reads_as(number)

    def _reads_as(self, number: StatementNumber) -> bool:
        """Whether the number as worded in the statement is the value, rounded to the decimals it shows."""
        reading = read_number(number.text, mark=self._mark)
        values = (reading.value,) if reading.value is not None else reading.readings
        step = Decimal(1).scaleb(-reading.decimals) * reading.scale.value
        for value in values:
            if value is None:
                continue
            rounded = (number.value / step).quantize(Decimal(1), rounding=ROUND_HALF_UP) * step
            if value == rounded:
                return True
        return False


def _is_said(
    statement: Statement, number: StatementNumber, page: EvidencePage, table: Table, row: Row, cell: Cell
) -> bool:
    """Whether the sentence's figure is this cell's, in a column of no other year than the sentence names."""
    reading = read_cell(table, row, cell, page, mark=table_mark(table, page))
    if reading is None or number.value not in (reading.value, reading.printed):
        return False
    if number.value != reading.value and not _SCALE_WORD.search(fold(statement.text)):
        return False  # "195,929" of a table in millions is not the amount
    said, printed = set(_YEAR.findall(statement.text)), set(_YEAR.findall(header_of(table, cell)))
    return not said or not printed or bool(said & printed)


def _cell_value(page: EvidencePage, citation: StatementCitation) -> Decimal | None:
    for table, row, cell in cells_of(page):
        if (cell.start, cell.end) == (citation.start, citation.end):
            reading = read_cell(table, row, cell, page, mark=table_mark(table, page))
            return reading.value if reading is not None else None
    return None
