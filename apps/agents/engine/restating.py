"""Whether a model's sentence only restates what it cites. Words alone prove nothing: "A bought B" and "B bought A"
are made of the same ones. So a sentence counts as supported when its words stand in one cited sentence in the same
order and nothing that changes the meaning is left out between them; a table's figure when its labels are said.
"""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.agents.contracts import EvidencePage, StatementCitation, Verdict
from apps.agents.engine import glossary
from apps.agents.engine.matching import COVER_MARK
from apps.agents.engine.places import cells_within
from apps.agents.engine.prose import content_stems, is_negated
from apps.agents.engine.tables import header_of
from apps.agents.engine.text import sentences, stem, tokens
from apps.finance.numbers import find_numbers

_SMALL_WORDS = """
by to from than over under below above except until before after without unless only up down into against
not no none never neither nor cannot degil yok haric disinda kadar fazla az
"""
_DIRECTED = frozenset(_SMALL_WORDS.split())  # they say who does what to whom, or on which side of a limit
_SCALE_WORDS = "thousand million billion trillion percent bin milyon milyar trilyon % months years days"
_SCALES = frozenset(_SCALE_WORDS.split())
_NEUTRAL_VERBS = "amounted totalled totaled stood equals equal reported recorded came oldu gerceklesti"
_NEUTRAL = frozenset(_NEUTRAL_VERBS.split())
_YEAR = re.compile(r"(?:19|20)\d\d$")
_YEARS = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_BREAK = re.compile(r"[;:,]|\b(?:and|while|but|whereas|although|ve|ancak|fakat|ama|iken)\b", re.IGNORECASE)
_ENOUGH = 0.8  # of the sentence's words must stand in what it cites


@dataclass(frozen=True, slots=True)
class _Word:
    folded: str
    root: str
    start: int
    is_name: bool  # written with a capital, or a figure: what it is about, and how much

    def same(self, other: "_Word") -> bool:
        has_ending = "'" in self.folded or "'" in other.folded or "’" in self.folded or "’" in other.folded
        return self.folded == other.folded or (self.root == other.root and not has_ending)


def restated(claim: str, cited: Sequence[tuple[EvidencePage, StatementCitation]]) -> Verdict:
    """SUPPORTED for a sentence that restates, CONTRADICTED for a denial, PARTLY when words are left over that change
    no order and name nothing new, else UNSUPPORTED.
    """
    titles = content_stems(" ".join(_titles(page) for page, _citation in cited))
    rows = [row for page, citation in cited for row in _row_words(page, citation)]
    if rows:
        return _of_rows(claim, rows, titles)
    source = " ".join(dict.fromkeys(_sentence_around(page, citation) for page, citation in cited))
    if is_negated(claim) != is_negated(source):
        return Verdict.CONTRADICTED
    is_one_year = len(set(_YEARS.findall(source))) <= 1
    said, printed = _words(claim, floats_years=is_one_year), _words(source, floats_years=is_one_year)
    placed = _in_order(said, printed)
    own = [word for word, place in zip(said, placed, strict=True) if place is None]
    new = [word for word in own if word.root not in titles and word.folded not in _NEUTRAL]
    if any(word.is_name or word.folded in _DIRECTED for word in new):
        return Verdict.UNSUPPORTED  # a name, figure or turn that the cited sentence does not hold
    if any(not glossary.related_words(word.root) & {other.root for other in printed} for word in new):
        return Verdict.UNSUPPORTED  # another verb or noun
    places = [place for place in placed if place is not None]
    known = len(places) + sum(word.root in titles for word in own)
    if known < _ENOUGH * len(said) or not places:
        return Verdict.UNSUPPORTED
    if any(later < earlier for earlier, later in itertools.pairwise(places)):
        return Verdict.UNSUPPORTED  # the same words in another order
    if _skips_figure(printed, places):
        return Verdict.UNSUPPORTED  # what is said of one amount is said of the next
    lead = next(index for index, place in enumerate(placed) if place is not None)
    stands_alone = all(place is not None for place in placed[lead:]) and all(w.root in titles for w in said[:lead])
    return Verdict.SUPPORTED if stands_alone and not _left_out(printed, places, source) else Verdict.PARTLY


