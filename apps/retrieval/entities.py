"""Which documents a question names: its words against names and titles of the documents in scope.

Choosing the right filing is where most of a search over many filings is lost; inside it, words find the page.
"""

import math
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from uuid import UUID

from apps.documents.contracts import VersionIdentity
from apps.retrieval.terms import STOP_WORDS, words_of

_FEW = 0.34  # a word that more than this share of the documents carries names none of them
_CLOSE = 0.7  # documents this near to the best match count as named too
_LEAST_DOCUMENTS = 3


def named_versions(query: str, identities: Iterable[VersionIdentity]) -> dict[UUID, float]:
    """How well the question names each version, 0 … 1 relative to the best; {} when it names none."""
    known = {identity.version_id: _words(identity.name, identity.title) for identity in identities}
    if len(known) < _LEAST_DOCUMENTS:
        return {}
    words = words_of(query)
    asked = {w for w in words if w not in STOP_WORDS and len(w) > 1}
    asked |= {a + b for a, b in pairwise(words) if a.isalpha() and b.isalpha()}
    frequency = Counter(word for own in known.values() for word in own & asked)
    rare = {word: math.log(len(known) / count) for word, count in frequency.items() if count <= _FEW * len(known)}
    naming = {word for word in rare if not word.isdigit()}
    scores = {
        version_id: sum(rare[word] for word in own & rare.keys()) for version_id, own in known.items() if own & naming
    }
    if not scores:
        return {}
    best = max(scores.values())
    return {version_id: score / best for version_id, score in scores.items() if score >= _CLOSE * best}


@lru_cache(maxsize=20_000)
def _words(name: str, title: str) -> frozenset[str]:
    return frozenset(words_of(f"{name} {title}"))
