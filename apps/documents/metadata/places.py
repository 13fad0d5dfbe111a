"""A page for the rules: its text, and the folded text of the same length that they match."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from apps.core.text import fold
from apps.documents.metadata.fields import Field, Found
from apps.finance.dates import Order, read_date
from apps.reading.contracts import Block, BlockKind, PageContent

_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug"
    "|sept|sep|oct|nov|dec|ocak|subat|mart|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|aralik"
)
DATE = (
    rf"(?:(?:{_MONTHS})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\.?\s+(?:day\s+of\s+|of\s+)?(?:{_MONTHS})\.?,?\s+\d{{4}}"
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4})"
)
_LONGEST_QUOTE = 240


@dataclass(frozen=True, slots=True)
class Place:
    """A page with its folded text; offsets of one hold in the other."""

    page: PageContent
    folded: str

    @classmethod
    def of(cls, page: PageContent) -> "Place":
        return cls(page, fold(page.text))

    @property
    def language(self) -> str:
        return self.page.language

    def lines(self, most: int) -> Iterator[tuple[int, int]]:
        """(start, end) of the first lines that have words."""
        start = 0
        for line in self.page.text.split("\n"):
            if line.strip():
                yield start, start + len(line)
                most -= 1
            if most <= 0:
                return
            start += len(line) + 1

    def headings(self, most: int = 8) -> Iterator[tuple[Block, str]]:
        """Headings of the page with their words."""
        for block in self.page.blocks:
            if block.kind is BlockKind.HEADING and most > 0:
                most -= 1
                yield block, " ".join(self.page.text[block.start : block.end].split())

    def found(self, field: Field, value: str, span: tuple[int, int], confidence: int, rule: str) -> Found:
        """What stands at the span, with its words as evidence."""
        start, end = span
        start += len(self.page.text[start:end]) - len(self.page.text[start:end].lstrip())
        end = start + len(self.page.text[start:end].rstrip())
        quote = " ".join(self.page.text[start:end].split())[:_LONGEST_QUOTE]
        return Found(field, value, confidence, rule, self.page.number, start, end, quote)


def day_of(text: str, language: str) -> date | None:
    """The day that the words print; None when it may be two days. Turkish writes the day first."""
    words = " ".join(text.replace("day of ", "").split())
    words = re.sub(r"^(\d{1,2})\. ?(?=[^\W\d_])", r"\1 ", words)
    return read_date(words, order=Order.DAY_FIRST if language == "tr" else None).value


@lru_cache(maxsize=256)
def pattern(text: str) -> "re.Pattern[str]":
    """A pattern over folded text; DATE stands for any printed date."""
    return re.compile(text.replace("DATE", f"(?P<date>{DATE})"))
