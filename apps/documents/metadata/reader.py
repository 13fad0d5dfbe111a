"""Collects what the rules find while a document's pages go by, once, in order, and decides at the end."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from apps.core.text import fold
from apps.documents.metadata import identifiers, kinds, names, periods, terms
from apps.documents.metadata.fields import DocumentKind, Field, Found
from apps.documents.metadata.places import Place, pattern
from apps.finance.units import Scale
from apps.reading.contracts import MediaType, PageContent, Row
from apps.reading.headings import is_scale_line
from apps.reading.quantities import note_of
from apps.reading.scale_notes import currency_of, read_note

OPENING_PAGES = 8  # whose words say what a document is
_LATER_PAGES = 400  # searched for identifiers and dates of a contract
_SHEET_PAGES = 3
_MOST_VALUES = 12  # of a field that may have several
_LEAST_CONFIDENCE = 50
_WITH_TERMS = frozenset({DocumentKind.CONTRACT, DocumentKind.AMENDMENT, DocumentKind.POLICY, DocumentKind.INVOICE})
_WITH_PARTIES = frozenset({*_WITH_TERMS, DocumentKind.CLAIM})
_NO_TITLES = (
    "untitled",
    "(anonymous)",
    "kap",
    "document",
    "microsoft word",
    "submission proof",
    "layout 1",
    "powerpoint",
)

_AMOUNT = re.compile(r"\d[\d.,]*\s*(?:thousand|million|billion|bin|milyon|milyar|mn|bn)\b(?! (?:shares|hisse))")
_TURKISH_UNIT = re.compile(r"(?<![\d.,])(1\.000(?:\.000)?)\s*(?:tl|try)\b")
_EXHIBIT = re.compile(r"\s*exhibit\s+[\d.]+\s*(?:execution version\s*)?", re.IGNORECASE)
_KAP_TITLE = pattern(r"kamuyu aydinlatma platformu\s*\n+[^\n]{3,120}\n+(?P<title>[^\n]{3,120})")


class MetadataReader:
    """`page` for each page in order, then `found` once."""

    def __init__(self, *, media_type: MediaType, title: str = "", details: Iterable[tuple[str, str]] = ()) -> None:
        self._media_type = media_type
        self._title = title
        self._details = tuple(details)
        self._opening: list[Place] = []
        self._kinds: list[Found] = []
        self._later: list[Found] = []
        self._scales: Counter[Scale] = Counter()
        self._currencies: Counter[str] = Counter()
        self._said: dict[str | Scale, tuple[Place, tuple[int, int]]] = {}

    def page(self, page: PageContent) -> None:
        """The page's part is taken. Costs about a millisecond."""
        if page.number > _LATER_PAGES or (self._media_type.is_grid and page.number > _SHEET_PAGES):
            return
        place = Place.of(page)
        if len(self._opening) < OPENING_PAGES and page.text:
            self._opening.append(place)
        if len(self._opening) == 1 and self._opening[0] is place:
            self._kinds = sorted(kinds.kinds_of(place, self._media_type, self._details), key=_rank)
        self._later += identifiers.identifiers_of(place)
        if self._kind in _WITH_TERMS:
            self._later += terms.terms_of(place)
        self._count_scales(place)

    @property
    def _kind(self) -> DocumentKind | None:
        return DocumentKind(self._kinds[0].value) if self._kinds else None

    def found(self) -> tuple[Found, ...]:
        """One value of each field, the most certain; several where a document may have several."""
        everything = list(self._everything()) if self._opening else []
        kept: list[Found] = []
        for field in Field:
            values: dict[str, Found] = {}
            for found in sorted((f for f in everything if f.field is field), key=_rank):
                if found.confidence >= _LEAST_CONFIDENCE and found.value:
                    values.setdefault(found.value.casefold(), found)
            kept += list(values.values())[: _MOST_VALUES if field.is_many else 1]
        return tuple(kept)

    def _everything(self) -> Iterator[Found]:
        first = self._opening[0]
        kind = self._kind
        yield from self._kinds
        yield from _titles(first, self._title, self._details, self._kinds)
        if kind not in _WITH_TERMS:
            yield from names.entities_of(self._opening, self._details)
            for place in self._opening:
                yield from periods.periods_of(place)
        yield from periods.fiscal_year_ends(first, self._details)
        yield from periods.published_on(first, self._details)
        yield from self._annual_end(kind)
        if kind in _WITH_PARTIES:
            yield from names.parties_of(self._opening)
        yield from self._later
        yield from self._currency_and_scale()

    def _annual_end(self, kind: DocumentKind | None) -> Iterator[Found]:
        """A report on a whole year ends with its fiscal year."""
        if kind is not DocumentKind.ANNUAL_REPORT:
            return
        everything = [found for place in self._opening for found in periods.periods_of(place)]
        best = min(everything, key=_rank, default=None)
        if best is not None and best.rule == "year_ended":
            end, confidence = best.value.removeprefix("year:"), best.confidence - 2
            yield replace(
                best, field=Field.FISCAL_YEAR_END, value=end, confidence=confidence, rule="end_of_the_year_reported"
            )

    def _count_scales(self, place: Place) -> None:
        """Notes on unit and scale over tables; on the opening pages, lines that are such notes too."""
        page = place.page
        for table in page.tables:
            words = note_of(page, table)
            if table.rows and not _is_prose(words):
                said = page.text[table.rows[0].start : table.rows[-1].end]
                signed = next((row for row in table.rows if currency_of(page.text[row.start : row.end])), None)
                self._count(place, words, currency_of(words) or currency_of(said), signed)
        if self._opening and self._opening[-1] is place:
            lines = [page.text[a:b].strip() for a, b in place.lines(60)]
            for line in lines:
                if is_scale_line(line) and not _is_prose(line):
                    self._count(place, line, currency_of(line))

    def _count(self, place: Place, words: str, currency: str, row: Row | None = None) -> None:
        scale = _scale_of(words)
        start = place.page.text.find(words.split("\n")[0].strip()[:120]) if words else -1
        if currency:
            self._currencies[currency] += 1
        if scale is not Scale.ONE:
            self._scales[scale] += 1
        span = (start, min(start + len(words), len(place.page.text)))
        if start >= 0 and scale is not Scale.ONE:
            self._said.setdefault(scale, (place, span))
        if start >= 0 and currency and currency_of(words) == currency:
            self._said.setdefault(currency, (place, span))
        elif currency and row is not None:
            self._said.setdefault(currency, (place, (row.start, row.end)))

    def _currency_and_scale(self) -> Iterator[Found]:
        """What most tables say; half of them at least must agree."""
        yield from self._commonest(Field.CURRENCY, self._currencies)
        yield from self._commonest(Field.SCALE, self._scales)

    def _commonest(self, field: Field, counts: "Counter[str] | Counter[Scale]") -> Iterator[Found]:
        if not counts:
            return
        value, count = counts.most_common(1)[0]
        if 2 * count < counts.total() or value not in self._said:
            return
        place, span = self._said[value]
        said = f"{value.value}" if isinstance(value, Scale) else value
        yield place.found(field, said, span, round(60 + 35 * count / counts.total()), "notes_over_tables")


