"""The annual report of the fictional Meridyen Holding N.V., for 2024 (with 2023 restated) or 2023 (as first reported)."""

from apps.demo.documents.figures import FY2022, FY2023_AS_FIRST_REPORTED, FY2023_RESTATED, FY2024, Year, million
from apps.demo.documents.layout import Column, Report

MILLIONS = "In millions of euro"
COUNTRIES = ("Türkiye", "Germany", "Netherlands", "Poland", "Romania", "Italy", "Spain", "Austria", "Czechia", "Greece")
COUNTRY_SHARES = (31, 17, 13, 10, 8, 7, 5, 4, 3, 2)
LINES = ("Motor", "Property", "Marine and cargo", "Engineering", "Liability", "Health", "Credit and surety")
LINE_SHARES = (29, 22, 14, 10, 11, 9, 5)
ASSET_CLASSES = (
    "Vehicles",
    "Construction machinery",
    "Medical equipment",
    "Agricultural machinery",
    "Aircraft parts",
    "Real estate",
    "IT equipment",
)
ASSET_SHARES = (34, 24, 12, 10, 7, 8, 5)


def annual_report(year: int) -> bytes:
    """The PDF of the report for 2024 or 2023."""
    now, before = (FY2024, FY2023_RESTATED) if year == 2024 else (FY2023_AS_FIRST_REPORTED, FY2022)
    report = Report(title=f"Annual Report {year}", running_title=f"Meridyen Holding N.V.  Annual Report {year}")
    report.cover(
        ("Meridyen Holding N.V.", "Insurance and leasing in ten countries", f"For the year ended 31 December {year}")
    )
    _front(report, year)
    front_pages = report.document.page_count
    _business(report, year, now, before)
    _statements(report, year, now, before)
    _notes(report, year, now, before)
    _registers(report, year)
    return report.finish(front_pages=front_pages, footer="Amsterdam")


def _front(report: Report, year: int) -> None:
    report.new_page()
    report.heading("About this report")
    report.paragraph(
        f"This report covers the financial year {year} of Meridyen Holding N.V. and its subsidiaries (“the Group”). "
        "Amounts are in millions of euro unless stated otherwise. Figures are rounded; totals may differ by one."
    )
    if year == 2024:
        report.paragraph(
            "One comparative figure has been restated: prepaid dealer commissions of EUR 38 million at 31 December 2023, "
            "shown within lease receivables a year ago, are now part of other assets. Equity and profit are unchanged. See note 2."
        )
    report.new_page()
    report.heading("Contents")
    for line in (
        "Letter to shareholders", "The business in brief", "Risk management", "Consolidated income statement",
        "Consolidated balance sheet", "Consolidated cash flow statement", "Notes to the financial statements",
        "Register of large leases", "Reinsurance counterparties",
    ):  # fmt: skip
        report.paragraph(line)


