"""Claiming, keeping and losing a job: conditional updates, nothing else decides who runs it."""

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import F, Q
from django.utils import timezone

from apps.jobs.contracts import JobState
from apps.jobs.models import Job


def claim(job_id: UUID) -> Job | None:
    """The job, running under a fresh lease and the next attempt; None when somebody else has it or it is over."""
    now = timezone.now()
    claimable = Q(state=JobState.QUEUED) & (Q(not_before=None) | Q(not_before__lte=now)) | Q(
        state=JobState.RUNNING, lease_until__lt=now
    )
    changed = (Job.objects.filter(claimable, id=job_id, attempt__lt=F("max_attempts"))).update(
        state=JobState.RUNNING,
        lease_until=now + settings.JOB_LEASE,
        attempt=F("attempt") + 1,
        started_at=now,
        not_before=None,
        error_code="",
    )
    return Job.objects.get(id=job_id) if changed else None


def extend(job_id: UUID, attempt: int) -> bool:
    """Whether the attempt still holds the job; its lease is extended when it does."""
    changed = Job.objects.filter(id=job_id, attempt=attempt, state=JobState.RUNNING).update(
        lease_until=timezone.now() + settings.JOB_LEASE
    )
    return bool(changed)


def hold(job_id: UUID, attempt: int) -> bool:
    """Locks the row of a job that this attempt still runs; False when it lost it or the job was cancelled."""
    found = Job.objects.select_for_update().filter(id=job_id, attempt=attempt, state=JobState.RUNNING)
    return found.values_list("id", flat=True).first() is not None


def is_exhausted(job: Job) -> bool:
    expired = job.state == JobState.RUNNING and job.lease_until is not None and job.lease_until < timezone.now()
    return expired and job.attempt >= job.max_attempts


def heartbeat_every() -> timedelta:
    return settings.JOB_LEASE / 3
