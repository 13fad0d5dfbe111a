"""From cells to values: single figures, formulas over several rows, changes, averages and shares of them.

Every value keeps its inputs and a formula over them, so that grounding can read each input again and recompute.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from uuid import UUID

from apps.agents.engine import arithmetic, glossary
from apps.agents.engine.analysis import Analysis, Operation, Subject
from apps.agents.engine.cells import Candidate, CellIndex
from apps.agents.engine.periods import Period, printed_period
from apps.agents.engine.text import fold, key
from apps.finance.units import Scale

DocumentFit = Callable[[Candidate], float]


@dataclass(frozen=True, slots=True)
class Value:
    """A figure with its inputs. `formula` is over n0, n1, … = inputs in order; "n0" for a printed cell."""

    inputs: tuple[Candidate, ...]
    formula: str
    value: Decimal
    unit: str
    scale: Scale
    decimals: int
    label: str
    period: str
    year: int
    confidence: float
    rivals: tuple["Value", ...] = ()  # other documents' figures for the same row and period
    asked: Period | None = None  # the period of the question that it answers
    parts: tuple["Value", ...] = ()  # of a combination: the values combined, their formulas over its inputs

    @property
    def is_printed(self) -> bool:
        return self.formula == "n0"


class ValueFinder:
    """Finds the figures of one question in one body of evidence."""

    def __init__(self, index: CellIndex, analysis: Analysis, fit: DocumentFit, shifts: dict[object, int]) -> None:
        self._index = index
        self._analysis = analysis
        self._fit = fit
        self._shifts = shifts
        self._operands: dict[tuple[str, Period | None], list[Candidate]] = {}

    def figure(self, subject: Subject, period: Period | None, *, near: Candidate | None = None) -> Value | None:
        """The printed figure, or the concept's formula computed, whichever is surer."""
        printed = self._printed(subject, period, near=near)
        concept = glossary.concepts().get(subject.concept)
        if concept is None or not concept.formula:
            return printed
        exact = printed is not None and printed.confidence >= 0.8 and _names(printed.inputs[0], subject)
        if exact and not (concept.unit == "percent" and printed is not None and printed.unit != "percent"):
            return printed
        computed = self._computed(subject, period, near=near)
        if computed is None or (printed is not None and exact and printed.confidence > computed.confidence):
            return printed if printed is not None and exact else None
        return computed

    def _printed(self, subject: Subject, period: Period | None, *, near: Candidate | None) -> Value | None:
        found = self.candidates(subject, period)
        if near is not None:
            found = _prefer_near(found, near)
        if not found:
            return None
        best = found[0]
        confidence = _confidence(best, found, self._fit)
        value = printed_value(best, self._analysis, subject, confidence)
        others = _contested(best, found, self._fit, subject.concept) if near is None else []
        if not others:
            return value
        rivals = tuple(printed_value(other, self._analysis, subject, confidence) for other in others[:2])
        return replace(value, confidence=min(0.65, confidence), rivals=rivals)

    def anchors(self, subject: Subject, period: Period | None) -> list[Candidate]:
        """The best cell of each document that prints the figure (of a formula: its first operand), at most four."""
        concept = glossary.concepts().get(subject.concept)
        if concept is not None and concept.formula:
            found = self.operand_candidates(arithmetic.operands(concept.formula)[0][0], period)
        else:
            found = self.candidates(subject, period)
        best: dict[object, Candidate] = {}
        for candidate in found:
            best.setdefault(candidate.page.version_id, candidate)
        return list(best.values())[:4]

    def candidates(self, subject: Subject, period: Period | None) -> list[Candidate]:
        """Cells for the subject and period, best first, with the document's own fit taken in."""
        shift = max(self._shifts.values(), default=0)
        found = self._index.find(subject, self._analysis, period, fiscal_shift=0)
        if shift and period is not None and period.is_fiscal and not found:
            found = self._index.find(subject, self._analysis, period, fiscal_shift=shift)
        found.sort(key=lambda c: (-round(c.score * self._fit(c), 4), c.rank, c.page.number, c.cell.start))
        return found

    def _computed(self, subject: Subject, period: Period | None, *, near: Candidate | None) -> Value | None:
        """The formula over operands of one document: of the first ones that print them, the surest."""
        concept = glossary.concepts()[subject.concept]
        first = self.operand_candidates(arithmetic.operands(concept.formula)[0][0], period)
        versions = list(dict.fromkeys(candidate.page.version_id for candidate in first))[:4]
        if near is not None:
            versions = [near.page.version_id]
        found = [self._computed_in(concept, period, version_id, near) for version_id in versions]
        return max((value for value in found if value is not None), key=lambda value: value.confidence, default=None)

    def _computed_in(
        self, concept: glossary.Concept, period: Period | None, version_id: UUID, near: Candidate | None
    ) -> Value | None:
        inputs: list[Candidate] = []
        names: dict[str, str] = {}
        confidence = 1.0
        anchor = near
        for name, optional in arithmetic.operands(concept.formula):
            part = Subject(glossary.concepts()[name].labels[0], _stems(name), name)
            value = self._operand(part, period, version_id, anchor)
            if value is None:
                if optional:
                    continue
                return None
            if optional and anchor is not None and not _same_table(value.inputs[0], anchor):
                continue  # another table's row is another thing
            names[name] = f"n{len(inputs)}"
            inputs.append(value.inputs[0])
            confidence = min(confidence, value.confidence)
            anchor = anchor or value.inputs[0]
        if not inputs:
            return None
        if _mixes_tables(inputs, list(names)):
            confidence *= 0.6
        values = {name: inputs[int(slot[1:])].reading.value for name, slot in names.items()}
        formula = concept.formula
        if "cost_of_sales" in values and values["cost_of_sales"] < 0:
            formula = formula.replace("cost_of_sales", "abs(cost_of_sales)")
        try:
            result = arithmetic.evaluate(formula, values)
        except arithmetic.FormulaError:
            return None
        slotted = re.sub(r"[a-z_]{4,}\??", lambda m: _slot(m[0], names), formula)
        unit, scale, decimals = _shape(concept.format, inputs)
        if unit == "percent":
            result, slotted = result * 100, f"({slotted}) * 100"
            confidence *= 0.5 if abs(result) > 1000 else 1.0  # hardly a margin: an operand was misread
        return Value(
            tuple(inputs), slotted, result, unit, scale, decimals, _capital(concept.name(self._analysis.language)),
            _period_text(inputs[0]), _year(inputs[0]), confidence * 0.95,
        )  # fmt: skip

    def operand_candidates(self, concept_id: str, period: Period | None) -> list[Candidate]:
        """Cells that surely print a formula's operand, best first."""
        known = self._operands.get((concept_id, period))
        if known is not None:
            return known
        concept = glossary.concepts()[concept_id]
        subject = Subject(concept.labels[0], _stems(concept_id), concept_id)
        bare = replace(self._analysis, subjects=(subject,), terms=frozenset(), statement=concept.statement)
        found = [item for item in self._index.find(subject, bare, period) if item.label_score >= 0.6]
        found.sort(key=lambda c: (-round(c.score * self._fit(c), 4), c.rank, c.page.number, c.cell.start))
        self._operands[(concept_id, period)] = found
        return found

    def _operand(
        self, subject: Subject, period: Period | None, version_id: UUID, anchor: Candidate | None
    ) -> Value | None:
        found = [c for c in self.operand_candidates(subject.concept, period) if c.page.version_id == version_id]
        if anchor is not None:
            found = _prefer_near(found, anchor)
        if not found:
            return None
        confidence = _confidence(found[0], found, self._fit)
        return printed_value(found[0], self._analysis, subject, confidence)


