"""Enqueue, execute, cancel, retry, dispatch."""

import logging
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, connections, transaction
from django.db.models import F
from django.utils import timezone

from apps.accounts.contracts import Actor
from apps.core.disk import is_disk_full
from apps.core.errors import AirisError, Conflict, NotAllowed, NotFound
from apps.jobs import claims, followers, kinds
from apps.jobs.contracts import OPEN_STATES, JobState
from apps.jobs.hints import hint_readers, hint_worker, waiting_hints
from apps.jobs.models import Job
from apps.jobs.run import JobLost, JobPutOff, JobRun, append_event, finished_now, heartbeat
from apps.jobs.selectors import summary_of
from apps.tenants.context import current_tenant_id, tenant_context

logger = logging.getLogger(__name__)
NEVER = datetime(9999, 1, 1, tzinfo=UTC)  # a job put off until somebody lets it go on
WAIT_FOR_ROOM = timedelta(seconds=30)
HINT_AGAIN_AFTER = timedelta(seconds=20)  # a waiting job is hinted again; duplicates find it claimed


def enqueue(
    *,
    kind: str,
    payload: Mapping[str, Any],
    subject_id: UUID | None = None,
    created_by_id: UUID | None = None,
    idempotency_key: str | None = None,
    is_bulk: bool = False,
) -> UUID:
    """A waiting job, in the caller's tenant transaction. The same key gives the same job.

    `is_bulk`: one of many that nobody waits for; it runs when no other job of its queue waits.
    """
    values = {
        "queue": kinds.get(kind).queue.value,
        "payload": dict(payload),
        "subject_id": subject_id,
        "created_by_id": created_by_id,
        "is_bulk": is_bulk,
        "max_attempts": settings.JOB_MAX_ATTEMPTS,
        "hinted_at": timezone.now(),
    }
    try:
        with transaction.atomic():
            job = Job.objects.create(kind=kind, idempotency_key=idempotency_key, **values)
    except IntegrityError:
        return Job.objects.values_list("id", flat=True).get(kind=kind, idempotency_key=idempotency_key)
    hint_worker(current_tenant_id(), job.id, job.queue)
    return job.id


def execute_next(*, tenant_id: UUID, job_id: UUID) -> None:
    """A hint came for this job: what its queue has next is run, be it this one or another that goes before it.

    There are as many hints as jobs, so each job has its turn; the dispatcher makes up for lost hints.
    """
    with tenant_context(tenant_id):
        hinted = Job.objects.filter(id=job_id).values_list("queue", "state").first()
    if hinted is None:
        return
    queue, state = hinted
    if state == JobState.RUNNING:  # its lease ran out
        execute(tenant_id=tenant_id, job_id=job_id)
        return
    while (found := _next_job(queue)) is not None:
        if execute(tenant_id=found[0], job_id=found[1]):
            return


def _next_job(queue: str) -> tuple[UUID, UUID] | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, job_id FROM airis_next_job(%s)", [queue])
        row = cursor.fetchone()
    return (row[0], row[1]) if row else None


