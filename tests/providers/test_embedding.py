"""The built-in model and its cache."""

from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from apps.providers import embedding
from apps.providers.embedding import cache

OWNER = UUID(int=1)


@pytest.fixture
def asked(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An empty cache and a list of the texts that reach the model."""
    settings.CACHE_DIRECTORY = tmp_path
    texts: list[str] = []
    original = embedding.embed_passages

    def embed(batch: list[str]) -> Any:
        texts.extend(batch)
        return original(batch)

    monkeypatch.setattr(embedding, "embed_passages", embed)
    return texts


def test_vectors_are_of_unit_length_and_close_for_close_meanings() -> None:
    question = embedding.embed_query("How much did the company earn?")
    near, far = embedding.embed_passages(["Net income was 12 million.", "The office is closed on Sunday."])

    assert question.shape == (384,)
    assert abs(float(np.linalg.norm(question)) - 1) < 1e-3
    assert float(question @ near) > float(question @ far)


def test_a_text_with_nul_is_embedded_whole() -> None:
    whole, cut = embedding.embed_passages(["profit\x00 fell sharply", "profit"])

    assert float(whole @ cut) < 0.999


def test_only_unseen_texts_reach_the_model_and_order_is_kept(asked: list[str]) -> None:
    first = cache.embed_passages(["one", "two"], owner=OWNER)
    again = cache.embed_passages(["two", "three", "one", "two"], owner=OWNER)

    assert asked == ["one", "two", "three"]
    assert np.allclose(again[[2, 0]], first, atol=2e-3)
    assert np.array_equal(again[0], again[3])


def test_forgotten_texts_are_computed_again(asked: list[str]) -> None:
    cache.embed_passages(["secret"], owner=OWNER)

    cache.forget(["secret"], owner=OWNER)
    cache.embed_passages(["secret"], owner=OWNER)

    assert asked == ["secret", "secret"]


def test_an_organisation_that_leaves_takes_its_vectors_along(asked: list[str]) -> None:
    other = UUID(int=2)
    cache.embed_passages(["ours"], owner=OWNER)
    cache.embed_passages(["theirs"], owner=other)

    cache.forget_owner(OWNER)
    cache.embed_passages(["ours"], owner=OWNER)
    cache.embed_passages(["theirs"], owner=other)

    assert asked == ["ours", "theirs", "ours"]
