"""Chunks point exactly at what they quote, and keep headings, paragraphs and tables whole."""

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from apps.reading.contracts import Block, BlockKind, Cell, PageContent, Row, Table
from apps.retrieval.chunker import _HARD_CHARACTERS, ChunkDraft, chunks_of, identity_of, title_of
from apps.retrieval.contracts import ChunkKind

_words = st.text("abcdeğşı ", min_size=1, max_size=40).filter(lambda text: bool(text.strip()))


def page_of(number: int, parts: list[tuple[BlockKind, str]]) -> PageContent:
    text, blocks = "", []
    for ordinal, (kind, words) in enumerate(parts):
        text += "\n\n" if text else ""
        blocks.append(Block(ordinal, kind, len(text), len(text) + len(words), None, 2 if kind == "heading" else 0))
        text += words
    return PageContent(number, str(number), 0, 0, 0, text, (), tuple(blocks), (), "en")


def quoted(draft: ChunkDraft, pages: list[PageContent]) -> str:
    by_number = {page.number: page for page in pages}
    return "\n\n".join(by_number[span.page].text[span.start : span.end] for span in draft.spans)


@st.composite
def documents(draw: st.DrawFn) -> list[PageContent]:
    kinds = st.sampled_from([BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.LIST_ITEM, BlockKind.FOOTER])
    paragraph = st.builds(lambda words, times: ". ".join([words] * times), _words, st.integers(1, 120))
    pages = draw(st.lists(st.lists(st.tuples(kinds, paragraph), min_size=1, max_size=6), min_size=1, max_size=4))
    return [page_of(number, parts) for number, parts in enumerate(pages, start=1)]


@given(documents())
@hypothesis_settings(max_examples=60, deadline=None)
def test_every_chunk_is_the_exact_text_of_its_spans_and_nothing_is_lost(pages: list[PageContent]) -> None:
    drafts = list(chunks_of(pages, identity="report"))

    covered: dict[int, set[int]] = {page.number: set() for page in pages}
    for draft in drafts:
        assert draft.text == quoted(draft, pages)
        assert len(draft.text) <= 2 * _HARD_CHARACTERS
        for span in draft.spans:
            places = set(range(span.start, span.end))
            assert not covered[span.page] & places
            covered[span.page] |= places
    for page in pages:
        for block in page.blocks:
            if block.kind is not BlockKind.FOOTER:
                missing = {i for i in range(block.start, block.end) if not page.text[i].isspace()} - covered[
                    page.number
                ]
                assert not missing


def test_a_paragraph_that_runs_over_a_page_break_is_one_chunk_with_two_spans() -> None:
    pages = [
        page_of(1, [(BlockKind.PARAGRAPH, "The convertible loan of")]),
        page_of(2, [(BlockKind.PARAGRAPH, "30 million falls due in October 2027.")]),
    ]

    (draft,) = chunks_of(pages, identity="loan")

    assert [span.page for span in draft.spans] == [1, 2]
    assert draft.text == "The convertible loan of\n\n30 million falls due in October 2027."


def test_a_heading_stands_in_the_header_of_what_follows_it() -> None:
    parts = [(BlockKind.HEADING, "Liquidity"), (BlockKind.PARAGRAPH, "Cash rose."), (BlockKind.HEADING, "Debt")]
    page = page_of(1, [*parts, (BlockKind.PARAGRAPH, "Debt fell.")])

    drafts = list(chunks_of([page], identity="report"))

    assert [draft.header for draft in drafts] == ["report · Liquidity", "report · Debt"]
    assert drafts[0].text == "Liquidity\n\nCash rose."


def big_table(rows: int) -> PageContent:
    lines = ["2023 2022", *(f"Branch number {n} {n},000 {n},500" for n in range(1, rows + 1))]
    text = "\n".join(lines)
    found, offset = [], len(lines[0]) + 1
    for line in lines[1:]:
        label, first, second = line.rsplit(" ", 2)
        a = offset + len(label) + 1
        b = a + len(first) + 1
        cells = (Cell(first, a, a + len(first), 0, None), Cell(second, b, b + len(second), 1, None))
        found.append(Row(label, offset, offset + len(line), cells))
        offset += len(line) + 1
    table = Table(0, ("2023", "2022"), tuple(found), "Loan book", "(thousand euro)")
    return PageContent(1, "1", 0, 0, 0, text, (), (Block(0, BlockKind.TABLE, 0, len(text), None),), (table,), "en")


def test_a_big_table_is_cut_between_rows_and_every_piece_carries_its_heads() -> None:
    page = big_table(120)

    drafts = list(chunks_of([page], identity="bank"))

    assert len(drafts) > 2
    assert {draft.kind for draft in drafts} == {ChunkKind.TABLE}
    assert all(draft.header == "bank · Loan book · (thousand euro) · 2023 | 2022" for draft in drafts)
    assert all(draft.text == page.text[draft.spans[0].start : draft.spans[0].end] for draft in drafts)
    rows = list(page.tables[0].rows)
    for row in rows:
        holders = [d for d in drafts if d.spans[0].start <= row.start and row.end <= d.spans[0].end]
        assert len(holders) == 1


def test_the_identity_is_the_name_and_what_page_one_says_in_large_type() -> None:
    page = page_of(1, [(BlockKind.HEADING, "NORTHFIELD TOOLS PLC"), (BlockKind.PARAGRAPH, "Dear owners")])

    assert identity_of("scan_17.pdf", title_of("untitled", page)) == "scan_17 · NORTHFIELD TOOLS PLC"
    assert identity_of("report.pdf", "") == "report"
