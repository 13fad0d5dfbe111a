"""Finds the table cells that may answer: how well row label, column header and period fit what is asked."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from apps.agents.contracts import Evidence, EvidencePage
from apps.agents.engine import glossary
from apps.agents.engine.analysis import Analysis, Subject
from apps.agents.engine.periods import (
    Period,
    Span,
    agreement,
    fiscal_ends,
    is_current_header,
    printed_period,
    quarter_named,
    span_named,
)
from apps.agents.engine.tables import CellReading, header_of, mostly_whole, read_cell, table_mark
from apps.agents.engine.text import fold, key, stem, stems
from apps.finance.numbers import (
    DecimalMark,
)
from apps.finance.units import Scale
from apps.reading.contracts import Cell, Row, Table


@dataclass(frozen=True, slots=True)
class Candidate:
    """One cell that may hold the asked value."""

    evidence_id: str
    page: EvidencePage
    table: Table
    row: Row
    cell: Cell
    reading: CellReading
    period: Period | None
    header: str
    section: str
    label_score: float  # how surely the row is the asked subject, 0…1
    period_score: float  # how surely the column is the asked period, 0…1
    score: float
    rank: int  # of the evidence, from 0

    @property
    def label(self) -> str:
        return " ".join(self.row.label.split()).strip(" .:…") or self.section or self.table.title


@dataclass(frozen=True, slots=True)
class _Row:
    """A row made ready for matching, once per question."""

    evidence_id: str
    rank: int
    page: EvidencePage
    table: Table
    row: Row
    section: str
    label_key: str
    label_stems: frozenset[str]
    qualifiers: frozenset[str]  # words of the label that make another thing of it: other, current, gross …
    context_stems: frozenset[str]
    lead_stems: frozenset[str]  # of the text just above the table
    is_partial: bool  # the table is of a parent, guarantor or the like
    is_primary: bool  # the table is a primary statement of the whole company
    statement: str
    context: str  # folded title and section
    headers: dict[int, str]  # by column
    notes: frozenset[int]  # columns that number the notes
    mark: DecimalMark
    ends: dict[tuple[int, int], Period]  # fiscal periods whose end the page prints


_PARTIAL = re.compile(
    r"condensed consolidating|cross guarantee|guarantor|obligor|parent (?:company )?only|of registrant|pro forma"
)
_FOLLOWERS = re.compile(
    r"^ (?:attributable to(?! (?:the )?(?:non ?controlling|minority))|including non ?controlling|available to|applicable to|for the (?:year|period)|of the (?:group|company))"  # noqa: E501
)
_SEGMENT = re.compile(r"domestic|international|segment|bolum")
MINIMUM_LABEL = 0.30


class CellIndex:
    """All rows of the evidence, ready to be searched for several subjects and periods."""

    def __init__(self, evidence: Sequence[Evidence], language: str) -> None:
        self._rows: list[_Row] = []
        self._readings: dict[tuple[object, int, int], CellReading | None] = {}
        seen: set[tuple[object, int]] = set()
        for rank, item in enumerate(evidence):
            for page in item.pages:
                if (page.version_id, page.number) in seen:
                    continue
                seen.add((page.version_id, page.number))
                self._rows += _rows_of(item.id, rank, page)
        counts: Counter[str] = Counter()
        for row in self._rows:
            counts.update(row.label_stems)
        self._total = max(len(self._rows), 1)
        self._counts = counts

    def weight(self, root: str) -> float:
        """Rarer words tell rows apart better."""
        return 1.0 + math.log((self._total + 1) / (self._counts.get(root, 0) + 1)) / 4

    def find(
        self, subject: Subject, analysis: Analysis, period: Period | None, *, fiscal_shift: int = 0
    ) -> list[Candidate]:
        """Cells for one subject and one period, best first."""
        found: list[Candidate] = []
        for row in self._rows:
            label_score = self._label_score(row, subject, analysis)
            if label_score < MINIMUM_LABEL:
                continue
            found += self._cells(row, label_score, subject, analysis, period, fiscal_shift)
        found.sort(key=lambda item: (-round(item.score, 4), item.rank, item.page.number, item.cell.start))
        return found

    def _label_score(self, row: _Row, subject: Subject, analysis: Analysis) -> float:
        wanted = analysis.terms | subject.stems if len(analysis.subjects) == 1 else subject.stems
        equivalent = frozenset[str]()
        concept_fit = 0.0
        if subject.concept:
            concept_fit = _label_fit(row, subject.concept)
            equivalent = subject.stems if concept_fit >= 0.6 else frozenset()
        said = len(row.label_key) > 4 and f" {row.label_key} " in f" {key(analysis.core)} "
        if said and row.label_stems & wanted:
            concept_fit = max(concept_fit, min(1.0, 0.75 + 0.06 * len(row.label_key.split())))
        if analysis.ids and not set(analysis.ids) & (row.label_stems | row.context_stems):
            return 0.0
        if not wanted:
            return concept_fit
        total = covered = 0.0
        for root in wanted:
            weight = self.weight(root)
            total += weight
            if root in row.label_stems or root in equivalent:
                covered += weight
            elif root in row.context_stems:
                covered += 0.75 * weight
            elif root in row.lead_stems:
                covered += 0.55 * weight
        coverage = covered / total if total else 0.0
        asked = stems(analysis.core if len(analysis.subjects) == 1 else subject.text) & _QUALIFIERS
        qualified = _qualifier_fit(row, asked) if concept_fit < 0.9 else 1.0
        is_same = subject.stems <= row.label_stems <= wanted | _WEAK
        if subject.concept and not concept_fit and not is_same and not (wanted - subject.stems) & row.label_stems:
            qualified *= 0.62  # none of the notion's names: only words in common
        own = row.label_stems - _WEAK
        precision = len(own & (wanted | equivalent)) / len(own) if own else 0.0
        if concept_fit >= 0.6:
            precision = max(precision, concept_fit)
        anchored = bool(own & wanted) or concept_fit >= 0.6
        worded = 0.6 * coverage + 0.4 * precision if anchored else 0.45 * coverage
        if concept_fit:
            return float(concept_fit * (0.2 + 0.8 * coverage**1.5)) * qualified
        return worded * (0.5 + 0.5 * coverage) * qualified

    def _cells(
        self,
        row: _Row,
        label_score: float,
        subject: Subject,
        analysis: Analysis,
        period: Period | None,
        shift: int,
    ) -> Iterable[Candidate]:
        headers = [row.headers.get(cell.column, "") for cell in row.row.cells]
        printed = [printed_period(header) for header in headers]
        in_label = printed_period(row.row.label)
        fallback = in_label or _table_period(row)
        quarter, around = quarter_named(row.row.label), span_named(row.context)
        years = [p.year for p in printed if p]
        latest = max(years, default=0)
        for cell, header, own in zip(row.row.cells, headers, printed, strict=True):
            if cell.column in row.notes:
                continue
            place = (row.page.version_id, row.page.number, cell.start)
            if place not in self._readings:
                self._readings[place] = read_cell(row.table, row.row, cell, row.page, mark=row.mark)
            reading = self._readings[place]
            if reading is None or (subject.concept and not _unit_fits(subject.concept, row, reading)):
                continue
            column = _completed(own or fallback, quarter, around)
            if period is not None and column is not None:
                column = _with_fiscal_name(column, period, row.ends)
            fit = _period_fit(period, column, header, latest, shift, has_own=own is not None or in_label is not None)
            if fit <= 0.0:
                continue
            fit *= _column_fit(header, analysis, subject)
            statement = 0.06 if analysis.statement and row.statement == analysis.statement else 0.0
            statement += 0.03 if row.statement else 0.0
            home = glossary.concepts()[subject.concept].statement if subject.concept else ""
            primary = 0.10 if row.is_primary and row.statement == home else 0.0
            bonus = (statement + primary) * label_score
            if not row.is_primary and _SEGMENT.search(row.context) and not _SEGMENT.search(fold(analysis.core)):
                bonus -= 0.06
            if row.is_partial and not _PARTIAL.search(fold(analysis.core)):
                bonus -= 0.15
            score = label_score * (0.55 + 0.45 * fit) + bonus - 0.004 * row.rank - 0.001 * cell.column
            yield Candidate(
                row.evidence_id, row.page, row.table, row.row, cell, reading, column, header, row.section,
                label_score, fit, score, row.rank,
            )  # fmt: skip


def _unit_fits(concept_id: str, row: "_Row", reading: CellReading) -> bool:
    unit = glossary.concepts()[concept_id].unit
    if unit != "money":
        return True
    if reading.unit in ("percent", "times"):
        return False
    return not (reading.decimals == 2 and reading.scale is Scale.ONE and mostly_whole(row.table))


def _rows_of(evidence_id: str, rank: int, page: EvidencePage) -> Iterable[_Row]:
    head = page.text[:600]
    ends = fiscal_ends(page.text)
    for table in page.tables:
        title = f"{table.title}"
        if not table.rows:
            continue
        statement = glossary.find_statement(title) or glossary.find_statement(head)
        first = table.rows[0].start
        headers = {cell.column: header_of(table, cell) for row in table.rows for cell in row.cells}
        notes = _note_columns(table, headers)
        mark = table_mark(table, page)
        lead = _content(page.text[max(0, first - 450) : first])
        is_partial = bool(_PARTIAL.search(fold(f"{head} {title} {page.text[max(0, first - 450) : first]}")))
        is_primary = bool(statement) and len(table.rows) >= 9 and not is_partial
        for row in table.rows:
            section = _section(page, table, row)
            yield _Row(
                evidence_id, rank, page, table, row, section,
                label_key=key(row.label),
                label_stems=_content(row.label),
                qualifiers=stems(row.label) & _QUALIFIERS,
                context_stems=_content(f"{section} {title} {' '.join(table.columns)}"),
                lead_stems=lead,
                is_primary=is_primary,
                is_partial=is_partial,
                statement=statement,
                headers=headers,
                notes=notes,
                mark=mark,
                ends=ends,
                context=fold(f"{section} {title} {page.text[max(0, first - 160) : first]}"),
            )  # fmt: skip


def _qualifier_fit(row: _Row, asked: frozenset[str]) -> float:
    """Less than 1 when label and question differ in a word that makes another thing of it: other, current, gross …"""
    lacking = asked - row.qualifiers
    around = 0.8 if lacking <= row.context_stems else 0.6
    return (0.6 if row.qualifiers - asked else 1.0) * (around if lacking else 1.0)


def _content(text: str) -> frozenset[str]:
    return stems(text) - _STOP


def _section(page: EvidencePage, table: Table, row: Row) -> str:
    """The heading of the row within its table, else the nearest line above that carries words but no number."""
    if row.section:
        return row.section
    top = table.rows[0].start
    above = page.text[max(0, min(top, row.start) - 200 if row is table.rows[0] else top - 200) : row.start]
    for line in reversed(above.split("\n")[-14:]):
        bare = line.strip()
        if bare and not re.search(r"\d", bare) and re.search(r"[^\W\d_]{3}", bare) and len(bare) < 90:
            return bare
    return ""


def _note_columns(table: Table, headers: dict[int, str]) -> frozenset[int]:
    """Columns of small whole numbers without a period, beside columns with one: references to notes."""
    dated = {column for column, header in headers.items() if printed_period(header) is not None}
    found = set()
    for column, header in headers.items():
        texts = [cell.text.strip() for row in table.rows for cell in row.cells if cell.column == column]
        if re.match(r"notes?$|dipnot", fold(header.strip())) or (
            dated and column not in dated and len(texts) >= 3 and all(re.fullmatch(r"\d{1,2}", text) for text in texts)
        ):
            found.add(column)
    return frozenset(found)


def _table_period(row: _Row) -> Period | None:
    return printed_period(row.table.title) or printed_period(row.section)


def _label_fit(row: "_Row", concept_id: str) -> float:
    """As _concept_fit, also for the words before a comma or bracket ("Trade receivables, net of allowance …")."""
    fit = _concept_fit(row.label_key, concept_id)
    head = re.split(r"[,(]", row.row.label, maxsplit=1)[0]
    return max(fit, 0.9 * _concept_fit(key(head), concept_id)) if len(head) < len(row.row.label) else fit


def _concept_fit(label_key: str, concept_id: str) -> float:
    """1 for an exact name of the concept, less for later names and for labels that say more."""
    if not label_key:
        return 0.0
    keys = glossary.concept_keys(concept_id)
    rank = keys.get(label_key)
    if rank is not None:
        return max(1.0 - 0.015 * rank, 0.85)
    best = 0.0
    words = label_key.split()
    for name, rank in keys.items():
        if label_key.startswith(name) and _FOLLOWERS.match(label_key[len(name) :]):
            best = max(best, 0.93 - 0.015 * rank)
    for name in keys:
        parts = name.split()
        if len(parts) < 2 and len(words) > 2:
            continue
        if {stem(word) for word in words} & _QUALIFIERS - {stem(word) for word in parts}:
            continue
        if label_key.startswith(name + " ") or label_key.endswith(" " + name) or f" {name} " in f" {label_key} ":
            best = max(best, min(0.84, 0.9 * len(parts) / len(words)))
    return best


def _completed(column: Period | None, quarter: int, around: Span) -> Period | None:
    """The column's bare year with the quarter that the row's label names, or the length that the table's title does."""
    if column is None or column.quarter or column.month or column.span is not Span.UNKNOWN:
        return column
    if quarter:
        return replace(column, quarter=quarter, span=Span.QUARTER)
    return replace(column, span=around)


