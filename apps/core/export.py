"""The one writer of CSV tables. A spreadsheet must not run what a person typed."""

import csv
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from io import StringIO

from django.http import HttpResponse

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")
_NEGATIVE = re.compile(r"-\d[\d.,]*(?:e[-+]?\d+)?%?", re.IGNORECASE)  # a number stays one when it is read back
BYTE_ORDER_MARK = "\ufeff"  # spreadsheets take it as "this is UTF-8"


def csv_response(*, name: str, head: Sequence[object], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """An attachment NAME.csv, UTF-8 with a mark, one line a row, every text cell safe from formulas."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow([formula_safe(cell) for cell in head])
    writer.writerows([formula_safe(cell) for cell in row] for row in rows)
    response = HttpResponse(BYTE_ORDER_MARK + text.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def formula_safe(cell: object) -> object:
    """Numbers and printed negatives as they are; text that a spreadsheet would run gets an apostrophe; ISO times."""
    if isinstance(cell, int | float):
        return cell
    text = cell.isoformat() if isinstance(cell, datetime) else str(cell)
    if not text.lstrip(" ").startswith(FORMULA_SIGNS) or _NEGATIVE.fullmatch(text):
        return text
    return f"'{text}"
