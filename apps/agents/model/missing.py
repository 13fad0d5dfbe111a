"""What a model calls missing is shown unchecked: it may repeat the question's words, and add none of its own."""

from apps.agents.engine import glossary
from apps.agents.engine.text import stem, stems

_WORDS = """
nothing none never neither document documents passage passages source sources text say says said state stated
name named give given mention mentioned contain contains include included found find information detail details
figure figures value values amount answer disclosed reported available provided missing any only
belge belgelerde belgeler pasaj kaynak metin yok yer almiyor bulunamadi bulunmuyor bilgi soylenmiyor belirtilmemis
belirtilmiyor verilmemis verilmiyor gecmiyor deger tutar rakam yanit cevap eksik hicbir
"""
_SPOKEN = frozenset(stem(word) for word in _WORDS.split())


def says_only(item: str, question: str) -> bool:
    """Whether the item says no more than that something asked for is not there: no word or number of its own."""
    asked = stems(question)
    return all(root in asked or root in _SPOKEN or root in _stop_stems() for root in stems(item))


def _stop_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in glossary.stop_words())
