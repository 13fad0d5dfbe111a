"""Answers with figures: the asked subjects in the asked periods, compared, added or divided as the question wants."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.agents.contracts import Evidence, QuestionKind, Statement
from apps.agents.engine import frames, glossary
from apps.agents.engine.analysis import Analysis, Operation, Subject
from apps.agents.engine.arithmetic import operands
from apps.agents.engine.cells import HEADER_WORDS, Candidate, CellIndex
from apps.agents.engine.matching import DocumentMatcher
from apps.agents.engine.periods import Period, has_relative_previous, printed_period
from apps.agents.engine.text import fold, stem
from apps.agents.engine.values import Value, ValueFinder, combine
from apps.agents.engine.wording import shown, statement_of

SURE = 0.66


@dataclass(frozen=True, slots=True)
class Scored:
    statements: tuple[Statement, ...]
    confidence: float
    missing: tuple[str, ...] = ()  # parts of the question that nothing was found for


def find_figures(analysis: Analysis, evidence: Sequence[Evidence], matcher: DocumentMatcher) -> Scored:
    relevant = analysis.kind in (QuestionKind.NUMBER, QuestionKind.YES_NO, QuestionKind.TEXT) or (
        analysis.operation in (Operation.HIGHEST, Operation.LOWEST)
    )
    if not relevant:
        return Scored((), 0.0)
    index = CellIndex(evidence, analysis.language)
    finder = ValueFinder(index, analysis, matcher.fit_cell, matcher.shifts)
    operation = analysis.operation
    periods = _periods(analysis, finder)
    if operation in (Operation.SHARE, Operation.RATIO) and len(analysis.subjects) >= 2:
        return _share(analysis, finder, periods)
    if operation is Operation.DIFFERENCE and len(analysis.subjects) == 2 and len(periods) <= 1:
        scored = _pair_difference(analysis, finder, periods)
        if scored.statements:
            return scored
    statements: list[Statement] = []
    confidence = 1.0
    units: set[str] = set()
    missing: list[str] = []
    currencies: set[str] = set()
    for subject in analysis.subjects[:4]:
        values = _series(finder, subject, periods)
        missing += _unanswered(analysis, subject, periods, values)
        if not values:
            confidence *= 0.75
            continue
        confidence = min(confidence, min(value.confidence for value in values))
        currencies |= {value.unit for value in values if len(value.unit) == 3}
        worded = _worded_series(analysis, values)
        units |= {number.unit for statement in worded for number in statement.numbers}
        statements += worded
    compares = operation in (Operation.DIFFERENCE, Operation.PERCENT_CHANGE)
    if analysis.kind is QuestionKind.YES_NO and compares and not is_computed(statements):
        confidence *= 0.6
    if analysis.kind is QuestionKind.NUMBER:
        if analysis.wants_percent and not units & {"percent", "times"}:
            confidence *= 0.55
        if operation not in (Operation.NONE, Operation.HIGHEST, Operation.LOWEST) and not is_computed(statements):
            confidence *= 0.6
    if analysis.currency and currencies - {analysis.currency}:
        said = frames.say("missing_currency", analysis.language, asked=analysis.currency, printed=", ".join(currencies))
        missing.append(said)
    asked = len([period for period in periods if period])
    if operation is Operation.NONE and 1 < len(statements) < asked:
        confidence *= 0.8
    return Scored(tuple(_unique(statements)), confidence if statements else 0.0, tuple(missing) if statements else ())


def _unanswered(
    analysis: Analysis, subject: Subject, periods: Sequence[Period | None], values: Sequence[Value]
) -> list[str]:
    """What of the question this subject leaves open, in words; nothing when every asked period has its figure."""
    asked = [period for period in periods if period is not None and period in analysis.periods]
    concept = glossary.concepts().get(subject.concept)
    name = concept.name(analysis.language) if concept is not None else subject.text.strip(" ?.,")
    if not values:
        return [frames.say("missing_part", analysis.language, what=f"“{name[:120]}”")] if analysis.subjects[1:] else []
    if len(asked) < 2 or len(values) >= len(asked):
        return []
    found = {value.asked for value in values}
    lost = [period.name for period in asked if period not in found]
    return [frames.say("missing_period", analysis.language, what=f"“{name[:120]}”", period=", ".join(lost))]


def compare_names(
    analysis: Analysis, parts: Sequence[tuple[Analysis, DocumentMatcher]], evidence: Sequence[Evidence]
) -> Scored | None:
    """The asked difference, or the highest or lowest, over one figure of each name; None when that is not asked."""
    period = analysis.periods[0] if analysis.periods else None
    across = (Operation.DIFFERENCE, Operation.HIGHEST, Operation.LOWEST)
    if analysis.operation not in across or len(analysis.periods) > 1 or len(analysis.subjects) != 1:
        return None
    index = CellIndex(evidence, analysis.language)
    values: list[Value] = []
    for part, matcher in parts:
        value = ValueFinder(index, part, matcher.fit_cell, matcher.shifts).figure(part.subjects[0], period)
        if value is None or value.confidence < SURE or value.rivals:
            return None
        owner = frames.say("of_name", analysis.language, owner=part.entities[0], label=value.label)
        values.append(replace(value, label=owner))
    if len({value.unit for value in values}) > 1:
        return Scored((), 0.0, (frames.say("missing_difference", analysis.language),))
    confidence = min(value.confidence for value in values)
    if analysis.operation is not Operation.DIFFERENCE:
        pick = max if analysis.operation is Operation.HIGHEST else min
        best = pick(values, key=lambda value: value.value)
        return Scored((statement_of(best, analysis, frame=analysis.operation.value),), confidence)
    first, second = values[0], values[1]
    combined = combine(Operation.DIFFERENCE, (second, first), analysis)
    if combined is None:
        return None
    words = {
        "subject": first.label, "other": second.label, "period": first.period,
        "a": shown(first, analysis.language), "b": shown(second, analysis.language),
    }  # fmt: skip
    return Scored((statement_of(combined, analysis, frame="difference_pair", extra=words),), confidence)


def is_computed(statements: Sequence[Statement]) -> bool:
    return any(number.formula for statement in statements for number in statement.numbers)


def _series(finder: ValueFinder, subject: Subject, periods: Sequence[Period | None]) -> list[Value]:
    values = _in_order(finder, subject, periods, None)
    versions = {value.inputs[0].page.version_id for value in values}
    if len(periods) > 1 and len(versions) > 1:  # figures that are compared must be one document's
        anchors = finder.anchors(subject, periods[-1])
        series = [_in_order(finder, subject, periods, anchor) for anchor in anchors]
        values = max((one for one in series if one), key=len, default=values)
    return _comparable(values)


def _in_order(
    finder: ValueFinder, subject: Subject, periods: Sequence[Period | None], near: Candidate | None
) -> list[Value]:
    values: list[Value] = []
    is_strict = near is not None
    for period in periods:
        value = finder.figure(subject, period, near=near)
        if value is not None and is_strict and near is not None:
            value = value if value.inputs[0].page.version_id == near.page.version_id else None
        if value is not None:
            values.append(replace(value, asked=period))
            near = near or value.inputs[0]
    return values


def _comparable(values: list[Value]) -> list[Value]:
    """Without figures that are one cell twice; less sure when the columns are of different kinds."""
    places = {(v.inputs[0].page.version_id, v.inputs[0].page.number, v.inputs[0].cell.start) for v in values}
    if len(values) > 1 and len(places) < len(values):
        return values[:1]  # one cell cannot be two periods
    if len(values) > 1 and len({_kind_of_column(v) for v in values}) > 1:
        return [replace(v, confidence=v.confidence * 0.6) for v in values]
    return values


def _kind_of_column(value: Value) -> str:
    """The header without its period: columns that are compared must be of one kind."""
    words = re.findall(r"[^\W\d_]{3,}", fold(value.inputs[0].header))
    return " ".join(word for word in words if stem(word) not in HEADER_WORDS)


def _worded_series(analysis: Analysis, values: list[Value]) -> list[Statement]:
    operation = analysis.operation
    language = analysis.language
    plain = [statement for value in values for statement in _plain(value, analysis)]
    if len(values) < 2:
        return plain
    if operation in (Operation.DIFFERENCE, Operation.PERCENT_CHANGE):
        first, second = _in_time(values)
        combined = combine(operation, (first, second), analysis)
        if combined is None:
            return plain
        words = {
            "subject": first.label, "first": first.period, "second": second.period,
            "a": shown(first, language), "b": shown(second, language),
            "base": shown(first, language) if first.value >= 0 else f"|{shown(first, language)}|",
        }  # fmt: skip
        name = "difference" if operation is Operation.DIFFERENCE else "percent_change"
        statements = [] if first.is_printed and analysis.kind is QuestionKind.NUMBER else plain
        statements = [statement_of(combined, analysis, frame=name, extra=words), *statements]
        if operation is Operation.DIFFERENCE and first.unit != "percent":
            percent = combine(Operation.PERCENT_CHANGE, (first, second), analysis)
            if percent is not None:
                statements.append(statement_of(percent, analysis, frame="percent_change", extra=words))
        return statements
    if operation in (Operation.AVERAGE, Operation.SUM):
        combined = combine(operation, values, analysis)
        return [statement_of(combined, analysis, frame=operation.value)] if combined is not None else plain
    if operation in (Operation.HIGHEST, Operation.LOWEST):
        pick = max if operation is Operation.HIGHEST else min
        best = pick(values, key=lambda value: value.value)
        return [
            statement_of(best, analysis, frame=operation.value),
            *[s for v, s in zip(values, plain, strict=True) if v is not best],
        ]
    return plain


def _plain(value: Value, analysis: Analysis) -> list[Statement]:
    """The figure; where another document prints another one, both, each with its document."""
    if not value.rivals:
        if analysis.names_result:
            name = "value_of" if value.is_printed else "formula_of"
            return [statement_of(value, analysis, frame=name, extra={"owner": analysis.entities[0]})]
        return [statement_of(value, analysis)]
    return [
        statement_of(one, analysis, frame="value_in", extra={"document": one.inputs[0].page.document_name})
        for one in (value, *value.rivals)
    ]


def _share(analysis: Analysis, finder: ValueFinder, periods: Sequence[Period | None]) -> Scored:
    part, whole = analysis.subjects[0], analysis.subjects[1]
    statements: list[Statement] = []
    confidence = 1.0
    for period in periods[:2]:
        first = finder.figure(part, period)
        second = finder.figure(whole, period, near=first.inputs[0] if first else None)
        if first is None or second is None or first.inputs[0].cell == second.inputs[0].cell:
            return Scored((), 0.0)
        combined = combine(analysis.operation, (first, second), analysis)
        if combined is None:
            return Scored((), 0.0)
        words = {
            "other": second.label, "period": first.period,
            "a": shown(first, analysis.language), "b": shown(second, analysis.language),
        }  # fmt: skip
        statements.append(statement_of(combined, analysis, frame=analysis.operation.value, extra=words))
        is_odd = analysis.operation is Operation.SHARE and abs(combined.value) > 100  # hardly a part of a whole
        confidence = min(confidence, combined.confidence * (0.6 if is_odd else 1.0))
    return Scored(tuple(statements), confidence)


def _pair_difference(analysis: Analysis, finder: ValueFinder, periods: Sequence[Period | None]) -> Scored:
    period = periods[0] if periods else None
    first = finder.figure(analysis.subjects[0], period)
    second = finder.figure(analysis.subjects[1], period, near=first.inputs[0] if first else None)
    if first is None or second is None:
        return Scored((), 0.0)
    combined = combine(Operation.DIFFERENCE, (second, first), analysis)
    if combined is None:
        return Scored((), 0.0)
    words = {
        "subject": first.label, "other": second.label, "period": first.period,
        "a": shown(first, analysis.language), "b": shown(second, analysis.language),
    }  # fmt: skip
    return Scored((statement_of(combined, analysis, frame="difference_pair", extra=words),), combined.confidence)


def _periods(analysis: Analysis, finder: ValueFinder) -> list[Period | None]:
    """The asked periods; a comparison without two of them gets the ones before or the columns printed."""
    periods: list[Period | None] = list(analysis.periods)
    compares = analysis.operation in (Operation.DIFFERENCE, Operation.PERCENT_CHANGE)
    if compares and len(analysis.subjects) == 1 and len(periods) == 1 and periods[0] is not None and periods[0].year:
        asked = periods[0]
        step = 1 if _is_base(analysis.core, asked.year) else -1
        periods = [asked, replace(asked, year=asked.year + step, month=0, day=0)]
        periods.sort(key=lambda period: period.year if period is not None else 0)
    elif not periods and analysis.subjects and (compares or _is_series(analysis)):
        periods = list(_printed_years(analysis, finder)) or [None]
    elif not periods and has_relative_previous(analysis.text):
        years = list(_printed_years(analysis, finder))
        periods = [years[-2]] if len(years) > 1 else [None]
    return periods[:12] or [None]


def _is_base(text: str, year: int) -> bool:
    """Whether the year is what is compared against ("2023'e göre", "compared with 2023")."""
    folded = fold(text)
    return bool(
        re.search(
            rf"{year}['’]?\w{{0,4}} gore|(?:compared (?:to|with)|against|versus|vs\.?|since|from) (?:fy ?)?{year}",
            folded,
        )
    )


def _is_series(analysis: Analysis) -> bool:
    """Highest, lowest, and yes/no about a computed figure ("are margins consistent?") get every year's figure."""
    if analysis.operation in (Operation.HIGHEST, Operation.LOWEST):
        return True
    concept = glossary.concepts().get(analysis.subjects[0].concept) if analysis.subjects else None
    return analysis.kind is QuestionKind.YES_NO and concept is not None and bool(concept.formula)


def _printed_years(analysis: Analysis, finder: ValueFinder) -> list[Period]:
    subject = analysis.subjects[0]
    concept = glossary.concepts().get(subject.concept)
    if concept is not None and concept.formula:
        found = finder.operand_candidates(operands(concept.formula)[0][0], None)
    else:
        found = finder.candidates(subject, None)
    if not found:
        return []
    columns = [printed_period(column) for column in found[0].table.columns]
    years = sorted({period.year for period in columns if period is not None and period.year})
    return [Period(year, text=str(year)) for year in years][-5:]


def _in_time(values: list[Value]) -> tuple[Value, Value]:
    ordered = sorted(values, key=lambda value: value.year) if all(v.year for v in values) else values
    return ordered[0], ordered[-1]


def _unique(statements: list[Statement]) -> list[Statement]:
    seen: dict[str, Statement] = {}
    for statement in statements:
        seen.setdefault(statement.text, statement)
    return list(seen.values())