def printed_value(cell: Candidate, analysis: Analysis, subject: Subject, confidence: float) -> Value:
    reading = cell.reading
    label = _capital(cell.label)
    if cell.section and cell.row.label and key(cell.row.label) in _GENERIC:
        label = f"{cell.section.strip(' :')}, {label}"
    concept = glossary.concepts().get(subject.concept)
    if concept is not None and analysis.language != cell.page.language and cell.page.language and not concept.formula:
        label = f"{_capital(concept.name(analysis.language))} ({label})"
    scale, decimals = reading.scale, reading.decimals
    if analysis.scale is not None and reading.unit not in ("percent", "times") and scale is not Scale.ONE:
        steps = {Scale.THOUSAND: 3, Scale.MILLION: 6, Scale.BILLION: 9}
        decimals = max(0, decimals + steps.get(analysis.scale, 0) - steps.get(scale, 0))
        scale = analysis.scale
    return Value(
        (cell,),
        "n0",
        reading.value,
        reading.unit,
        scale,
        decimals,
        label,
        _period_text(cell),
        _year(cell),
        confidence,
    )


def combine(operation: Operation, values: Sequence[Value], analysis: Analysis) -> Value | None:
    """The operation over the values, formula and inputs carried along; None when it makes no sense."""
    if len(values) < 2 or len({value.unit for value in values if value.unit}) > 1:
        return None
    formulas, inputs, parts = [], list[Candidate](), list[Value]()
    for value in values:
        offset = len(inputs)
        formulas.append(re.sub(r"n(\d+)", lambda m, o=offset: f"n{int(m[1]) + o}", value.formula))  # type: ignore[misc]  # bound default
        inputs += value.inputs
        parts.append(replace(value, formula=formulas[-1], rivals=()))
    first, second = formulas[0], formulas[1]
    unit, scale, decimals = values[0].unit, values[0].scale, max(v.decimals for v in values)
    if operation is Operation.DIFFERENCE:
        formula = f"({second}) - ({first})"
    elif operation is Operation.PERCENT_CHANGE:
        formula, unit, scale, decimals = (
            f"(({second}) - ({first})) / abs({first}) * 100",
            "percent",
            Scale.ONE,
            1,
        )
    elif operation is Operation.SHARE:
        if values[0].unit == "percent":
            return None
        formula, unit, scale, decimals = f"({first}) / ({second}) * 100", "percent", Scale.ONE, 1
    elif operation is Operation.RATIO:
        formula, unit, scale, decimals = f"({first}) / ({second})", "times", Scale.ONE, 2
    elif operation is Operation.AVERAGE:
        formula = "(" + " + ".join(f"({part})" for part in formulas) + f") / {len(formulas)}"
        decimals = max(decimals, 1)
    elif operation is Operation.SUM:
        formula = " + ".join(f"({part})" for part in formulas)
    else:
        return None
    numbers = {f"n{slot}": item.reading.value for slot, item in enumerate(inputs)}
    try:
        result = arithmetic.evaluate(formula, numbers)
    except arithmetic.FormulaError:
        return None
    decimals = rounding_asked(analysis.text) or decimals
    return Value(
        tuple(inputs), formula, result, unit, scale, decimals, values[0].label,
        ", ".join(dict.fromkeys(v.period for v in values if v.period)), 0,
        min(v.confidence for v in values) * 0.97, tuple(parts),
    )  # fmt: skip


