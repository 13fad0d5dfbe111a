"""Composes the answer: figures from tables, computations over them, sentences quoted; or says what is missing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.agents.contracts import (
    Draft,
    Evidence,
    QuestionKind,
    Statement,
    StatementCitation,
    StatementKind,
    StatementNumber,
)
from apps.agents.engine import frames, glossary
from apps.agents.engine.analysis import Analysis, Operation, Subject
from apps.agents.engine.arithmetic import operands
from apps.agents.engine.cells import HEADER_WORDS, Candidate, CellIndex
from apps.agents.engine.matching import DocumentMatcher, unknown_entities, wants_other_calendar
from apps.agents.engine.periods import Period, has_relative_previous
from apps.agents.engine.prose import (
    SentenceCandidate,
    SentenceIndex,
    content_stems,
    find_bridge,
    find_clauses,
    has_cause,
    is_instruction,
    is_negated,
    names_of,
)
from apps.agents.engine.text import fold, key, stem
from apps.agents.engine.values import Value, ValueFinder, combine, shown, statement_of
from apps.finance.numbers import NumberState, find_numbers

ABSTAIN_BELOW = 0.42
MARK_BELOW = 0.66


@dataclass(frozen=True, slots=True)
class _Scored:
    statements: tuple[Statement, ...]
    confidence: float


def compose(analysis: Analysis, evidence: Sequence[Evidence]) -> Draft:
    """The surest statements the evidence allows; none, with what is missing, when it allows none."""
    language = analysis.language
    evidence = [item for item in evidence if item.pages]
    if not evidence:
        return Draft((), 0.0, (frames.say("missing_nothing", language),))
    unknown = unknown_entities(analysis, evidence)
    if wants_other_calendar(analysis, evidence):
        period = analysis.periods[0].name
        return Draft((), 0.2, (frames.say("missing_calendar", language, period=period),))
    matcher = DocumentMatcher(analysis, evidence)
    analysis = replace(analysis, terms=analysis.terms | matcher.extra_terms)
    figures = _figures(analysis, evidence, matcher)
    quotes = _quotes(analysis, evidence, matcher)
    chosen = _choose(analysis, figures, quotes)
    confidence = chosen.confidence * (0.55 if unknown else 1.0)
    missing = tuple(frames.say("missing_entity", language, what=name) for name in unknown)
    if confidence < ABSTAIN_BELOW or not chosen.statements:
        return Draft((), min(confidence, ABSTAIN_BELOW - 0.01), missing or (_missing(analysis, evidence),))
    statements = tuple(
        replace(s, low_confidence=confidence < MARK_BELOW) if s.kind is not StatementKind.REPLY else s
        for s in chosen.statements
    )
    if analysis.kind in (QuestionKind.YES_NO, QuestionKind.WHY):
        note = Statement(frames.say("no_judgement", language), StatementKind.REPLY, ())
        statements = (*statements, note)
    return Draft(statements, confidence, missing)


def _choose(analysis: Analysis, figures: _Scored, quotes: _Scored) -> _Scored:
    numeric = analysis.kind is QuestionKind.NUMBER or analysis.operation in (
        Operation.HIGHEST,
        Operation.LOWEST,
    )
    if analysis.kind is QuestionKind.YES_NO:
        computes = analysis.operation is not Operation.NONE or _computed(figures.statements)
        if figures.confidence >= 0.6 and computes:
            extra = quotes.statements[:1] if quotes.confidence >= 0.6 else ()
            return _Scored((*figures.statements, *extra), max(figures.confidence, quotes.confidence * 0.9))
        return quotes
    if analysis.kind is QuestionKind.WHY:
        return quotes
    if numeric:
        if figures.statements and (figures.confidence >= 0.6 or figures.confidence >= quotes.confidence - 0.12):
            return figures
        if figures.statements and quotes.confidence < 0.5:
            return figures
        return quotes
    if analysis.kind is QuestionKind.TEXT and (analysis.periods or any(s.concept for s in analysis.subjects)):
        surer = figures.confidence >= 0.6 and figures.confidence >= quotes.confidence
        return figures if surer else quotes
    return quotes


def _figures(analysis: Analysis, evidence: Sequence[Evidence], matcher: DocumentMatcher) -> _Scored:
    relevant = analysis.kind in (QuestionKind.NUMBER, QuestionKind.YES_NO, QuestionKind.TEXT) or (
        analysis.operation in (Operation.HIGHEST, Operation.LOWEST)
    )
    if not relevant:
        return _Scored((), 0.0)
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
    for subject in analysis.subjects[:4]:
        values = _series(finder, subject, periods)
        if not values:
            confidence *= 0.5
            continue
        confidence = min(confidence, min(value.confidence for value in values))
        worded = _worded_series(analysis, values)
        units |= {number.unit for statement in worded for number in statement.numbers}
        statements += worded
    if analysis.kind is QuestionKind.NUMBER:
        if analysis.wants_percent and not units & {"percent", "times"}:
            confidence *= 0.55
        if operation not in (Operation.NONE, Operation.HIGHEST, Operation.LOWEST) and not _computed(statements):
            confidence *= 0.6
    asked = len([period for period in periods if period])
    if operation is Operation.NONE and 1 < len(statements) < asked:
        confidence *= 0.8
    return _Scored(tuple(_unique(statements)), confidence if statements else 0.0)


def _computed(statements: Sequence[Statement]) -> bool:
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
            values.append(value)
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
        return [statement_of(value, analysis)]
    return [
        statement_of(one, analysis, frame="value_in", extra={"document": one.inputs[0].page.document_name})
        for one in (value, *value.rivals)
    ]


def _share(analysis: Analysis, finder: ValueFinder, periods: Sequence[Period | None]) -> _Scored:
    part, whole = analysis.subjects[0], analysis.subjects[1]
    statements: list[Statement] = []
    confidence = 1.0
    for period in periods[:2]:
        first = finder.figure(part, period)
        second = finder.figure(whole, period, near=first.inputs[0] if first else None)
        if first is None or second is None or first.inputs[0].cell == second.inputs[0].cell:
            return _Scored((), 0.0)
        combined = combine(analysis.operation, (first, second), analysis)
        if combined is None:
            return _Scored((), 0.0)
        words = {
            "other": second.label, "period": first.period,
            "a": shown(first, analysis.language), "b": shown(second, analysis.language),
        }  # fmt: skip
        statements.append(statement_of(combined, analysis, frame=analysis.operation.value, extra=words))
        confidence = min(confidence, combined.confidence)
    return _Scored(tuple(statements), confidence)


def _pair_difference(analysis: Analysis, finder: ValueFinder, periods: Sequence[Period | None]) -> _Scored:
    period = periods[0] if periods else None
    first = finder.figure(analysis.subjects[0], period)
    second = finder.figure(analysis.subjects[1], period, near=first.inputs[0] if first else None)
    if first is None or second is None:
        return _Scored((), 0.0)
    combined = combine(Operation.DIFFERENCE, (second, first), analysis)
    if combined is None:
        return _Scored((), 0.0)
    words = {
        "subject": first.label, "other": second.label, "period": first.period,
        "a": shown(first, analysis.language), "b": shown(second, analysis.language),
    }  # fmt: skip
    return _Scored((statement_of(combined, analysis, frame="difference_pair", extra=words),), combined.confidence)


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
    from apps.agents.engine.periods import printed_period

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


def _quotes(analysis: Analysis, evidence: Sequence[Evidence], matcher: DocumentMatcher) -> _Scored:
    index = SentenceIndex(evidence)
    wanted = analysis.terms
    if not wanted and analysis.subjects:
        wanted = analysis.subjects[0].stems
    wanted = wanted | frozenset(root for s in analysis.subjects if s.concept for root in s.stems)
    if not wanted:
        wanted = content_stems(" ".join(analysis.entities))
    found = index.find(analysis, wanted)
    if analysis.cues:
        found = _with_clauses(found, find_clauses(index, analysis.cues))
    scored = sorted(
        found,
        key=lambda c: (
            -round(c.score * matcher.fit_page(c.page), 4),
            c.rank,
            c.page.number,
            c.sentence.start,
        ),
    )
    if not scored:
        return _Scored((), 0.0)
    top = scored[0]
    strength = top.score * matcher.fit_page(top.page)
    touched = top.coverage * len(wanted)
    if len(wanted) >= 3 and touched < 1.6:
        strength *= 0.7
    if analysis.kind is not QuestionKind.NUMBER:
        strength *= {0: 0.7, 1: 0.75, 2: 0.85}.get(len(wanted), 1.0)
    others = [c for c in scored[1:6] if c.page.version_id != top.page.version_id]
    rival = max((c.score * matcher.fit_page(c.page) for c in others), default=0.0)
    if not analysis.entities and not analysis.ids and rival >= 0.95 * strength:
        strength *= 0.85  # two documents say it as well: nothing in the question says which is meant
    named = [names_of(subject.concept) for subject in analysis.subjects if subject.concept]
    if (
        analysis.kind is QuestionKind.NUMBER
        and named
        and not any(n in fold(top.sentence.text) for names in named for n in names)
    ):
        strength *= 0.65  # the notion asked for is not named
    computes = analysis.operation in (Operation.PERCENT_CHANGE, Operation.AVERAGE, Operation.SUM)
    if analysis.kind is QuestionKind.NUMBER and computes:
        strength *= 0.72
    if analysis.kind is QuestionKind.NUMBER and analysis.operation is Operation.DIFFERENCE and top.sentence.in_table:
        strength *= 0.6
    if analysis.kind is QuestionKind.NUMBER and analysis.wants_percent and not _PERCENT.search(fold(top.sentence.text)):
        strength *= 0.65
    if analysis.kind is QuestionKind.YES_NO and strength < 0.8:
        tied, share = find_bridge(index, analysis, wanted)
        if tied and share >= 0.6:
            return _Scored(tuple(_quote_statement(item, item.sentence.end) for item in tied), 0.9 * share)
    picked = _pick(analysis, scored, strength, matcher)
    statements = tuple(_quote_statement(item, _extent(item, analysis)) for item in picked)
    return _Scored(statements, min(0.95, strength))


def _with_clauses(found: list[SentenceCandidate], clauses: list[SentenceCandidate]) -> list[SentenceCandidate]:
    """A sentence that both touches the question and holds the clause's words is surest."""
    scores = {(c.page.version_id, c.page.number, c.sentence.start): c.score for c in found}
    merged = {}
    for item in clauses:
        place = (item.page.version_id, item.page.number, item.sentence.start)
        merged[place] = replace(item, score=min(1.0, item.score * 0.8 + 0.5 * scores.get(place, 0.0)))
    for item in found:
        place = (item.page.version_id, item.page.number, item.sentence.start)
        merged.setdefault(place, replace(item, score=item.score * 0.7))
    return list(merged.values())


