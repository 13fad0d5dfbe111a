"""What is printed where one number is expected but more stand: ranges, ratios. Typed; never the first number alone."""

import re
from dataclasses import dataclass
from decimal import Decimal

from apps.finance.numbers import DecimalMark, NumberReading, NumberState, read_number

_BETWEEN = re.compile(r"^(?:between|from)\s+(.+?)\s+(?:and|to)\s+(.+)$", re.IGNORECASE)
_TO = re.compile(
    r"^(.*\d.*?)\s*(?:\bto\b|\bila\b|\bile\b|–|—|\s-\s|(?<=[\d%])-(?=[\d$€£₺%]))\s*(.*\d.*)$", re.IGNORECASE
)
_RATIO = re.compile(r"^(\d+(?:[.,]\d+)?)\s*[:/]\s*(\d+(?:[.,]\d+)?)$")
_RATIO_WORDS = re.compile(r"^(\d+(?:[.,]\d+)?)\s+(?:to|for|in)\s+(\d+(?:[.,]\d+)?)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Both ends in the same unit, low before high."""

    low: Decimal
    high: Decimal
    unit: str

    def holds(self, value: Decimal) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Ratio:
    """ "3:1" is Ratio(3, 1)."""

    first: Decimal
    second: Decimal

    def value(self) -> Decimal:
        """first ÷ second. Raises ZeroDivisionError."""
        return self.first / self.second


def read_range(text: str, *, mark: DecimalMark | None = None) -> NumberRange | None:
    """ "12–15 %", "$1.2 to $1.4 million", "5 ila 7": unit and scale of the last end hold for both. None otherwise."""
    stripped = " ".join(text.split())
    match = _BETWEEN.match(stripped) or _TO.match(stripped)
    if match is None:
        return None
    low, high = read_number(match[1], mark=mark), read_number(match[2], mark=mark)
    first, second = _value(low), _value(high)
    if first is None or second is None or (low.unit and high.unit and low.unit != high.unit):
        return None
    if low.scale.value == 1 and high.scale.value != 1 and abs(first) < abs(second):
        first *= high.scale.value
    return NumberRange(first, second, low.unit or high.unit) if first <= second else None


def read_ratio(text: str, *, mark: DecimalMark | None = None) -> Ratio | None:
    """ "3:1", "1.5 to 1"; None for dates, times with minutes and everything else."""
    stripped = text.strip()
    match = _RATIO.match(stripped) or _RATIO_WORDS.match(stripped)
    if match is None or re.fullmatch(r"\d{1,2}:\d{2}", stripped):
        return None
    first, second = _value(read_number(match[1], mark=mark)), _value(read_number(match[2], mark=mark))
    return Ratio(first, second) if first is not None and second else None


def _value(reading: NumberReading) -> Decimal | None:
    return reading.value if reading.state is NumberState.VALUE else None
