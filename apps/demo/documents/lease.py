"""The facts of one fictional lease and of its claim: every demo file about them takes its figures from here.

Contract FK-2023-0417 between Meridyen Finansal Kiralama and Anadolu Lojistik; claim HS-2024-3311 under the same
customer's policy MS-2024-118204. Amounts in lira, dates ISO.
"""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

CONTRACT = "FK-2023-0417"
CLAIM = "HS-2024-3311"
POLICY = "MS-2024-118204"
LESSOR = "Meridyen Finansal Kiralama A.Ş."
LESSEE = "Anadolu Lojistik A.Ş."
SIGNED = date(2023, 5, 15)
AMENDED = date(2024, 11, 12)
TRUCKS = 24
TRUCK_PRICE = 4_000_000
DOWN_PAYMENT = 9_600_000
FINANCED = TRUCKS * TRUCK_PRICE - DOWN_PAYMENT
MONTHS = 36
MONTHLY_RATE = Decimal("0.0275")
TRANSFER_PRICE = 96_000
ADDED_TRUCKS = 6
ADDED_PRICE = 4_750_000
ADDED_MONTHS = 24
ADDED_RATE = Decimal("0.034")


def annuity(principal: int, rate: Decimal, months: int) -> int:
    """The level rent in whole lira that repays the principal: P · i / (1 − (1 + i)^−n)."""
    exact = principal * rate / (1 - (1 + rate) ** -months)
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_UP))


RENT = annuity(FINANCED, MONTHLY_RATE, MONTHS)
ADDED_RENT = annuity(ADDED_TRUCKS * ADDED_PRICE, ADDED_RATE, ADDED_MONTHS)
NEW_RENT = RENT + ADDED_RENT

BUILDING_LOSS = 18_400_000
GOODS_LOSS = 26_250_000
SALVAGE = 1_150_000
LOSS = BUILDING_LOSS + GOODS_LOSS - SALVAGE
SPRINKLER_CUT = LOSS * 30 // 100  # policy, clause 5.2
DEDUCTIBLE = 150_000  # policy, clause 4.1
PAYABLE = LOSS - SPRINKLER_CUT - DEDUCTIBLE
ADVANCE = 12_000_000


@dataclass(frozen=True, slots=True)
class Instalment:
    number: int
    due: date
    rent: int
    interest: Decimal
    principal: Decimal
    balance: Decimal


def schedule() -> tuple[Instalment, ...]:
    """The payment plan of the contract as signed; the last instalment takes the rounding."""
    balance, plan = Decimal(FINANCED), []
    for number in range(1, MONTHS + 1):
        interest = (balance * MONTHLY_RATE).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
        principal = RENT - interest
        balance -= principal
        month = SIGNED.month - 1 + number
        plan.append(
            Instalment(number, date(SIGNED.year + month // 12, month % 12 + 1, 15), RENT, interest, principal, balance)
        )
    return tuple(plan)


def tl(amount: int | Decimal) -> str:
    """1234567.5 → "1.234.567,50"; whole lira without decimals."""
    text = f"{amount:,.2f}" if isinstance(amount, Decimal) else f"{amount:,}"
    return text.replace(",", " ").replace(".", ",").replace(" ", ".")


def day(moment: date) -> str:
    return f"{moment:%d.%m.%Y}"