def _pick(
    analysis: Analysis, scored: list[SentenceCandidate], strength: float, matcher: DocumentMatcher
) -> list[SentenceCandidate]:
    limit = {
        QuestionKind.NUMBER: 1,
        QuestionKind.DATE: 1,
        QuestionKind.LIST: 4,
        QuestionKind.YES_NO: 2,
        QuestionKind.WHY: 2,
    }
    across = analysis.operation in (Operation.HIGHEST, Operation.LOWEST) or "compare" in fold(analysis.text)
    several = 4 if across else 1 if analysis.ids else limit.get(analysis.kind, 2)
    picked: list[SentenceCandidate] = []
    for item in scored[:14]:
        if len(picked) >= several:
            break
        value = item.score * matcher.fit_page(item.page)
        if picked and value < 0.72 * strength:
            continue
        if picked and not across and item.page.version_id != picked[0].page.version_id:
            continue
        if analysis.is_negated and picked and not is_negated(item.sentence.text):
            continue
        if any(key(item.sentence.text) == key(other.sentence.text) for other in picked):
            continue
        if analysis.kind is QuestionKind.WHY and picked and not has_cause(item.sentence.text):
            continue
        picked.append(item)
    return picked


def _extent(item: SentenceCandidate, analysis: Analysis) -> int:
    """Where the quote ends: headings and lead-ins take what follows them."""
    text, end = item.page.text, item.sentence.end
    lead_in = item.sentence.text.rstrip().endswith(":") or item.sentence.is_heading
    if not lead_in and not (analysis.kind is QuestionKind.LIST and item.sentence.text.rstrip().endswith((":", "—"))):
        return end
    later = [b for b in item.page.blocks if b.start >= end][:6] if item.page.blocks else []
    for block in later:
        if block.end - item.sentence.start > 900 or (block.kind.value == "heading" and block is not later[0]):
            break
        if is_instruction(text[block.start : block.end]):
            break
        end = block.end
        if item.sentence.is_heading:
            break
    return end


