"""The noun that a question asks for: "balance" in "the balance of Corran Cranes", "süresi" in "sözleşmenin süresi"."""

import re

from apps.agents.engine.text import fold, stem, tokens

_ENGLISH = re.compile(
    r"^(?:and |so )?what (?:is|was|are|were) (?:the |its |their )?(?P<asked>[^?,;]+?)"
    r" (?:of|for|in|on|at|under|between|per)\b"
)
_TURKISH = re.compile(r"(?P<asked>\S+) (?:nedir|neydi|ne kadar\w*|kac\b[\w ]*)\W*$")


_QUANTITIES = """
amount balance price fee rate number total cost premium rent limit value sum share percentage count quantity salary
deductible installment instalment discount commission margin ratio
tutar tutari bakiye bakiyesi bedel bedeli fiyat fiyati ucret ucreti oran orani sayi sayisi adet adedi miktar miktari
faiz faizi prim primi kira kirasi taksit limit limiti toplam toplami deger degeri maliyet maliyeti masraf masrafi
"""
_AMOUNTS = frozenset(stem(word) for word in _QUANTITIES.split())
_FIGURE = re.compile(r"(?<![\w./-])\d[\d.,]*%?(?![\w/-])")


def lacks_quantity(noun: str, sentence: str) -> bool:
    """Whether a quantity is asked for and the sentence holds no figure; digits of a number of a document are none."""
    return noun in _AMOUNTS and not _FIGURE.search(sentence)


def asked_noun(question: str) -> str:
    """Stem of the noun that is asked for; "" when the question is worded in another way."""
    folded = " ".join(fold(question).split())
    match = _ENGLISH.search(folded) or _TURKISH.search(folded)
    if match is None:
        return ""
    words = [token.folded for token in tokens(match["asked"])]
    return stem(words[-1]) if words and words[-1].isalpha() else ""
