"""Registry of apps that keep something of a document: told when it becomes ready and when it is deleted.

`hide` runs inside the deleting transaction and must be quick: what it removes is gone at once. `deleted` runs in the
purge job, may run twice, and scrubs wherever text was copied. `ready` runs in the transaction that makes a version
searchable.
"""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID


def _nothing(_document_id: UUID, _version_ids: tuple[UUID, ...]) -> None:
    """Default of a follower's parts."""


Told = Callable[[UUID, tuple[UUID, ...]], None]


@dataclass(frozen=True, slots=True)
class DocumentFollower:
    name: str
    ready: Told = _nothing
    hide: Told = _nothing
    deleted: Told = _nothing


_followers: dict[str, DocumentFollower] = {}


def register(follower: DocumentFollower) -> None:
    _followers[follower.name] = follower


def tell_ready(document_id: UUID, version_ids: tuple[UUID, ...]) -> None:
    for follower in _followers.values():
        follower.ready(document_id, version_ids)


def tell_hidden(document_id: UUID, version_ids: tuple[UUID, ...]) -> None:
    for follower in _followers.values():
        follower.hide(document_id, version_ids)


def tell_deleted(document_id: UUID, version_ids: tuple[UUID, ...]) -> None:
    for follower in _followers.values():
        follower.deleted(document_id, version_ids)
