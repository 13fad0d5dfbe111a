"""A question or search phrase as groups of weighted lexemes: words, stems, synonyms, and what it asks about."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from apps.retrieval.glossary import StatementKind, concepts_in
from apps.retrieval.terms import STOP_WORDS, Token, stems_of, tokens_of, words_of

LONGEST_QUERY = 2000
_MOST_WORDS = 40
_STEM_FACTOR = 0.95
SYNONYM_FACTOR = 0.45
_LANGUAGES = ("en", "tr")


@dataclass(frozen=True, slots=True)
class Variant:
    lexeme: str
    group: int
    factor: float  # 1 for the word itself


@dataclass(frozen=True, slots=True)
class Query:
    """Variants of one group compete, groups add up."""

    variants: tuple[Variant, ...]
    years: frozenset[str]
    statements: frozenset[StatementKind]
    wants_number: bool
    identifiers: frozenset[str] = frozenset()  # folded: what names one thing, "pl-2024-0001234"

    @property
    def is_empty(self) -> bool:
        return not self.variants


_SHORTEST_IDENTIFIER = 6
_NUMBER_WORDS = frozenset(
    [
        "much",
        "many",
        "total",
        "ratio",
        "amount",
        "value",
        "rate",
        "margin",
        "percent",
        "percentage",
        "growth",
        "sum",
        "average",
        "kac",
        "kadar",
        "toplam",
        "oran",
        "orani",
        "tutar",
        "tutari",
        "yuzde",
        "ortalama",
        "marj",
    ]
)


@lru_cache(maxsize=2000)
def parse_query(text: str) -> Query:
    """Never fails; an input without words gives an empty query. Asks Postgres for stems it has not seen."""
    text = text[:LONGEST_QUERY]
    tokens = [token for token in tokens_of(text) if token.folded not in STOP_WORDS][:_MOST_WORDS]
    if not tokens:
        tokens = tokens_of(text)[:5]
    words = words_of(text)
    concepts = concepts_in(words)
    spellings = [token.original for token in tokens if token.is_word]
    _learn_stems(
        [*spellings, *(word for concept, _matched in concepts for phrase in concept.phrases for word in phrase)]
    )
    variants: dict[tuple[str, int], float] = {}
    for group, token in enumerate(tokens):
        variants[(token.folded, group)] = 1.0
        for stem in _stems(token):
            variants.setdefault((stem, group), _STEM_FACTOR)
    group = len(tokens)
    for concept, matched in concepts:
        for phrase in concept.phrases:
            if phrase == matched:
                continue
            new = [word for word in phrase if word not in STOP_WORDS and word not in words]
            for word in new:
                for lexeme in {word, *_stems(Token(word, word, word.isalpha()))}:
                    variants.setdefault((lexeme, group), SYNONYM_FACTOR / len(new))
            group += 1 if new else 0
    return Query(
        tuple(Variant(lexeme, number, factor) for (lexeme, number), factor in variants.items()),
        frozenset(w for w in words if len(w) == 4 and w.isdigit() and w[:2] in ("19", "20")),
        frozenset(c.statement for c, _matched in concepts if c.statement is not StatementKind.NONE),
        bool(_NUMBER_WORDS & set(words)) or bool(concepts),
        frozenset(token.folded for token in tokens if _is_identifier(token)),
    )


def _is_identifier(token: Token) -> bool:
    """Letters with digits, or more digits than an amount has without points: "LX-41942", "0012345678"."""
    if token.is_word or len(token.folded) < _SHORTEST_IDENTIFIER:
        return False
    digits = sum(map(str.isdigit, token.folded))
    return digits > 0 and (any(map(str.isalpha, token.folded)) or token.original.isdigit())


def _stems(token: Token) -> tuple[str, ...]:
    if not token.is_word:
        return ()
    return tuple(dict.fromkeys(stem for code in _LANGUAGES if (stem := _known_stems[code].get(token.original, ""))))


_known_stems: dict[str, dict[str, str]] = {code: {} for code in _LANGUAGES}  # "" for words without a stem
_MOST_KNOWN = 20_000


def _learn_stems(words: Sequence[str]) -> None:
    """The stems of these words are known: one query per language for those not seen before in this process."""
    for code, known in _known_stems.items():
        if len(known) > _MOST_KNOWN:
            known.clear()
        missing = [word for word in words if word not in known]
        if missing:
            found = stems_of(missing, code)
            known.update({word: found.get(word, "") for word in missing})