def _with_fiscal_name(column: Period, asked: Period, ends: dict[tuple[int, int], Period]) -> Period:
    """The column's period as the question names it: a fiscal quarter by its last day, or the other way round."""
    if asked.month and not column.month:
        return ends.get((column.year, column.quarter), column)
    if asked.quarter and column.month and not column.quarter:
        for (year, quarter), end in ends.items():
            if quarter and (end.year, end.month) == (column.year, column.month):
                return Period(year, 0, 0, quarter, Span.QUARTER, is_fiscal=True, text=column.text)
    return column


def _period_fit(
    asked: Period | None, column: Period | None, header: str, latest: int, shift: int, *, has_own: bool
) -> float:
    if asked is None or (not asked.year and not asked.quarter):
        current = is_current_header(header)
        if current is not None:
            return 1.0 if current else 0.2
        if column is None or not has_own:
            return 0.9
        short = column.span in (Span.QUARTER, Span.HALF, Span.NINE_MONTHS)
        return (0.95 if short else 1.0) if column.year == latest else 0.3
    if column is None:
        return 0.0 if asked.quarter or asked.span in (Span.HALF, Span.NINE_MONTHS, Span.QUARTER) else 0.35
    return agreement(asked, column, fiscal_shift=shift) * (1.0 if has_own else 0.8)


