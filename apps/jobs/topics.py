"""Registry of what an open page can watch besides jobs: a part of the page that changes under it, from another tab say.

Higher apps register in AppConfig.ready(). As with jobs, everything sent is read from rows: a topic is a number that
grows with each change and the HTML after it, so that a page that lost its line asks again and misses nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apps.accounts.contracts import Actor

LONGEST_ABOUT = 300


@dataclass(frozen=True, slots=True)
class TopicView:
    """What stands there now. `revision`: ask again after this number."""

    revision: int
    html: str


@dataclass(frozen=True, slots=True)
class Topic:
    """look(actor, about, after): the view when its revision is not `after`, else None. `about` is the page's own word
    of what it shows, not to be trusted. Called in the tenant context and the person's language, every 3 s for each
    open page: one query when nothing changed.
    """

    name: str
    look: Callable[["Actor", str, int], TopicView | None]


_topics: dict[str, Topic] = {}


def register(topic: Topic) -> None:
    _topics[topic.name] = topic


def get(name: str) -> Topic | None:
    return _topics.get(name)
