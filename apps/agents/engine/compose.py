"""Composes the answer: figures from tables, computations over them, sentences quoted; or says what is missing."""

import re
from collections.abc import Sequence
from dataclasses import replace

from apps.agents.contracts import (
    Draft,
    Evidence,
    QuestionKind,
    Statement,
    StatementKind,
)
from apps.agents.engine import frames, glossary
from apps.agents.engine.analysis import Analysis, Operation
from apps.agents.engine.figures import Scored, compare_names, find_figures, is_computed
from apps.agents.engine.matching import DocumentMatcher, unknown_entities, wants_other_calendar
from apps.agents.engine.quotes import find_quotes
from apps.agents.engine.records import find_record
from apps.agents.engine.text import fold

_COMPARING = glossary.stem_set("comparing")
ABSTAIN_BELOW = 0.42
MARK_BELOW = 0.66
SETTLED_FROM = 0.6  # a figure from a table as sure as this needs no sentence beside it


def compose(analysis: Analysis, evidence: Sequence[Evidence]) -> Draft:
    """The surest statements the evidence allows; none, with what is missing, when it allows none."""
    language = analysis.language
    evidence = [item for item in evidence if item.pages]
    if not evidence:
        return Draft((), 0.0, (frames.say("missing_nothing", language),))
    if wants_other_calendar(analysis, evidence):
        period = analysis.periods[0].name
        return Draft((), 0.2, (frames.say("missing_calendar", language, period=period),))
    parts = _per_name(analysis, evidence)
    if len(parts) == 1:
        return _with_note(_compose_one(analysis, evidence), analysis)
    across = compare_names(analysis, [(part, DocumentMatcher(part, evidence)) for part in parts], evidence)
    if len(analysis.periods) < 2 and analysis.operation in (Operation.DIFFERENCE, Operation.HIGHEST, Operation.LOWEST):
        parts = [replace(part, operation=Operation.NONE) for part in parts]
    drafts = [_compose_one(part, evidence) for part in parts]
    if not any(draft.statements for draft in drafts):
        return Draft((), max(draft.confidence for draft in drafts), tuple(m for d in drafts for m in d.missing))
    missing = [
        message
        for part, draft in zip(parts, drafts, strict=True)
        for message in (draft.missing if draft.statements else (_not_for(part),))
    ]
    compared = across.statements if across is not None else ()
    missing += across.missing if across is not None else ()
    statements = tuple(dict.fromkeys((*compared, *(s for draft in drafts for s in draft.statements))))
    confidence = max(draft.confidence for draft in drafts if draft.statements)
    return _with_note(Draft(statements, confidence, tuple(dict.fromkeys(missing))), analysis)


_COMPARES = re.compile(
    r"\bcompare|\bversus\b|\bvs\b|\bbetween\b|\band\b|\bor\b|\bve\b|\bile\b|karsilastir|\bveya\b|\byoksa\b"
)


def _per_name(analysis: Analysis, evidence: Sequence[Evidence]) -> list[Analysis]:
    """One question per name when several names of documents are compared, else the question itself."""
    names = analysis.entities
    if len(names) < 2 or not _COMPARES.search(fold(analysis.core)):
        return [analysis]
    matcher = DocumentMatcher(analysis, evidence)
    own = [name for name in names if matcher.owned(name)]
    joined = [name for name in names if name in own or _is_beside(name, own, analysis.core)]
    if not own or len(joined) < 2:
        return [analysis]
    others = tuple(name for name in names if name not in joined)
    terms = analysis.terms - _COMPARING
    return [replace(analysis, entities=(name, *others), terms=terms, names_result=True) for name in joined[:4]]


def _is_beside(name: str, others: Sequence[str], text: str) -> bool:
    """Whether the question joins the name with one of the others: "A and B", "A with B", "A, B"."""
    joint = (
        r"(?:['’]\w+)?(?:\s*,\s*|\s+(?:and|or|with|to|versus|vs\.?|against|ve|ile|veya)\s+)(?:the )?(?:of |that of )?"
    )
    pairs = [(name, other) for other in others] + [(other, name) for other in others]
    return any(re.search(re.escape(one) + joint + re.escape(two), text, re.IGNORECASE) for one, two in pairs)


