"""The period that a document speaks of, its fiscal year's end, and when it was published."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from apps.documents.metadata.fields import Field, Found, PeriodKind
from apps.documents.metadata.places import Place, day_of, pattern

P = PeriodKind
_KAP_PERIOD = pattern(r"(?P<year>20\d\d)\s*-\s*(?P<part>[1-4])\.\s*3 aylik bildirim")
_KAP_ENDS = {1: (P.QUARTER, 3), 2: (P.HALF, 6), 3: (P.NINE_MONTHS, 9), 4: (P.YEAR, 12)}
_ENDED: tuple[tuple[PeriodKind, str, int], ...] = (
    (P.QUARTER, r"quarterly period ended:?\s+DATE", 98),
    (P.YEAR, r"for the (?:fiscal |financial )?year ended:?\s+DATE", 96),
    (P.YEAR, r"\b(?:fiscal|financial) year (?:ended|ending):?\s+DATE", 92),
    (P.YEAR, r"\b(?:annual|full[- ]year|(?:twelve|12)[- ]months?(?: period)?|52 weeks|53 weeks|year) (?:ended|to):?\s+DATE", 85),
    (P.YEAR, r"\b(?:fifty-(?:two|three)|52|53)[- ]weeks?(?: period| fiscal year)?\b[^.;]{0,40}?\bended:?\s+DATE", 92),
    (P.HALF, r"\b(?:half[- ]year|six months?(?: period)?|6[- ]months?(?: period)?|26 weeks) (?:ended|to):?\s+DATE", 90),
    (P.NINE_MONTHS, r"\b(?:nine months?(?: period)?|9[- ]months?(?: period)?|39 weeks) (?:ended|to):?\s+DATE", 90),
    (P.QUARTER, r"\b(?:quarter|three months?(?: period)?|3[- ]months?(?: period)?|13 weeks|thirteen weeks) (?:ended|to):?\s+DATE", 88),
    (P.YEAR, r"DATE tarihinde sona eren (?:yila|hesap donemine|yillik|on iki aylik|12 aylik|faaliyet donemine)", 94),
    (P.HALF, r"DATE tarihinde sona eren (?:alti aylik|6 aylik)", 94),
    (P.NINE_MONTHS, r"DATE tarihinde sona eren (?:dokuz aylik|9 aylik)", 94),
    (P.QUARTER, r"DATE tarihinde sona eren (?:uc aylik|3 aylik)", 94),
)  # fmt: skip
_RANGE = pattern(r"\b0?1[./]0?1[./](?P<year>20\d\d)\s*[-–]\s*(?P<end>\d{1,2}[./]\d{1,2}[./]20\d\d)")
_FISCAL_END = pattern(r"\bfiscal year end(?:s|ed)?(?: on)?:?\s+DATE")
_PUBLISHED: tuple[tuple[str, int], ...] = (
    (r"yayinlanma tarihi(?: ve saati)?:?\s*DATE", 98),
    (r"\bdate of report\b[^:]{0,60}:?\s*DATE", 96),
    (r"\b(?:date of (?:issue|publication)|publication date|issue date|invoice date|fatura tarihi|tanzim tarihi|duzenleme tarihi)\s*:?\s*DATE", 92),
    (r"^(?:date|tarih)\s*:\s*(?:[a-z]{3,9},\s*)?DATE", 85),
)  # fmt: skip
_LEADING_DATE = pattern(r"^\W{0,3}(?:[^\W\d]+(?: [^\W\d]+)?,\s+)?DATE\W{0,3}$")
_TOP = 4000  # characters of a page


def periods_of(place: Place) -> Iterator[Found]:
    """Periods that the page names, strongest first by their confidence."""
    kap = _KAP_PERIOD.search(place.folded)
    if kap:
        kind, month = _KAP_ENDS[int(kap["part"])]
        yield _period(place, kind, _month_end(int(kap["year"]), month), kap.span(), 95, "kap_period")
    for kind, words, confidence in _ENDED:
        match = pattern(words).search(place.folded[: 3 * _TOP])
        day = day_of(match["date"], place.language) if match else None
        if match and day is not None:
            later = 0 if place.page.number == 1 else 6 + place.page.number
            yield _period(place, kind, day, match.span(), confidence - later, f"{kind.value}_ended")
    yield from _ranges(place)


def fiscal_year_ends(place: Place, details: Iterable[tuple[str, str]]) -> Iterator[Found]:
    """The last day of the fiscal year where the page says it of itself."""
    match = _FISCAL_END.search(place.folded[:_TOP])
    day = day_of(match["date"], place.language) if match else None
    if match and day is not None:
        yield place.found(Field.FISCAL_YEAR_END, day.isoformat(), match.span(), 90, "fiscal_year_end")


def published_on(place: Place, details: Iterable[tuple[str, str]]) -> Iterator[Found]:
    """When it was published, filed or written."""
    for name, said in details:
        if name in ("filed", "date") and len(said) >= 10 and said[:4].isdecimal():
            yield Found(Field.PUBLISHED, said[:10], 99, "container_date", quote=said)
    for words, confidence in _PUBLISHED:
        match = pattern(f"(?m){words}").search(place.folded[:_TOP])
        day = day_of(match["date"], place.language) if match else None
        if match and day is not None:
            yield place.found(Field.PUBLISHED, day.isoformat(), match.span(), confidence, "says_its_date")
    for start, end in place.lines(4):
        match = _LEADING_DATE.search(place.folded[start:end])
        day = day_of(match["date"], place.language) if match else None
        if match and day is not None:
            yield place.found(Field.PUBLISHED, day.isoformat(), (start, end), 75, "begins_with_its_date")


def _ranges(place: Place) -> Iterator[Found]:
    """ "01.01.2025 - 30.06.2025": the first column of a Turkish statement."""
    match = _RANGE.search(place.folded)
    day = day_of(match["end"], "tr") if match else None
    if match is None or day is None or str(day.year) != match["year"]:
        return
    kind = {3: P.QUARTER, 6: P.HALF, 9: P.NINE_MONTHS, 12: P.YEAR}.get(day.month)
    if kind is not None and day == _month_end(day.year, day.month):
        yield _period(place, kind, day, match.span(), 80 - place.page.number, "range_of_days")


def _period(place: Place, kind: PeriodKind, end: date, span: tuple[int, int], confidence: int, rule: str) -> Found:
    return place.found(Field.PERIOD, f"{kind.value}:{end.isoformat()}", span, max(confidence, 30), rule)


def _month_end(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
