"""Words for matching: case, accents and the two Turkish i's unified; str.lower alone would break Turkish."""

import unicodedata
from functools import lru_cache


@lru_cache(maxsize=8192)
def folded(text: str) -> str:
    """The matching form of a few words; its length may differ from the text's."""
    plain = text.replace("İ", "i").replace("I", "i").replace("ı", "i").replace("ẞ", "ss")
    parted = unicodedata.normalize("NFD", plain.lower())
    return unicodedata.normalize("NFC", "".join(c for c in parted if not unicodedata.combining(c)))
