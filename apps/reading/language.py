"""Language of a page by its function words and letters, decided only when there is enough prose to decide it.

A statistical library (py3langid) was measured: it loads for a second, needs a writable temporary directory,
which
the reading child must not have, and names random languages for pages of numbers.
"""

import re
from collections import Counter

_MINIMUM_LETTERS = 40
_TURKISH_ONLY = frozenset("ğışĞİŞ")
_WORD = re.compile(r"[^\W\d_]+")
_FUNCTION_WORDS: dict[str, frozenset[str]] = {
    "en": frozenset(
        [
            "the",
            "of",
            "and",
            "to",
            "in",
            "for",
            "is",
            "on",
            "that",
            "by",
            "this",
            "with",
            "as",
            "are",
            "or",
            "was",
            "be",
            "at",
            "from",
            "an",
            "which",
            "not",
            "its",
            "has",
            "have",
            "our",
            "we",
            "it",
            "their",
            "other",
            "than",
            "total",
            "net",
            "year",
            "ended",
        ]
    ),
    "tr": frozenset(
        [
            "ve",
            "ile",
            "bir",
            "bu",
            "için",
            "olarak",
            "olan",
            "veya",
            "de",
            "da",
            "olup",
            "tarafından",
            "tarihinde",
            "göre",
            "kadar",
            "ait",
            "ilişkin",
            "diğer",
            "toplam",
            "net",
            "dönem",
            "itibarıyla",
            "üzerinden",
            "değil",
            "her",
            "daha",
            "en",
            "şirket",
            "yıl",
            "sonra",
        ]
    ),
    "de": frozenset(
        [
            "der",
            "die",
            "das",
            "und",
            "den",
            "von",
            "zu",
            "mit",
            "im",
            "für",
            "auf",
            "ist",
            "nicht",
            "ein",
            "eine",
            "dem",
            "des",
            "sich",
            "werden",
            "wird",
            "bei",
        ]
    ),
    "fr": frozenset(
        [
            "le",
            "la",
            "les",
            "et",
            "des",
            "du",
            "en",
            "un",
            "une",
            "est",
            "pour",
            "dans",
            "que",
            "qui",
            "sur",
            "au",
            "par",
            "pas",
            "avec",
            "ce",
            "sont",
        ]
    ),
    "es": frozenset(
        [
            "el",
            "la",
            "los",
            "las",
            "y",
            "en",
            "del",
            "que",
            "por",
            "con",
            "una",
            "para",
            "se",
            "es",
            "al",
            "como",
            "más",
            "su",
        ]
    ),
    "it": frozenset(
        [
            "il",
            "la",
            "di",
            "che",
            "e",
            "in",
            "un",
            "una",
            "per",
            "del",
            "della",
            "dei",
            "con",
            "non",
            "si",
            "da",
            "al",
            "sono",
            "gli",
        ]
    ),
    "nl": frozenset(
        [
            "de",
            "het",
            "een",
            "en",
            "van",
            "in",
            "op",
            "te",
            "dat",
            "is",
            "voor",
            "met",
            "zijn",
            "aan",
            "niet",
            "door",
            "bij",
        ]
    ),
    "pt": frozenset(
        [
            "o",
            "a",
            "os",
            "as",
            "e",
            "do",
            "da",
            "dos",
            "das",
            "em",
            "um",
            "uma",
            "que",
            "para",
            "com",
            "não",
            "por",
            "se",
            "ao",
        ]
    ),
}
_MAIN = ("en", "tr")


def language_of(text: str) -> str:
    """ISO 639-1 code, or "" when the text is too short or says too little to tell."""
    sample = text[:6000]
    letters = sum(map(str.isalpha, sample))
    if letters < _MINIMUM_LETTERS:
        return ""
    if sum(map(sample.count, _TURKISH_ONLY)) / letters > 0.03:
        return "tr"
    words = Counter(map(str.casefold, _WORD.findall(sample)))
    share = {code: sum(map(words.__getitem__, known)) / words.total() for code, known in _FUNCTION_WORDS.items()}
    best = max(share, key=lambda code: (share[code], code in _MAIN))
    needed = 0.04 if best in _MAIN else 0.15
    return best if share[best] >= needed else ""
