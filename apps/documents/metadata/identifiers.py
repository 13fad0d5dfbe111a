"""Numbers that name something: IBAN, ISIN, tax numbers with their check digits; others by the words before them."""

from collections.abc import Iterator

from apps.documents.metadata.checksums import is_iban, is_isin, is_tckn, is_vkn
from apps.documents.metadata.fields import Field, Found
from apps.documents.metadata.places import Place, pattern

_IBAN = pattern(r"(?<![a-z0-9])[a-z]{2}\d{2}(?:[ \u00a0]?[a-z0-9]{4}){2,7}(?:[ \u00a0]?[a-z0-9]{1,3})?(?![a-z0-9])")
_ISIN = pattern(r"(?<![a-z0-9])[a-z]{2}[a-z0-9]{9}\d(?![a-z0-9])")
_VKN = pattern(
    r"(?:\bvkn\b|vergi (?:kimlik )?(?:no|numarasi|sicil no)\b|vergi dairesi[^\n]{0,60}?|\bv\.?k\.?n\.?\b|\btax (?:no|number|id)\b)"
    r"[^\d\n]{0,40}(?P<number>\d{10})(?!\d)"
)
_TCKN = pattern(
    r"(?:\btckn\b|\bt\.? ?c\.? ?(?:kimlik )?(?:no|numarasi)\b|kimlik no\b)[^\d\n]{0,20}(?P<number>\d{11})(?!\d)"
)
_EIN = pattern(r"(?<![\d-])(?P<number>\d{2}-\d{7})(?![\d-])")
_EIN_WORDS = ("employer", "irs", "i.r.s", "ein", "tax id")
_CIK = pattern(r"\bcik\b\*?(?: (?:no|number|code))?[^\d\n]{0,12}(?P<number>\d{5,10})(?!\d)")
_ENDS = r"\s*(?:(?:no|number|num|nr|numarasi)\b\.?|#)\s*[:#.|]?\s*(?P<number>[a-z0-9][a-z0-9/.\-]{2,28}[a-z0-9])"
_LABELLED: tuple[tuple[Field, str], ...] = (
    (Field.POLICY_NUMBER, rf"\b(?:insurance )?polic(?:y|e){_ENDS}"),
    (Field.CONTRACT_NUMBER, rf"\b(?:contract|agreement|lease|sozlesme|kira sozlesmesi|kredi sozlesmesi){_ENDS}"),
    (Field.INVOICE_NUMBER, rf"\b(?:invoice|fatura){_ENDS}"),
    (Field.CLAIM_NUMBER, rf"\b(?:claim|claim file|hasar(?: dosya(?:si)?)?){_ENDS}"),
)
_HINTS = {
    Field.POLICY_NUMBER: "polic",
    Field.CONTRACT_NUMBER: "",
    Field.INVOICE_NUMBER: "nvoice|fatura",
    Field.CLAIM_NUMBER: "claim|hasar",
}


def identifiers_of(place: Place) -> Iterator[Found]:
    """Identifiers on the page, each once."""
    text = place.folded
    for match in _IBAN.finditer(text):
        number = "".join(match[0].split()).upper()
        if is_iban(number):
            yield place.found(Field.IBAN, number, match.span(), 99, "iban_checksum")
    for match in _ISIN.finditer(text):
        number = match[0].upper()
        is_upper = place.page.text[match.start() : match.end()].isupper()
        if is_upper and any(c.isdigit() for c in number[2:11]) and is_isin(number):
            yield place.found(Field.ISIN, number, match.span(), 95, "isin_checksum")
    yield from _tax_numbers(place)
    if "cik" in text:
        for match in _CIK.finditer(text):
            yield place.found(Field.CIK, match["number"].zfill(10), match.span("number"), 95, "says_cik")
    yield from _labelled(place)


def _tax_numbers(place: Place) -> Iterator[Found]:
    text = place.folded
    if "vergi" in text or "vkn" in text or "tax" in text or "v.k.n" in text:
        for match in _VKN.finditer(text):
            if is_vkn(match["number"]):
                yield place.found(Field.TAX_NUMBER, match["number"], match.span("number"), 97, "vkn_checksum")
    if "kimlik" in text or "tckn" in text or "t.c" in text:
        for match in _TCKN.finditer(text):
            if is_tckn(match["number"]):
                yield place.found(Field.PERSON_NUMBER, match["number"], match.span("number"), 97, "tckn_checksum")
    if place.page.number <= 2 and any(word in text for word in _EIN_WORDS[:1]):
        for match in _EIN.finditer(text):
            around = text[max(0, match.start() - 250) : match.end() + 250]
            if any(word in around for word in _EIN_WORDS):
                yield place.found(Field.TAX_NUMBER, match["number"], match.span("number"), 90, "irs_employer_number")


def _labelled(place: Place) -> Iterator[Found]:
    for field, words in _LABELLED:
        hints = _HINTS[field].split("|")
        if not any(hint in place.folded for hint in hints):
            continue
        for match in pattern(words).finditer(place.folded):
            number = match["number"]
            if sum(c.isdigit() for c in number) < 3:
                continue
            start, end = match.span("number")
            yield place.found(field, place.page.text[start:end], (start, end), 88, f"says_{field.value}")
