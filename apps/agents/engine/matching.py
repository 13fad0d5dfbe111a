"""Whose document, whose figure: whether a place belongs to the names, years and calendar of the question.

A name asked for must be the document's own, or stand where the figure or sentence is cited. A name that only stands
somewhere else on the page does not count: a group's report names its subsidiaries, and their figures are not its own.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.agents.contracts import Evidence, EvidencePage, QuestionKind
from apps.agents.engine import glossary
from apps.agents.engine.analysis import Analysis
from apps.agents.engine.cells import Candidate
from apps.agents.engine.names import (
    GROUP_FORMS,
    TRADES,
    all_in,
    bare,
    is_relative_s,
    is_typo,
    name_words,
    speaks_of_relative,
    squeeze,
)
from apps.agents.engine.prose import SentenceCandidate, content_stems
from apps.agents.engine.text import fold, tokens

OWN = 0.8  # from here on a name is taken for the document's own
_PART = 0.3  # some words of the name are the document's: a relative, such as a subsidiary
_ELSEWHERE = 0.4  # the name stands on the page, away from the cited place
_NOWHERE = 0.35
COVER_MARK = "\f"  # in EvidencePage.opening: before it title and first line, behind it a cover page's words


@dataclass(frozen=True, slots=True)
class _Profile:
    """How a document calls itself."""

    name: str  # squeezed file name
    words: frozenset[str]  # of the file name, the title and the first line
    cover: str  # a cover page's words, folded: names may stand among others there


class DocumentMatcher:
    """How well a place fits the names in the question; what the documents' fiscal years are called."""

    def __init__(self, analysis: Analysis, evidence: Sequence[Evidence]) -> None:
        self._analysis = analysis
        pages: dict[UUID, dict[int, EvidencePage]] = defaultdict(dict)
        for item in evidence:
            for page in item.pages:
                pages[page.version_id][page.number] = page
        self._profiles = {version: _profile(next(iter(own.values()))) for version, own in pages.items()}
        self._pages = pages
        texts = {version: " ".join(page.text for page in own.values()) for version, own in pages.items()}
        self.shifts: dict[object, int] = {version: fiscal_shift(text) for version, text in texts.items()}
        self._years = {version: _latest_year(next(iter(own.values())).document_name) for version, own in pages.items()}
        self._levels = {
            entity: {version: self._level(version, entity) for version in pages} for entity in analysis.entities
        }
        self._best = {entity: max(levels.values(), default=0.0) for entity, levels in self._levels.items()}
        loose = [entity for entity, best in self._best.items() if best == 0.0]
        self.extra_terms = frozenset(root for entity in loose for root in content_stems(entity) if len(root) > 2)

    def owned(self, entity: str) -> bool:
        """Whether some document is of this name."""
        return self._best.get(entity, 0.0) >= OWN

    def fit_page(self, page: EvidencePage) -> float:
        """The document's year and the page asked for; names are left to the place."""
        fit = self._age(page.version_id)
        if self._analysis.page:
            at = fold(page.label or str(page.number)) == self._analysis.page
            fit *= 1.0 if at else 0.6
        return fit

    def fit_cell(self, cell: Candidate) -> float:
        """As fit_page, and whether row, column, table or document carry the names asked for."""
        own = (cell.row.label, cell.header, cell.section, cell.table.title)
        first = cell.table.rows[0].start
        return self.fit_page(cell.page) * self._named(cell.page, own, cell.page.text[max(0, first - 200) : first])

    def fit_sentence(self, found: SentenceCandidate) -> float:
        """As fit_page, and whether the sentence, its heading, the one before or the document carry the names."""
        start = found.sentence.start
        own = (found.sentence.text, found.heading)
        return self.fit_page(found.page) * self._named(found.page, own, found.page.text[max(0, start - 160) : start])

    def _named(self, page: EvidencePage, own: Sequence[str], before: str) -> float:
        """`own`: the place's words, nearest first; `before`: what stands above, while nobody else is named there."""
        fit = 1.0
        for entity in self._analysis.entities[:4]:
            words = name_words(entity)
            level, best = self._levels[entity][page.version_id], self._best[entity]
            if is_relative_s(own, words):
                fit *= _NOWHERE
                continue
            if level >= OWN and level >= best - 0.06:
                continue
            missing = [w for w in words if w not in self._profiles[page.version_id].words] or list(words)
            may_be_above = (
                best > 0 or self._analysis.kind is not QuestionKind.NUMBER
            )  # a place's figure names the place
            above = may_be_above and all_in(missing, before) and not speaks_of_relative(before, words)
            if above or all_in(missing, " · ".join(own)):
                continue
            here = all_in(missing, page.text)
            fit *= (_ELSEWHERE if here else _NOWHERE) if best > 0 else (0.62 if here else 0.5)
        return fit

    def _level(self, version: UUID, entity: str) -> float:
        """1 when the document is surely of this name, 0 when nothing of its own name is."""
        profile = self._profiles[version]
        words = name_words(entity)
        whole = squeeze(entity)
        if whole and len(whole) > 2 and whole in profile.name:
            return 1.0
        missing = [w for w in words if w not in profile.words and not (len(w) > 3 and w in profile.name)]
        if not missing:
            return 1.0 if all(w in profile.name for w in words) else 0.95
        if len(missing) < len(words) and all(word in GROUP_FORMS for word in missing):
            return 0.85
        if all(any(is_typo(word, other) for other in profile.words) for word in missing):
            return 0.9
        on_cover = len(whole) > 4 and squeeze(" ".join(words)) in profile.cover
        if on_cover and (len(words) > 1 or self._is_everywhere(version, words, share=0.5)):
            return 0.9  # one word alone may be a place on the cover
        if any(word not in missing and word not in TRADES for word in words):
            return _PART
        return OWN if self._is_everywhere(version, words) else 0.0

    def _is_everywhere(self, version: UUID, words: Sequence[str], *, share: float = 0.7) -> bool:
        """Whether so many of the pages that were read name it: a document that does not open with its own name."""
        own = self._pages[version].values()
        return len(own) > 3 and sum(all_in(words, page.text) for page in own) >= share * len(own)

    def _age(self, version: UUID) -> float:
        """The document of the asked year first; without a period the latest."""
        own = self._years.get(version, 0)
        asked = max((period.year for period in self._analysis.periods), default=0)
        wanted = asked or max(self._years.values(), default=0)
        if not own or not wanted or own == wanted:
            return 1.0
        return 0.97 if own == wanted + 1 else max(0.88, 0.97 - 0.02 * abs(own - wanted))


