"""Who a document is about, and the parties of a contract or policy."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from apps.core.text import fold
from apps.documents.metadata.fields import Field, Found
from apps.documents.metadata.places import Place, pattern

_SUFFIX = (
    r"(?:inc(?:orporated)?|corp(?:oration)?|co|company|plc|ltd|limited|llc|l\.l\.c|llp|l\.p|lp|n\.?v|s\.?a|ag|gmbh|se|s\.?p\.?a"
    r"|b\.?v|oyj?|ab|asa|a\.? ?s|t\.? ?a\.? ?s|a\.? ?o|anonim sirketi|limited sirketi|ltd\. ?sti|holding|bankasi|bank|trust|kooperatifi)"
)
_COMPANY = pattern(
    rf"^(?=.{{3,90}}$)(?:the )?[^\W_][^\n:;•|]*?[ ,]{_SUFFIX}\.?(?: ve (?:istirakleri|bagli ortakliklari))?(?: and subsidiaries)?$"
)
_REGISTRANT = pattern(r"\(exact name of (?:the )?registrant")
_KAP = pattern(r"kamuyu aydinlatma platformu\s*\n+(?P<name>[^\n]{3,120})")
_FILER = pattern(r"\bfiler cik\*? *\d+ *\((?P<name>[^)\n]{3,100})\)")
_LISTED = pattern(
    r"(?P<name>(?:[a-z0-9&.’'-]+,? ){0,6}[a-z0-9&.’'-]+)\s*\((?:nasdaq|nyse(?: american)?|lse|bist|borsa istanbul|asx|tsx|euronext)[^)]{0,20}:[^)]{1,20}\)"
)
_INLINE = re.compile(
    r"\b((?:[A-ZÇĞİÖŞÜ][\w&’'-]*,? ){1,5}(?:Inc|Corp|Corporation|Company|plc|PLC|Ltd|Limited|LLC|N\.V|AG|GmbH|S\.A|A\.Ş|T\.A\.Ş|Holding|Bankası)\.?)(?!\w)"
)
_BETWEEN = pattern(r"\b(?:by and between|by and among|between|among|entered into by)\b[:,]?\s*(?P<names>.{10,900})")
_TURKISH_PARTIES = pattern(
    r"(?:bir tarafta|bir taraftan)\s*(?P<first>[^\n]{3,160}?)\s*(?:ile|ve) diger taraf(?:ta|tan)\s*(?P<second>[^\n]{3,160})"
)
_ROLES = pattern(
    r"(?m)^\W{0,3}(?:the )?(?P<role>lessor|lessee|landlord|tenant|buyer|seller|purchaser|borrower|lender|guarantor|insured|policy ?holder"
    r"|insurer|customer|supplier|licensor|licensee|employer|kiraya veren|kiralayan|kiraci|sigortali|sigorta ettiren|sigortaci|alici|satici"
    r"|borclu|alacakli|kefil|musteri|tedarikci|yuklenici|isveren)(?: (?:name|adi|unvani|adi soyadi|adi unvani))?\s*[:|]\s*(?P<name>[^\n|]{3,110})"
)
_DESCRIBED = re.compile(
    r",?\s+(?:an?|the) (?:[A-Z][\w’']*[ -]){0,4}?(?:[a-z-]+ )*(?:corporation|company|limited|partnership|association|entity|liability|public|company incorporated|not[- ]for)"
    r"|,?\s+(?:having|with|located|incorporated|organi[sz]ed|whose|together with|on behalf|residing|as (?:lessor|lessee|borrower|lender|the))\b"
)
_SEPARATOR = re.compile(r"\s*\(\s*(?:the\s+|hereinafter[^)]*?)?[“\"‘'][^)]{1,80}\)|[,;]?\s+(?:and|AND)\s+(?!Non)|;")
_STOP = re.compile(
    r"(?<![A-Z])\.\s+(?=(?:This|Each|In|The|It|A|All|WHEREAS|Whereas|RECITALS|For|As|NOW)\b)|\bWHEREAS\b|\bW I T N E S S|\bRECITALS\b"
    r"|\n\s*(?:ARTICLE|\d+\.)\s|\bdated\b|\bDATED\b"
)
_COMPANY_END = pattern(rf"[ ,]{_SUFFIX}\.?$")
_NO_NAME = re.compile(
    r"^(?:an? |the part(?:y|ies)|each of|all of|any|us|you|hereinafter|this|these|which|its|dated|no\b|it\b|such)",
    re.IGNORECASE,
)
_LONGEST_NAME = 110


def entities_of(pages: list[Place], details: Iterable[tuple[str, str]]) -> Iterator[Found]:
    """Whom the document is about, strongest first by confidence. Contracts are between parties: see `parties_of`."""
    for name, said in details:
        if name == "company":
            yield Found(Field.ENTITY, said[:_LONGEST_NAME], 99, "container_company", quote=said)
    for place in pages[:6]:
        yield from _registrants(place)
    first = pages[0]
    for words, rule, confidence in ((_KAP, "kap_header", 97), (_FILER, "filer", 95), (_LISTED, "listed_as", 85)):
        hit = words.search(first.folded[:5000])
        if hit:
            span = _capital_span(first, hit.span("name")) if rule == "listed_as" else hit.span("name")
            name = _clean(first.page.text[slice(*span)])
            if len(name) > 2:
                yield first.found(Field.ENTITY, name, span, confidence, rule)
    yield from _company_lines(pages[:2])
    yield from _often_named(pages[:6])


def parties_of(pages: list[Place]) -> Iterator[Found]:
    """Parties that the first pages name: after "between", or by their role."""
    for place in pages[:3]:
        for match in _ROLES.finditer(place.folded):
            name = _clean(place.page.text[slice(*match.span("name"))])
            if _is_name(name):
                yield place.found(Field.PARTY, name, match.span("name"), 90, "by_role")
    for place in pages[:2]:
        between = _BETWEEN.search(place.folded.replace("\n", " "))
        if between and between.start() < 2500:
            yield from _after_between(place, between.span("names"))
            return
        turkish = _TURKISH_PARTIES.search(place.folded)
        if turkish:
            for group in ("first", "second"):
                name = _clean(re.split(r"[(,]", place.page.text[slice(*turkish.span(group))])[0])
                if _is_name(name):
                    yield place.found(Field.PARTY, name, turkish.span(group), 80, "taraflar")
            return


def _after_between(place: Place, span: tuple[int, int]) -> Iterator[Found]:
    """Names joined by "and" or commas; what describes a party ("a Delaware corporation") is left out."""
    start, end = span
    text = place.page.text[start:end]
    stop = _STOP.search(text)
    text = text[: stop.start()] if stop else text
    count, position = 0, 0
    for separator in (*_SEPARATOR.finditer(text), None):
        piece = text[position : separator.start() if separator else len(text)]
        described = _DESCRIBED.search(piece)
        said = piece[: described.start()] if described else piece
        lead = len(said) - len(said.lstrip(" ,.;:\n"))
        name = _clean(said.strip(" ,;:\n"))
        is_first_of_its_clause = count == 0 or text[:position].rstrip().lower().endswith(("and", ",", ";", ")"))
        has_alias = separator is not None and separator[0].lstrip().startswith("(") and not described
        is_pair = count == 0 and separator is not None and "and" in separator[0].lower().split()
        if is_first_of_its_clause and _is_party(name, has_alias=has_alias or bool(described) or is_pair) and count < 6:
            count += 1
            yield place.found(
                Field.PARTY, name, (start + position + lead, start + position + len(said.rstrip())), 84, "between"
            )
        position = separator.end() if separator else len(text)


def _is_party(name: str, *, has_alias: bool) -> bool:
    """A name that is defined as a party, or that ends as companies' names do."""
    folded = fold(name)
    if not _is_name(name) or len(name.split()) > 9 or re.match(r"(?:article|section|exhibit|\d)", folded):
        return False
    is_company = bool(_COMPANY_END.search(folded))
    return is_company or (len(name.split()) >= 2 and has_alias) or (len(name.split()) >= 2 and name.isupper())


