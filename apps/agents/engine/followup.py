"""Follow-up questions made whole: "And in 2023?" takes its subject from the question before. Pure functions of text."""

import re
from functools import lru_cache

from apps.agents.engine.analysis import analyse, language_of
from apps.agents.engine.periods import Period, asked_periods
from apps.agents.engine.text import fold, tokens

_CUE = re.compile(
    r"^\W*(?:and|what about|how about|and what about|same for|the same for|also|peki|peki ya|ya|ve)\b[\s,:]*"
    r"(?:(?:in|for|at|of|as of|what|how about|what about|the)\b\s*)*",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(its|it|their|they|them|onun|onlarin|bunun)\b")
_OWNING = {"its", "their", "onun", "onlarin", "bunun"}
_LONGEST_FRAGMENT = 10  # words; a longer question stands for itself unless it opens with a cue


def whole_question(questions: tuple[str, ...], language: str) -> str:
    """The last question, made whole with what the ones before it (oldest first) leave understood."""
    whole = ""
    for question in questions:
        whole = _joined(whole, question, language) if whole else question
    return whole


_ASKS_AGAIN = re.compile(
    r",?\s+(?:and|ve)\s+(?=(?:when|who|whose|how|what|which|where|why|does|do|is|are|did|was|were|ne|kim|hangi|nerede|neden"
    r"|kac|kaç|nasil|nasıl)\b)",
    re.IGNORECASE,
)
_SHORTEST_PART = 3  # words


def parts_of(text: str, language: str) -> tuple[str, ...]:
    """The questions that are asked in one sentence ("… and when does it end?"), each with the names it leaves out."""
    pieces = [piece.strip(" ,") for piece in _ASKS_AGAIN.split(text)]
    if len(pieces) < 2 or any(len(tokens(piece)) < _SHORTEST_PART for piece in pieces):
        return (text,)
    known = analyse(pieces[0], language)
    return (pieces[0], *(_completed(piece, known.entities, known.periods) for piece in pieces[1:3]))


@lru_cache(maxsize=256)
def _joined(before: str, text: str, language: str) -> str:
    own = language_of(text, language)
    cue = _CUE.match(text)
    asked = analyse(f"so what is it for {text[cue.end() :]}" if cue else text, own)  # names stand out in a sentence
    known = analyse(before, language_of(before, language))
    bare = _CUE.sub("", text) if cue else text
    rest = {term for term in asked.terms if term.isalpha()} - {"so"}
    is_fragment = len(tokens(text)) <= _LONGEST_FRAGMENT and not rest and bool(asked.periods or asked.entities)
    if is_fragment:
        return _with_periods(_with_names(before, known.entities, asked.entities), known.periods, asked.periods)
    if cue and len(tokens(text)) <= _LONGEST_FRAGMENT:
        return _completed(bare.strip(), known.entities, known.periods)
    pronoun = _PRONOUN.search(fold(text))
    if pronoun and known.entities and not asked.entities:
        name = known.entities[0]
        owner = f"{name}'s" if pronoun[1] in _OWNING and own == "en" else name
        return f"{text[: pronoun.start()]}{owner}{text[pronoun.end() :]}"
    return text


def _with_names(before: str, known: tuple[str, ...], asked: tuple[str, ...]) -> str:
    if not asked:
        return before
    if not known:
        return f"{before.rstrip(' ?.!')} – {', '.join(asked)}?"
    return before.replace(known[0], asked[0], 1)


def _with_periods(before: str, known: tuple[Period, ...], asked: tuple[Period, ...]) -> str:
    """The question with its periods exchanged for the new ones."""
    if not asked:
        return before
    names = ", ".join(period.name for period in asked)
    places = [place for period in known for place in _places(before, period)]
    if not places:
        return f"{before.rstrip(' ?.!')} {names}?"
    first, last = min(start for start, _ in places), max(end for _, end in places)
    return before[:first] + names + before[last:]


def _places(text: str, period: Period) -> list[tuple[int, int]]:
    """Where the period stands in the text: its own words, and its year."""
    folded = fold(text)
    words = {fold(period.text), str(period.year) if period.year else ""} - {""}
    return [match.span() for word in words for match in re.finditer(re.escape(word), folded)]


def _completed(text: str, entities: tuple[str, ...], periods: tuple[Period, ...]) -> str:
    """A new subject with the names and periods that it leaves understood."""
    own = analyse(text, language_of(text))
    more = [name for name in entities[:2] if not own.entities]
    more += [period.name for period in periods if not asked_periods(text)]
    return f"{text.rstrip(' ?.!')} {' '.join(more)}?".strip() if more else text
