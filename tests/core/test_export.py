"""CSV: a spreadsheet runs nothing, numbers stay numbers."""

import csv
import json
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest

from apps.core.export import csv_response, formula_safe

FILES = Path(__file__).parents[1] / "files"


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1+1",
        "-A1",
        "@SUM(A1)",
        "\u200b=1",
        "\ufeff=1",
        "\uff1d1+1",
        "\ufe621",
        "\u2212A1",
        "\r=1",
        "\n=1",
        "  =1",
    ],
)
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert formula_safe(text) == f"'{text}"


@pytest.mark.parametrize("separator", [";", "\t", "|", "\n"])
def test_a_part_behind_another_country_s_separator_is_safe_too(separator: str) -> None:
    assert formula_safe(f"x{separator}=cmd{separator}-5") == f"x{separator}'=cmd{separator}-5"


def test_a_file_read_back_runs_nothing_and_keeps_negatives() -> None:  # case h14
    cells = json.loads((FILES / "formula_cells.json").read_text())

    written = csv_response(name="t", head=("cell",), rows=[(cell,) for cell, _safe in cells]).content.decode(
        "utf-8-sig"
    )
    _head, *rows = csv.reader(StringIO(written, newline=""))

    assert [row[0] for row in rows] == [safe for _cell, safe in cells]


def test_numbers_times_and_plain_text_stay() -> None:
    at = datetime(2026, 11, 30, 12, tzinfo=UTC)

    body = csv_response(name="t", head=("a", "b", "c"), rows=[(-5, at, 'Işık, "x"')]).content

    assert body == '\ufeffa,b,c\r\n-5,2026-11-30T12:00:00+00:00,"Işık, ""x"""\r\n'.encode()