def _column_fit(header: str, analysis: Analysis, subject: Subject) -> float:
    """Columns named for something else than asked (a change, a segment, a foreign-currency part) fit less."""
    folded = fold(header)
    words = stems(header) - _STOP
    wanted = analysis.terms | subject.stems
    if any(stem(word) not in wanted for word in _MOVEMENT.findall(folded)):
        return 0.55
    if words & wanted:
        return 1.0
    if re.search(r"\btotal\b|\btoplam\b|consolidated", folded):
        return 1.0
    if re.search(r"\b(?:tp|yp)\b", folded):
        return 0.7
    other = {word for word in words if word.isalpha() and len(word) > 2} - HEADER_WORDS
    return 0.85 if other else 1.0


_MOVEMENT = re.compile(
    r"changes?|degisim|fark|variance|% of|increase|decrease|adjust\w*|opened|closed|openings?|closings?|closures?|added"
    r"|additions?|disposals?|acquired|giren|cikan"
)
_STOP = frozenset(stem(word) for word in glossary.stop_words()) | frozenset({"$", "%", "€", "£", "₺"})
_QUALIFIERS = glossary.stem_set("qualifier")
_WEAK = frozenset(stem(word) for word in ("total", "net", "toplam", "other", "the"))
HEADER_WORDS = glossary.stem_set("header")
