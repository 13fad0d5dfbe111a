"""The demo's XLSX files with formulas and their stored results: a payment plan and an analyst's model."""

import io
import re
import zipfile
from decimal import Decimal
from typing import Any

import openpyxl
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from apps.demo.documents import lease
from apps.demo.documents.figures import FY2022, FY2023_RESTATED, FY2024

_LIRA = "#,##0.00"
Results = dict[tuple[str, str], Decimal | int | float]  # (sheet, cell) → stored result of its formula


def payment_plan() -> bytes:
    """The XLSX of the contract's payment plan: assumptions, instalments, totals."""
    book, results = openpyxl.Workbook(), Results()
    sheet: Any = book.active
    sheet.title = "Varsayımlar"
    _head(sheet, ("Varsayım", "Değer"))
    for label, value, number_format in (
        ("Kiralananların bedeli (TL)", lease.TRUCKS * lease.TRUCK_PRICE, _LIRA),
        ("Peşinat (TL)", lease.DOWN_PAYMENT, _LIRA),
        ("Finanse edilen tutar (TL)", "=B2-B3", _LIRA),
        ("Aylık faiz oranı", float(lease.MONTHLY_RATE), "0.00%"),
        ("Vade (ay)", lease.MONTHS, "0"),
        ("Aylık kira (TL)", "=ROUND(B4*B5/(1-(1+B5)^-B6),0)", _LIRA),
        ("Devir bedeli (TL)", lease.TRANSFER_PRICE, _LIRA),
        ("Sözleşme tarihi", lease.SIGNED, "dd.mm.yyyy"),
    ):
        sheet.append((label, value))
        sheet.cell(sheet.max_row, 2).number_format = number_format
    results[sheet.title, "B4"], results[sheet.title, "B7"] = lease.FINANCED, lease.RENT
    _plan_sheet(book.create_sheet("Ödeme planı"), results)
    return _stored(book, results)


def _plan_sheet(sheet: Any, results: Results) -> None:
    sheet.append((f"{lease.CONTRACT} ödeme planı (TL)",))
    sheet.append(("Taksit", "Vade", "Kira", "Faiz", "Anapara", "Kalan anapara"))
    plan = lease.schedule()
    for row, entry in enumerate(plan, start=3):
        before = "Varsayımlar!$B$4" if row == 3 else f"F{row - 1}"
        label = f"{entry.number}. taksit"
        sheet.append((
            label, entry.due, "=Varsayımlar!$B$7", f"=ROUND({before}*Varsayımlar!$B$5,2)",
            f"=C{row}-D{row}", f"={before}-E{row}",
        ))  # fmt: skip
        sheet.cell(row, 2).number_format = "dd.mm.yyyy"
        values: tuple[Decimal | int, ...] = (entry.rent, entry.interest, entry.principal, entry.balance)
        for letter, value in zip("CDEF", values, strict=True):
            sheet[f"{letter}{row}"].number_format = _LIRA
            results[sheet.title, f"{letter}{row}"] = value
    last = len(plan) + 2
    sheet.append(("Toplam", None, f"=SUM(C3:C{last})", f"=SUM(D3:D{last})", f"=SUM(E3:E{last})"))
    totals: tuple[Decimal | int, ...] = (
        sum(e.rent for e in plan),
        sum((e.interest for e in plan), Decimal(0)),
        sum((e.principal for e in plan), Decimal(0)),
    )
    for letter, total in zip("CDE", totals, strict=True):
        sheet[f"{letter}{last + 1}"].number_format = _LIRA
        results[sheet.title, f"{letter}{last + 1}"] = total
    for column in range(2, 7):
        sheet.column_dimensions[get_column_letter(column)].width = 18


def analyst_model() -> bytes:
    """The XLSX of an analyst's model of the group: three reported years and one expected, in EUR million."""
    book, results = openpyxl.Workbook(), Results()
    sheet: Any = book.active
    sheet.title = "Income model"
    sheet.append(("Meridyen Holding N.V., income model",))
    sheet.append(("In millions of euro",))
    _head(sheet, ("", "2022", "2023", "2024", "2025E"))
    years = (FY2022, FY2023_RESTATED, FY2024)
    lines: list[tuple[str, list[int], str]] = [
        ("Insurance revenue", [y.insurance_revenue for y in years], "1.06"),
        ("Leasing income", [y.leasing_income for y in years], "1.09"),
        ("Insurance service expenses", [-y.insurance_service_expenses for y in years], "1.055"),
        ("Other operating expenses", [-y.operating_expenses for y in years], "1.04"),
    ]
    expected: list[Decimal] = []
    for row, (label, values, growth) in enumerate(lines, start=4):
        sheet.append((label, *values, f"=ROUND(D{row}*{growth},0)"))
        expected.append((Decimal(values[-1]) * Decimal(growth)).quantize(Decimal(1)))
        results[sheet.title, f"E{row}"] = expected[-1]
    sheet.append(("Operating result", *(f"=SUM({c}4:{c}7)" for c in "BCDE")))
    for letter, column in zip("BCD", range(3), strict=True):
        results[sheet.title, f"{letter}8"] = sum(values[column] for _label, values, _growth in lines)
    results[sheet.title, "E8"] = sum(expected, Decimal(0))
    sheet.append(("Combined ratio", *(f"=-{c}6/{c}4" for c in "BCDE")))
    ratios = [y.insurance_service_expenses / y.insurance_revenue for y in years]
    for letter, ratio in zip("BCDE", (*ratios, float(-expected[2] / expected[0])), strict=True):
        sheet[f"{letter}9"].number_format = "0.0%"
        results[sheet.title, f"{letter}9"] = round(ratio, 3)
    for row in range(4, 9):
        for letter in "BCDE":
            sheet[f"{letter}{row}"].number_format = "#,##0"
    sheet.column_dimensions["A"].width = 30
    return _stored(book, results)


def _head(sheet: Any, names: tuple[str, ...]) -> None:
    sheet.append(names)
    for cell in sheet[sheet.max_row]:
        cell.font = Font(bold=True)
    sheet.column_dimensions["A"].width = 32
    sheet.column_dimensions["B"].width = 20


def _stored(book: Any, results: Results) -> bytes:
    """The file with the results of its formulas stored, as a spreadsheet program would save it."""
    plain, finished = io.BytesIO(), io.BytesIO()
    book.save(plain)
    names = {f"xl/worksheets/sheet{number}.xml": sheet.title for number, sheet in enumerate(book.worksheets, start=1)}
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(finished, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            if name in names:
                data = _with_results(data.decode(), names[name], results).encode()
            target.writestr(name, data)
    return finished.getvalue()


def _with_results(xml: str, sheet: str, results: Results) -> str:
    def value(match: "re.Match[str]") -> str:
        return f"{match[1]}<v>{results[sheet, match[2]]}</v></c>"

    return re.sub(r'(<c r="([A-Z]+\d+)"[^>]*><f>[^<]*</f>)<v\s*/?>(?:</v>)?</c>', value, xml)
