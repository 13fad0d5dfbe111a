"""Names in text: which words tell one from another, and whether words speak of a relative of the one asked for."""

import re
from collections.abc import Sequence

from apps.agents.engine import glossary
from apps.agents.engine.text import fold, tokens

LEGAL_FORMS = glossary.word_set("legal_form")
GROUP_FORMS = glossary.word_set("group_form")  # may be left out when a name is said
TRADES = glossary.word_set("trade")  # bank, leasing …: shared by strangers
_WORD = r"[A-ZÇĞİÖŞÜ][\w.&'’-]*"
_RUN = re.compile(rf"{_WORD}(?:[ \t]+(?:(?:of|and|&|ve|de|van)[ \t]+)?{_WORD})+")


def name_words(name: str) -> tuple[str, ...]:
    """The folded words that tell a name from others: legal forms and case endings are left out."""
    words = [bare(token.folded) for token in tokens(name)]
    kept = tuple(word for word in words if word not in LEGAL_FORMS)
    return kept or tuple(words)


def bare(word: str) -> str:
    return re.sub(r"['’].*$", "", word)


def all_in(words: Sequence[str], text: str) -> bool:
    """Whether the text holds all the words, also with endings, or in the other language."""
    found = {bare(token.folded) for token in tokens(text)}
    return all(
        w in found
        or (len(w) > 4 and any(other.startswith(w) for other in found))
        or bool(glossary.related_words(w) & found)
        for w in words
    )


def is_relative_s(parts: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the nearest of the parts (sentence before heading, row before table) that names anybody names another."""
    for part in parts:
        if all_in(tuple(word for word in words if word not in GROUP_FORMS) or words, part):
            return False
        if speaks_of_relative(part, words):
            return True
    return False


def speaks_of_relative(text: str, words: Sequence[str]) -> bool:
    """Whether the text names somebody who shares a part of the name and is not the one: a sister, a parent.

    "Tarvos Leasing" is a relative of "Tarvos Bank"; a text that names both speaks of neither alone.
    """
    telling = {word for word in words if word not in GROUP_FORMS}
    if len(words) < 2 or all_in(tuple(telling), text):
        return False
    own = {word for word in words if word not in TRADES and word not in GROUP_FORMS}
    return any(own & run and not telling <= run for run in _runs(text))


def _runs(text: str) -> list[set[str]]:
    return [set(name_words(match.group())) for match in _RUN.finditer(text)]


def is_typo(word: str, other: str) -> bool:
    """One letter added, lost, changed or swapped, the first one kept, in words of six letters or more."""
    if min(len(word), len(other)) < 6 or abs(len(word) - len(other)) > 1 or word[0] != other[0]:
        return False
    start = 0
    while start < min(len(word), len(other)) and word[start] == other[start]:
        start += 1
    first, second = word[start:], other[start:]
    swapped = len(first) == len(second) > 1 and first[:2] == second[1::-1] and first[2:] == second[2:]
    return swapped or first[1:] == second[1:] or first[1:] == second or first == second[1:]


def squeeze(text: str) -> str:
    """Folded letters and digits only, so that "Foot Locker" equals "FOOTLOCKER"."""
    return re.sub(r"[^a-z0-9]+", "", fold(text))


def names_document(name: str, document: str) -> bool:
    """Whether all words of the name stand in a document's name or header, spaces aside."""
    squeezed, words = squeeze(document), name_words(name)
    return bool(words) and (all_in(words, document) or all(len(word) > 2 and word in squeezed for word in words))
