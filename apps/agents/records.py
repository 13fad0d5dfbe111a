"""The record of a run: a step that is recorded returns at once, any other is done and recorded.

Rows are written through the job's own door, so that a run that lost its lease writes nothing.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar
from uuid import UUID

from apps.agents.codec import from_json, to_json
from apps.agents.models import RunStep
from apps.tenants.context import tenant_context

T = TypeVar("T")


class Door(Protocol):
    """What a run needs of its job: the tenant, checked writes, a stop signal and events."""

    tenant_id: UUID

    def write(self) -> AbstractContextManager[None]: ...

    def check(self) -> None: ...

    def event(self, type_: str, payload: dict[str, object]) -> None: ...


class Recorder:
    """Records the steps of one run."""

    def __init__(self, run_id: UUID, door: Door) -> None:
        self._run_id = run_id
        self._door = door

    def step(
        self,
        path: str,
        kind: type[T],
        inputs: object,
        work: Callable[[], T],
        *,
        versions: Callable[[T], Iterable[UUID]] = lambda _: (),
    ) -> tuple[T, bool]:
        """The step's result, and whether it came from the record. `versions`: whose text the result holds."""
        digest = hash_of(inputs)
        with tenant_context(self._door.tenant_id):
            found = RunStep.objects.filter(run_id=self._run_id, path=path, input_hash=digest).first()
        if found is not None:
            return from_json(kind, found.output), True
        self._door.check()
        result = work()
        with self._door.write():
            RunStep.objects.bulk_create(
                [
                    RunStep(
                        run_id=self._run_id,
                        path=path,
                        input_hash=digest,
                        output=to_json(result),
                        version_ids=sorted(set(versions(result)), key=str),
                    )
                ],
                ignore_conflicts=True,
            )
        return result, False


def hash_of(inputs: object) -> str:
    """sha256 over the canonical JSON of the inputs."""
    text = json.dumps(to_json(inputs), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def forget_versions(*, version_ids: Iterable[UUID]) -> int:
    """Recorded steps that hold text of these document versions are gone; returns how many."""
    deleted, _ = RunStep.objects.filter(version_ids__overlap=list(version_ids)).delete()
    return deleted


def forget_runs(*, run_ids: Iterable[UUID]) -> None:
    """All records of these runs are gone."""
    RunStep.objects.filter(run_id__in=list(run_ids)).delete()
