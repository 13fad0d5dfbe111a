"""Reads of jobs and their events."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import F, Q

from apps.accounts.contracts import Actor
from apps.core.errors import NotFound
from apps.jobs import kinds
from apps.jobs.contracts import OPEN_STATES, JobEventRecord, JobState, JobSummary
from apps.jobs.models import Job, JobEvent


def get_job(*, actor: Actor, job_id: UUID) -> JobSummary:
    """Raises NotFound unless the actor may follow it."""
    job = Job.objects.filter(id=job_id).first()
    if job is None:
        raise NotFound
    summary = summary_of(job, position=_position(job))
    if not kinds.get(job.kind).may_see(summary, actor):
        raise NotFound
    return summary


def read_job(*, job_id: UUID) -> JobSummary | None:
    """As get_job without a right check, for the app that owns the job's subject."""
    job = Job.objects.filter(id=job_id).first()
    return summary_of(job, position=_position(job)) if job else None


def latest_jobs(*, subject_ids: tuple[UUID, ...]) -> dict[UUID, JobSummary]:
    """The newest job of each subject, with its honest position; two queries at most."""
    jobs = Job.objects.filter(subject_id__in=subject_ids).order_by("subject_id", "-created_at").distinct("subject_id")
    found = list(jobs)
    positions = _positions() if any(job.state == JobState.QUEUED for job in found) else {}
    return {job.subject_id: summary_of(job, position=positions.get(job.id)) for job in found if job.subject_id}


def in_work(*, subject_ids: Iterable[UUID], kinds_of_work: Iterable[str]) -> frozenset[UUID]:
    """Which of these things have an open job of one of the kinds. One query."""
    found = Job.objects.filter(subject_id__in=list(subject_ids), kind__in=list(kinds_of_work), state__in=OPEN_STATES)
    return frozenset(subject_id for subject_id in found.values_list("subject_id", flat=True) if subject_id is not None)


def open_jobs(*, subject_ids: Iterable[UUID]) -> tuple[UUID, ...]:
    """Open jobs of these things. One query."""
    found = Job.objects.filter(subject_id__in=list(subject_ids), state__in=OPEN_STATES)
    return tuple(found.values_list("id", flat=True))


def is_among_first(*, job_id: UUID, kind: str, most: int) -> bool:
    """Whether the job is one of the organisation's `most` jobs of the kind that began first of those running now.

    Of many that begin at once exactly `most` are: they never all wait for one another.
    """
    running = Job.objects.filter(kind=kind, state=JobState.RUNNING)
    first = running.order_by(F("started_at").asc(nulls_first=True), "id").values_list("id", flat=True)[:most]
    return job_id in set(first)


def list_jobs(*, actor: Actor, limit: int = 50) -> tuple[JobSummary, ...]:
    """The actor's own jobs, newest first."""
    jobs = list(Job.objects.filter(created_by_id=actor.user_id).order_by("-created_at")[:limit])
    positions = _positions() if any(job.state == JobState.QUEUED for job in jobs) else {}
    return tuple(summary_of(job, position=positions.get(job.id)) for job in jobs)


def jobs_after(*, actor: Actor, limit: int, after: tuple[datetime, UUID] | None = None) -> tuple[JobSummary, ...]:
    """The actor's own jobs older than a place (made, id), newest first."""
    jobs = Job.objects.filter(created_by_id=actor.user_id).order_by("-created_at", "-id")
    if after is not None:
        jobs = jobs.filter(Q(created_at__lt=after[0]) | Q(created_at=after[0], id__lt=after[1]))
    found = list(jobs[:limit])
    positions = _positions() if any(job.state == JobState.QUEUED for job in found) else {}
    return tuple(summary_of(job, position=positions.get(job.id)) for job in found)


def events_after(*, job_id: UUID, seq: int, limit: int = 500) -> tuple[JobEventRecord, ...]:
    """Events with a higher number, in order. The caller has checked the right."""
    events = JobEvent.objects.filter(job_id=job_id, seq__gt=seq).order_by("seq")[:limit]
    return tuple(JobEventRecord(seq=e.seq, type=e.type, payload=e.payload, at=e.at) for e in events)


def summary_of(job: Job, *, position: int | None = None) -> JobSummary:
    return JobSummary(
        id=job.id,
        kind=job.kind,
        state=JobState(job.state),
        subject_id=job.subject_id,
        created_by_id=job.created_by_id,
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
        attempt=job.attempt,
        stage=job.stage if job.state in OPEN_STATES else "",
        done=job.done,
        total=job.total,
        last_seq=job.last_seq,
        error_code=job.error_code,
        position=position,
    )


def _position(job: Job) -> int | None:
    return _positions().get(job.id) if job.state == JobState.QUEUED else None


def _positions() -> dict[UUID, int]:
    """Place of each of the organisation's waiting jobs in its queue, counted over the whole installation."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT job_id, place FROM airis_queue_places()")
        return dict(cursor.fetchall())