def rounding_asked(text: str) -> int | None:
    """Decimals that the question asks for ("round to two decimal places")."""
    match = re.search(r"(\w+) decimals?(?: places?)?|to (?:the )?(\w+) decimal|(\w+) ondalik", fold(text))
    words = {
        "one": 1,
        "two": 2,
        "three": 3,
        "four": 4,
        "1": 1,
        "2": 2,
        "3": 3,
        "4": 4,
        "bir": 1,
        "iki": 2,
        "uc": 3,
    }
    return words.get(next((g for g in match.groups() if g), "")) if match else None


_LEADING = re.compile(r"^(?:for the |as of |as at |at )", re.IGNORECASE)
_GENERIC = frozenset(
    {"total", "toplam", "net", "other", "diger", "basic", "diluted", "current", "domestic", "international"}
)


def _names(cell: Candidate, subject: Subject) -> bool:
    return key(cell.row.label) in glossary.concept_keys(subject.concept)


def _stems(concept_id: str) -> frozenset[str]:
    from apps.agents.engine.prose import content_stems

    return content_stems(glossary.concepts()[concept_id].labels[0])


def _contested(best: Candidate, found: Sequence[Candidate], fit: DocumentFit, concept: str) -> list[Candidate]:
    """Cells of other documents that print another value for the same row and period as surely; one a document."""
    rivals: dict[object, Candidate] = {}
    for c in found[1:16]:
        if (
            c.page.version_id != best.page.version_id
            and c.reading.value != best.reading.value
            and (key(c.row.label) == key(best.row.label) or (concept and min(c.label_score, best.label_score) >= 0.85))
            and c.period is not None
            and best.period is not None
            and c.period.year == best.period.year
            and c.score >= best.score - 0.2
            and fit(c) >= 0.8 * fit(best)
        ):
            rivals.setdefault(c.page.version_id, c)
    return list(rivals.values())


