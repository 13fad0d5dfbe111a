"""One set of figures behind all demo files, so that they agree: the group in EUR million, the leasing company in TL thousand."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Year:
    """A financial year of the group, EUR million."""

    insurance_revenue: int
    insurance_service_expenses: int
    leasing_income: int
    fee_income: int
    investment_return: int
    finance_cost: int
    operating_expenses: int
    tax: int
    cash: int
    investments: int
    lease_receivables: int
    reinsurance_assets: int
    property_and_equipment: int
    other_assets: int
    insurance_liabilities: int
    borrowings: int
    other_liabilities: int
    dividends: int
    employees: int

    @property
    def profit_before_tax(self) -> int:
        income = self.insurance_revenue + self.leasing_income + self.fee_income + self.investment_return
        return income - self.insurance_service_expenses - self.finance_cost - self.operating_expenses

    @property
    def net_profit(self) -> int:
        return self.profit_before_tax - self.tax

    @property
    def total_assets(self) -> int:
        return (
            self.cash
            + self.investments
            + self.lease_receivables
            + self.reinsurance_assets
            + self.property_and_equipment
            + self.other_assets
        )

    @property
    def total_liabilities(self) -> int:
        return self.insurance_liabilities + self.borrowings + self.other_liabilities

    @property
    def equity(self) -> int:
        return self.total_assets - self.total_liabilities

    @property
    def combined_ratio(self) -> float:
        return (self.insurance_service_expenses) / self.insurance_revenue * 100


FY2022 = Year(
    insurance_revenue=3911, insurance_service_expenses=3698, leasing_income=641, fee_income=118, investment_return=402,
    finance_cost=287, operating_expenses=598, tax=113, cash=1011, investments=9020, lease_receivables=7105,
    reinsurance_assets=1388, property_and_equipment=402, other_assets=611, insurance_liabilities=9214,
    borrowings=5980, other_liabilities=1120, dividends=130, employees=8214,
)  # fmt: skip
FY2023_AS_FIRST_REPORTED = Year(
    insurance_revenue=4286, insurance_service_expenses=3987, leasing_income=734, fee_income=126, investment_return=455,
    finance_cost=341, operating_expenses=640, tax=147, cash=1128, investments=9688, lease_receivables=7912,
    reinsurance_assets=1451, property_and_equipment=418, other_assets=640, insurance_liabilities=9902,
    borrowings=6510, other_liabilities=1204, dividends=160, employees=8466,
)  # fmt: skip
# Restated in the 2024 report: 38 of prepaid dealer commissions moved from lease receivables to other assets.
FY2023_RESTATED = Year(
    insurance_revenue=4286, insurance_service_expenses=3987, leasing_income=734, fee_income=126, investment_return=455,
    finance_cost=341, operating_expenses=640, tax=147, cash=1128, investments=9688, lease_receivables=7874,
    reinsurance_assets=1451, property_and_equipment=418, other_assets=678, insurance_liabilities=9902,
    borrowings=6510, other_liabilities=1204, dividends=160, employees=8466,
)  # fmt: skip
FY2024 = Year(
    insurance_revenue=4653, insurance_service_expenses=4271, leasing_income=829, fee_income=134, investment_return=498,
    finance_cost=376, operating_expenses=672, tax=192, cash=1204, investments=10412, lease_receivables=8311,
    reinsurance_assets=1502, property_and_equipment=431, other_assets=702, insurance_liabilities=10604,
    borrowings=6874, other_liabilities=1262, dividends=190, employees=8702,
)  # fmt: skip


def million(value: int) -> str:
    """12486 → "12,486"; negatives in brackets; zero as a dash."""
    if value == 0:
        return "–"
    return f"({-value:,})" if value < 0 else f"{value:,}"


def tl(value: int) -> str:
    """1234567 → "1.234.567"; negatives in brackets; zero as a dash."""
    return million(value).replace(",", ".")
