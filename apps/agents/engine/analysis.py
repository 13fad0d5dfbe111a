"""What a question asks: its kind, subjects, periods, entities and operation. Looks at the question alone."""

import itertools
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from apps.agents.contracts import QuestionKind
from apps.agents.engine import glossary
from apps.agents.engine.periods import MONTHS, Period, Span, asked_periods
from apps.agents.engine.text import fold, key, stem, tokens
from apps.finance.units import Scale

MAX_QUESTION_LENGTH = 4000


class Operation(StrEnum):
    NONE = "none"
    DIFFERENCE = "difference"
    PERCENT_CHANGE = "percent_change"
    AVERAGE = "average"
    HIGHEST = "highest"
    LOWEST = "lowest"
    RATIO = "ratio"  # first subject divided by the second
    SHARE = "share"  # first subject as a share of the second
    SUM = "sum"  # of one subject over several periods


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing whose value is asked: a glossary concept, or only words."""

    text: str
    stems: frozenset[str]
    concept: str = ""


@dataclass(frozen=True, slots=True)
class Analysis:
    text: str
    core: str  # the question without instructions on how to answer
    language: str
    kind: QuestionKind
    subjects: tuple[Subject, ...]
    terms: frozenset[str]  # stems of all content words, entities and periods left out
    periods: tuple[Period, ...]
    entities: tuple[str, ...]
    operation: Operation
    statement: str  # primary statement the question names or the concept stands in; "" none
    wants_percent: bool
    scale: Scale | None  # scale the question asks the answer in
    is_negated: bool
    ids: tuple[str, ...]  # exact identifiers: numbers of policies, accounts, codes
    cues: tuple[str, ...]  # words of the contract clause asked for
    page: str  # printed page label the question points at, "" none
    currency: str  # ISO code the answer is asked in, "" none
    asks_name: bool  # who: a person or firm is wanted
    names_result: bool = False  # one of several names compared: the answer says whose figure it is


_YES_NO_EN = re.compile(
    r"^(?:and |so |but )?(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|must)\b"
)
_YES_NO_TR = re.compile(r"\b(?:mi|mu)(?:dir|dur|ydi|ydu|yiz|sin|siniz|lar|ler)?\b\s*[?.!]*\s*$|\bvar mi\b")
_WHY = re.compile(
    r"\bwhy\b|\bwhat (?:drove|caused|led|explains?|factors|were the (?:reasons|drivers))|\breasons?\b|\bdrivers?\b|\bneden(?:i|leri)?\b|\bnicin\b|\bniye\b"  # noqa: E501
)
_DATE = re.compile(
    r"\bwhen\b|\bwhat date\b|\bon which date\b|\bwhich (?:year|date|month|day)\b|\bdate of\b|\bne zaman\b|\bhangi (?:tarih|yil|ay|gun)|\btarihi\b|\bexpiration date|\beffective date|\bagreement date"  # noqa: E501
)
_NUMBER = re.compile(
    r"\bhow (?:much|many|large|big|high)\b|\bne kadar\b|\bkac\b|\byuzde kac|\bamount\b|\bpercent|\b%|\bvalue of\b|\bnumber of\b|\bratio\b"  # noqa: E501
    r"|\brate\b|\bkactir\b|\btutar|\bmiktar|\borani?\b|\btotal\b|\bmargin\b|\baverage\b|\bortalama\b|\bdifference\b|\bchange in\b|\btoplam"  # noqa: E501
)
_LIST = re.compile(
    r"^(?:what|which) (?:are|were)\b|\blist\b|\bname the\b|\bwhich \w+s\b|\bnames\b|\bnelerdir\b|\bhangileri|\bsirala|\blistele|\bkimler"  # noqa: E501
)
_PERCENT = re.compile(r"percent|%|\brate\b|\bratio\b|\broi\b|\bproportion\b|\bmargin\b|\byuzde\b|\borani?\b")
_OPERATIONS: tuple[tuple[Operation, re.Pattern[str]], ...] = (
    (Operation.PERCENT_CHANGE, re.compile(r"(?:percent(?:age)?|%)\s*(?:of )?(?:change|growth|increase|decrease|decline|drop|reduction)|growth rate|(?:rate of|in) growth\b|(?:change|increase|decrease|grow|growth|decline|drop)\w*[^.?]{0,40}(?:in percent|percentage\b|as a percent|by what percent)|yuzde kac (?:art|azal|deg|bu)|yuzdesel deg|what percent(?:age)? (?:did|has)[^.?]*(?:grow|increase|decrease|decline|change)|buyume orani|artis orani|degisim orani")),  # noqa: E501
    (Operation.SHARE, re.compile(r"(?:what )?(?:percent(?:age)?|proportion|share|portion|fraction) of\b|as a (?:percent(?:age)?|share|proportion|%) of|yuzde kac(?:i|ini)\b|icindeki pay|orani nedir\b.*\boran|ratio of .* to\b")),  # noqa: E501
    (Operation.SUM, re.compile(r"\baltogether\b|\bcombined\b(?! ratio)|\bsum of\b|\bin aggregate\b|\btoplami ne\b")),
    (Operation.AVERAGE, re.compile(r"\baverage\b|\bmean\b|\bortalama")),
    (Operation.DIFFERENCE, re.compile(r"\bdifference\b|\bchanges? (?:in|between|from)\b|\bnet change\b|\bfark|\bdegisim\b|\bhow much (?:higher|lower|more|less)\b|\bhow much (?:did|has|have)\b.*(?:change|increase|decrease|grow|fall|rise|drop|decline)|\b(?:increase|decrease|decline|drop|change|improve\w*|grow\w*)\b[^?]*\b(?:between|from|compared|versus|vs)\b|ne kadar (?:art|azal|deg|dus|yuksel)|\b(?:improved|declined|increased|decreased) or\b|\bincrease or decrease\b|\bimproving\b|\bany (?:drop|change|increase|decrease)\b|\bchanged? over\b")),  # noqa: E501
    (Operation.HIGHEST, re.compile(r"\bhighest\b|\blargest\b|\bthe most\b(?! recent)|\bwhich (?:year|period|quarter)\b[^?]*\b(?:higher|more)\b|\ben (?:yuksek|buyuk|cok)\b|\bbiggest\b|\bgreatest\b|\b(?:which|who|whose)\b[^?]*\b(?:higher|larger|greater)\b|\bhangi\w*\b[^?]*daha (?:yuksek|fazla|buyuk)")),  # noqa: E501
    (Operation.LOWEST, re.compile(r"\blowest\b|\bsmallest\b|\bthe least\b|\bwhich (?:year|period|quarter)\b[^?]*\b(?:lower|less)\b|\ben (?:dusuk|kucuk|az)\b|\b(?:which|who|whose)\b[^?]*\b(?:lower|smaller)\b|\bhangi\w*\b[^?]*daha (?:dusuk|kucuk)")),  # noqa: E501
)  # fmt: skip
_OPERATION_WORDS = glossary.stem_set("operation")
_NEGATION = re.compile(
    r"\bnot\b|n't\b|\bno\b|\bwithout\b|\bnever\b|\bdegil|\bolmayan|\b\w{3,}(?:mayan|meyen|madi|medi|maz|mez|mamis|memis)\b|\bhangisi.*yok\b"
)
_SCALE = re.compile(
    r"\b(?:in|usd|answer in|as)\s+(?:usd\s+|us\$\s*|\$\s*|try\s+)?(thousand|million|billion)s?\b|(milyon|milyar|bin) (?:tl|lira|dolar|euro|avro) (?:olarak|cinsinden)"  # noqa: E501
)
_TURKISH = glossary.word_set("turkish")
_ENGLISH = glossary.word_set("english")


_TURKISH_ENDING = re.compile(
    r"^\w{4,}(?:sinin|inin|unun|leri|lari|lerin|larin|indeki|undaki|sinda|sinde|yormu|yordu|mistir)$"
)


def language_of(text: str, default: str = "en") -> str:
    """ "tr" or "en" by letters and function words; `default` when nothing decides."""
    words = [token.folded for token in tokens(text)]
    letters = sum(text.count(letter) for letter in "ışğİŞĞ") + sum(text.count(letter) for letter in "çöüÇÖÜ") / 2
    turkish = sum(word in _TURKISH for word in words) + letters
    turkish += 0.7 * sum(bool(_TURKISH_ENDING.search(word)) for word in words)
    english = sum(word in _ENGLISH for word in words)
    if turkish == english:
        return default
    return "tr" if turkish > english else "en"


@lru_cache(maxsize=256)
def analyse(text: str, language: str) -> Analysis:
    """Everything the engine understands of the question."""
    whole, text = text, _main_part(text)
    folded = fold(text)
    periods = asked_periods(text)
    entities = _entities(text, language)
    found = _concepts(folded)
    bare = folded
    for entity in entities:
        bare = bare.replace(fold(entity), " ")
    operation = next((op for op, pattern in _OPERATIONS if pattern.search(bare)), Operation.NONE)
    terms = _terms(text, entities)
    if operation in (Operation.NONE, Operation.SHARE) and _ratio_parts(text) is not None:
        operation = Operation.RATIO
    subjects = _subjects(text, folded, found, terms, entities, operation)
    kind = _kind(folded, bool(found), operation)
    statement = glossary.find_statement(whole)
    if not statement and len(found) == 1:
        statement = glossary.concepts()[found[0][2]].statement.replace("other", "")
    scale = _SCALE.search(fold(whole))
    cues = tuple(
        cue for clause in glossary.clauses() if any(phrase in folded for phrase in clause.asked) for cue in clause.cues
    )
    return Analysis(
        text=whole,
        core=text,
        language=language,
        kind=kind,
        subjects=subjects,
        terms=terms,
        periods=periods,
        entities=entities,
        operation=operation,
        statement=statement,
        wants_percent=bool(_PERCENT.search(folded)) and "interest rate" not in folded,
        scale=_scale(scale),
        is_negated=bool(_NEGATION.search(folded)),
        ids=_ids(text),
        cues=cues,
        page=_page(folded),
        currency=_currency(folded),
        asks_name=bool(
            re.search(r"^\W*(?:and )?who(?:se|m)?\b|\bkim(?:dir|in|ler)?\b|\bname of the (?!contract)", folded)
        ),
    )


_INSTRUCTIONS = re.compile(
    r"(?:please )?(?:answer|respond|give your answer|provide (?:your|the) (?:answer|response)|express|round|format|base your|write|list this"  # noqa: E501
    r"|use units|show your|state your|explain your|enumerate|yanit|cevab|yuvarla)\b[^.?!]*(?:[.?!]|$)"
    r"|if (?:the |a )?[^.?!]*(?:not (?:something|a (?:useful|relevant|meaningful)|relevant|useful|applicable|meaningful))[^.?!]*(?:[.?!]|$)"  # noqa: E501
    r"|(?:using|based|relying|looking)(?: only)?(?: on)? (?:the )?(?:information|data|details)[^,?]*,"
    r"|in agreement with[^,?]*,|according to (?:the|this) (?:document|report|filing)[^,?]*,?|\(?:as a %\)|\(in [^)]*\)"
    r"|we want to calculate[^.]*\.|please help us[^:.]*[:.]|here's the question:"
)


def _main_part(text: str) -> str:
    """The question without the sentences and clauses that say how to answer."""
    folded = fold(text)
    kept = text
    for match in reversed(list(_INSTRUCTIONS.finditer(folded))):
        if match.start() == 0 and match.end() == len(folded):
            continue
        kept = kept[: match.start()] + " " + kept[match.end() :]
    kept = kept.strip()
    kept = _without_talk(kept)
    if len(kept) > 200:  # pasted text before a question: the last question counts
        asked = re.findall(r"[^.?!\n]*\?", kept)
        kept = asked[-1].strip() if asked else kept
    return kept if len([token for token in tokens(kept) if token.folded not in glossary.stop_words()]) >= 1 else text


def _without_talk(text: str) -> str:
    """The text without sentences before its question that name nothing: no figure, no name, no notion of finance."""
    pieces = [piece for piece in re.findall(r"[^.?!\n]+[.?!\n]*", text) if piece.strip(" .!?\n")]
    if len(pieces) < 2 or not pieces[-1].rstrip().endswith("?"):
        return text
    kept = [piece for piece in pieces[:-1] if "?" in piece or _names_something(piece)]
    return "".join((*kept, pieces[-1])).strip()


def _names_something(piece: str) -> bool:
    return bool(re.search(r"\d", piece) or re.search(r"\S\s+[A-ZÇĞİÖŞÜ]\w", piece) or _concepts(fold(piece)))


def _kind(folded: str, has_concept: bool, operation: Operation) -> QuestionKind:
    head = folded.strip().lstrip("\"'“ ")
    if _YES_NO_EN.match(head) or _YES_NO_TR.search(folded):
        return QuestionKind.YES_NO
    if re.search(r"[.,:;]\s+(?:does|do|is|are|was|were|did|has|have)\b", folded) and "what" not in folded:
        return QuestionKind.YES_NO
    if _WHY.search(folded) and not re.search(r"explain why", folded):
        return QuestionKind.WHY
    if operation in (Operation.PERCENT_CHANGE, Operation.DIFFERENCE, Operation.AVERAGE, Operation.SHARE):
        return QuestionKind.NUMBER
    if re.search(r"\bhow (?:much|many)\b|\bne kadar\b|\bkac\b", folded):
        return QuestionKind.NUMBER
    if _DATE.search(folded):
        return QuestionKind.DATE
    if has_concept or _NUMBER.search(folded):
        return QuestionKind.NUMBER
    is_list = _LIST.search(folded) and not (re.match(r"^what (?:are|were)\b", head) and asked_periods(folded))
    return QuestionKind.LIST if is_list else QuestionKind.TEXT


def _concepts(folded: str) -> list[tuple[int, int, str]]:
    """(start, end, concept id) of glossary phrases in the question, longest first, not overlapping, in order."""
    text = f" {key(folded)} "
    taken: list[tuple[int, int, str]] = []
    for phrase, concept in glossary.concept_phrases():
        start = text.find(f" {phrase} ")
        if start < 0 and " " in phrase:
            start = text.find(f" {phrase}")  # Turkish endings: "hasılatı", "toplam varlıkları"
        if start < 0 and len(phrase) >= 6 and " " not in phrase:
            match = re.search(rf" {re.escape(phrase)}\w{{0,4}} ", text)
            start = match.start() if match else -1
        end = start + 1 + len(phrase)
        if start >= 0 and all(end <= s or start + 1 >= e for s, e, _ in taken):
            taken.append((start + 1, end, "" if _is_qualified(text, start + 1, end) else concept))
    unique: dict[str, tuple[int, int, str]] = {}
    for item in sorted(taken):
        if item[2]:
            unique.setdefault(item[2], item)
    return list(unique.values())


_QUALIFIERS = glossary.word_set("qualifier") - glossary.word_set("position")
_MAKES_ANOTHER = re.compile(
    r" (?:under management|per (?:employee|store|head|customer)|attributable to (?:non|minority)|excluding|haric"
    r"|disindaki)\b"
)


def _is_qualified(text: str, start: int, end: int) -> bool:
    """Whether a word beside the phrase makes another thing of it: "other assets", "assets under management"."""
    before = text[:start].split()
    return bool(before and before[-1] in _QUALIFIERS) or bool(_MAKES_ANOTHER.match(text, end))


def _subjects(
    text: str,
    folded: str,
    found: list[tuple[int, int, str]],
    terms: frozenset[str],
    entities: tuple[str, ...],
    operation: Operation,
) -> tuple[Subject, ...]:
    computed = [item for item in found if glossary.concepts()[item[2]].formula]
    chosen = computed[:1] or found
    flat = key(folded)
    by_concept = tuple(
        Subject(flat[max(start - 1, 0) : end - 1].strip(), _stems_of(flat[max(start - 1, 0) : end - 1]), concept)
        for start, end, concept in chosen
    )
    pair = _pair(text) if operation in (Operation.DIFFERENCE, Operation.SHARE, Operation.PERCENT_CHANGE) else None
    if operation is Operation.RATIO:
        pair = _ratio_parts(text)
    if pair is not None and (not computed or operation is Operation.RATIO):
        parts = tuple(_worded(part, entities) for part in pair)
        if all(part.stems for part in parts):
            return parts
    if len(by_concept) == 1 or computed:
        return by_concept
    if len(by_concept) >= 2 and (operation is not Operation.NONE or " and " in folded or " ve " in folded):
        return by_concept
    if by_concept:
        return by_concept[:1]
    return (Subject(text, terms),)


def _pair(text: str) -> tuple[str, str] | None:
    """The two things of "difference between A and B" or "what percentage of A was B" when they are not periods."""
    for pattern, swap in (
        (r"\bbetween (?P<a>[^?]+?) and (?P<b>[^?]+?)(?: (?:in|for|as of|at|during)\b|\?|$)", False),
        (r"\b(?:percent(?:age)?|proportion|share|portion|fraction) of (?P<a>[^?]+?) (?:did|do|does|was|were|is|are|came from|comes from|consisted of|relates? to) (?P<b>[^?]+)", True),  # noqa: E501
        (r"\b(?P<a>[^?]+?) as a (?:percent(?:age)?|share|proportion|%) of (?P<b>[^?]+)", False),
        (r"\bratio of (?P<a>[^?]+?) to (?P<b>[^?]+)", False),
    ):  # fmt: skip
        match = re.search(pattern, text, re.IGNORECASE)
        if match is None:
            continue
        first, second = match["a"], match["b"]
        if _only_period(first) or _only_period(second):
            continue
        return (second, first) if swap else (first, second)
    return None


def _ratio_parts(text: str) -> tuple[str, str] | None:
    """The two concepts of "A to B ratio", when the glossary has no formula for the whole of it."""
    folded = fold(text)
    whole = _concepts(folded)
    for match in re.finditer(r"\bto\b|/", folded):
        before, after = text[: match.start()], text[match.end() :]
        first, second = _concepts(fold(before)), _concepts(fold(after))
        if not first or not second or len(first) > 1 or ("ratio" not in folded and "round" not in folded):
            continue
        around = {first[-1][2], second[0][2]}
        if all(item[2] in around for item in whole) and re.search(r"^\W*(?:total |average )?\w", after):
            flat = key(fold(before))
            if len(flat) - first[-1][1] > 8:
                continue  # other words stand between the concept and "to"
            return before, after
    return None


_PERIOD_WORDS = glossary.stem_set("header") | {stem(name) for name in MONTHS}


def _only_period(part: str) -> bool:
    rest = {s for s in _stems_of(part) if not re.fullmatch(r"\d+\w{0,2}|fy\d*|q[1-4]", s)} - _OPERATION_WORDS
    return bool(asked_periods(part)) and not rest - _PERIOD_WORDS


def _worded(part: str, entities: tuple[str, ...]) -> Subject:
    found = _concepts(fold(part))
    return Subject(part.strip(" ,.?"), _terms(part, entities), found[0][2] if len(found) == 1 else "")


def _stems_of(text: str) -> frozenset[str]:
    stop = glossary.stop_words()
    return frozenset(stem(token.folded) for token in tokens(text) if token.folded not in stop)


def _terms(text: str, entities: tuple[str, ...]) -> frozenset[str]:
    dropped = {stem(token.folded) for entity in entities for token in tokens(entity)}
    kept = set()
    page = _page(fold(text))
    for token in tokens(re.sub(r"\[[^\]]*\]", " ", text)):
        root = stem(token.folded)
        if token.folded in glossary.stop_words() or root in _OPERATION_WORDS or root in dropped:
            continue
        if page and token.folded in ("page", "sayfa", "say", page):
            continue
        bare = re.sub(r"['’].*$", "", token.folded)
        if bare in MONTHS or re.fullmatch(r"(?:19|20)\d\d|fy\d*|q[1-4]|\d{1,2}(?:st|nd|rd|th)?|[%$€£₺]|[a-z]", bare):
            continue
        kept.add(root)
    if any(period.quarter or period.span is not Span.UNKNOWN for period in asked_periods(text)):
        kept -= glossary.stem_set("span")
    return frozenset(kept - glossary.stem_set("direction")) or frozenset(kept)


def _page(folded: str) -> str:
    """The page label that the question points at, "" when none."""
    match = re.search(r"\b(?:page|sayfa|p\.)\s*([0-9]{1,4}|[ivxl]{1,6})\b", folded)
    return match[1] if match else ""


def _ids(text: str) -> tuple[str, ...]:
    """Folded words that mix letters and digits or are long numbers: only the very same one is meant."""
    found = [token.folded for token in tokens(text)]
    numbered = [
        word
        for before, word in itertools.pairwise(found)
        if re.fullmatch(r"\d{1,7}", word) and before in glossary.word_set("numbered")
    ]
    mixed = tuple(
        word
        for word in dict.fromkeys(re.sub(r"['’].*$", "", word) for word in found)
        if len(word) >= 5
        and re.search(r"\d", word)
        and not re.fullmatch(r"(?:19|20)\d\d(?:-(?:19|20)\d\d)?|fy\d+|[\d.,]+%?|\d+(?:st|nd|rd|th)|10-[kq]s?", word)
    )
    return (*mixed, *numbered)


_CURRENCIES = {
    "usd": "USD", "us dollars": "USD", "dollars": "USD", "dolar": "USD", "eur": "EUR", "euros": "EUR", "euro": "EUR",
    "avro": "EUR", "gbp": "GBP", "pounds": "GBP", "sterlin": "GBP", "try": "TRY", "tl": "TRY", "lira": "TRY",
}  # fmt: skip
_ASKED_CURRENCY = re.compile(
    rf"\bin ({'|'.join(_CURRENCIES)})\b|\b({'|'.join(_CURRENCIES)}) (?:olarak|cinsinden|bazinda)\b"
)


def _currency(folded: str) -> str:
    match = _ASKED_CURRENCY.search(folded)
    return _CURRENCIES[match[1] or match[2]] if match else ""


def _scale(match: "re.Match[str] | None") -> Scale | None:
    if match is None:
        return None
    word = match[1] or match[2]
    return {
        "thousand": Scale.THOUSAND,
        "bin": Scale.THOUSAND,
        "million": Scale.MILLION,
        "milyon": Scale.MILLION,
    }.get(word, Scale.BILLION)


_NOT_ENTITY = glossary.word_set("not_name")


def _is_common(word: str) -> bool:
    """Whether a capitalised word is a word of finance rather than a name."""
    return any(fold(word) in phrase.split() for phrase, _ in glossary.concept_phrases()) or fold(word) in _COMMON


_COMMON = glossary.word_set("common")


def _entities(text: str, language: str) -> tuple[str, ...]:
    """Names: runs of capitalised words; one that opens the sentence counts when it is more than one word or owns."""
    words = re.sub(r"\[[^\]]*\]", " ", text).split()
    if text.isupper() or sum(word[:1].isupper() for word in words) > 0.75 * len(words):
        return ()
    found: list[str] = []
    run: list[str] = []
    run_opens = False
    opens = True
    for raw in (*words, ""):
        stripped = raw.strip('"“”()?,.;:!')
        word = _CASE_ENDING.sub("", stripped)
        if run and (not _is_name(word, raw, is_first=False) or not word):
            _keep(found, run, run_opens, owns=False)
            run = []
        elif not run:
            run_opens = opens
        if word and _is_name(word, raw, is_first=not run):
            run.append(word)
            if stripped != word or raw.endswith((",", ";", "?", ")")):
                _keep(found, run, run_opens, owns=stripped != word)
                run = []
        opens = raw.endswith((".", "?", "!", ":"))
    phrases = dict(glossary.concept_phrases())
    return tuple(dict.fromkeys(name for name in found if key(name) and key(name) not in phrases))


_CASE_ENDING = re.compile(r"['’](?:s|[a-zçğıöşü]{1,6})$")


def _keep(found: list[str], run: list[str], opens: bool, *, owns: bool) -> None:
    """The run as a name; a single word that opens a sentence is one only when something of it is asked for."""
    if not opens or owns or len(run) > 1:
        found.append(" ".join(run))


def _is_name(word: str, raw: str, *, is_first: bool) -> bool:
    folded = fold(word)
    if not (word[:1].isupper() and len(word) > 1) or folded in _NOT_ENTITY or folded in glossary.stop_words():
        return False
    if re.match(r"(?i)fy'?\d+|q\d|\d", word) or stem(folded) in _OPERATION_WORDS:
        return False
    alone = is_first and word.istitle() and "-" not in word and word == raw.strip('"“”()?,.;:!')
    return not (alone and _is_common(word))