def _quote_statement(item: SentenceCandidate, end: int) -> Statement:
    start = item.sentence.start
    quote = item.page.text[start:end].rstrip()
    citation = StatementCitation(
        item.evidence_id,
        item.page.document_id,
        item.page.version_id,
        item.page.number,
        start,
        start + len(quote),
        quote,
    )
    shown_text = " ".join(quote.split())
    numbers = tuple(
        StatementNumber(n.text, n.value, n.unit, 0)
        for n in find_numbers(shown_text)
        if n.state is NumberState.VALUE and n.value is not None
    )[:20]
    return Statement(f"“{shown_text}”", StatementKind.QUOTED, (citation,), numbers)


_PERCENT = re.compile(r"%|per cent|percent|yuzde|basis point|baz puan|\d(?:\.\d+)?x\b|\bratio of \d")


def _missing(analysis: Analysis, evidence: Sequence[Evidence]) -> str:
    what = " ".join(analysis.text.split())[:160]
    texts = " ".join(page.text for item in evidence for page in item.pages)
    for period in analysis.periods:
        if period.year and str(period.year) not in texts:
            subject = (
                analysis.subjects[0].text.strip(" ?.") if analysis.subjects and analysis.subjects[0].concept else what
            )
            return frames.say("missing_period", analysis.language, what=f"“{subject}”", period=period.name)
    return frames.say("missing", analysis.language, what=f"“{what}”")


def _unique(statements: list[Statement]) -> list[Statement]:
    seen: dict[str, Statement] = {}
    for statement in statements:
        seen.setdefault(statement.text, statement)
    return list(seen.values())
