"""Folding keeps offsets and unifies the Turkish i; names to show are clean."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.core.text import clean_file_name, clean_input, fold


@pytest.mark.parametrize(
    "words", [("İSTANBUL", "istanbul", "ISTANBUL", "İstanbul"), ("Iğdır", "ığdır", "IGDIR"), ("ŞİŞLİ", "sisli")]
)
def test_spellings_of_one_word_fold_alike(words: tuple[str, ...]) -> None:
    assert len({fold(word) for word in words}) == 1


@given(st.text())
def test_folding_keeps_every_offset(text: str) -> None:
    assert len(fold(text)) == len(text)


@given(st.text(alphabet=st.characters()))
def test_input_comes_out_as_text_that_can_be_stored(text: str) -> None:
    cleaned = clean_input(text + "\x00\ud800")

    cleaned.encode()
    assert "\x00" not in cleaned
    assert unicodedata.is_normalized("NFC", cleaned)


@given(st.text(min_size=1, max_size=400))
def test_a_shown_name_holds_no_path_and_no_control(name: str) -> None:
    shown = clean_file_name(name)

    assert 0 < len(shown) <= 255
    assert not set(shown) & set("/\\\x00\n\r\u202e")
    assert shown not in {".", ".."}
