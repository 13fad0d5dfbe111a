"""Words as the index knows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.retrieval.terms import STOP_WORDS, query_literal, tokens_of, vector_of, words_of


def folded(text: str) -> list[str]:
    return [token.folded for token in tokens_of(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("İSTANBUL", "istanbul"),
        ("ISPARTA", "ısparta"),
        ("kârlılığı", "KARLILIĞI"),
        ("1,234,567", "1.234.567"),
        ("3,15", "3.15"),
        ("1.234,50", "1,234.50"),
        ("O’Brien", "O'BRIEN"),
        ("C:\\deals\\2024", "c:\\DEALS\\2024"),
    ],
)
def test_spellings_of_the_same_thing_are_one_word(one: str, other: str) -> None:
    assert folded(one) == folded(other)


def test_identifiers_are_kept_whole_and_in_parts() -> None:
    assert folded("LX-41942") == ["lx", "41942", "lx-41942"]
    assert "team:foobar" in folded("team:foobar")
    assert "obrien" in folded("(O'Brien)")


def test_different_numbers_stay_different() -> None:
    assert folded("3.15") != folded("315")
    assert folded("1,234") != folded("1.23")
    assert words_of("2,021") == ["2021"]


@given(st.text(max_size=300))
def test_any_text_gives_words_that_postgres_can_quote(text: str) -> None:
    tokens = tokens_of(text)

    assert all(token.folded and len(token.folded) <= 61 for token in tokens)
    literal = vector_of([], tokens, {}).literal()
    assert literal.count("'") % 2 == 0
    query_literal(token.folded for token in tokens)


def test_stop_words_are_written_folded() -> None:
    assert all(words_of(word) == [word] for word in STOP_WORDS)
