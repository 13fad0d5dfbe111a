"""Quantities with their unit: a money amount, a printed scale, a percentage. Values only, no parsing."""

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum


class UnitMismatchError(ValueError):
    """Two quantities of different units were combined."""


class Scale(Enum):
    """The multiplier that a document states beside its figures ("in millions", "bin TL")."""

    ONE = Decimal(1)
    THOUSAND = Decimal(1_000)
    MILLION = Decimal(1_000_000)
    BILLION = Decimal(1_000_000_000)
    TRILLION = Decimal(1_000_000_000_000)

    def word(self, language: str) -> str:
        """The scale as written after a number, "" for ONE."""
        english = {"THOUSAND": "thousand", "MILLION": "million", "BILLION": "billion", "TRILLION": "trillion"}
        turkish = {"THOUSAND": "bin", "MILLION": "milyon", "BILLION": "milyar", "TRILLION": "trilyon"}
        return (turkish if language == "tr" else english).get(self.name, "")


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in whole currency units (scale already applied). Currency is ISO 4217, "" when not printed."""

    amount: Decimal
    currency: str

    def __add__(self, other: "Money") -> "Money":
        self._require_same(other)
        return Money(self.amount + other.amount, self.currency)

    def __sub__(self, other: "Money") -> "Money":
        self._require_same(other)
        return Money(self.amount - other.amount, self.currency)

    def _require_same(self, other: "Money") -> None:
        if self.currency != other.currency:
            raise UnitMismatchError(f"{self.currency or 'no currency'} and {other.currency or 'no currency'}")


@dataclass(frozen=True, slots=True)
class Percent:
    """A percentage as printed: Percent(Decimal("12.5")) is 12.5 %."""

    value: Decimal

    def as_ratio(self) -> Decimal:
        return self.value / 100
