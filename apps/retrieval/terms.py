"""Words as the index knows them: folded (case, accents, the two Turkish i's), stemmed by Postgres' own dictionaries.

The tsvector is composed here rather than by to_tsvector, so that "C:\\deals\\2024", "team:foobar", "O'Brien",
"LX-41942" and "1.234.567" are found as they are typed, in every language alike.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from django.db import connection

from apps.core.text import fold

LONGEST = 60
_MAX_POSITION = 16_000
_MAX_POSITIONS = 60
_PIECE = re.compile(r"\d+(?:[.,'’]\d+)*|[^\W\d_]+", re.UNICODE)
_GROUPED = re.compile(r"^\d{1,3}(?:([.,'’])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?$")
_EDGE = "\"'`“”„‚‘’«»()[]{}<>.,;:!?…*|/\\=+–—-"
_INNER = re.compile(r"[\\/:@_\-'’]")
STEMMERS = {"en": "english_stem", "tr": "turkish_stem"}
_TURKISH_LOWER = str.maketrans({"I": "ı", "İ": "i"})
STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "and",
        "or",
        "to",
        "in",
        "on",
        "at",
        "by",
        "for",
        "with",
        "from",
        "as",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "what",
        "which",
        "who",
        "whom",
        "whose",
        "when",
        "where",
        "why",
        "how",
        "much",
        "many",
        "did",
        "do",
        "does",
        "done",
        "has",
        "have",
        "had",
        "will",
        "would",
        "can",
        "could",
        "should",
        "than",
        "then",
        "there",
        "their",
        "they",
        "them",
        "he",
        "she",
        "his",
        "her",
        "i",
        "you",
        "your",
        "we",
        "our",
        "us",
        "not",
        "no",
        "if",
        "so",
        "such",
        "into",
        "over",
        "under",
        "about",
        "please",
        "tell",
        "me",
        "give",
        "show",
        "find",
        "list",
        "according",
        "based",
        "ve",
        "veya",
        "ile",
        "bir",
        "bu",
        "su",
        "da",
        "de",
        "ki",
        "mi",
        "mu",
        "icin",
        "gibi",
        "kadar",
        "olan",
        "olarak",
        "ne",
        "nedir",
        "neden",
        "nasil",
        "hangi",
        "hangisi",
        "kac",
        "kactir",
        "kim",
        "nerede",
        "ise",
        "en",
        "cok",
        "daha",
        "sonra",
        "once",
        "gore",
        "tarafindan",
        "uzere",
        "var",
        "yok",
        "midir",
        "mudur",
        "oldu",
        "olmustur",
    ]
)


class Token(NamedTuple):
    """A word as found: `folded` is what the index holds, `original` what a stemmer needs."""

    folded: str
    original: str
    is_word: bool  # letters only: worth stemming


def tokens_of(text: str) -> list[Token]:
    """The words, numbers and identifiers of a text, in order. Any input gives a list."""
    return list(chain.from_iterable(map(_tokens_of_run, text.split())))


@lru_cache(maxsize=16_384)
def _tokens_of_run(raw: str) -> tuple[Token, ...]:
    """Of a text without white space; most runs of a document come again and again."""
    core = raw.strip(_EDGE)
    pieces = _PIECE.findall(core)
    tokens = [
        Token(_number(piece), piece, False) if piece[0].isdigit() else Token(fold(piece)[:LONGEST], piece, True)
        for piece in pieces
    ]
    if len(pieces) > 1 and len(core) <= LONGEST and _INNER.search(core):
        tokens.append(Token(fold(core), core, False))
        joined = fold("".join(pieces))
        if "'" in core or "’" in core:
            tokens.append(Token(joined[:LONGEST], joined, False))
    return tuple(tokens)


def words_of(text: str) -> list[str]:
    """Folded words and numbers, without identifiers: what phrases are matched against."""
    pieces = _PIECE.findall(text)
    return [_number(piece) if piece[0].isdigit() else fold(piece) for piece in pieces]


def stems_of(words: Iterable[str], language: str) -> dict[str, str]:
    """Folded stem per word in a language's dictionary; absent for stop words and unknown languages. One query."""
    dictionary = STEMMERS.get(language)
    distinct = sorted(set(words))
    if dictionary is None or not distinct:
        return {}
    lowered = [lower_in(word, language) for word in distinct]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT w, (ts_lexize(%s::regdictionary, w))[1] FROM unnest(%s::text[]) AS w", [dictionary, lowered]
        )
        found = {row[0]: row[1] for row in cursor.fetchall()}
    return {word: fold(found[low])[:LONGEST] for word, low in zip(distinct, lowered, strict=True) if found.get(low)}


def lower_in(word: str, language: str) -> str:
    """Lower case as the language writes it: "KARLILIĞI" is "karlılığı" in Turkish."""
    return word.translate(_TURKISH_LOWER).lower() if language == "tr" else word.lower()


@dataclass(slots=True)
class TermVector:
    """Lexemes of one chunk, ready to be written as a tsvector."""

    entries: dict[str, list[str]]
    count: int  # words of the text, header left out: the document length of BM25

    def literal(self) -> str:
        """The tsvector in Postgres' own notation."""
        return " ".join(f"{_quoted(lexeme)}:{','.join(places)}" for lexeme, places in self.entries.items())


def lexemes_of_header(header: list[Token], stems: dict[str, str]) -> tuple[str, ...]:
    """Words of a header and their stems, each once."""
    words = [token for token in header if token.folded not in STOP_WORDS]
    return tuple(dict.fromkeys(x for t in words for x in (t.folded, stems.get(t.original, t.folded))))


def vector_of(header: Iterable[str], body: list[Token], stems: dict[str, str]) -> TermVector:
    """Words of the body at weight C, stems that differ at B, the lexemes of the header at A."""
    entries = {lexeme: ["1A"] for lexeme in header}
    for position, (folded, original, is_word) in enumerate(body, start=2):
        if folded in STOP_WORDS:
            continue
        place = min(position, _MAX_POSITION)
        places = entries.setdefault(folded, [])
        if len(places) < _MAX_POSITIONS:
            places.append(f"{place}C")
        stem = stems.get(original) if is_word else None
        if stem and stem != folded:
            places = entries.setdefault(stem, [])
            if len(places) < _MAX_POSITIONS:
                places.append(f"{place}B")
    return TermVector(entries, len(body))


def query_literal(lexemes: Iterable[str]) -> str:
    """A tsquery that asks for any of the lexemes, in Postgres' own notation."""
    return " | ".join(_quoted(lexeme) for lexeme in lexemes)


def _number(text: str) -> str:
    """1,234,567 and 1.234.567 alike; 3,15 and 3.15 alike."""
    if _GROUPED.match(text):
        separator = next(c for c in text if not c.isdigit())
        head, *rest = text.split(separator)
        last = rest[-1]
        decimals = ""
        for other in ".,":
            if other != separator and other in last:
                last, decimals = last.split(other)
                rest[-1] = last
        plain = head + "".join(rest)
        return (f"{plain}.{decimals}" if decimals else plain)[:LONGEST]
    return text.replace(",", ".").replace("’", ".").replace("'", ".")[:LONGEST]


def _quoted(lexeme: str) -> str:
    if "'" in lexeme or "\\" in lexeme:
        lexeme = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{lexeme}'"