def _business(report: Report, year: int, now: Year, before: Year) -> None:
    report.new_page()
    growth = (now.insurance_revenue / before.insurance_revenue - 1) * 100
    report.heading("Letter to shareholders")
    report.paragraph(
        f"In {year} insurance revenue rose by {growth:.1f}% to EUR {million(now.insurance_revenue)} million. Net profit was "
        f"EUR {million(now.net_profit)} million, against EUR {million(before.net_profit)} million in {year - 1}. "
        f"The combined ratio improved from {before.combined_ratio:.1f}% to {now.combined_ratio:.1f}%."
    )
    report.paragraph(
        "The improvement came mainly from lower claims frequency in motor insurance and from price increases in property, "
        "partly offset by two large marine losses in the third quarter."
    )
    report.paragraph(
        f"The Board proposes a dividend of EUR {now.dividends} million. The solvency ratio stood at "
        f"{'214' if year == 2024 else '208'}% at year end, above the target range of 170% to 200%."
    )
    report.heading("The business in brief")
    report.heading("What we do", level=2)
    report.paragraph(
        "The Group writes non-life insurance for companies and households and leases vehicles and machinery to small and "
        "medium-sized enterprises. It operates in ten countries. Its leasing business in Türkiye is run by Meridyen Finansal Kiralama A.Ş."
    )
    report.bullets((
        f"{now.employees:,} employees at year end ({before.employees:,} in {year - 1})",
        "7 lines of insurance business and 7 classes of leased assets",
        "Shares listed in Amsterdam; free float 61%",
    ))  # fmt: skip
    report.bar_chart(
        "Insurance revenue", MILLIONS,
        [("2022", FY2022.insurance_revenue, "3,911"), ("2023", FY2023_RESTATED.insurance_revenue, "4,286")]
        + ([("2024", FY2024.insurance_revenue, "4,653")] if year == 2024 else []),
    )  # fmt: skip
    report.heading("Outlook", level=2)
    report.paragraph(
        f"For {year + 1} the Board expects insurance revenue to grow by 5% to 7% and a combined ratio between 91% and 93%. "
        "No acquisitions are planned."
    )
    report.new_page()
    report.heading("Risk management")
    for title, text in (
        (
            "Insurance risk",
            "The largest net retention for a single event is EUR 60 million. Above it, excess-of-loss reinsurance covers up to EUR 900 million.",
        ),
        (
            "Interest rate risk",
            "A parallel rise of interest rates by 100 basis points would reduce equity by EUR 148 million and increase annual net interest income by EUR 21 million.",
        ),
        (
            "Credit risk",
            f"Lease receivables more than 90 days past due were {'2.6' if year == 2024 else '2.9'}% of the portfolio. Loss allowances cover {'71' if year == 2024 else '68'}% of them.",
        ),
        (
            "Liquidity risk",
            "Undrawn committed credit lines amounted to EUR 1,150 million. The liquidity coverage horizon is at least twelve months.",
        ),
        (
            "Currency risk",
            "The exposure to the Turkish lira is hedged for 80% of the net investment. A fall of the lira by 10% would reduce equity by EUR 27 million.",
        ),
        (
            "Climate risk",
            "Flood zones make up 9% of the property sums insured. Policies in the highest flood zone exclude flood unless an extension is bought.",
        ),
    ):
        report.heading(title, level=2)
        report.paragraph(text)


