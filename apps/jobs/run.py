"""What a handler works with: ids, progress, events, and writes that check the attempt.

A handler runs outside any transaction. It reads in short `tenant_context` blocks, calls out, and writes in
`with run.write():`. A run that lost its lease or was cancelled gets JobLost at its next write or check.
"""

import logging
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import connections
from django.db.models import F
from django.utils import timezone

from apps.jobs import claims
from apps.jobs.contracts import JobState
from apps.jobs.hints import hint_readers
from apps.jobs.models import Job, JobEvent
from apps.tenants.context import tenant_context

logger = logging.getLogger(__name__)
CHECK_EVERY_S = 0.5
PROGRESS_EVERY_S = 0.25


class JobLost(Exception):
    """This attempt no longer holds the job: cancelled, or claimed by another worker. Stop quietly."""


class JobPutOff(Exception):
    """The run cannot go on now, for a reason that is not its own; it begins again after `wait`."""

    def __init__(self, wait: timedelta, *, code: str) -> None:
        super().__init__(code)
        self.wait = wait
        self.code = code


class JobRun:
    """One attempt at one job."""

    def __init__(self, job: Job, tenant_id: UUID) -> None:
        self.job_id: UUID = job.id
        self.tenant_id = tenant_id
        self.created_by_id: UUID | None = job.created_by_id
        self.subject_id: UUID | None = job.subject_id
        self.payload: Mapping[str, Any] = job.payload
        self.is_bulk: bool = job.is_bulk
        self._queue: str = job.queue
        self.attempt: int = job.attempt
        self.is_last_attempt: bool = job.attempt >= job.max_attempts
        self._checked_at = time.monotonic()
        self._progress_at = 0.0
        self._is_lost = threading.Event()

    @contextmanager
    def write(self) -> Iterator[None]:
        """A tenant transaction that commits only while this attempt holds the job. Raises JobLost."""
        with tenant_context(self.tenant_id):
            if not claims.hold(self.job_id, self.attempt):
                raise JobLost
            yield

    def check(self) -> None:
        """Raises JobLost when the job was cancelled or taken over; asks the database at most twice a second."""
        if self._is_lost.is_set():
            raise JobLost
        if time.monotonic() - self._checked_at < CHECK_EVERY_S:
            return
        self._checked_at = time.monotonic()
        with tenant_context(self.tenant_id):
            held = Job.objects.filter(id=self.job_id, attempt=self.attempt, state=JobState.RUNNING).exists()
        if not held:
            raise JobLost

    def progress(self, stage: str, done: int = 0, total: int = 0) -> None:
        """How far the run is; coalesced columns, at most 4 writes a second except for a finished stage."""
        now = time.monotonic()
        if now - self._progress_at < PROGRESS_EVERY_S and done != total:
            return
        self._progress_at = now
        with tenant_context(self.tenant_id):
            changed = Job.objects.filter(id=self.job_id, attempt=self.attempt, state=JobState.RUNNING).update(
                stage=stage, done=done, total=total
            )
        if not changed:
            raise JobLost
        hint_readers(self.tenant_id, self.job_id)

    def give_way(self) -> None:
        """One of many steps aside, when somebody waits, and goes on after them. Raises JobPutOff."""
        from apps.jobs.services import person_waits  # it runs this

        if self.is_bulk and person_waits(self._queue):
            raise JobPutOff(timedelta(0), code="gave_way")

    def event(self, type_: str, payload: Mapping[str, Any] | None = None) -> None:
        """An event of its own transaction. Raises JobLost."""
        with self.write():
            self.event_in_write(type_, payload)

    def event_in_write(self, type_: str, payload: Mapping[str, Any] | None = None) -> None:
        """An event inside `write()`: call it last, so that its number is given just before the commit."""
        append_event(self.job_id, type_, payload or {})
        hint_readers(self.tenant_id, self.job_id)

    def lose(self) -> None:
        self._is_lost.set()


def append_event(job_id: UUID, type_: str, payload: Mapping[str, Any]) -> int:
    """The event's number. The row lock of the update orders writers, so that numbers commit in order."""
    Job.objects.filter(id=job_id).update(last_seq=F("last_seq") + 1)
    seq = Job.objects.values_list("last_seq", flat=True).get(id=job_id)
    JobEvent.objects.create(job_id=job_id, seq=seq, type=type_, payload=dict(payload))
    return seq


@contextmanager
def heartbeat(run: JobRun) -> Iterator[None]:
    """A thread with its own connection extends the lease until the block ends."""
    stop = threading.Event()

    def beat() -> None:
        failures = 0
        while not stop.wait(claims.heartbeat_every().total_seconds()):
            try:
                with tenant_context(run.tenant_id):
                    held = claims.extend(run.job_id, run.attempt)
                failures = 0
            except Exception:  # noqa: BLE001  (outermost edge of the thread: the database may be restarting)
                failures += 1
                logger.warning("heartbeat failed", extra={"job_id": run.job_id, "attempt": failures})
                connections.close_all()
                continue
            if not held:
                run.lose()
                break
        connections.close_all()

    thread = threading.Thread(target=beat, name=f"heartbeat-{run.job_id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def finished_now() -> dict[str, Any]:
    return {"finished_at": timezone.now(), "lease_until": None}
