"""Composes the answer: figures from tables, computations over them, sentences quoted; or says what is missing."""

from collections.abc import Sequence
from dataclasses import replace

from apps.agents.contracts import (
    Draft,
    Evidence,
    QuestionKind,
    Statement,
    StatementKind,
)
from apps.agents.engine import frames
from apps.agents.engine.analysis import Analysis, Operation
from apps.agents.engine.figures import Scored, find_figures, is_computed
from apps.agents.engine.matching import DocumentMatcher, unknown_entities, wants_other_calendar
from apps.agents.engine.quotes import find_quotes

ABSTAIN_BELOW = 0.42
MARK_BELOW = 0.66
SETTLED_FROM = 0.6  # a figure from a table as sure as this needs no sentence beside it


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
    figures = find_figures(analysis, evidence, matcher)
    is_settled = analysis.kind is QuestionKind.NUMBER and figures.confidence >= SETTLED_FROM
    quotes = Scored((), 0.0) if is_settled else find_quotes(analysis, evidence, matcher)
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
        return figures if surer else quotes
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
