"""Answers with quotes: the sentences that touch the question, how surely, and how far to quote."""

import re
from collections.abc import Sequence
from dataclasses import replace

from apps.agents.contracts import (
    Evidence,
    QuestionKind,
    Statement,
    StatementCitation,
    StatementKind,
    StatementNumber,
)
from apps.agents.engine.analysis import Analysis, Operation
from apps.agents.engine.figures import Scored
from apps.agents.engine.heads import asked_noun, lacks_quantity
from apps.agents.engine.matching import DocumentMatcher
from apps.agents.engine.prose import (
    SentenceCandidate,
    SentenceIndex,
    cause_after,
    content_stems,
    find_bridge,
    find_clauses,
    has_cause,
    has_direction,
    is_instruction,
    is_negated,
    names_of,
)
from apps.agents.engine.text import fold, key
from apps.finance.numbers import NumberState, find_numbers

DOUBTFUL = 0.6  # shown with the mark of low confidence


def find_quotes(analysis: Analysis, evidence: Sequence[Evidence], matcher: DocumentMatcher) -> Scored:
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
            -round(c.score * matcher.fit_sentence(c), 4),
            c.rank,
            c.page.number,
            c.sentence.start,
        ),
    )
    if not scored:
        return Scored((), 0.0)
    top = scored[0]
    strength = top.score * matcher.fit_sentence(top)
    touched = top.coverage * len(wanted)
    if len(wanted) >= 3 and touched < 1.6:
        strength *= 0.7
    if analysis.kind is not QuestionKind.NUMBER:
        strength *= {0: 0.7, 1: 0.75, 2: 0.85}.get(len(wanted), 1.0)
    others = [c for c in scored[1:6] if c.page.version_id != top.page.version_id]
    rival = max((c.score * matcher.fit_sentence(c) for c in others), default=0.0)
    if not analysis.entities and not analysis.ids and rival >= 0.95 * strength:
        strength *= 0.85  # two documents say it as well: nothing in the question says which is meant
    named = [names_of(subject.concept) for subject in analysis.subjects if subject.concept]
    if (
        analysis.kind is QuestionKind.NUMBER
        and named
        and not any(n in fold(top.sentence.text) for names in named for n in names)
    ):
        strength *= 0.65  # the notion asked for is not named
    noun = asked_noun(analysis.core)
    is_named = any(n in fold(top.sentence.text) for names in named for n in names)
    is_off = noun and not is_named and not index.touches(top, noun)
    if is_off or lacks_quantity(noun, top.sentence.text):
        strength = min(strength, DOUBTFUL)  # it speaks of the thing, not of what is asked about it
    computes = analysis.operation in (Operation.PERCENT_CHANGE, Operation.AVERAGE, Operation.SUM)
    if analysis.asks_name and len(top.sentence.text) > 220:
        strength *= 0.7  # somewhere in a long sentence there always is a name
    if analysis.kind is QuestionKind.NUMBER and computes:
        strength *= 0.72 if has_direction(top.sentence.text) else 0.5
    if analysis.kind is QuestionKind.NUMBER and analysis.operation is Operation.DIFFERENCE and top.sentence.in_table:
        strength *= 0.6
    if analysis.kind is QuestionKind.NUMBER and analysis.wants_percent and not _PERCENT.search(fold(top.sentence.text)):
        strength *= 0.65
    if analysis.kind is QuestionKind.YES_NO and analysis.operation in (Operation.DIFFERENCE, Operation.PERCENT_CHANGE):
        strength *= 0.8  # a change is asked and none is computed
    if analysis.kind is QuestionKind.YES_NO and strength < 0.8:
        tied, share = find_bridge(index, analysis, wanted)
        if tied and share >= 0.6:
            return Scored(tuple(_quote_statement(item, item.sentence.end) for item in tied), 0.9 * share)
    picked = _pick(analysis, scored, strength, matcher)
    if analysis.kind is QuestionKind.WHY and picked and not any(has_cause(item.sentence.text) for item in picked):
        cause = cause_after(index, picked[0])
        picked = [picked[0], cause] if cause is not None else picked
        strength = min(0.9, strength * 1.3) if cause is not None else strength
    statements = tuple(_quote_statement(item, _extent(item, analysis)) for item in picked)
    return Scored(statements, min(0.95, strength))


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
        value = item.score * matcher.fit_sentence(item)
        if picked and value < 0.72 * strength:
            continue
        beside = analysis.kind not in (QuestionKind.LIST, QuestionKind.WHY) and not across
        if picked and beside and picked[0].coverage >= 0.85 > item.coverage:
            continue  # it lacks a word that the first has: most likely what tells one thing from another
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
