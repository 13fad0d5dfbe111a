"""The tree of a conversation's questions: which branch is shown, what stands in whose place, what waits for what.

Pure: works on places that were read before. It decides nothing about rights.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.chat.contracts import OPEN_STATES


@dataclass(frozen=True, slots=True)
class Place:
    """A question in its conversation."""

    id: UUID
    parent_id: UUID | None
    ordinal: int
    state: str
    job_id: UUID | None

    @property
    def is_in_line(self) -> bool:
        """It waits for an earlier question and has no job yet."""
        return self.state in OPEN_STATES and self.job_id is None


def shown(places: Iterable[Place], at: UUID | None = None) -> list[UUID]:
    """The branch through `at` and on to its newest end; without it (or unknown), the one asked in last."""
    known = {place.id: place for place in places}
    if not known:
        return []
    newest = max(known.values(), key=lambda place: place.ordinal)
    end = newest if at is None or at not in known else _newest_below(known, known[at])
    return [*ancestors(known.values(), end.id), end.id]


def ancestors(places: Iterable[Place], message_id: UUID) -> list[UUID]:
    """The questions before this one in its branch, oldest first."""
    parents = {place.id: place.parent_id for place in places}
    path: list[UUID] = []
    parent = parents[message_id]
    while parent is not None:
        path.append(parent)
        parent = parents[parent]
    return path[::-1]


def versions(places: Iterable[Place], message_id: UUID) -> tuple[UUID, ...]:
    """The question and those asked in its place, oldest first."""
    known = {place.id: place for place in places}
    parent = known[message_id].parent_id
    siblings = [place for place in known.values() if place.parent_id == parent]
    return tuple(place.id for place in sorted(siblings, key=lambda place: place.ordinal))


def behind(places: Iterable[Place], message_id: UUID) -> int | None:
    """How many questions of the conversation are answered before this one starts; None when it has its job."""
    known = list(places)
    own = next(place for place in known if place.id == message_id)
    if not own.is_in_line:
        return None
    return sum(1 for place in known if place.state in OPEN_STATES and place.ordinal < own.ordinal)


def next_in_line(places: Iterable[Place]) -> UUID | None:
    """The question whose turn it is; None while one is being answered, or when none waits."""
    known: Sequence[Place] = sorted(places, key=lambda place: place.ordinal)
    if any(place.state in OPEN_STATES and place.job_id is not None for place in known):
        return None
    return next((place.id for place in known if place.is_in_line), None)


def _newest_below(known: dict[UUID, Place], start: Place) -> Place:
    """The last question asked in the branches that lead on from `start`."""
    below, found = {start.id}, start
    for place in sorted(known.values(), key=lambda place: place.ordinal):  # a parent is asked before its follow-ups
        if place.parent_id in below:
            below.add(place.id)
            found = place
    return found
