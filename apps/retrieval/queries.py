"""A question or search phrase as groups of weighted lexemes: words, stems, synonyms, and what it asks about."""

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

    @property
    def is_empty(self) -> bool:
        return not self.variants


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
    variants: dict[tuple[str, int], float] = {}
    for group, token in enumerate(tokens):
        variants[(token.folded, group)] = 1.0
        for stem in _stems(token):
            variants.setdefault((stem, group), _STEM_FACTOR)
    words = words_of(text)
    concepts = concepts_in(words)
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
    )


def _stems(token: Token) -> tuple[str, ...]:
    if not token.is_word:
        return ()
    return tuple(dict.fromkeys(stem for code in _LANGUAGES for stem in _stem(token.original, code)))


@lru_cache(maxsize=20_000)
def _stem(word: str, language: str) -> tuple[str, ...]:
    return tuple(stems_of([word], language).values())
