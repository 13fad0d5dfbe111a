"""The one writer of CSV tables. A spreadsheet must not run what a person typed."""

import csv
import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from io import StringIO

from django.http import HttpResponse

FORMULA_SIGNS = ("=", "+", "-", "@", "\u2212")
_UNSEEN = ("Cf", "Cc")
_SEPARATOR = re.compile(r"([;\t\r\n|])")
_NEGATIVE = re.compile(r"[-\u2212]\d[\d.,]*(?:e[-+]?\d+)?%?", re.IGNORECASE)  # a number stays one when it is read back
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
    """Numbers and printed negatives as they are; text that a spreadsheet would run gets an apostrophe; ISO times.

    So does a part behind a semicolon, tab or bar: a spreadsheet of another country takes these as the separator.
    """
    if isinstance(cell, int | float):
        return cell
    text = cell.isoformat() if isinstance(cell, datetime) else str(cell)
    first, *rest = _SEPARATOR.split(text)
    safe = [first]
    for separator, part in zip(rest[::2], rest[1::2], strict=True):
        is_run = "".join(safe).strip() and _would_run(part)
        safe += [separator, f"'{part}" if is_run else part]
    return f"'{''.join(safe)}" if _would_run(text) else "".join(safe)


def _would_run(text: str) -> bool:
    """Whether it begins like a formula, wide forms of the signs and invisible letters before them included."""
    seen = unicodedata.normalize("NFKC", "".join(c for c in text if unicodedata.category(c) not in _UNSEEN)).lstrip()
    return seen.startswith(FORMULA_SIGNS) and not _NEGATIVE.fullmatch(seen)