def _confidence(best: Candidate, found: Sequence[Candidate], fit: DocumentFit) -> float:
    confidence = min(1.0, best.label_score * 1.02) * (0.45 + 0.55 * best.period_score) * fit(best)
    rivals = [
        c
        for c in found[1:8]
        if c.score * fit(c) >= best.score * fit(best) - 0.03 and c.page.version_id == best.page.version_id
    ]
    if any(abs(c.reading.value) == abs(best.reading.value) for c in rivals):
        confidence = min(1.0, confidence + 0.05)
    elif any(c.reading.value != best.reading.value for c in rivals):
        confidence *= 0.88
    return confidence


def _same_table(one: Candidate, other: Candidate) -> bool:
    return (one.page.number, one.table.block) == (other.page.number, other.table.block)


def _mixes_tables(inputs: Sequence[Candidate], names: Sequence[str]) -> bool:
    """Whether operands of one statement were taken from different tables: they may be of different companies."""
    places: dict[str, set[tuple[int, int]]] = {}
    for item, name in zip(inputs, names, strict=True):
        home = glossary.concepts()[name].statement
        places.setdefault(home, set()).add((item.page.number, item.table.block))
    return any(len(tables) > 1 for tables in places.values())


def _prefer_near(found: list[Candidate], near: Candidate) -> list[Candidate]:
    """Cells of the same column of the same table first, then of the same document and period."""
    if not found:
        return found
    top = found[0].score

    def nearness(item: Candidate) -> float:
        if item.page.version_id != near.page.version_id:
            return item.score - 0.5
        same_table = item.page.number == near.page.number and item.table.block == near.table.block
        bonus = (
            0.25 if same_table and item.cell.column == near.cell.column else 0.05 if item.header == near.header else 0.0
        )
        return item.score + bonus

    return sorted((c for c in found if c.score >= top - 0.6), key=lambda c: (-round(nearness(c), 4), c.rank))


def _shape(format_name: str, inputs: Sequence[Candidate]) -> tuple[str, Scale, int]:
    if format_name == "percent":
        return "percent", Scale.ONE, 1
    if format_name == "times":
        return "times", Scale.ONE, 2
    return inputs[0].reading.unit, inputs[0].reading.scale, inputs[0].reading.decimals


def _slot(token: str, names: dict[str, str]) -> str:
    return names.get(token.rstrip("?"), "0") if token not in ("abs",) else token


def _period_text(cell: Candidate) -> str:
    header = " ".join(cell.header.split()).strip(" ,.:$")
    if header and printed_period(header) is not None:
        header = re.sub(
            r"(?i)\b(fiscal )?years? ended\b", lambda m: f"{m[1] or ''}year ended", _LEADING.sub("", header)
        )
        return header if len(header) <= 70 else cell.period.name if cell.period else ""
    period = cell.period
    named = period.name if period is not None and period.year else ""
    return ", ".join(part for part in (header[:50], named) if part)


def _year(cell: Candidate) -> int:
    return cell.period.year if cell.period is not None else 0


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:] if text and text[:1] != "i" else text
