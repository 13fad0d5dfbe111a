"""Lists stand in the order of the Turkish alphabet, here in Python."""

import random

from apps.core.collation import sort_key

NAMES = [
    "2024 özet", "cevher", "Ceviz", "Çam", "Gül", "Ğ-test", "Ihlamur", "ısı", "İğde", "iz", "Kâr", "karar", "Orman",
    "Ördek", "Susam", "Şeftali", "Ulus", "Üzüm", "Zeytin",
]  # fmt: skip


def test_names_sort_as_a_turkish_dictionary_has_them() -> None:
    shuffled = random.Random(7).sample(NAMES, len(NAMES))

    assert sorted(shuffled, key=sort_key) == NAMES
    assert sorted(["S\u0327eker", "Su", "Tuz"], key=sort_key) == ["Su", "S\u0327eker", "Tuz"]  # decomposed