def _statements(report: Report, year: int, now: Year, before: Year) -> None:
    columns = (Column("Note", 40), Column(f"{year}"), Column(f"{year - 1}" + ("\n(restated)" if year == 2024 else "")))
    plain = (Column("Note", 40), Column(f"{year}"), Column(f"{year - 1}"))
    report.new_page()
    report.heading("Consolidated income statement")
    report.table(f"Year ended 31 December {year}", MILLIONS + ", except per share amounts", plain, [
        ("Insurance revenue", ("3", million(now.insurance_revenue), million(before.insurance_revenue))),
        ("Insurance service expenses", ("4", million(-now.insurance_service_expenses), million(-before.insurance_service_expenses))),
        ("Leasing income", ("5", million(now.leasing_income), million(before.leasing_income))),
        ("Fee and commission income", ("6", million(now.fee_income), million(before.fee_income))),
        ("Investment return", ("7", million(now.investment_return), million(before.investment_return))),
        ("Finance cost", ("8", million(-now.finance_cost), million(-before.finance_cost))),
        ("Other operating expenses", ("9", million(-now.operating_expenses), million(-before.operating_expenses))),
        ("Profit before tax", ("", million(now.profit_before_tax), million(before.profit_before_tax))),
        ("Income tax expense", ("10", million(-now.tax), million(-before.tax))),
        ("Net profit", ("", million(now.net_profit), million(before.net_profit))),
        ("Basic earnings per share (EUR)", ("", f"{now.net_profit / 240:.2f}", f"{before.net_profit / 240:.2f}")),
    ])  # fmt: skip
    report.note("The weighted average number of shares was 240 million in both years.")
    report.new_page()
    report.heading("Consolidated balance sheet")
    report.table(f"At 31 December {year}", MILLIONS, columns, [
        ("ASSETS", ()),
        ("Cash and cash equivalents", ("11", million(now.cash), million(before.cash))),
        ("Financial investments", ("12", million(now.investments), million(before.investments))),
        ("Lease receivables", ("13", million(now.lease_receivables), million(before.lease_receivables))),
        ("Reinsurance contract assets", ("14", million(now.reinsurance_assets), million(before.reinsurance_assets))),
        ("Property and equipment", ("15", million(now.property_and_equipment), million(before.property_and_equipment))),
        ("Other assets", ("16", million(now.other_assets), million(before.other_assets))),
        ("Total assets", ("", million(now.total_assets), million(before.total_assets))),
        ("LIABILITIES AND EQUITY", ()),
        ("Insurance contract liabilities", ("17", million(now.insurance_liabilities), million(before.insurance_liabilities))),
        ("Borrowings", ("18", million(now.borrowings), million(before.borrowings))),
        ("Other liabilities", ("19", million(now.other_liabilities), million(before.other_liabilities))),
        ("Total liabilities", ("", million(now.total_liabilities), million(before.total_liabilities))),
        ("Equity attributable to shareholders", ("20", million(now.equity), million(before.equity))),
        ("Total liabilities and equity", ("", million(now.total_assets), million(before.total_assets))),
    ])  # fmt: skip
    report.new_page()
    report.heading("Consolidated cash flow statement")
    remeasured = now.equity - before.equity - now.net_profit + before.dividends
    change = now.cash - before.cash
    operating = now.net_profit + 412
    investing = -(now.investments - before.investments) - 61
    report.table(f"Year ended 31 December {year}", MILLIONS, plain, [
        ("Net profit", ("", million(now.net_profit), million(before.net_profit))),
        ("Net cash from operating activities", ("", million(operating), million(before.net_profit + 388))),
        ("Net cash used in investing activities", ("", million(investing), million(-641))),
        ("Net cash from financing activities", ("", million(change - operating - investing), million(-116))),
        ("Net increase in cash and cash equivalents", ("", million(change), million(117))),
        ("Cash and cash equivalents at 1 January", ("", million(before.cash), million(before.cash - 117))),
        ("Total cash and cash equivalents at 31 December", ("11", million(now.cash), million(before.cash))),
    ])  # fmt: skip
    report.heading("Statement of changes in equity", level=2)
    report.table("Equity attributable to shareholders", MILLIONS, (Column(f"{year}"),), [
        ("At 1 January", (million(before.equity),)),
        ("Net profit", (million(now.net_profit),)),
        ("Dividends paid", (million(-before.dividends),)),
        ("Remeasurements and translation differences", (million(remeasured),)),
        ("Total equity at 31 December", (million(now.equity),)),
    ])  # fmt: skip


