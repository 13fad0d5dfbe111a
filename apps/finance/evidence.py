"""Which decimal mark a document writes, by evidence in a fixed order, with the reason for the choice.

A number that stays undecided keeps both readings: nothing here guesses without saying on what.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from apps.finance.numbers import DecimalMark, NumberReading, NumberState, decide_decimal_mark, read_number

_COMMA_LANGUAGES = frozenset({"tr", "de", "fr", "it", "es", "pt", "nl", "pl", "ru", "el", "az"})
_POINT_LANGUAGES = frozenset({"en", "ja", "zh", "ko", "he", "th"})
_COMMA_COUNTRIES = frozenset({"TR", "DE", "FR", "IT", "ES", "PT", "NL", "PL", "AT", "GR", "AZ", "RU", "BR"})
_POINT_COUNTRIES = frozenset({"US", "GB", "IE", "AU", "CA", "NZ", "JP", "CN", "IN", "IL", "HK", "SG"})


class Ground(StrEnum):
    """What a decimal mark was decided on, strongest first."""

    NEIGHBOURS = "neighbours"  # unambiguous numbers of the same column or table
    DOCUMENT = "document"  # unambiguous numbers of the same document
    LANGUAGE = "language"  # of the page or document
    ISSUER = "issuer"  # the country of whoever wrote it
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known around a number; empty fields know nothing."""

    neighbours: tuple[str, ...] = ()
    document: tuple[str, ...] = ()
    language: str = ""  # "tr", "en"
    issuer: str = ""  # ISO 3166 country: "TR"


@dataclass(frozen=True, slots=True)
class Decision:
    mark: DecimalMark | None
    ground: Ground


def decide(evidence: Evidence) -> Decision:
    """The mark by the strongest evidence that says anything."""
    for ground, texts in ((Ground.NEIGHBOURS, evidence.neighbours), (Ground.DOCUMENT, evidence.document)):
        mark = decide_decimal_mark(texts) if texts else None
        if mark is not None:
            return Decision(mark, ground)
    for ground, known, commas, points in (
        (Ground.LANGUAGE, evidence.language, _COMMA_LANGUAGES, _POINT_LANGUAGES),
        (Ground.ISSUER, evidence.issuer, _COMMA_COUNTRIES, _POINT_COUNTRIES),
    ):
        if known in commas:
            return Decision(DecimalMark.COMMA, ground)
        if known in points:
            return Decision(DecimalMark.POINT, ground)
    return Decision(None, Ground.UNDECIDED)


def read_with(text: str, evidence: Evidence) -> NumberReading:
    """The number as the evidence has it. A choice between two readings keeps both, and says its ground as reason."""
    plain = read_number(text)
    if plain.state is not NumberState.AMBIGUOUS:
        return plain
    decision = decide(evidence)
    if decision.mark is None:
        return replace(plain, reason=f"{plain.reason}; {decision.ground.value}")
    chosen = read_number(text, mark=decision.mark)
    return replace(chosen, readings=plain.readings, reason=decision.ground.value)


def read_column(texts: Iterable[str], evidence: Evidence) -> tuple[NumberReading, ...]:
    """The cells of one column, each read with the others as its neighbours: a column has one writer."""
    cells = tuple(texts)
    shared = replace(evidence, neighbours=(*evidence.neighbours, *cells))
    return tuple(read_with(cell, shared) for cell in cells)
