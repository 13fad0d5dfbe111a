"""The noun that a question asks for: "balance" in "the balance of Corran Cranes", "süresi" in "sözleşmenin süresi"."""

import re

from apps.agents.engine import glossary
from apps.agents.engine.text import fold, stem, tokens

_ENGLISH = re.compile(
    r"^(?:and |so )?what (?:is|was|are|were) (?:the |its |their )?(?P<asked>[^?,;]+?)"
    r" (?:of|for|in|on|at|under|between|per)\b"
)
_TURKISH = re.compile(r"(?P<asked>\S+) (?:nedir|neydi|ne kadar\w*|kac\b[\w ]*)\W*$")


def asked_noun(question: str) -> str:
    """Stem of the noun that is asked for; "" when the question is worded in another way."""
    folded = " ".join(fold(question).split())
    match = _ENGLISH.search(folded) or _TURKISH.search(folded)
    if match is None:
        return ""
    words = [token.folded for token in tokens(match["asked"]) if token.folded not in glossary.stop_words()]
    return stem(words[-1]) if words and words[-1].isalpha() else ""
