"""Which printed words are values of a table: numbers, percentages, dashes, and what belongs to them by
layout.
"""

import re
from dataclasses import dataclass

from apps.reading.geometry import Line, Token

_CURRENCY = re.compile(r"^(?:US|C|A|NT|HK|R|S)?[$€£¥₺]$|^(?:USD|EUR|TRY|GBP|TL|CHF)$")
_NUMBER = re.compile(
    r"^[(\[]?[-+−–]?\(?(?:US|C|A|NT|HK|R|S)?[$€£¥₺]?[-+−–]?\(?"
    r"(?:\d{1,3}(?:[.,'’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[.,]\d+)"
    r"(?:[%‰xX×]|bps?|pts?|pp)?[)\]]?(?:[%‰])?[*†‡§]{0,3}(?:\([a-z0-9]{1,2}\))?$"
)
_PERCENT_FIRST = re.compile(r"^[-+(]?%\d+(?:[.,]\d+)*\)?$")
_DASH = re.compile(r"^(?:[-–—―−]{1,3}|\$[-–—]|[-–—]%)$")
_WORD_VALUE = re.compile(r"^(?:N/?A|n/?a|NM|nm|n\.m\.|N\.M\.|n\.a\.|NIL|nil|\*{1,2})$")
_SUFFIX = re.compile(r"^(?:%|\)|\)%|%\)|‰|x|pts|bps|pp|\([0-9a-z]{1,2}\)|[*†‡]{1,3})$")
_OPENER = re.compile(r"^\($|^\$\($|^[-−–]$")
_NOTE_LIST = re.compile(r"^\d{1,2},$")  # "7, 25" in a column of note references
_YEAR = re.compile(r"^\(?(?:FY|CY)?(?:19|20)\d\d[*†]?\)?$")
_THOUSANDS_GROUP = re.compile(r"^\d{3}(?:[.,]\d+)?\)?%?$")
_LEADING_GROUP = re.compile(r"^[-−–(]?[$€£₺]?\d{1,3}(?: \d{3})*$")


@dataclass(slots=True)
class Value:
    """Tokens that make up one printed value; `x0`, `x1` are the edges of its number, currency sign left
    out.
    """

    tokens: list[Token]
    x0: float
    x1: float
    is_year: bool = False
    is_dash: bool = False

    @property
    def text(self) -> str:
        """The value as a reader says it: "$ 1,234" stays two words, "(1,234" and ")" become one."""
        parts = [self.tokens[0].text]
        for token in self.tokens[1:]:
            glued = _SUFFIX.match(token.text) or parts[-1].endswith("(")
            parts.append(token.text if glued else " " + token.text)
        return "".join(parts)


def is_number(text: str) -> bool:
    return bool(_NUMBER.match(text) or _PERCENT_FIRST.match(text))


def is_dash(text: str) -> bool:
    return bool(_DASH.match(text))


def is_year(text: str) -> bool:
    return bool(_YEAR.match(text))


def values_of(tokens: list[Token]) -> list[Value] | None:
    """The values that a stretch of tokens consists of, or None when any token is something else."""
    values: list[Value] = []
    index = 0
    while index < len(tokens):
        taken = _value_at(tokens, index)
        if taken is None:
            return None
        value, index = taken
        values.append(value)
    return values


def trailing_values(line: Line) -> tuple[list[Token], list[Value]]:
    """(label tokens, values) of a line: the longest run of values at its right end."""
    tokens = line.tokens
    for first in range(len(tokens)):
        values = values_of(tokens[first:])
        if values is not None:
            return tokens[:first], values
    return tokens, []


def _value_at(tokens: list[Token], index: int) -> tuple[Value, int] | None:
    taken: list[Token] = []
    first = index
    while index < len(tokens) and (_CURRENCY.match(tokens[index].text) or _is_opener(tokens, index)):
        taken.append(tokens[index])
        index += 1
        if len(taken) > 2:
            return None
    if index >= len(tokens):
        return None
    while not taken and _is_note_list(tokens, index):
        index += 1
    noted = tokens[first:index] if not taken else []
    core = tokens[index]
    if not (is_number(core.text) or is_dash(core.text) or _WORD_VALUE.match(core.text)):
        return None
    taken = [*noted, *taken, core]
    index += 1
    right = core.x1
    while index < len(tokens) and _continues(taken, tokens[index], right):
        taken.append(tokens[index])
        right = tokens[index].x1
        index += 1
    edge = [t for t in taken if t is core or _THOUSANDS_GROUP.match(t.text) or _NOTE_LIST.match(t.text)]
    value = Value(
        taken,
        min(t.x0 for t in edge),
        max(t.x1 for t in edge),
        is_year=len(taken) == 1 and is_year(core.text),
        is_dash=is_dash(core.text),
    )
    return value, index


def _is_note_list(tokens: list[Token], index: int) -> bool:
    if index + 1 >= len(tokens) or not _NOTE_LIST.match(tokens[index].text):
        return False
    following = tokens[index + 1]
    is_note = following.text.rstrip(",").isdigit() and len(following.text) <= 3
    return is_note and following.x0 - tokens[index].x1 < 0.6 * following.size


def _is_opener(tokens: list[Token], index: int) -> bool:
    if not _OPENER.match(tokens[index].text) or index + 1 >= len(tokens):
        return False
    following = tokens[index + 1]
    return is_number(following.text) and following.x0 - tokens[index].x1 < 0.8 * following.size


def _continues(taken: list[Token], token: Token, right: float) -> bool:
    gap = token.x0 - right
    if _SUFFIX.match(token.text):
        return gap < 1.6 * token.size
    if _THOUSANDS_GROUP.match(token.text) and gap < 0.4 * token.size:
        so_far = " ".join(t.text for t in taken if not _CURRENCY.match(t.text))
        return bool(_LEADING_GROUP.match(so_far))
    if _CURRENCY.match(token.text):  # "1.250,00 TL": the currency follows its number
        return token.text.isalpha() and gap < 0.6 * token.size
    return False
