"""Finds the sentences that answer: how many of the question's words, its period and its kind they touch."""

import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.agents.contracts import Evidence, EvidencePage, QuestionKind
from apps.agents.engine import glossary
from apps.agents.engine.analysis import Analysis
from apps.agents.engine.periods import Span, asked_periods
from apps.agents.engine.text import Sentence, fold, sentences, stem, stems, tokens
from apps.finance.numbers import find_numbers


@dataclass(frozen=True, slots=True)
class SentenceCandidate:
    """A sentence that may answer. `coverage` is the weighted share of the question's words it touches."""

    evidence_id: str
    page: EvidencePage
    sentence: Sentence
    heading: str
    coverage: float
    score: float
    rank: int


@dataclass(frozen=True, slots=True)
class _Prepared:
    evidence_id: str
    rank: int
    page: EvidencePage
    sentence: Sentence
    heading: str
    roots: frozenset[str]
    heading_roots: frozenset[str]
    previous_roots: frozenset[str]
    folded: str
    name_roots: frozenset[str]  # of the document's name
    name: str  # folded, of the document
    around: frozenset[str]  # years in the document's name and on the page


_CAUSE = re.compile(
    r"owing to|thanks to|on the back of|helped by|supported by|\breasons?\b|\bnedeni\b|due to|driven by|because|as a result of|reflect|attributable|resulted|primarily|result(?:s|ing)? from|caused by|offset by|nedeniyle|sebebiyle|dolayi|kaynaklan|etkisiyle|sonucunda|sayesinde"  # noqa: E501
)
_MONTHS = r"january|february|march|april|may|june|july|august|september|october|november|december|ocak|subat|mart|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|aralik"  # noqa: E501
_DATE = re.compile(
    rf"\b(?:{_MONTHS})\b[\s\d,.]*|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b|\b(?:19|20)\d\d\b|\bday of\b|anniversary"
)
_NEGATED = re.compile(
    r"\bnot\b|n't\b|\bno\b|\bnone\b|\bwithout\b|\bnever\b|\bexcept\b|\bneither\b|\bexclud|\bdegil|\byok\b|\bhicbir|\bharic|\bistisna|disinda|\b\w{3,}(?:mayan|meyen|mamistir|memistir|maz|mez)\b"
)
_INSTRUCTION = re.compile(
    r"(?:ignore|disregard|forget|override) (?:all |any |the |your |these )*"
    r"(?:previous|prior|above|earlier|other|instructions?|rules)"
    r"|system (?:prompt|message)|\byou are (?:now )?(?:an? )?(?:ai|assistant|chatbot|language model)"
    r"|\bassistants?\b[:,]|\b(?:ai|automated|language) (?:assistants?|models?|readers?|agents?|systems?)\b[^.]{0,40}"
    r"\b(?:must|should|shall|please|are to|reading)\b"
    r"|(?:if|when) (?:you are )?(?:asked|answering|summari[sz]ing|a user asks|the user asks|anyone asks)"
    r"|\b(?:chatbots?|bots|llms?|language models?|ai (?:assistants?|systems?|models?|readers?|tools?))\b"
    r"|\breaders? asks?\b|\b(?:asistan|bot|model)\w*\b[^.]{0,60}\b\w+(?:meli|mali)(?:dir|dır)?\b|\bolarak bildirin\b"
    r"|\b(?:always |only )?(?:answer|respond|reply)(?: only)? (?:with|that|by|in the)\b"
    r"|\bdo not (?:mention|disclose|reveal|cite)\b|append (?:the|this)|render (?:the|this)|!\[[^\]]*\]\("
    r"|onceki (?:talimat|komut)|talimatlari (?:yok say|unut|goz ardi)|\byapay zek[^.]{0,40}(?:meli|mali|yanit|cevap)"
    r"|sorul(?:ursa|dugunda)|(?:yanit|cevap) olarak|diye (?:yanitla|cevapla)"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NAME = re.compile(r"\b[A-ZÇĞİÖŞÜ][\w.&-]+ (?:(?:& |[A-Z]\. |de |van |von )?[A-ZÇĞİÖŞÜ][\w.&-]+|LLP|LLC|AŞ|A\.Ş\.)")
_OUTLOOK = re.compile(
    r"\bexpect(?:s|ed|ing)?\b|\boutlook\b|\bguidance\b|\btarget(?:s|ed)?\b|\bforecast|\bbudget|\banticipat|\bplans? to\b|\bbeklen|\bbekliyor|\bongor|\bhedef"  # noqa: E501
)
_COMPARED = re.compile(
    r"compared|versus|\bvs\b|against|\bfrom\b|\bover\b|relative to|\bin the prior|\bgore\b|kiyasla|karsi"
    r"|\([^()]*(?:19|20)\d\d\)"
)
MAXIMUM_QUOTE = 600


class SentenceIndex:
    """All sentences of the evidence, ready to be searched."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._all: list[_Prepared] = []
        seen: set[tuple[object, int]] = set()
        pages: dict[tuple[object, int], tuple[Sentence, ...]] = {
            (page.version_id, page.number): tuple(sentences(page)) for item in evidence for page in item.pages
        }
        last = _last_sentences(pages)
        counts: Counter[str] = Counter()
        for rank, item in enumerate(evidence):
            for page in item.pages:
                if (page.version_id, page.number) in seen:
                    continue
                seen.add((page.version_id, page.number))
                if _is_contents(page):
                    continue
                years = frozenset(_YEAR.findall(f"{page.document_name} {page.text}"))
                named = stems(page.document_name)
                heading, heading_roots = "", frozenset[str]()
                previous = last.get((page.version_id, page.number - 1), frozenset())
                for sentence in pages[(page.version_id, page.number)]:
                    if len(sentence.text) < 3 or is_instruction(sentence.text):
                        continue
                    roots = stems(sentence.text)
                    counts.update(roots)
                    self._all.append(
                        _Prepared(
                            item.id,
                            rank,
                            page,
                            sentence,
                            heading,
                            roots,
                            heading_roots,
                            previous,
                            fold(sentence.text),
                            named,
                            fold(page.document_name),
                            years,
                        )
                    )
                    previous = roots
                    if sentence.is_heading:
                        heading, heading_roots = sentence.text, roots
        self._counts = counts
        self._total = max(len(self._all), 1)

    def weight(self, root: str) -> float:
        return 0.35 + math.log((self._total + 1) / (self._counts.get(root, 0) + 1)) / math.log(self._total + 2)

    def touches(self, candidate: SentenceCandidate, root: str) -> bool:
        """Whether the sentence or its heading speaks of this word, in one of its forms or names."""
        place = (candidate.page.version_id, candidate.page.number, candidate.sentence.start)
        return any(
            _credit(root, item)[0] >= 0.7
            for item in self._all
            if (item.page.version_id, item.page.number, item.sentence.start) == place
        )

    def find(self, analysis: Analysis, wanted: frozenset[str]) -> list[SentenceCandidate]:
        """Sentences that touch `wanted`, best first. A concept is touched by any of its names, in either language."""
        named = [(s.stems, names_of(s.concept)) for s in analysis.subjects if s.concept]
        phrases = _phrases(analysis.core)
        pairs = _pairs(analysis.core, wanted)
        found: list[SentenceCandidate] = []
        weights = {root: self.weight(root) for root in wanted}
        total = sum(weights.values())
        if not total:
            return []
        for item in self._all:
            if item.sentence.is_heading and analysis.kind is not QuestionKind.TEXT:
                continue
            given = frozenset(
                root for roots, names in named if any(name in item.folded for name in names) for root in roots
            )
            covered = own = exact = 0.0
            for root, weight in weights.items():
                credit, is_own = (1.0, True) if root in given else _credit(root, item)
                covered += weight * credit
                own += weight * credit if is_own else 0.0
                exact += weight if is_own and credit == 1.0 else 0.0
            if not own or not all(code in item.roots for code in analysis.ids):
                continue
            coverage = min(1.0, covered / total + (0.25 if analysis.ids else 0.0))
            score = coverage * _fit(item, analysis)
            if not exact and item.page.language == analysis.language:
                score *= 0.6  # touched by related words only
            score *= 1.0 + max((0.03 * length for length, phrase in phrases if phrase in item.folded), default=0.0)
            apart = [_distance(pair, item) for pair in pairs]
            if any(apart) and not any(0 < distance <= _NEAR for distance in apart):
                score *= 0.75  # neighbours of the question stand in it, but not together
            if score > 0.12:
                place = (item.evidence_id, item.page, item.sentence, item.heading)
                found.append(SentenceCandidate(*place, coverage, score - 0.004 * item.rank, item.rank))
        found.sort(key=lambda c: (-round(c.score, 4), c.rank, c.page.number, c.sentence.start))
        return found


def _phrases(question: str) -> list[tuple[int, str]]:
    """Runs of two to four neighbouring words of the question that hold a content word, with their lengths."""
    words = [token.folded for token in tokens(question)]
    runs = [(n, words[place : place + n]) for n in (4, 3, 2) for place in range(len(words) - n + 1)]
    return [(n, " ".join(run)) for n, run in runs if len(set(run) - glossary.stop_words()) >= 2]


def _pairs(question: str, wanted: frozenset[str]) -> frozenset[tuple[str, str]]:
    """Stems of the wanted words that stand side by side in the question, function words aside."""
    stop = glossary.stop_words()
    roots = [stem(token.folded) for token in tokens(question) if token.folded not in stop]
    return frozenset((one, two) for one, two in itertools.pairwise(roots) if one in wanted and two in wanted)


_NEAR = 4  # words between which a pair still stands together


def _distance(pair: tuple[str, str], item: _Prepared) -> int:
    """Words from the one to the other at their nearest; 0 when the sentence does not hold both."""
    places: dict[str, list[int]] = {root: [] for root in pair}
    others = {root: glossary.related_words(root) for root in pair}
    for place, token in enumerate(tokens(item.sentence.text)):
        found = stem(token.folded)
        for root in places:
            if found == root or found in others[root] or (len(root) >= 5 and found[:5] == root[:5]):
                places[root].append(place)
    return min((abs(one - two) for one in places[pair[0]] for two in places[pair[1]] if one != two), default=0)


def _last_sentences(
    pages: Mapping[tuple[object, int], Sequence[Sentence]],
) -> dict[tuple[object, int], frozenset[str]]:
    """Words of each page's last sentence when it breaks off: what the next page's first one goes on from."""
    ends: dict[tuple[object, int], frozenset[str]] = {}
    for place, found in pages.items():
        own = [sentence for sentence in found if not sentence.in_table]
        if own and not own[-1].text.rstrip().endswith((".", "!", "?")):
            ends[place] = stems(own[-1].text)
    return ends


def names_of(concept_id: str) -> tuple[str, ...]:
    """All names of a concept in both languages, folded; very short ones only when they are abbreviations."""
    concept = glossary.concepts()[concept_id]
    return tuple(
        fold(name) for name in (*concept.labels, *concept.labels_tr, *concept.asked) if len(name) > 4 or name.isupper()
    )


def find_clauses(index: SentenceIndex, cues: Sequence[str]) -> list[SentenceCandidate]:
    """Sentences of contracts that hold the clause's usual words, most and longest cues first."""
    found: list[SentenceCandidate] = []
    for item in index._all:
        folded = re.sub(r"\s+", " ", fold(item.sentence.text))
        hits = [cue for cue in cues if cue in folded]
        if not hits or item.sentence.is_heading or len(folded) < 20:
            continue
        strength = sum(0.35 + 0.12 * cue.count(" ") for cue in hits)
        heading = 0.25 if any(cue in fold(item.heading) for cue in cues) else 0.0
        score = min(1.0, strength + heading)
        found.append(
            SentenceCandidate(
                item.evidence_id,
                item.page,
                item.sentence,
                item.heading,
                score,
                score - 0.01 * item.rank,
                item.rank,
            )
        )
    found.sort(key=lambda c: (-round(c.score, 3), c.rank, c.page.number, c.sentence.start))
    return found


_LINK = re.compile(
    r"\b(?:zone|class|category|tier|annex|schedule|extension|clause|article|bolge|sinif|ek|madde|kloz)\s+[a-z]?-?\d+\b|\b[a-z]{1,3}-\d+\b"
)


def find_bridge(
    index: SentenceIndex, analysis: Analysis, wanted: frozenset[str]
) -> tuple[list[SentenceCandidate], float]:
    """Sentences that answer only together: one on the topic, one on the thing, tied by a printed link ("zone 4").

    The sentences in reading order, and the share of the question's words they touch together.
    """
    weights = {root: index.weight(root) for root in wanted}
    total = sum(weights.values())
    linked: list[tuple[_Prepared, frozenset[str], frozenset[str]]] = []
    for item in index._all:
        links = frozenset(_LINK.findall(item.folded))
        touched = frozenset(root for root in wanted if _credit(root, item)[0] >= 0.75)
        if links and touched and not is_instruction(item.sentence.text):
            linked.append((item, links, touched))
    best: tuple[float, list[_Prepared]] = (0.0, [])
    for first, links, touched in linked:
        for second, other_links, other_touched in linked:
            if second is first or not links & other_links or first.page.version_id != second.page.version_id:
                continue
            if not touched - other_touched or not other_touched - touched:
                continue
            share = sum(weights[root] for root in touched | other_touched) / total
            if share > best[0] + 0.01:
                best = (share, [first, second])
    if not best[1]:
        return [], 0.0
    chosen = list(best[1])
    topic = frozenset(root for root in wanted if any(_credit(root, item)[0] >= 0.75 for item in chosen))
    known = frozenset(link for item in chosen for link in _LINK.findall(item.folded))
    for item, links, touched in linked:
        same_document = item.page.version_id == chosen[0].page.version_id
        if item not in chosen and same_document and len(chosen) < 4 and touched & topic and len(links & known) >= 1:
            chosen.append(item)
    chosen.sort(key=lambda item: (item.page.number, item.sentence.start))
    share = best[0]
    quoted = [SentenceCandidate(i.evidence_id, i.page, i.sentence, i.heading, share, share, i.rank) for i in chosen]
    return quoted, share


def cause_after(index: SentenceIndex, item: SentenceCandidate) -> SentenceCandidate | None:
    """The nearest of the next three sentences of the page that gives a cause."""
    same = [p for p in index._all if (p.page.version_id, p.page.number) == (item.page.version_id, item.page.number)]
    later = [p for p in same if p.sentence.start > item.sentence.start and not p.sentence.is_heading][:3]
    found = next((p for p in later if has_cause(p.sentence.text)), None)
    if found is None:
        return None
    place = (found.evidence_id, found.page, found.sentence, found.heading)
    return SentenceCandidate(*place, item.coverage, item.score, found.rank)


def is_instruction(text: str) -> bool:
    """Whether the words speak to a reader program instead of stating facts: never offered as an answer."""
    return bool(_INSTRUCTION.search(fold(text)))


_DIRECTION = glossary.stem_set("direction")


def has_direction(text: str) -> bool:
    """Whether the words say that something rose or fell."""
    return bool(stems(text) & _DIRECTION)


def has_cause(text: str) -> bool:
    return bool(_CAUSE.search(fold(text)))


def is_negated(text: str) -> bool:
    return bool(_NEGATED.search(fold(text)))


def _credit(root: str, item: _Prepared) -> tuple[float, bool]:
    if root in item.roots:
        return 1.0, True
    related = glossary.related_words(root)
    if related and related & item.roots:
        return 0.8, True
    if len(root) >= 5 and root.isalpha():
        near = [other for other in item.roots if len(other) >= 5 and other[:5] == root[:5]]
        if any(other.startswith(root) or root.startswith(other) for other in near):
            return 0.95, True  # the same word with an ending
        if near:
            return 0.75, True
    if root in item.heading_roots:
        return 0.7, False
    if root in item.name_roots or (related and related & item.name_roots):
        return 0.6, False
    if root in item.previous_roots:
        return 0.4, False
    return 0.0, False


def _fit(item: _Prepared, analysis: Analysis) -> float:
    text = item.sentence.text
    folded = item.folded
    fit = 1.0
    if analysis.kind is QuestionKind.NUMBER:
        values = [n for n in find_numbers(text) if not _is_year(n.text)]
        fit *= 1.0 if values else 0.55
        if analysis.wants_percent:
            fit *= 1.12 if any(n.unit in ("percent", "times", "basis_points") for n in values) else 0.75
    asks_amount = analysis.kind is QuestionKind.NUMBER or re.match(r"^what (?:was|were|is|are)\b", fold(analysis.core))
    if asks_amount and analysis.periods and not analysis.wants_percent:
        amounts = [n for n in find_numbers(text) if not _is_year(n.text)]
        fit *= 0.65 if amounts and all(n.unit == "percent" for n in amounts) else 1.0
    if analysis.kind is QuestionKind.DATE:
        fit *= 1.1 if _DATE.search(folded) else 0.6
    if analysis.kind is QuestionKind.WHY:
        fit *= 1.15 if _CAUSE.search(folded) else 0.7
    if analysis.is_negated:
        fit *= 1.15 if _NEGATED.search(folded) else 0.6
    if analysis.asks_name:
        fit *= 1.1 if _NAME.search(text[1:]) else 0.6
    if _OUTLOOK.search(folded) and analysis.periods and not _OUTLOOK.search(fold(analysis.text)):
        fit *= 0.55  # what was expected is not what came
    fit *= _period_fit(item, analysis)
    if item.sentence.in_table:
        fit *= 0.4 if analysis.kind is QuestionKind.NUMBER and analysis.periods else 0.6
    if len(text) < 25 and not item.sentence.is_heading:
        fit *= 0.8
    if len(text) > MAXIMUM_QUOTE:
        fit *= 0.85
    return fit


def _period_fit(item: _Prepared, analysis: Analysis) -> float:
    """How surely the sentence speaks of an asked period: it names it, or its heading, its document or its page does."""
    years = {str(period.year) for period in analysis.periods if period.year}
    fit = 1.0
    if years:
        named, near = set(_YEAR.findall(item.folded)), set(_YEAR.findall(item.heading))
        before = {str(int(year) - 1) for year in years}
        own = set(_YEAR.findall(item.name))
        if named & years:
            fit = 1.1
        elif near & years:
            fit = 1.1 if not named else 0.85
        elif not years & item.around:
            fit = 0.4 if not named else 0.3
        elif named:
            is_base = named <= before and bool(_COMPARED.search(item.folded)) and not own - years
            is_near = named <= before and (analysis.kind is QuestionKind.WHY or analysis.periods[0].is_fiscal)
            fit = 0.85 if is_base else 0.6 if is_near else 0.35
        else:
            fit = 0.85 if not own or own & years else 0.55
    spans = [p for p in analysis.periods if p.quarter or p.span in (Span.QUARTER, Span.HALF, Span.NINE_MONTHS)]
    if spans:
        printed = asked_periods(f"{item.sentence.text} {item.heading} {item.name}")
        agrees = any(
            p.quarter == q.quarter if p.quarter and q.quarter else p.span is q.span for p in spans for q in printed
        )
        fit *= 1.0 if agrees else 0.35
    return fit


def _is_contents(page: EvidencePage) -> bool:
    """A page of contents: its lines name sections and pages, and state nothing."""
    head = fold(page.text[:300])
    if not re.search(r"\bcontents\b|\bicindekiler\b|\bindex\b", head):
        return False
    lines = [line for line in page.text.splitlines() if line.strip()]
    return sum(bool(re.search(r"\d\s*$", line)) for line in lines) >= 0.4 * len(lines) or len(page.text) < 700


def _is_year(text: str) -> bool:
    return bool(re.fullmatch(r"(?:19|20)\d\d", text.strip()))


def content_stems(text: str) -> frozenset[str]:
    return stems(text) - frozenset(stem(word) for word in glossary.stop_words())
