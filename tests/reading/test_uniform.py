"""Pages of long sheets are kept as text: what they become when looked at is what was written before."""

import csv
import io
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.reading import codec, sheet_pages
from apps.reading.contracts import CellKind, PageContent
from apps.reading.delimited import DelimitedReader
from apps.reading.uniform import expanded

FIELDS = st.one_of(
    st.sampled_from(["", " ", "a | b", "|", "1.234", "1.234,56", "(12)", "05.09.2024", "12.5%", "İzmir", "x\ny", "ﬁ"]),
    st.integers(-(10**7), 10**7).map(str),
    st.text(max_size=12),
)
ROWS = st.lists(st.lists(FIELDS, min_size=1, max_size=5), min_size=2, max_size=250)


def file_of(rows: list[list[str]], delimiter: str = ";") -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return out.getvalue().encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode()


def ledger(count: int) -> bytes:
    lines = [
        f"PL-{n:05d};{'Güneş Enerji' if n % 7 else ''};{n * 3},{n % 90 + 10};2024-03-{n % 27 + 1:02d}"
        for n in range(count)
    ]
    return "\n".join(["Poliçe no;Müşteri;Prim;Tarih", *lines]).encode()


def pages_of(data: bytes) -> list[PageContent]:
    reader = DelimitedReader(data)
    return [page for page, _warnings in reader.pages(1, reader.facts().page_count)]


@pytest.fixture(scope="module")
def written_out() -> Callable[[bytes], list[PageContent]]:
    """The pages as they are without the short form."""

    def read(data: bytes) -> list[PageContent]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sheet_pages, "uniform_page", lambda *_rows, **_named: None)
            return pages_of(data)

    return read


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, repeated=st.integers(1, 3))
def test_a_page_looked_at_is_the_page_that_would_have_been_written(
    rows: list[list[str]], repeated: int, written_out: Callable[[bytes], list[PageContent]]
) -> None:
    data = file_of([["Name", "A", "B", "C", "D"], *rows * repeated])

    assert [expanded(page) for page in pages_of(data)] == written_out(data)


def test_a_long_file_is_kept_as_text_and_typed_when_looked_at(
    written_out: Callable[[bytes], list[PageContent]],
) -> None:
    pages = pages_of(ledger(1000))

    assert [page.uniform is None for page in pages] == [True, *[False] * 10]
    assert [expanded(page) for page in pages] == written_out(ledger(1000))
    row = expanded(pages[5]).tables[0].rows[0]
    assert [(cell.text, cell.kind, cell.value) for cell in row.cells] == [
        ("Güneş Enerji", CellKind.TEXT, ""),
        ("1497,59", CellKind.NUMBER, "1497.59"),
        ("2024-03-14", CellKind.DATE, "2024-03-14"),
    ]
    assert [cell.ref for cell in row.cells] == ["B501", "C501", "D501"]


def test_the_short_form_survives_the_pipe() -> None:
    page = pages_of(ledger(300))[2]

    assert page.uniform is not None
    assert codec.page_from_json(codec.page_to_json(page)) == page