def _profile(page: EvidencePage) -> _Profile:
    title, _, cover = page.opening.partition(COVER_MARK)
    words = frozenset(bare(token.folded) for token in tokens(f"{page.document_name} {title}"))
    parts = frozenset(part for word in words for part in re.split(r"[-.&_]", word) if part)
    apart = frozenset(re.findall(r"[a-z]+", fold(page.document_name)))
    return _Profile(squeeze(page.document_name), words | parts | apart, squeeze(cover))


def _latest_year(names: str) -> int:
    """The latest year in a document's name, 0 when there is none."""
    return max((int(year) for year in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", names)), default=0)


def fiscal_shift(text: str) -> int:
    """1 when the document calls a year by the one before its end ("fiscal 2022 … January 28, 2023"), else 0."""
    folded = fold(text)
    shifted = same = 0
    for match in re.finditer(
        r"fiscal(?: year)? (20\d\d)[^.;]{0,60}?(?:ended|ending|ends|\()[^.;]{0,40}?(?:january|february) \d{1,2}, (20\d\d)",  # noqa: E501
        folded,
    ):
        gap = int(match[2]) - int(match[1])
        shifted += gap == 1
        same += gap == 0
    return 1 if shifted > same else 0


def unknown_entities(analysis: Analysis, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Names of the question that stand nowhere in what was read."""
    pages = {(page.version_id, page.number): page for item in evidence for page in item.pages}.values()
    text = " ".join(f"{page.document_name} {page.opening} {page.text}" for page in pages)
    squeezed = squeeze(text)
    found = {bare(token.folded) for token in tokens(text)}
    return tuple(
        entity
        for entity in analysis.entities
        if squeeze(entity) not in squeezed
        and not all(
            word in found or (len(word) > 3 and word in squeezed) or any(is_typo(word, other) for other in found)
            for word in name_words(entity)
        )
    )


def wants_other_calendar(analysis: Analysis, evidence: Sequence[Evidence]) -> bool:
    if not any(period.is_calendar for period in analysis.periods):
        return False
    text = fold(" ".join(page.text for item in evidence for page in item.pages))
    ends = re.findall(
        r"(?:fiscal year|year) (?:ended|ends|ending|to)(?: on)?(?: the [^.]{0,30})? (?:\d{1,2} )?([a-z]{3,9})",
        text,
    )
    months = [end for end in ends if end in _MONTH_NAMES]
    return bool(months) and not any(month.startswith(("dec", "aral")) for month in months)


_MONTH_NAMES = glossary.word_set("month_names")
