"""Finding words inside one document, exactly as they stand there, whatever their case, accents or Turkish i."""

from dataclasses import dataclass
from uuid import UUID

from apps.accounts.contracts import Actor
from apps.core.text import fold
from apps.documents.models import Page
from apps.documents.rows import readable

LONGEST_QUERY = 200
MOST_FINDS = 100
_AROUND = 48  # characters on either side
_BATCH = 100  # pages


@dataclass(frozen=True, slots=True)
class Find:
    page: int
    label: str
    start: int
    end: int
    before: str
    words: str
    after: str


def find_in_document(*, actor: Actor, document_id: UUID, words: str) -> tuple[Find, ...]:
    """The first hundred places of the words in reading order; () for fewer than two letters."""
    version_id = readable(actor, document_id).current_version_id
    wanted = fold(" ".join(words.split()))
    if len(wanted) < 2:
        return ()
    found: list[Find] = []
    pages = Page.objects.filter(version_id=version_id).order_by("number").values_list("number", "label", "text")
    for number, label, text in pages.iterator(chunk_size=_BATCH):
        folded = fold(text).replace("\n", " ")  # words may run over a line's end
        start = folded.find(wanted)
        while start >= 0:
            found.append(_find(number, label, text, start, start + len(wanted)))
            if len(found) >= MOST_FINDS:
                return tuple(found)
            start = folded.find(wanted, start + len(wanted))
    return tuple(found)


def _find(number: int, label: str, text: str, start: int, end: int) -> Find:
    before = " ".join(text[max(0, start - _AROUND) : start].split("\n")[-1:])
    after = text[end : end + _AROUND].split("\n")[0]
    return Find(number, label, start, end, before, " ".join(text[start:end].split()), after)