def _rank(found: Found) -> tuple[int, int, int]:
    return -found.confidence, found.page, found.start


def _titles(
    first: Place, title: str, details: Iterable[tuple[str, str]], found_kinds: Sequence[Found]
) -> Iterator[Found]:
    """The file's own title when it says something, the line that names the document's kind, the largest heading."""
    folded = title.strip().lower()
    says_something = len(folded) > 4 and " " in folded and not folded.startswith(_NO_TITLES)
    if says_something and "\\" not in folded:
        yield Found(Field.TITLE, title.strip()[:200], 80, "title_of_the_file", quote=title[:200])
    for name, said in details:
        if name == "subject" and said.strip():
            yield Found(Field.TITLE, said.strip()[:200], 92, "subject", quote=said[:200])
    kap = _KAP_TITLE.search(first.folded)
    if kap:
        span = kap.span("title")
        yield first.found(Field.TITLE, first.page.text[slice(*span)].strip(), span, 90, "kap_header")
    yield from _named_by_kind(first, found_kinds)
    heads = [(b, w) for b, w in first.headings(20) if 3 < len(w) <= 160 and any(c.isalpha() for c in w)]
    for level in (1, 2, 3):
        named = [(block, words) for block, words in heads if block.level == level and not _is_boilerplate(words)]
        if named:
            block, words = named[0]
            yield first.found(Field.TITLE, words[:200], (block.start, block.end), 82 - 6 * level, "largest_heading")
            return


def _named_by_kind(first: Place, found_kinds: Sequence[Found]) -> Iterator[Found]:
    """The whole line, or the heading of several lines, in which the document names its kind."""
    named = next((found for found in found_kinds if found.page == first.page.number), None)
    if named is None or named.value == DocumentKind.KAP_DISCLOSURE:
        return
    block = next((b for b, _words in first.headings(12) if b.start <= named.start < b.end), None)
    text = first.page.text
    start, end = (block.start, block.end) if block else (text.rfind("\n", 0, named.start) + 1, named.end)
    end = end if block else (text.find("\n", end) if text.find("\n", end) >= 0 else len(text))
    lead = _EXHIBIT.match(text[start:end])
    start += lead.end() if lead else 0
    words = " ".join(text[start:end].split())
    if "WIRE" in words:
        return
    if 3 < len(words) <= 160 and words[:1].isupper() and not words.endswith("."):
        yield first.found(Field.TITLE, words, (start, end), 83 if named.confidence >= 70 else 70, "names_its_kind")


def _is_prose(words: str) -> bool:
    """Whether the words state an amount rather than what amounts count in: "1.541.476 bin TL'dir"."""
    return not words or len(words) > 160 or bool(_AMOUNT.search(fold(words)))


def _scale_of(words: str) -> Scale:
    """The scale of a note; "1.000 TL" is a unit of presentation in Turkish statements."""
    unit = _TURKISH_UNIT.search(fold(words))
    if unit:
        return Scale.MILLION if unit[1] == "1.000.000" else Scale.THOUSAND
    return read_note(words).general


def _is_boilerplate(words: str) -> bool:
    lowered = words.lower()
    return lowered.startswith(
        (
            "exhibit",
            "united states",
            "kamuyu",
            "recitals",
            "note:",
            "table of contents",
            "confidential",
            "washington",
            "(mark one",
        )
    )