def _words(text: str, *, floats_years: bool) -> list[_Word]:
    """Content words and the small ones that turn a meaning, in order; years at the end when they float."""
    stop = glossary.stop_words()
    words: list[_Word] = []
    years: list[_Word] = []
    for token in tokens(text):
        if token.folded in stop and token.folded not in _DIRECTED:
            continue
        written = text[token.start : token.end]
        is_first = not text[: token.start].strip()
        is_name = (written[0].isupper() and not is_first) or written[0].isdigit()
        word = _Word(token.folded, stem(token.folded), token.start, is_name)
        (years if floats_years and _YEAR.match(token.folded) else words).append(word)
    return [*words, *years]


def _in_order(said: Sequence[_Word], printed: Sequence[_Word]) -> list[int | None]:
    """For each word of the sentence its place in the source: the next one when there is one, else the first."""
    placed: list[int | None] = []
    after = -1
    for word in said:
        same = [index for index, other in enumerate(printed) if word.same(other)]
        following = [index for index in same if index > after]
        place = following[0] if following else (same[0] if same else None)
        placed.append(place)
        after = place if place is not None else after
    return placed


def _skips_figure(printed: Sequence[_Word], places: Sequence[int]) -> bool:
    """Whether an amount stands between the words used that is not said itself."""
    plain = [place for place in places if not _YEAR.match(printed[place].folded)]
    inside = range(plain[0] + 1, plain[-1]) if plain else range(0)
    return any(
        printed[n].folded[0].isdigit() and n not in places and not _YEAR.match(printed[n].folded) for n in inside
    )


def _left_out(printed: Sequence[_Word], places: Sequence[int], source: str) -> bool:
    """Whether a name, figure or denial was passed over between the words used, or next to them in their clause."""
    plain = [place for place in places if not _YEAR.match(printed[place].folded)]
    if not plain:
        return True
    used, first, last = set(places), plain[0], plain[-1]
    for index, word in enumerate(printed):
        if index in used or _YEAR.match(word.folded):
            continue
        weighs = word.is_name or word.folded in _DIRECTED or word.folded in _SCALES
        if not weighs:
            continue
        if first < index < last:
            return True
        edge = printed[first if index < first else last]
        low, high = sorted((word.start, edge.start))
        if not _BREAK.search(source[low:high]) and "." not in source[low:high].strip("."):
            return True
    return False


def _sentence_around(page: EvidencePage, citation: StatementCitation) -> str:
    """The whole sentences of which the quote is a part."""
    found = [s.text for s in sentences(page) if s.start < citation.end and citation.start < s.end]
    return " ".join(" ".join(found).split()) or citation.quote


def _titles(page: EvidencePage) -> str:
    """How the document calls itself: its name, its title, and the headings of the page."""
    headings = " ".join(s.text for s in sentences(page) if s.is_heading)
    return f"{page.document_name} {page.opening.partition(COVER_MARK)[0][:200]} {headings}"


def _row_words(page: EvidencePage, citation: StatementCitation) -> Iterable[tuple[str, str]]:
    """(label of each table row that is cited, words of its columns, section and title)."""
    found: dict[int, tuple[str, str]] = {}
    for table, row, cell in cells_within(page, citation):
        label, around = found.get(row.start, (row.label, f"{row.section} {table.title} {table.scale_note}"))
        found[row.start] = (label, f"{around} {header_of(table, cell)}")
    return found.values()


def _of_rows(claim: str, rows: Sequence[tuple[str, str]], titles: frozenset[str]) -> Verdict:
    """One figure of one row: every word of the row's label is said, and no word that stands nowhere around it."""
    figures = [n for n in find_numbers(claim) if not _YEAR.match(n.text.strip())]
    label = frozenset().union(*(content_stems(label) for label, _around in rows))
    offered = label | titles | content_stems(" ".join(around for _label, around in rows))
    said = {root for root in content_stems(claim) if not root[0].isdigit() and root not in _MEASURES}
    if is_negated(claim) and not is_negated(" ".join(label for label, _around in rows)):
        return Verdict.CONTRADICTED
    touched = len(said & offered) / len(said) if said else 0.0
    if touched < _ENOUGH or not label & said:
        return Verdict.UNSUPPORTED
    is_whole = len(rows) == 1 and len(figures) <= 1 and touched == 1.0
    return Verdict.SUPPORTED if is_whole and label <= said else Verdict.PARTLY


_UNITS = "$ € £ ₺ % usd eur gbp try tl million thousand billion percent milyon bin milyar yuzde amounted"
_MEASURES = frozenset(stem(word) for word in _UNITS.split())
