"""The built-in Reasoner: plan, compose, reflect and judge without a model. Pure functions of their input."""

import re
from collections.abc import Sequence

from apps.agents.contracts import (
    Draft,
    Evidence,
    Plan,
    Question,
    QuestionKind,
    Reflection,
    Statement,
    StatementKind,
    Verdict,
)
from apps.agents.engine import frames, glossary, judge
from apps.agents.engine.analysis import MAX_QUESTION_LENGTH, Analysis, analyse, language_of
from apps.agents.engine.compose import ABSTAIN_BELOW, compose
from apps.agents.engine.followup import parts_of, whole_question
from apps.agents.engine.text import fold, key

_GREETING = re.compile(
    r"^(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|merhaba|selam(?:lar)?|gunaydin|iyi (?:gunler|aksamlar)|nasilsin(?:iz)?|how are you)(?: there| airis| all)?(?:[\s!.,]+(?:how are you|nasilsin(?:iz)?|nasil gidiyor))?[\s!.,?]*$"  # noqa: E501
)
_THANKS = re.compile(
    r"^(?:(?:many )?thanks?(?: you)?(?: (?:very|so) much| a lot)?|thx|tesekkur(?:ler)?(?: ederim)?|sag ?ol(?:un)?|eyvallah|ok(?:ay)?|tamam)[\s!.,]*$"  # noqa: E501
)
_HELP = re.compile(
    r"^(?:what (?:can|do) you do|who are you|what are you|help|how do(?:es)? (?:you|this|it) work|what is this|ne(?:ler)? yapabilirsin(?:iz)?|sen kimsin|kimsin(?:iz)?|yardim|nasil calisiyorsun(?:uz)?|bu nedir)[\s!.,?]*$"  # noqa: E501
)


class BuiltInReasoner:
    """Deterministic and extractive. Quotes, reads table cells, computes; abstains when it is not sure."""

    name = "built-in 1"

    def plan(self, question: Question) -> Plan:
        """The question's kind, what it must touch, and up to five queries; a reply when no search is needed."""
        reply = _reply(question)
        if reply is not None:
            return reply
        first, *others = analyses = _analyses(question)
        analysis = first
        queries = _queries(first) if not others else tuple(q for part in analyses for q in _queries(part)[:3])
        return Plan(
            kind=analysis.kind,
            queries=tuple(dict.fromkeys(queries)),
            terms=tuple(sorted(analysis.terms)),
            entities=analysis.entities,
            periods=tuple(period.name for period in analysis.periods),
        )

    def compose(self, question: Question, plan: Plan, evidence: tuple[Evidence, ...]) -> Draft:
        """Statements out of the evidence with their citations, or none and what is missing."""
        if plan.reply:
            return Draft((), 1.0)
        drafts = [compose(analysis, evidence) for analysis in _analyses(question)]
        return drafts[0] if len(drafts) == 1 else _together(drafts)

    def reflect(self, question: Question, plan: Plan, draft: Draft) -> Reflection:
        """Enough, or other queries to try once: the bare terms, and the statement's name with the period."""
        if plan.reply or draft.confidence >= 0.66:
            return Reflection(True)
        analysis = _analyses(question)[0]
        wider: list[str] = []
        bare = " ".join(word for word in key(analysis.core).split() if word not in glossary.stop_words())
        if analysis.statement:
            names = glossary.statement_names()[analysis.statement]
            wider.append(names[0])
            wider.append(names[-1] if analysis.language == "tr" else names[1])
        wider.append(bare)
        wider += [" ".join(sorted(subject.stems)) for subject in analysis.subjects]
        fresh = tuple(dict.fromkeys(query for query in wider if query and query not in plan.queries))
        return Reflection(not fresh, fresh[:3])

    def judge(self, statement: Statement, evidence: tuple[Evidence, ...]) -> Verdict:
        return judge.judge(statement, evidence)