def _compose_one(analysis: Analysis, evidence: Sequence[Evidence]) -> Draft:
    unknown = unknown_entities(analysis, evidence)
    matcher = DocumentMatcher(analysis, evidence)
    analysis = replace(analysis, terms=analysis.terms | matcher.extra_terms)
    figures = find_figures(analysis, evidence, matcher)
    is_settled = analysis.kind is QuestionKind.NUMBER and figures.confidence >= SETTLED_FROM
    quotes = Scored((), 0.0) if is_settled else find_quotes(analysis, evidence, matcher)
    chosen = _choose(analysis, figures, quotes)
    if not is_settled and chosen.confidence < MARK_BELOW and _asks_one_cell(analysis):
        record, confidence = find_record(analysis, evidence)
        chosen = Scored((record,), confidence) if record is not None and confidence > chosen.confidence else chosen
    if chosen is quotes:
        chosen = _with_lost_years(analysis, evidence, matcher, quotes)
    confidence = chosen.confidence * (0.55 if unknown else 1.0)
    missing = tuple(frames.say("missing_entity", analysis.language, what=name) for name in unknown)
    if confidence < ABSTAIN_BELOW or not chosen.statements:
        return Draft((), min(confidence, ABSTAIN_BELOW - 0.01), missing or (_missing(analysis, evidence),))
    statements = tuple(
        replace(s, low_confidence=confidence < MARK_BELOW) if s.kind is not StatementKind.REPLY else s
        for s in chosen.statements
    )
    return Draft(statements, confidence, (*missing, *chosen.missing))


def _asks_one_cell(analysis: Analysis) -> bool:
    return analysis.operation is Operation.NONE and analysis.kind not in (QuestionKind.YES_NO, QuestionKind.WHY)


def _with_lost_years(
    analysis: Analysis, evidence: Sequence[Evidence], matcher: DocumentMatcher, quotes: Scored
) -> Scored:
    """Quotes for every asked year: a sentence of its own for one that the others do not name, else it is missing."""
    years = [period for period in analysis.periods if period.year and not period.quarter]
    if len(years) < 2 or analysis.kind is not QuestionKind.NUMBER:
        return quotes
    statements, missing = list(quotes.statements), list(quotes.missing)
    for period in years:
        if any(str(period.year) in statement.text for statement in statements):
            continue
        own = find_quotes(replace(analysis, periods=(period,)), evidence, matcher)
        named = [s for s in own.statements if str(period.year) in s.text and own.confidence >= MARK_BELOW]
        statements += named[:1]
        if not named:
            what = f"“{' '.join(analysis.core.split())[:160]}”"
            missing.append(frames.say("missing_period", analysis.language, what=what, period=period.name))
    is_lost = len(missing) - len(quotes.missing) == len(years)  # nothing quoted is of an asked year
    return Scored(tuple(statements), quotes.confidence * (0.5 if is_lost else 1.0), tuple(missing))


def _with_note(draft: Draft, analysis: Analysis) -> Draft:
    """Yes/no and why questions are answered by quotes, and the answer says so."""
    if not draft.statements or analysis.kind not in (QuestionKind.YES_NO, QuestionKind.WHY):
        return draft
    note = Statement(frames.say("no_judgement", analysis.language), StatementKind.REPLY, ())
    return replace(draft, statements=(*draft.statements, note))


def _not_for(analysis: Analysis) -> str:
    concepts = [glossary.concepts()[s.concept].name(analysis.language) for s in analysis.subjects if s.concept]
    what = ", ".join(concepts) or " ".join(analysis.text.split())[:160]
    return frames.say("missing_for", analysis.language, what=f"“{what}”", owner=analysis.entities[0])


def _choose(analysis: Analysis, figures: Scored, quotes: Scored) -> Scored:
    numeric = analysis.kind is QuestionKind.NUMBER or analysis.operation in (
        Operation.HIGHEST,
        Operation.LOWEST,
    )
    if analysis.kind is QuestionKind.YES_NO:
        computes = analysis.operation is not Operation.NONE or is_computed(figures.statements)
        if figures.confidence >= 0.6 and computes:
            extra = quotes.statements[:1] if quotes.confidence >= 0.6 else ()
            return Scored((*figures.statements, *extra), max(figures.confidence, quotes.confidence * 0.9))
        return quotes
    if analysis.kind is QuestionKind.WHY:
        return quotes
    if numeric:
        if figures.statements and (
            figures.confidence >= SETTLED_FROM or figures.confidence >= quotes.confidence - 0.12
        ):
            return figures
        if figures.statements and quotes.confidence < 0.5:
            return figures
        return quotes
    if analysis.kind is QuestionKind.TEXT and (analysis.periods or any(s.concept for s in analysis.subjects)):
        surer = figures.confidence >= 0.6 and figures.confidence >= quotes.confidence
        return figures if surer or figures.confidence >= 0.85 else quotes
    return quotes


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
