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

    def __neg__(self) -> "Money":
        return Money(-self.amount, self.currency)

    def times(self, factor: Decimal) -> "Money":
        """The amount times a bare number."""
        return Money(self.amount * factor, self.currency)

    def ratio_to(self, other: "Money") -> Decimal:
        """How many times the other amount; raises UnitMismatchError for another currency, ZeroDivisionError."""
        self._require_same(other)
        return self.amount / other.amount

    def exchanged(self, rate: Decimal, currency: str) -> "Money":
        """The amount in another currency at `rate` units of it for one of this: the only way from one to another."""
        return Money(self.amount * rate, currency)

    def _require_same(self, other: "Money") -> None:
        if self.currency != other.currency:
            raise UnitMismatchError(f"{self.currency or 'no currency'} and {other.currency or 'no currency'}")


@dataclass(frozen=True, slots=True)
class Printed:
    """A figure as a document prints it, under the document's scale: Printed(287, MILLION) is 287 million."""

    value: Decimal
    scale: Scale

    def __add__(self, other: "Printed") -> "Printed":
        if self.scale is not other.scale:
            raise UnitMismatchError(f"{self.scale.name.lower()} and {other.scale.name.lower()}")
        return Printed(self.value + other.value, self.scale)

    def whole(self) -> Decimal:
        """The figure in whole units."""
        return self.value * self.scale.value

    def to(self, scale: Scale) -> "Printed":
        """The same figure under another scale."""
        return Printed(self.whole() / scale.value, scale)


@dataclass(frozen=True, slots=True)
class Percent:
    """A percentage as printed: Percent(Decimal("12.5")) is 12.5 %."""

    value: Decimal

    def as_ratio(self) -> Decimal:
        return self.value / 100

    def __sub__(self, other: "Percent") -> "PercentagePoints":
        """The difference of two percentages is in points."""
        return PercentagePoints(self.value - other.value)

    def __add__(self, other: "PercentagePoints") -> "Percent":
        if not isinstance(other, PercentagePoints):
            raise UnitMismatchError("percent and percent: a change of a percentage is in points")
        return Percent(self.value + other.value)

    def relative_to(self, other: "Percent") -> "Percent":
        """How much larger, in percent of the other: 44 % over 40 % is 10 %, not 4."""
        return Percent((self.value / other.value - 1) * 100)


@dataclass(frozen=True, slots=True)
class PercentagePoints:
    """A difference of percentages: 4 % to 4.5 % are PercentagePoints(Decimal("0.5")), 50 basis points."""

    value: Decimal

    @classmethod
    def of_basis_points(cls, points: Decimal) -> "PercentagePoints":
        return cls(points / 100)

    def basis_points(self) -> Decimal:
        return self.value * 100

    def __add__(self, other: "PercentagePoints") -> "PercentagePoints":
        return PercentagePoints(self.value + other.value)


@dataclass(frozen=True, slots=True)
class PerShare:
    """Money for one share: never under a table's "in millions"."""

    amount: Decimal
    currency: str

    def __add__(self, other: "PerShare") -> "PerShare":
        if self.currency != other.currency:
            raise UnitMismatchError(f"{self.currency} and {other.currency} a share")
        return PerShare(self.amount + other.amount, self.currency)

    def times(self, shares: "Count") -> Money:
        """The money of so many shares. Raises UnitMismatchError for anything but shares."""
        if shares.what != "shares":
            raise UnitMismatchError(f"a share and {shares.what}")
        return Money(self.amount * shares.value, self.currency)


@dataclass(frozen=True, slots=True)
class Count:
    """A number of things: Count(Decimal(742), "employees")."""

    value: Decimal
    what: str

    def __add__(self, other: "Count") -> "Count":
        if self.what != other.what:
            raise UnitMismatchError(f"{self.what} and {other.what}")
        return Count(self.value + other.value, self.what)
