"""CSV: a spreadsheet runs nothing, numbers stay numbers."""

from datetime import UTC, datetime

import pytest

from apps.core.export import csv_response, formula_safe


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=1", "\n=1", "  =1"])
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert formula_safe(text) == f"'{text}"


def test_numbers_times_and_plain_text_stay() -> None:
    at = datetime(2026, 11, 30, 12, tzinfo=UTC)

    body = csv_response(name="t", head=("a", "b", "c"), rows=[(-5, at, 'Işık, "x"')]).content

    assert body == '\ufeffa,b,c\r\n-5,2026-11-30T12:00:00+00:00,"Işık, ""x"""\r\n'.encode()
