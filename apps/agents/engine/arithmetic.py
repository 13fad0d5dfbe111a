"""Computes formulas over named values in Decimal, and words the computation with its inputs."""

import re
from collections.abc import Mapping
from decimal import Decimal

_TOKEN = re.compile(r"\s*(abs\(|[A-Za-z_][A-Za-z_0-9]*\??|\d+(?:\.\d+)?|[-+*/()])")


class FormulaError(ValueError):
    """The formula cannot be computed with the values at hand."""


def operands(formula: str) -> tuple[tuple[str, bool], ...]:
    """(name, is_optional) of every value the formula needs, in order."""
    names: dict[str, bool] = {}
    for token in _tokens(formula):
        if token not in ("abs(",) and token[0].isalpha():
            names.setdefault(token.rstrip("?"), token.endswith("?"))
    return tuple(names.items())


def evaluate(formula: str, values: Mapping[str, Decimal]) -> Decimal:
    """The formula's value; optional operands ("name?") count as zero when absent.

    Raises FormulaError for an absent operand or a division by zero.
    """
    parser = _Parser(_tokens(formula), values)
    result = parser.sum()
    if parser.rest():
        raise FormulaError(f"unread: {parser.rest()}")
    return result


def worded(formula: str, values: Mapping[str, str]) -> str:
    """The formula with each operand's printed value in its place; absent optional operands are left out."""
    words: list[str] = []
    for token in _tokens(formula):
        if token == "abs(":
            words.append("|")
            continue
        if token[0].isalpha():
            name = token.rstrip("?")
            if name not in values:
                if words and words[-1] in "+-":
                    words.pop()
                continue
            words.append(values[name])
        elif token == ")" and "|" in words and words.count("|") % 2 == 1 and "(" not in words[_last(words, "|") :]:
            words.append("|")
        else:
            words.append(token)
    text = " ".join(words).replace("( ", "(").replace(" )", ")").replace("| ", "|", 1).replace(" |", "|")
    return text.replace(" - ", " − ").replace("+ )", ")")


def _last(words: list[str], word: str) -> int:
    return len(words) - 1 - words[::-1].index(word)


def _tokens(formula: str) -> list[str]:
    found, place = [], 0
    while place < len(formula.rstrip()):
        match = _TOKEN.match(formula, place)
        if match is None:
            raise FormulaError(f"unreadable: {formula[place:]}")
        found.append(match[1])
        place = match.end()
    return found


class _Parser:
    """Recursive descent over + - * / brackets and abs()."""

    def __init__(self, tokens: list[str], values: Mapping[str, Decimal]) -> None:
        self._tokens = tokens
        self._values = values
        self._place = 0

    def rest(self) -> str:
        return " ".join(self._tokens[self._place :])

    def sum(self) -> Decimal:
        total = self._product()
        while self._peek() in ("+", "-"):
            sign = self._take()
            value = self._product()
            total = total + value if sign == "+" else total - value
        return total

    def _product(self) -> Decimal:
        total = self._atom()
        while self._peek() in ("*", "/"):
            if self._take() == "*":
                total *= self._atom()
                continue
            divisor = self._atom()
            if divisor == 0:
                raise FormulaError("division by zero")
            total /= divisor
        return total

    def _atom(self) -> Decimal:
        token = self._take()
        if token in ("(", "abs("):
            value = self.sum()
            if self._take() != ")":
                raise FormulaError("bracket not closed")
            return abs(value) if token == "abs(" else value
        if token[0].isdigit():
            return Decimal(token)
        name = token.rstrip("?")
        if name in self._values:
            return self._values[name]
        if token.endswith("?"):
            return Decimal(0)
        raise FormulaError(f"no value for {name}")

    def _peek(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def _take(self) -> str:
        if self._place >= len(self._tokens):
            raise FormulaError("formula ends early")
        self._place += 1
        return self._tokens[self._place - 1]