def person_waits(queue: str) -> bool:
    """Whether a job that is not one of many waits in the queue, of any organisation."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT airis_person_waits(%s)", [queue])
        row = cursor.fetchone()
    return bool(row and row[0])


def pause(*, job_ids: Iterable[UUID]) -> None:
    """Waiting jobs wait until `go_on`; those that run go on to their end."""
    Job.objects.filter(id__in=list(job_ids), state=JobState.QUEUED).update(not_before=NEVER)


def go_on(*, job_ids: Iterable[UUID]) -> None:
    """What `pause` held waits for its turn again."""
    held = Job.objects.filter(id__in=list(job_ids), state=JobState.QUEUED, not_before=NEVER)
    for job_id, queue in list(held.values_list("id", "queue")):
        hint_worker(current_tenant_id(), job_id, queue)
    held.update(not_before=None, hinted_at=timezone.now())


def execute(*, tenant_id: UUID, job_id: UUID) -> bool:
    """Claims and runs the job to an end, or leaves it to whoever holds it: then False.

    Never raises for a job's own failure.
    """
    with tenant_context(tenant_id):
        job = claims.claim(job_id)
    if job is None:
        return False
    _run(job, tenant_id)
    return True


def _run(job: Job, tenant_id: UUID) -> None:
    job_id = job.id
    run = JobRun(job, tenant_id)
    kind = kinds.get(job.kind)
    try:
        with heartbeat(run):
            kind.run(run)
        _end(run, JobState.SUCCEEDED)
    except JobLost:
        logger.info("job no longer ours", extra={"job_id": job_id, "attempt": run.attempt})
    except JobPutOff as exc:
        _put_off(run, exc.wait, exc.code)
    except AirisError as exc:
        if is_disk_full(exc):
            _wait_for_room(run)
            return
        logger.warning("job failed: %s", exc.code, extra={"job_id": job_id, "code": exc.code})
        _end_quietly(run, JobState.FAILED, exc.code)
    except Exception as exc:
        if is_disk_full(exc):
            _wait_for_room(run)
            return
        # Outermost edge of a task: unknown failures are retried until the attempts are used up.
        logger.exception("job attempt failed", extra={"job_id": job_id, "attempt": run.attempt})
        connections.close_all()
        if run.is_last_attempt:
            _end_quietly(run, JobState.FAILED, "unexpected")
        else:
            _release(run)


def cancel(*, actor: Actor, job_id: UUID) -> None:
    """The job is over for good; a running attempt notices at its next write. Raises NotFound, NotAllowed, Conflict."""
    job = _stoppable(actor, job_id)
    if job.state not in OPEN_STATES:
        raise Conflict(code="job_is_over")
    cancel_in_transaction(job_id=job_id)


def cancel_in_transaction(*, job_id: UUID) -> None:
    """For services that end a job together with its subject; nothing happens when it is over already."""
    job = Job.objects.select_for_update().filter(id=job_id, state__in=OPEN_STATES).first()
    if job is None:
        return
    Job.objects.filter(id=job_id).update(state=JobState.CANCELLED, **finished_now())
    kind = kinds.get(job.kind)
    if kind.on_cancelled is not None:
        kind.on_cancelled(job.id, job.payload)
    append_event(job_id, "cancelled", {})
    hint_readers(current_tenant_id(), job_id)


def cancel_for_subject(*, subject_id: UUID) -> None:
    """All open jobs of a thing that goes away are over."""
    for job_id in Job.objects.filter(subject_id=subject_id, state__in=OPEN_STATES).values_list("id", flat=True):
        cancel_in_transaction(job_id=job_id)


def retry(*, actor: Actor, job_id: UUID) -> None:
    """A failed job waits again, with fresh attempts. Raises NotFound, NotAllowed, Conflict."""
    requeue(job_id=_stoppable(actor, job_id).id)


def requeue(*, job_id: UUID) -> None:
    """For services that checked the right themselves. Raises Conflict unless the job failed or was cancelled."""
    changed = Job.objects.filter(id=job_id, state__in=(JobState.FAILED, JobState.CANCELLED)).update(
        state=JobState.QUEUED,
        max_attempts=F("attempt") + settings.JOB_MAX_ATTEMPTS,  # numbers never repeat: an old run stays recognisable
        lease_until=None,
        error_code="",
        finished_at=None,
        stage="",
        done=0,
        total=0,
        not_before=None,
        queued_at=timezone.now(),
        hinted_at=timezone.now(),
    )
    if not changed:
        raise Conflict(code="job_not_failed")
    job = Job.objects.get(id=job_id)
    append_event(job_id, "queued_again", {})
    hint_readers(current_tenant_id(), job_id)
    hint_worker(current_tenant_id(), job_id, job.queue)


def dispatch() -> int:
    """Waiting and expired jobs are hinted again; exhausted ones fail with a reason. Returns how many were found."""
    found = _due_jobs()
    for tenant_id, job_id in found:
        with tenant_context(tenant_id):
            job = Job.objects.select_for_update(skip_locked=True).filter(id=job_id, state__in=OPEN_STATES).first()
            if job is None:
                continue
            if claims.is_exhausted(job):
                _fail_row(job, "worker_lost")
            elif job.state == JobState.RUNNING or not _has_hints(job.queue):
                Job.objects.filter(id=job_id).update(hinted_at=timezone.now())
                hint_worker(tenant_id, job_id, job.queue)
    return len(found)


def _has_hints(queue: str) -> bool:
    """While messages wait in the broker, its workers come by themselves: no second hint for each waiting job."""
    return waiting_hints(queue) > 0


def _due_jobs() -> list[tuple[UUID, UUID]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tenant_id, job_id FROM airis_due_jobs(%s::interval)",
            [f"{HINT_AGAIN_AFTER.total_seconds()} seconds"],
        )
        return [(row[0], row[1]) for row in cursor.fetchall()]


def _stoppable(actor: Actor, job_id: UUID) -> Job:
    job = Job.objects.filter(id=job_id).first()
    if job is None or not kinds.get(job.kind).may_see(summary_of(job), actor):
        raise NotFound
    if not kinds.get(job.kind).may_stop(summary_of(job), actor):
        raise NotAllowed
    return job


def _end(run: JobRun, state: JobState, error_code: str = "") -> None:
    with run.write():
        job = Job.objects.get(id=run.job_id)
        if state == JobState.FAILED:
            _fail_row(job, error_code)
            return
        Job.objects.filter(id=run.job_id).update(state=state, error_code="", **finished_now())
        append_event(run.job_id, state.value, {})
        followers.tell(summary_of(Job.objects.get(id=run.job_id)))
        hint_readers(run.tenant_id, run.job_id)


def _end_quietly(run: JobRun, state: JobState, error_code: str) -> None:
    try:
        _end(run, state, error_code)
    except JobLost:
        logger.info("job no longer ours", extra={"job_id": run.job_id, "attempt": run.attempt})


def _fail_row(job: Job, error_code: str) -> None:
    Job.objects.filter(id=job.id).update(state=JobState.FAILED, error_code=error_code, **finished_now())
    kind = kinds.get(job.kind)
    if kind.on_failed is not None:
        kind.on_failed(job.id, job.payload, error_code)
    append_event(job.id, "failed", {"code": error_code})
    followers.tell(summary_of(Job.objects.get(id=job.id)))
    hint_readers(current_tenant_id(), job.id)


def _wait_for_room(run: JobRun) -> None:
    """The job goes on when there is room again. When even this cannot be written, its lease runs out instead."""
    logger.error("no room left: job waits", extra={"job_id": run.job_id, "code": "storage_full"})
    connections.close_all()
    try:
        _put_off(run, WAIT_FOR_ROOM, "storage_full")
    except DatabaseError as exc:
        logger.warning("could not put the job off: %s", type(exc).__name__, extra={"job_id": run.job_id})


def _put_off(run: JobRun, wait: timedelta, code: str) -> None:
    """The job waits again until then; the attempt is given back."""
    with tenant_context(run.tenant_id):
        changed = Job.objects.filter(id=run.job_id, attempt=run.attempt, state=JobState.RUNNING).update(
            state=JobState.QUEUED,
            max_attempts=F("max_attempts") + 1,
            lease_until=None,
            not_before=timezone.now() + wait if wait else None,
            hinted_at=timezone.now(),
            error_code=code,
        )
        if changed:
            if not wait:
                hint_worker(run.tenant_id, run.job_id, Job.objects.values_list("queue", flat=True).get(id=run.job_id))
            append_event(run.job_id, "put_off", {"code": code, "seconds": round(wait.total_seconds())})
            hint_readers(run.tenant_id, run.job_id)


def _release(run: JobRun) -> None:
    """The next attempt may start at once."""
    with tenant_context(run.tenant_id):
        changed = Job.objects.filter(id=run.job_id, attempt=run.attempt, state=JobState.RUNNING).update(
            state=JobState.QUEUED, lease_until=None, hinted_at=timezone.now()
        )
        if changed:
            job = Job.objects.get(id=run.job_id)
            hint_worker(run.tenant_id, run.job_id, job.queue)
