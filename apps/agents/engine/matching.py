"""Which document a question is about: names in the question, the document's own name, its fiscal years."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from apps.agents.contracts import Evidence, EvidencePage
from apps.agents.engine import glossary
from apps.agents.engine.analysis import Analysis
from apps.agents.engine.cells import Candidate
from apps.agents.engine.prose import content_stems
from apps.agents.engine.text import fold


class DocumentMatcher:
    """How well a document fits the names in the question; what its fiscal years are called."""

    def __init__(self, analysis: Analysis, evidence: Sequence[Evidence]) -> None:
        self._analysis = analysis
        self._names: dict[object, str] = {}
        texts: dict[object, list[str]] = {}
        raw: dict[object, str] = {}
        for item in evidence:
            for page in item.pages:
                known = self._names.get(page.version_id, "")
                self._names[page.version_id] = known + " " + squeeze(f"{page.document_name} {item.passage.header}")
                raw[page.version_id] = f"{page.document_name} {item.passage.header}"
                texts.setdefault(page.version_id, []).append(page.text)
        self._texts = {version: squeeze(" ".join(pages)) for version, pages in texts.items()}
        self.shifts = {version: fiscal_shift(" ".join(pages)) for version, pages in texts.items()}
        self._cache: dict[object, float] = {}
        self._years = {version: _latest_year(names) for version, names in raw.items()}
        loose = [e for e in analysis.entities if not self._is_issuer(e, texts)]
        self.extra_terms = frozenset(root for entity in loose for root in content_stems(entity) if len(root) > 2)

    def _is_issuer(self, entity: str, texts: dict[object, list[str]]) -> bool:
        """Whether the name is a document's own: in its name or header, or on many of its pages."""
        if any(_mentions(names, entity) for names in self._names.values()):
            return True
        name = squeeze(entity)
        return any(
            len(pages) > 2 and sum(name in squeeze(page) for page in pages) >= 0.5 * len(pages)
            for pages in texts.values()
        )

    def fit_page(self, page: EvidencePage) -> float:
        fit = self._fit(page.version_id)
        if self._analysis.page:
            at = fold(page.label or str(page.number)) == self._analysis.page
            fit *= 1.0 if at else 0.6
        return fit

    def fit_cell(self, cell: Candidate) -> float:
        return self.fit_page(cell.page)

    def _age(self, version: object) -> float:
        """The document of the asked year first; without a period the latest."""
        own = self._years.get(version, 0)
        asked = max((period.year for period in self._analysis.periods), default=0)
        wanted = asked or max(self._years.values(), default=0)
        if not own or not wanted or own == wanted:
            return 1.0
        return 0.97 if own == wanted + 1 else max(0.88, 0.97 - 0.02 * abs(own - wanted))

    def _fit(self, version: object) -> float:
        if version not in self._cache:
            fit = 1.0
            for entity in self._analysis.entities[:3]:
                if _mentions(self._names[version], entity):
                    continue
                fit *= 0.92 if _mentions(self._texts[version], entity) else 0.75
            self._cache[version] = max(fit, 0.5) * self._age(version)
        return self._cache[version]


def _latest_year(names: str) -> int:
    """The latest year in a document's name and header, 0 when there is none."""
    return max((int(year) for year in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", names)), default=0)


def squeeze(text: str) -> str:
    """Folded letters and digits only, so that "Foot Locker" equals "FOOTLOCKER"."""
    return re.sub(r"[^a-z0-9]+", "", fold(text))


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


def _mentions(squeezed: str, entity: str) -> bool:
    name = squeeze(entity)
    if not name or name in squeezed:
        return True
    first = squeeze(entity.split()[0])
    if len(first) >= 5 and first in squeezed:
        return True
    if len(name) < 6 or len(squeezed) > 400:
        return False
    size = len(name)
    return any(
        SequenceMatcher(None, name, squeezed[place : place + size]).ratio() >= 0.82
        for place in range(max(1, len(squeezed) - size + 1))
    )


def unknown_entities(analysis: Analysis, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    names = " ".join({page.document_name + " " + item.passage.header for item in evidence for page in item.pages})
    texts = squeeze(names + " " + " ".join(page.text for item in evidence for page in item.pages))
    short = squeeze(names)[:400]
    return tuple(
        entity for entity in analysis.entities if not _mentions(texts, entity) and not _mentions(short, entity)
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
