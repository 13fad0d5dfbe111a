"""Contracts survive the pipe and the database unchanged."""

import json
from collections.abc import Callable

from apps.reading import codec
from apps.reading.contracts import PageContent


def test_a_page_survives_json(read_pages: Callable[[str], tuple[PageContent, ...]]) -> None:
    for page in read_pages("loan_book.pdf"):
        assert codec.page_from_json(json.loads(json.dumps(codec.page_to_json(page)))) == page


def test_words_and_tables_survive_their_blobs(read_pages: Callable[[str], tuple[PageContent, ...]]) -> None:
    for page in read_pages("loan_book.pdf"):
        assert codec.decode_words(codec.encode_words(page.words)) == page.words
        assert codec.decode_tables(codec.encode_tables(page.tables)) == page.tables
