"""Registry of apps that keep something of a document: told when it becomes ready, superseded, deleted.

`hide` runs inside the deleting transaction and must be quick: what it removes is gone at once. `deleted` runs in the
purge job, may run twice, and scrubs wherever text was copied. `ready` runs in the transaction that makes a version
searchable, `superseded` in the one that makes a newer version the current one: what cites the old one stays.
"""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID


def _nothing(_document_id: UUID, _version_ids: tuple[UUID, ...]) -> None:
    """Default of a follower's parts."""


Told = Callable[[UUID, tuple[UUID, ...]], None]


def _nothing_moved(_document_id: UUID, _version_id: UUID, _reading_id: UUID, _pages: frozenset[int]) -> None:
    """Default of a follower that keeps no places."""


Moved = Callable[[UUID, UUID, UUID, frozenset[int]], None]


@dataclass(frozen=True, slots=True)
class DocumentFollower:
    name: str
    ready: Told = _nothing
    superseded: Told = _nothing
    moved: Moved = _nothing_moved
    hide: Told = _nothing
    deleted: Told = _nothing


_followers: dict[str, DocumentFollower] = {}


def register(follower: DocumentFollower) -> None:
    _followers[follower.name] = follower


def tell_ready(document_id: UUID, version_ids: tuple[UUID, ...]) -> None:
    for follower in _followers.values():
        follower.ready(document_id, version_ids)


def tell_superseded(document_id: UUID, version_ids: tuple[UUID, ...]) -> None:
    for follower in _followers.values():
        follower.superseded(document_id, version_ids)


def tell_moved(document_id: UUID, version_id: UUID, reading_id: UUID, pages: frozenset[int]) -> None:
    """What was kept of these pages of the version is true of the reading now: the version reads differently there."""
    for follower in _followers.values():
        follower.moved(document_id, version_id, reading_id, pages)


def tell_hidden(document_id: UUID, version_ids: tuple[UUID, ...]) -> None:
    for follower in _followers.values():
        follower.hide(document_id, version_ids)


def tell_deleted(document_id: UUID, version_ids: tuple[UUID, ...]) -> None:
    for follower in _followers.values():
        follower.deleted(document_id, version_ids)