def _notes(report: Report, year: int, now: Year, before: Year) -> None:
    pair = (Column(f"{year}"), Column(f"{year - 1}"))
    report.new_page()
    report.heading("Notes to the financial statements")
    report.heading("1  Accounting policies", level=2)
    report.paragraph(
        "The financial statements follow IFRS as adopted by the European Union. Insurance contracts are measured under IFRS 17, "
        "mainly with the premium allocation approach. Finance leases are recognised at the net investment in the lease. "
        "Residual values are reviewed every year."
    )
    report.heading("2  Changes in presentation", level=2)
    if year == 2024:
        report.paragraph(
            "Prepaid dealer commissions were shown within lease receivables until 2023. From 2024 they are part of other assets. "
            "The comparative figures at 31 December 2023 were restated: lease receivables were reduced by EUR 38 million, from "
            "EUR 7,912 million to EUR 7,874 million, and other assets were increased by the same amount, from EUR 640 million to EUR 678 million."
        )
    else:
        report.paragraph("There were no changes in presentation in 2023.")
    _split(
        report,
        "3  Insurance revenue",
        "Insurance revenue by line of business",
        LINES,
        LINE_SHARES,
        now.insurance_revenue,
        before.insurance_revenue,
        pair,
    )
    _split(
        report,
        "3.1  Insurance revenue by country",
        "Insurance revenue by country",
        COUNTRIES,
        COUNTRY_SHARES,
        now.insurance_revenue,
        before.insurance_revenue,
        pair,
    )
    _split(
        report,
        "4  Insurance service expenses",
        "Insurance service expenses by line of business",
        LINES,
        (31, 19, 17, 10, 11, 8, 4),
        now.insurance_service_expenses,
        before.insurance_service_expenses,
        pair,
    )
    _split(
        report,
        "5  Leasing income",
        "Leasing income by country",
        COUNTRIES,
        (36, 14, 10, 12, 9, 6, 5, 3, 3, 2),
        now.leasing_income,
        before.leasing_income,
        pair,
    )
    for number, title, text in (
        (
            "6",
            "Fee and commission income",
            f"Fee and commission income of EUR {now.fee_income} million arises mainly from fleet services and roadside assistance.",
        ),
        (
            "7",
            "Investment return",
            f"Investment return was EUR {now.investment_return} million. The average yield of the bond portfolio was {'4.3' if year == 2024 else '4.1'}%.",
        ),
        (
            "8",
            "Finance cost",
            f"Finance cost of EUR {now.finance_cost} million includes interest on borrowings and the unwinding of insurance liabilities. It rose because maturing debt was refinanced at higher rates.",
        ),
        (
            "9",
            "Other operating expenses",
            f"Other operating expenses of EUR {now.operating_expenses} million include staff cost, rent and IT. Audit fees were EUR {'6.4' if year == 2024 else '6.1'} million.",
        ),
        ("10", "Income tax", f"The effective tax rate was {now.tax / now.profit_before_tax * 100:.1f}%."),
    ):
        report.heading(f"{number}  {title}", level=2)
        report.paragraph(text)
    _split(
        report,
        "12  Financial investments",
        "Financial investments by class",
        ("Government bonds", "Corporate bonds", "Covered bonds", "Equities", "Funds", "Deposits"),
        (44, 28, 11, 8, 5, 4),
        now.investments,
        before.investments,
        pair,
    )
    _split(
        report,
        "13  Lease receivables",
        "Lease receivables by asset class",
        ASSET_CLASSES,
        ASSET_SHARES,
        now.lease_receivables,
        before.lease_receivables,
        pair,
    )
    report.paragraph(
        f"Of the total, EUR {million(round(now.lease_receivables * 0.36))} million falls due within one year. Leases of Meridyen Finansal "
        "Kiralama A.Ş. make up 21% of the portfolio. A lessee who is more than 60 days late pays default interest of 1.5% per month."
    )
    report.new_page()
    report.heading("17  Insurance contract liabilities: claims development", level=2)
    for line, share in zip(LINES, (31, 19, 17, 10, 11, 8, 4), strict=True):
        _triangle(report, line, share, year)
    _split(
        report,
        "18  Borrowings",
        "Borrowings by instrument",
        ("Senior bonds", "Subordinated bonds", "Bank loans", "Commercial paper", "Lease-backed notes"),
        (38, 14, 27, 9, 12),
        now.borrowings,
        before.borrowings,
        pair,
    )
    report.paragraph(
        "The syndicated loan agreement requires a consolidated interest cover of at least 2.0 and a leverage ratio of no more than 3.5. "
        "Both covenants were met throughout the year. A breach allows the lenders to terminate after a remedy period of 30 days."
    )
    report.heading("21  Contingent liabilities", level=2)
    report.paragraph(
        "A claim of EUR 45 million by a former distributor is pending before the Rotterdam District Court. The Board considers the claim "
        "unfounded and has made no provision."
    )
    report.heading("22  Events after the reporting period", level=2)
    report.paragraph(
        f"On 14 February {year + 1} the Group issued EUR 500 million of senior bonds with a coupon of {'3.875' if year == 2024 else '4.125'}%, due in {year + 8}."
    )


