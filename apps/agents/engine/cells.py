"""Finds the table cells that may answer: how well row label, column header and period fit what is asked."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from apps.agents.contracts import Evidence, EvidencePage
from apps.agents.engine import glossary
from apps.agents.engine.analysis import Analysis, Subject
from apps.agents.engine.periods import Period, Span, agreement, fiscal_ends, is_current_header, printed_period
from apps.agents.engine.text import fold, key, stem, stems
from apps.finance.numbers import (
    CURRENCIES,
    DecimalMark,
    NumberReading,
    NumberState,
    decide_decimal_mark,
    read_number,
)
from apps.finance.units import Scale
from apps.reading.contracts import Cell, CellKind, Row, Table


@dataclass(frozen=True, slots=True)
class CellReading:
    """A cell's value in whole units, with what was needed to know it."""

    value: Decimal
    printed: Decimal  # as printed, before the table's scale
    scale: Scale
    unit: str
    decimals: int


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


_SCALE_NOTE = re.compile(
    r"(?<![a-z])(thousand|million|billion|bin|milyon|milyar|mn|000)s?(?![a-z])|(?:\$|us\$|€|£|tl)\s?(m|mn|bn|k)\b"
)
_NO_SCALE = re.compile(
    r"per (?:\w+ )?share|hisse basina|pay basina|per unit|percent|%|\brate\b|\bratio\b|\boran|number of (?:stores|employees|warehouses)|\bemployees\b|\bstores\b"  # noqa: E501
)
_SHARES = re.compile(r"\bshares?\b(?! (?:repurchase|premium))|\bhisse (?:sayisi|adedi)|pay adedi")
_PARTIAL = re.compile(
    r"condensed consolidating|cross guarantee|guarantor|obligor|parent (?:company )?only|of registrant|pro forma"
)
_FOLLOWERS = re.compile(
    r"^ (?:attributable to|including non ?controlling|available to|applicable to|for the (?:year|period)|of the (?:group|company))"  # noqa: E501
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
        own = row.label_stems - _WEAK
        precision = len(own & (wanted | equivalent)) / len(own) if own else 0.0
        if concept_fit >= 0.6:
            precision = max(precision, concept_fit)
        anchored = bool(own & wanted) or concept_fit >= 0.6
        worded = 0.6 * coverage + 0.4 * precision if anchored else 0.45 * coverage
        if concept_fit:
            return float(concept_fit * (0.2 + 0.8 * coverage**1.5))
        return worded * (0.5 + 0.5 * coverage)

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
            column = own or fallback
            if period is not None and period.month and column is not None and not column.month:
                column = row.ends.get((column.year, column.quarter), column)
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


def read_cell(
    table: Table, row: Row, cell: Cell, page: EvidencePage, *, mark: DecimalMark | None = None
) -> CellReading | None:
    """The cell's value with the scale and unit that its table states; None when it holds no single number."""
    reading = _stored(cell) or read_number(cell.text, mark=mark or page_mark(page))
    if reading.state not in (NumberState.VALUE, NumberState.DASH_ZERO) or reading.value is None:
        return None
    header = header_of(table, cell)
    words = fold(f"{row.label} {header}")
    unit = reading.unit
    if not unit and ("%" in header or "%" in row.label or re.search(r"\bpercent(?:age)?\b|yuzde", words)):
        unit = "percent"
    scale = reading.scale
    if scale is Scale.ONE and reading.decimals == 2 and _mostly_whole(table):
        return CellReading(reading.value, reading.value, scale, unit or table_currency(table, page), reading.decimals)
    if scale is Scale.ONE and unit not in ("percent", "times", "basis_points"):
        scale = table_scale(table, row, header)
    if not unit and not _SHARES.search(fold(row.label)):
        unit = table_currency(table, page)
    printed = reading.value / reading.scale.value
    return CellReading(printed * scale.value, printed, scale, unit, reading.decimals)


def _stored(cell: Cell) -> NumberReading | None:
    """What the reader of a sheet or table knows already: the stored value, whatever its printed form suggests."""
    if cell.kind is None or (cell.kind is CellKind.NUMBER and not cell.value):
        return None
    if cell.kind is not CellKind.NUMBER:
        return NumberReading(cell.text, NumberState.NOT_A_NUMBER)
    value = Decimal(cell.value)
    decimals = max(0, -int(value.as_tuple().exponent))
    return NumberReading(cell.text, NumberState.VALUE, value, cell.unit, readings=(value,), decimals=decimals)


def _mostly_whole(table: Table) -> bool:
    """Whether most of the table's figures have no decimals: one with two is then an amount per share."""
    cells = [cell.text for row in table.rows for cell in row.cells]
    broken = sum(bool(re.search(r"[.,]\d{1,2}\)?%?$", text)) for text in cells)
    return len(cells) >= 8 and broken * 2 < len(cells)


def _unit_fits(concept_id: str, row: "_Row", reading: CellReading) -> bool:
    unit = glossary.concepts()[concept_id].unit
    if unit != "money":
        return True
    if reading.unit in ("percent", "times"):
        return False
    return not (reading.decimals == 2 and reading.scale is Scale.ONE and _mostly_whole(row.table))


def page_mark(page: EvidencePage) -> DecimalMark:
    """The page's decimal mark: by its unambiguous numbers, else by its language."""
    decided = decide_decimal_mark([page.text])
    return decided or (DecimalMark.COMMA if page.language == "tr" else DecimalMark.POINT)


def table_scale(table: Table, row: Row, header: str) -> Scale:
    """The scale printed for the table, unless the row is of a kind that scale notes leave out."""
    if _NO_SCALE.search(fold(row.label)) or "%" in header:
        return Scale.ONE
    note = fold(f"{header} {row.label}")
    found = re.search(r"\((?:in |\$ ?in )?(thousand|million|billion)s?\)", note) or _SCALE_NOTE.search(
        fold(table.scale_note)
    )
    if found is None:
        return Scale.ONE
    if (
        _SHARES.search(fold(row.label))
        and "shares in" not in fold(table.scale_note)
        and "and shares" not in fold(table.scale_note)
    ):
        return Scale.ONE if "except" in fold(table.scale_note) else _SCALE_OF.get(found[1] or "", Scale.ONE)
    word = next(group for group in found.groups() if group)
    return _SCALE_OF[word]


_SCALE_OF = {
    "thousand": Scale.THOUSAND, "bin": Scale.THOUSAND, "000": Scale.THOUSAND, "k": Scale.THOUSAND,
    "million": Scale.MILLION, "milyon": Scale.MILLION, "mn": Scale.MILLION, "m": Scale.MILLION,
    "billion": Scale.BILLION, "milyar": Scale.BILLION, "bn": Scale.BILLION,
}  # fmt: skip


def table_currency(table: Table, page: EvidencePage) -> str:
    """The currency printed in the scale note, the headers or the table's own text; "" when none."""
    note = fold(f"{table.scale_note} {' '.join(table.columns)}")
    for sign, code in (("turk lirasi", "TRY"), ("tl", "TRY"), ("₺", "TRY"), ("euro", "EUR"), ("eur", "EUR"), ("€", "EUR"),  # noqa: E501
                       ("£", "GBP"), ("rupees", "INR"), ("rs.", "INR"), ("us$", "USD"), ("dollar", "USD"), ("usd", "USD"), ("$", "USD")):  # fmt: skip  # noqa: E501
        if re.search(rf"(?<![a-z]){re.escape(sign)}s?(?![a-z])", note):
            return code
    if not table.rows:
        return ""
    body = page.text[table.rows[0].start : table.rows[-1].end]
    signs = Counter(CURRENCIES[sign] for sign in re.findall(r"[$€£₺]", body))
    return signs.most_common(1)[0][0] if signs else ""


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


def header_of(table: Table, cell: Cell) -> str:
    """The words over the cell's column; years that stand as the table's first row belong to them."""
    header = table.columns[cell.column] if 0 <= cell.column < len(table.columns) else ""
    if not re.search(r"(?:19|20)\d\d", header):
        years = _year_row(table)
        header = f"{header} {years.get(cell.column, '')}".strip()
    return header


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


def _year_row(table: Table) -> dict[int, str]:
    """Years that stand in the table as its first row ("Fiscal Year 2017 2016 …"), by column."""
    for row in table.rows[:2]:
        years = {cell.column: cell.text for cell in row.cells if re.fullmatch(r"(?:19|20)\d\d", cell.text.strip())}
        heads = re.match(r"notes?\b|dipnot|$", fold(row.label.strip()))
        if (len(years) >= 2 or heads) and years and len(years) >= len(row.cells) - 1:
            return years
    return {}


def table_mark(table: Table, page: EvidencePage) -> DecimalMark:
    """The decimal mark by the table's own unambiguous figures, else the page's."""
    decided = decide_decimal_mark(cell.text for row in table.rows for cell in row.cells)
    return decided or page_mark(page)


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
        if label_key.startswith(name + " ") or label_key.endswith(" " + name) or f" {name} " in f" {label_key} ":
            best = max(best, min(0.84, 0.9 * len(parts) / len(words)))
    return best


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
        return 0.35
    return agreement(asked, column, fiscal_shift=shift) * (1.0 if has_own else 0.8)


def _column_fit(header: str, analysis: Analysis, subject: Subject) -> float:
    """Columns named for something else than asked (a change, a segment, a foreign-currency part) fit less."""
    folded = fold(header)
    words = stems(header) - _STOP
    named = words & (analysis.terms | subject.stems)
    if named:
        return 1.0
    if re.search(r"change|degisim|fark|variance|% of|increase|decrease|adjust", folded):
        return 0.55
    if re.search(r"\btotal\b|\btoplam\b|consolidated", folded):
        return 1.0
    if re.search(r"\b(?:tp|yp)\b", folded):
        return 0.7
    other = {word for word in words if word.isalpha() and len(word) > 2} - HEADER_WORDS
    return 0.85 if other else 1.0


_STOP = frozenset(stem(word) for word in glossary.stop_words()) | frozenset({"$", "%", "€", "£", "₺"})
_WEAK = frozenset(stem(word) for word in ("total", "net", "toplam", "other", "the"))
HEADER_WORDS = glossary.stem_set("header")
