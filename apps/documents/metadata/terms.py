"""Key dates of contracts and policies: start, end, notice, renewal, due. Only what a sentence says outright."""

import re
from collections.abc import Iterator

from apps.documents.metadata.fields import Field, Found
from apps.documents.metadata.places import Place, day_of, pattern
from apps.finance.words import read_number_words

_DATES: tuple[tuple[Field, str, int], ...] = (
    (Field.STARTS, r"\b(?:effective|commencement|inception|start(?:ing)?|contract|agreement) date\W{0,6}(?:is |means |shall be |of )?\W{0,3}DATE", 92),
    (Field.STARTS, r"\b(?:effective|commencing|commences|begins|beginning|starting)(?: as of| on| from)?\s+DATE", 86),
    (Field.STARTS, r"\b(?:made|entered into|dated)(?: and effective| and entered into| effective)?(?: as of| this| on)*(?: the)?\s+DATE", 80),
    (Field.STARTS, r"DATE \(?(?:the )?\W{0,3}effective date", 90),
    (Field.STARTS, r"\b(?:policy period|period of insurance|insurance period|term)\W{0,6}(?:from )?DATE(?=\s*(?:to|until|-|–))", 92),
    (Field.STARTS, r"\b(?:baslangic|yururluk|tanzim ve baslangic|sozlesme)\s+tarihi\W{0,6}DATE", 92),
    (Field.STARTS, r"DATE tarihin(?:de|den itibaren) (?:yururluge|baslar|imzalan)", 88),
    (Field.ENDS, r"\b(?:expir(?:y|ation|es)|end|termination|maturity) (?:date)\W{0,6}(?:is |means |shall be )?\W{0,3}DATE", 92),
    (Field.ENDS, r"\b(?:expires?|expiring|terminates?|terminating|ends?|ending|valid (?:until|through|to)|in (?:force|effect) until|continu\w+ (?:until|through))(?: automatically)?(?: on| as of)?\s+DATE", 86),
    (Field.ENDS, r"\b(?:policy period|period of insurance|insurance period|term)\W{0,6}(?:from )?[^\n]{6,40}?\s(?:to|until|-|–)\s+DATE", 92),
    (Field.ENDS, r"\b(?:bitis|vade|sona erme)\s+tarihi\W{0,6}DATE", 92),
    (Field.ENDS, r"DATE tarihin(?:de|e kadar)\s+(?:sona er|gecerli|yururlukte)", 88),
    (Field.DUE, r"\b(?:due date|payment due|son odeme tarihi|vade tarihi|odeme tarihi)\W{0,6}DATE", 92),
)  # fmt: skip
_COUNT = r"(?P<count>\d{1,3}|[a-z]+(?:[- ][a-z]+)?)(?:\s*\(\s*(?P<digits>\d{1,3})\s*\))?"
_UNIT = r"(?P<unit>business days?|calendar days?|days?|weeks?|months?|years?)"
_NOTICE = pattern(
    rf"(?:(?:not less than|at least|upon|with|by giving|given)\s+){_COUNT}\s*{_UNIT}[’']?s?\s+(?:prior\s+|advance\s+)?(?:written\s+)?(?:prior\s+)?notice"
)
_NOTICE_TR = pattern(
    r"(?:en az\s+)?(?P<count>\d{1,3}|[a-z]+)(?:\s*\([^)\d]{0,15}(?P<digits>\d{0,3})[^)]{0,15}\))?\s*(?P<unit>gun|ay|hafta)\s+(?:once(?:den|sinden)?)[^.\n]{0,40}(?:ihbar|bildir|yazili)"
)
_RENEWAL = pattern(rf"\b(?:renew(?:s|ed)?|extend(?:s|ed)?)\b[^.;]{{0,60}}?\bfor\b[^.;]{{0,60}}?{_COUNT}[- ]{_UNIT}")
_RENEWAL_TR = pattern(
    r"(?P<count>\d{1,2}|bir|iki|uc)(?:\s*\([^)\d]{0,15}(?P<digits>\d{0,3})[^)]{0,15}\))?\s*(?P<unit>yil|ay)(?:lik)?\s+(?:sure ile |sureyle |surelerle |donemler halinde )?[^.\n]{0,30}(?:yenilen|uzar|uzatil)"
)
_LETTERS = {
    "day": "D",
    "wee": "W",
    "mon": "M",
    "yea": "Y",
    "bus": "D",
    "cal": "D",
    "gun": "D",
    "haf": "W",
    "ay": "M",
    "yil": "Y",
}
_HINTS = ("dat", "tarih", "effective", "expir", "terminat", "end", "valid", "until", "vade", "period")


def terms_of(place: Place) -> Iterator[Found]:
    """Key dates on the page; those of the first pages weigh more than those inside clauses."""
    text = place.folded
    later = min(place.page.number - 1, 10)
    if any(hint in text for hint in _HINTS):
        for field, words, confidence in _DATES:
            for match in pattern(words).finditer(text):
                day = day_of(match["date"], place.language)
                if day is not None:
                    yield place.found(
                        field, day.isoformat(), match.span(), confidence - 2 * later, f"says_{field.value}"
                    )
    if "notice" in text:
        yield from _durations(place, Field.NOTICE, _NOTICE)
    if "ihbar" in text or "bildir" in text:
        yield from _durations(place, Field.NOTICE, _NOTICE_TR)
    if "renew" in text or "extend" in text:
        yield from _durations(place, Field.RENEWAL, _RENEWAL)
    if "yenilen" in text or "uza" in text:
        yield from _durations(place, Field.RENEWAL, _RENEWAL_TR)


def _durations(place: Place, field: Field, words: "re.Pattern[str]") -> Iterator[Found]:
    for match in words.finditer(place.folded):
        count = _count(match["digits"] or match["count"])
        letter = next((v for k, v in _LETTERS.items() if match["unit"].startswith(k)), "")
        if count and letter:
            confidence = 78 - min(place.page.number - 1, 10)
            yield place.found(field, f"P{count}{letter}", match.span(), confidence, f"says_{field.value}")


def _count(text: str) -> int:
    if text.isdecimal():
        return int(text)
    said = read_number_words(text)
    return int(said) if said is not None and said == int(said) and 0 < said < 1000 else 0
