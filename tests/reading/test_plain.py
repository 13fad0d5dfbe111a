"""Text files: encodings, sections, cleaning."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reading.contracts import BlockKind, MediaType, WarningCode
from apps.reading.plain import SECTION_LINES, TextReader, decode

FILES = Path(__file__).resolve().parent.parent / "files"


@pytest.mark.parametrize("name", ["musteri_1254.csv", "musteri_utf8.csv", "musteri_utf16.csv"])
def test_turkish_text_reads_alike_in_every_encoding(name: str) -> None:
    lines = "\n".join(decode((FILES / name).read_bytes()).lines)

    assert "Şölen Işık Ltd." in lines
    assert "Çağlayan Gıda" in lines


def test_iso_8859_9_is_read_as_turkish() -> None:
    assert decode("Iğdır şubesi, Şölen".encode("iso-8859-9")).lines == ("Iğdır şubesi, Şölen",)


def test_nul_is_removed_and_said() -> None:
    decoded = decode((FILES / "nul.txt").read_bytes())

    assert "is 5.5 per cent" in "\n".join(decoded.lines)
    assert [warning.code for warning in decoded.warnings] == [WarningCode.NUL_REMOVED]


def test_a_long_file_becomes_sections_that_know_their_first_line() -> None:
    reader = TextReader("\n".join(f"line {n}" for n in range(1, 1001)).encode(), MediaType.TEXT)

    sections = [reader.page(n + 1)[0] for n in range(reader.facts().page_count)]

    assert [section.first_line for section in sections] == [1, 201, 401, 601, 801]
    assert all(section.text.startswith(f"line {section.first_line}") for section in sections)
    assert all(section.text.count("\n") < SECTION_LINES for section in sections)


def test_markdown_headings_have_levels_and_lists_are_lists() -> None:
    page, _warnings = TextReader(b"# Policy\n\nCovers fire.\n\n## Limits\n- theft\n- flood", MediaType.MARKDOWN).page(1)

    kinds = [(block.kind, block.level) for block in page.blocks]
    assert kinds == [
        (BlockKind.HEADING, 1),
        (BlockKind.PARAGRAPH, 0),
        (BlockKind.HEADING, 2),
        (BlockKind.LIST_ITEM, 0),
        (BlockKind.LIST_ITEM, 0),
    ]


@given(st.binary(min_size=1, max_size=4000))
def test_any_bytes_decode_to_text_that_postgres_can_hold(data: bytes) -> None:
    text = "\n".join(decode(data).lines)

    assert "\x00" not in text
    text.encode()


@given(st.text(max_size=6000).filter(lambda text: bool("".join(decode(text.encode("utf-8", "replace")).lines).strip())))
def test_blocks_lie_in_order_inside_their_section(text: str) -> None:
    reader = TextReader(text.encode("utf-8", "replace"), MediaType.TEXT)

    for number in range(1, reader.facts().page_count + 1):
        page, _warnings = reader.page(number)
        previous = 0
        for block in page.blocks:
            assert previous <= block.start < block.end <= len(page.text)
            previous = block.end