def whole_text(question: Question) -> str:
    """The question with what the ones before it leave understood."""
    return whole_question((*question.previous, question.text), question.language)


def _analyses(question: Question) -> tuple[Analysis, ...]:
    """One per question that the sentence asks."""
    parts = parts_of(whole_text(question), question.language)
    return tuple(analyse(part, question.language) for part in parts)


def _together(drafts: Sequence[Draft]) -> Draft:
    """Answers to several questions as one; what one of them lacks is missing from the whole."""
    statements = dict.fromkeys(statement for draft in drafts for statement in draft.statements)
    claims = [statement for statement in statements if statement.kind is not StatementKind.REPLY]
    notes = [statement for statement in statements if statement.kind is StatementKind.REPLY]
    missing = dict.fromkeys(message for draft in drafts for message in draft.missing)
    return Draft((*claims, *notes), max(draft.confidence for draft in drafts), tuple(missing))


def _reply(question: Question) -> Plan | None:
    text = question.text.strip()
    folded = fold(text)
    language = question.language or language_of(text)
    letters = [sign for sign in text if sign.isalnum()]
    name, kind = "", QuestionKind.SMALL_TALK
    if len(letters) < 2:
        name, kind = "empty", QuestionKind.EMPTY
    elif len(text) > MAX_QUESTION_LENGTH:
        name, kind = "too_long", QuestionKind.TOO_LONG
    elif _GREETING.match(folded):
        name = "greeting"
    elif _THANKS.match(folded):
        name = "thanks"
    elif _HELP.match(folded):
        name = "help"
    elif not any(word not in glossary.stop_words() for word in key(text).split()):
        name, kind = "empty", QuestionKind.EMPTY
    if not name:
        return None
    values = {"limit": str(MAX_QUESTION_LENGTH)} if name == "too_long" else {}
    return Plan(kind, (), (), (), (), reply=frames.say(name, language, **values))


def _queries(analysis: Analysis) -> tuple[str, ...]:
    """The question itself, then the glossary's names for what it asks, in both languages."""
    queries = [" ".join(analysis.core.split())[:400]]
    names: list[str] = []
    statements: list[str] = []
    for subject in analysis.subjects[:3]:
        concept = glossary.concepts().get(subject.concept)
        if concept is None:
            continue
        parts = re.findall(r"[a-z_]{4,}", concept.formula) if concept.formula else []
        needed = [glossary.concepts()[part] for part in dict.fromkeys(parts) if part in glossary.concepts()]
        for item in (concept, *needed):
            statement = glossary.statement_names().get(item.statement, ("",))
            statements.append(item.statement)
            names.append(f"{item.labels[0]} {statement[0]}".strip())
            if analysis.language == "tr" and item.labels_tr:
                names.append(f"{item.labels_tr[0]} {statement[-1]}".strip())
    other = {word for root in analysis.terms for word in glossary.related_words(root)} - analysis.terms
    if other and len(other) <= 24:
        queries.append(" ".join(sorted(other)))
    if len(analysis.entities) > 1:
        about = " ".join(name for subject in analysis.subjects[:2] for name in [subject.text] if subject.concept)
        periods = " ".join(period.name for period in analysis.periods)
        queries += [f"{entity} {about} {periods}".strip() for entity in analysis.entities[:3]]
    if analysis.cues:
        names.append(" ".join(analysis.cues[:4]))
    if analysis.statement:
        statements.append(analysis.statement)
    signatures = [glossary.statement_rows(name, analysis.language) for name in dict.fromkeys(statements)]
    around = " ".join((*analysis.entities, *(period.name for period in analysis.periods)))
    queries += [f"{name} {around}".strip() for name in (*names[:1], *filter(None, signatures), *names[1:])]
    return tuple(dict.fromkeys(queries))[:5]


__all__ = ["ABSTAIN_BELOW", "BuiltInReasoner", "language_of"]