def _split(
    report: Report,
    heading: str,
    title: str,
    names: tuple[str, ...],
    shares: tuple[int, ...],
    now: int,
    before: int,
    columns: tuple[Column, ...],
) -> None:
    """A note whose parts add up to the face of the statements exactly."""
    report.heading(heading, level=2)
    first, second = _parts(now, shares), _parts(before, shares)
    rows = [(name, (million(a), million(b))) for name, a, b in zip(names, first, second, strict=True)]
    report.table(title, MILLIONS, columns, [*rows, ("Total", (million(now), million(before)))])


def _parts(total: int, shares: tuple[int, ...]) -> list[int]:
    parts = [total * share // sum(shares) for share in shares]
    parts[0] += total - sum(parts)
    return parts


def _triangle(report: Report, line: str, share: int, year: int) -> None:
    years = range(year - 5, year + 1)
    ultimate = {y: 3200 * share // 100 + (y - 2018) * (7 + share) for y in years}
    columns = tuple(Column(str(y), 52) for y in years)
    rows: list[tuple[str, tuple[str, ...]]] = []
    for age in range(6):
        factor = (78, 91, 96, 98, 99, 100)[age]
        rows.append((
            "At end of accident year" if age == 0 else f"{age} year{'s' if age > 1 else ''} later",
            tuple(million(ultimate[y] * factor // 100) if y + age <= year else "" for y in years),
        ))  # fmt: skip
    report.table(f"Cumulative claims paid, {line.lower()}, by accident year", MILLIONS, columns, rows)


def _registers(report: Report, year: int) -> None:
    report.new_page()
    report.heading("Register of large leases")
    report.paragraph(
        "Leases with a net investment above EUR 5 million. The register is part of note 13 and is not audited."
    )
    rows: list[tuple[str, tuple[str, ...]]] = []
    for number in range(1, 701):
        asset = ASSET_CLASSES[number * 7 % len(ASSET_CLASSES)]
        country = COUNTRIES[number * 3 % len(COUNTRIES)]
        amount = 5.1 + (number * 37 % 280) / 10
        rows.append(
            (
                f"ML-{year}-{number:04d}  {asset}, {country}",
                (f"{amount:.1f}", f"{24 + number * 5 % 49}", f"{4 + number * 11 % 45 / 10:.1f}%"),
            )
        )
    report.table(
        "Large leases",
        MILLIONS,
        (Column("Net\ninvestment"), Column("Remaining\nmonths"), Column("Implicit\nrate")),
        rows,
    )
    report.new_page()
    report.heading("Reinsurance counterparties")
    rows = []
    for number in range(1, 96):
        rating = ("AA+", "AA", "AA–", "A+", "A")[number % 5]
        rows.append(
            (f"Counterparty {number:02d}", (rating, f"{8 + number * 13 % 41}", f"{(number * 7 % 40) / 10:.1f}%"))
        )
    report.table(
        "Reinsurance contract assets by counterparty",
        MILLIONS,
        (Column("Rating"), Column("Amount"), Column("Share")),
        rows,
    )
    report.new_page()
    report.heading("Subsidiaries")
    rows = []
    for number in range(1, 86):
        country = COUNTRIES[number % len(COUNTRIES)]
        kind = ("Insurance", "Leasing", "Services", "Property")[number % 4]
        rows.append(
            (f"Meridyen {kind} {country} {number:02d}", ("100%" if number % 5 else "75%", f"{12 + number * 17 % 240}"))
        )
    report.table(
        "Consolidated subsidiaries", "Share held and number of employees", (Column("Share"), Column("Employees")), rows
    )
    report.new_page()
    report.heading("Properties")
    rows = []
    for number in range(1, 221):
        country = COUNTRIES[number * 7 % len(COUNTRIES)]
        use = ("Office", "Branch", "Service yard", "Archive")[number % 4]
        rows.append(
            (
                f"P-{number:03d}  {use}, {country}",
                (f"{180 + number * 53 % 4200:,}", f"{0.2 + number * 31 % 90 / 10:.1f}"),
            )
        )
    report.table("Properties owned or rented", MILLIONS, (Column("Area\n(m²)"), Column("Book\nvalue")), rows)
