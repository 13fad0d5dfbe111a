"""What kind of document it is, by what its first page calls it. Rules in order of weight; the first that holds wins."""

import re
from collections.abc import Iterable, Iterator

from apps.documents.metadata.fields import DocumentKind, Field, Found
from apps.documents.metadata.places import Place, pattern
from apps.reading.contracts import MediaType

K = DocumentKind
_TOP_LINES = 25
_FORMS = {
    "10-k": K.ANNUAL_REPORT, "10-kt": K.ANNUAL_REPORT, "20-f": K.ANNUAL_REPORT, "40-f": K.ANNUAL_REPORT,
    "10-q": K.INTERIM_REPORT, "8-k": K.CURRENT_REPORT, "6-k": K.CURRENT_REPORT,
}  # fmt: skip
_FORM = pattern(r"\bform(?: type\*?:?)? (10-kt?|10-q|20-f|40-f|8-k|6-k)(?:/a)?\b")
# (kind, pattern over a folded line of the first page's top, longest line that names it, confidence)
_LINES: tuple[tuple[DocumentKind, str, int, int], ...] = (
    (K.KAP_DISCLOSURE, r"\bkamuyu aydinlatma platformu\b|\bpublic disclosure platform\b", 60, 97),
    (K.POLICY, r"\binsurance policy\b|\bpolicy schedule\b|\bcertificate of insurance\b|\bpolice(?:si)?\b(?! metni)", 80, 85),
    (K.CLAIM, r"\bclaims? (?:form|notification|report|file)\b|\bnotice of (?:claim|loss)\b|\bloss adjust\w+ report\b"
              r"|\bhasar (?:ihbar|dosya|rapor|tespit|bildirim)\w*|\bekspertiz rapor\w*", 80, 88),
    (K.INVOICE, r"^(?:tax |commercial |proforma )?invoice\b|^e-?(?:arsiv )?fatura\b|^fatura\b|\binvoice (?:no|number)\b"
                r"|\bfatura no\b", 60, 88),
    (K.STATEMENT, r"\b(?:account|bank|card|loan) statement\b|\bstatement of (?:your )?account\b|\bhesap (?:ekstresi|ozeti)\b"
                  r"|\bekstre\b", 60, 85),
    (K.AMENDMENT, r"\bamendment (?:no|number|to|agreement)\b|^(?:first|second|third|fourth) amendment\b|\baddendum\b"
                  r"|\bzeyil(?:name)?\b|\bek protokol\b|\btadil (?:protokol|sozlesme|metni)\w*"
                  r"|\bsozlesme(?:si)? degisiklig\w+", 110, 88),
    (K.CONTRACT, r"\bagreement\b(?!s? (?:of|with) )|\bcontract\b|^lease\b|\bdeed of\b|\bsozlesme(?:si)?\b|\bprotokolu\b", 110, 85),
    (K.ANNUAL_REPORT, r"\bannual report\b|\byillik (?:faaliyet )?rapor\w*|\bfaaliyet raporu\b", 80, 88),
    (K.INTERIM_REPORT, r"\b(?:quarterly|interim|half[- ]year(?:ly)?|semi-annual) (?:financial )?report\b|\bara donem (?:faaliyet )?rapor\w*", 80, 88),
    (K.PRESS_RELEASE, r"\bpress release\b|\bnews release\b|\bbasin (?:bulteni|aciklamasi)\b|\bbusiness wire\b|\bpr ?newswire\b"
                      r"|\bglobe ?newswire\b|\b(?:announces|reports) (?:\w+ ){0,7}results\b", 160, 86),
    (K.FINANCIAL_STATEMENTS, r"\b(?:consolidated |interim |condensed )*financial statements\b|\bfinansal tablolar\b|\bmali tablolar\b", 110, 70),
    (K.CORRESPONDENCE, r"^dear (?:mr|ms|mrs|sir|madam|dr|colleague|all)\b|^sayin [^\W\d_]", 60, 75),
)  # fmt: skip
_BY_TYPE = {
    MediaType.EML: K.CORRESPONDENCE,
    MediaType.MSG: K.CORRESPONDENCE,
    MediaType.MBOX: K.CORRESPONDENCE,
    MediaType.PPTX: K.PRESENTATION,
    MediaType.PPT: K.PRESENTATION,
}


def kinds_of(first: Place, media_type: MediaType, details: Iterable[tuple[str, str]]) -> Iterator[Found]:
    """Kinds that the file and its first page speak of, strongest first."""
    for name, said in details:
        kind = _FORMS.get(said.lower().removesuffix("/a")) if name == "form" else None
        if kind is not None:
            yield Found(Field.KIND, kind.value, 99, "container_form", quote=said)
    if media_type in _BY_TYPE:
        yield Found(Field.KIND, _BY_TYPE[media_type].value, 90, "file_type", quote=media_type.value)
    head = first.folded[:4000]
    form = _FORM.search(head)
    if form and (("securities and exchange" in head) or "submission data" in head or "form type" in head):
        yield first.found(Field.KIND, _FORMS[form[1]].value, form.span(), 98, "sec_form")
    if _is_sheet(media_type):
        return
    yield from _by_lines(first)


def _by_lines(first: Place) -> Iterator[Found]:
    """What a line near the top calls it; lines that are set like headings weigh more than others."""
    heads = [(block.start, block.end) for block, _words in first.headings(12)]
    for position, (start, end) in enumerate(first.lines(_TOP_LINES)):
        line = first.folded[start:end].strip()
        is_heading = any(a <= start < b for a, b in heads)
        for kind, words, longest, confidence in _LINES:
            match = pattern(words).search(line) if len(line) <= longest else None
            if match is None or _speaks_of_another(line, match):
                continue
            offset = start + first.folded[start:end].index(line)
            span = (offset + match.start(), offset + match.end())
            weight = confidence - position - (0 if is_heading or position < 3 else 10)
            yield first.found(Field.KIND, kind.value, span, max(weight, 40), f"names_itself_{kind.value}")
            break


def _speaks_of_another(line: str, match: "re.Match[str]") -> bool:
    """Whether the line mentions such a document rather than being its name: "as defined in the agreement"."""
    return bool(re.search(r"\b(?:this|the|our|an?|such|under|in|bu|isbu)\s+$", line[: match.start()]))


def _is_sheet(media_type: MediaType) -> bool:
    return media_type.is_grid or media_type is MediaType.JSON