def _registrants(place: Place) -> Iterator[Found]:
    """The line over "(Exact name of registrant as specified in its charter)"."""
    match = _REGISTRANT.search(place.folded)
    if match is None:
        return
    before = place.page.text[: match.start()].rstrip(" _\n-|")
    start = before.rfind("\n") + 1
    name = _clean(before[start:])
    if 2 < len(name) < _LONGEST_NAME and not fold(name).startswith("commission file"):
        later = 0 if place.page.number <= 2 else 10
        yield place.found(Field.ENTITY, name, (start, len(before)), 98 - later, "registrant")


def _company_lines(pages: list[Place]) -> Iterator[Found]:
    """A short line of its own near the top that ends as companies' names do."""
    for place in pages:
        for position, (start, end) in enumerate(place.lines(14)):
            line = place.folded[start:end].strip()
            if _COMPANY.match(line) and not re.search(r"\b(?:agreement|contract|between|dear)\b", line):
                name = _clean(place.page.text[start:end])
                confidence = 78 - position - 8 * (place.page.number - 1)
                yield place.found(Field.ENTITY, name, (start, end), confidence, "company_line")
                break


def _often_named(pages: list[Place]) -> Iterator[Found]:
    """The company that the first pages name most, three times at least and twice as often as any other."""
    counts: Counter[str] = Counter()
    where: dict[str, tuple[Place, tuple[int, int]]] = {}
    for place in pages:
        for match in _INLINE.finditer(place.page.text):
            name = _clean(match[1])
            if re.match(r"(?:the )?(?:company|bank|corporation|limited)\b", fold(name)):
                continue
            counts[name] += 1
            where.setdefault(name, (place, match.span(1)))
    best = counts.most_common(2)
    if best and best[0][1] >= 3 and (len(best) == 1 or best[0][1] >= 2 * best[1][1]):
        place, span = where[best[0][0]]
        yield place.found(Field.ENTITY, best[0][0], span, 55, "named_most")


def _capital_span(place: Place, span: tuple[int, int]) -> tuple[int, int]:
    """The end of the span from where its words begin with capitals."""
    start, end = span
    words = list(re.finditer(r"\S+", place.page.text[start:end]))
    first = end
    for word in reversed(words):
        if not word[0][:1].isupper() and word[0] not in ("&", "of", "and"):
            break
        first = start + word.start()
    return first, end


def _clean(text: str) -> str:
    words = " ".join(text.split()).strip(" _|•*–—-,;:")
    words = re.sub(r"^(?:THE PARTIES|between|BETWEEN)\s+", "", words)
    return re.sub(r"\s+\((?:the )?[“\"][^)]*\)$", "", words)[:_LONGEST_NAME]


def _is_name(text: str) -> bool:
    capitals = sum(word[:1].isupper() for word in text.split())
    has_letters = sum(c.isalpha() for c in text) >= 3
    return has_letters and len(text) >= 3 and capitals >= max(1, len(text.split()) // 2) and not _NO_NAME.match(text)
