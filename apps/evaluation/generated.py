"""Text documents of companies that do not exist, to make a collection large. The same number gives the same text.

Recipe: `random.Random(number)` chooses a name, a sector and figures; a document is `_SECTIONS` sections of a heading,
paragraphs and a table as aligned text lines. Sentences mix finance templates, so that common words compete with real
filings, and words of an invented lexicon of 20,000 drawn by Zipf's law (rank r with weight 1 / r), so that rare words
are as many and as rare as in real text.
"""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

_SECTIONS = 20
_PARAGRAPHS = 6  # with a table, a section is about seven chunks
_LEXICON = 20_000
_ONSETS = ("b", "br", "c", "d", "dr", "f", "g", "gl", "h", "k", "l", "m", "n", "p", "pr", "r", "s", "st", "t", "v")
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ea", "io")
_CODAS = ("", "", "l", "m", "n", "r", "s", "nd", "rt", "x")
_SECTORS = ("leasing", "marine insurance", "cold storage", "rail freight", "packaging", "dialysis", "seed breeding")
_FORMS = ("Holdings plc", "Group Inc.", "Industries AG", "Partners Ltd", "Corporation")
_MEASURES = (
    "Revenue",
    "Cost of sales",
    "Gross profit",
    "Operating income",
    "Interest expense",
    "Net income",
    "Total assets",
    "Inventories",
    "Trade receivables",
    "Capital expenditure",
    "Lease liabilities",
    "Free cash flow",
)
_HEADINGS = ("Results of operations", "Liquidity", "Risk factors", "Segment {w}", "Note {n}: {w}", "Agreements on {w}")
_TEMPLATES = (
    "{m} of {c} was {a} million in fiscal {y}, compared with {b} million in fiscal {z}.",
    "The {p}% change in {m} reflects {w} and {v} in the {s} business.",
    "Management of {c} expects {w} demand to remain subject to {v}, {u} and foreign exchange rates.",
    "Under the {w} agreement, {c} shall pay {a} million on or before 30 June {y} unless {v} is terminated.",
    "The board reviewed {w} and found no impairment of {v} at the end of {y}.",
    "Our {w} facilities at {v} employed {n} people, and {u} contracts were renewed in {y}.",
    "{m} excluding {w} grew to {a} million; the margin was {p}%, mainly because of {v} and {u}.",
    "Holders of the {w} notes are entitled to interest at {p}% a year, payable with {v}.",
)


@dataclass(frozen=True, slots=True)
class GeneratedDocument:
    name: str
    text: str


def generated_document(number: int) -> GeneratedDocument:
    """Document `number` (from 0), about 140 chunks of English text."""
    chance = random.Random(number)  # noqa: S311  # repeatable text, no secret
    company = f"{_word(chance).title()} {_word(chance).title()} {chance.choice(_FORMS)}"
    year = chance.randint(2009, 2024)
    writer = _Writer(chance, company, chance.choice(_SECTORS), year)
    lines = [f"{company} annual report {year}", ""]
    for index in range(1, _SECTIONS + 1):
        lines += writer.section(index)
    return GeneratedDocument(f"{company} {year} ({number}).txt", "\n".join(lines))


class _Writer:
    def __init__(self, chance: random.Random, company: str, sector: str, year: int) -> None:
        self._chance = chance
        self._company = company
        self._sector = sector
        self._year = year

    def section(self, index: int) -> Iterator[str]:
        yield self._filled(self._chance.choice(_HEADINGS)).upper()
        yield ""
        for _ in range(_PARAGRAPHS):
            yield " ".join(self._filled(self._chance.choice(_TEMPLATES)) for _ in range(self._chance.randint(5, 9)))
            yield ""
        yield from self._table(index)
        yield ""

    def _filled(self, template: str) -> str:
        words = self._words(3)
        return template.format(
            c=self._company,
            s=self._sector,
            y=self._year,
            z=self._year - 1,
            m=self._chance.choice(_MEASURES),
            a=self._amount(),
            b=self._amount(),
            p=f"{self._chance.uniform(0.1, 40):.1f}",
            n=self._chance.randint(10, 9000),
            w=words[0],
            v=words[1],
            u=words[2],
        )

    def _table(self, index: int) -> Iterator[str]:
        yield f"Table {index} (in millions){self._year:>24}{self._year - 1:>14}"
        for measure in self._chance.sample(_MEASURES, 8):
            label = f"{measure}, {self._words(1)[0]}"
            yield f"{label:<36}{self._amount():>14}{self._amount():>14}"

    def _amount(self) -> str:
        return f"{self._chance.randint(100, 9_999_999) / 100:,.2f}"

    def _words(self, count: int) -> list[str]:
        words, weights = _lexicon()
        drawn = self._chance.choices(words, cum_weights=weights, k=2 * count)
        return [f"{drawn[i]} {drawn[i + 1]}" for i in range(0, 2 * count, 2)]


@cache
def _lexicon() -> tuple[tuple[str, ...], tuple[float, ...]]:
    chance = random.Random("lexicon")  # noqa: S311  # repeatable text, no secret
    words: dict[str, None] = {}
    while len(words) < _LEXICON:
        words[_word(chance)] = None
    return tuple(words), tuple(itertools.accumulate(1 / rank for rank in range(1, _LEXICON + 1)))


def _word(chance: random.Random) -> str:
    syllables = chance.choice((2, 2, 3))
    return "".join(chance.choice(_ONSETS) + chance.choice(_VOWELS) + chance.choice(_CODAS) for _ in range(syllables))
