"""The queue of record and the durable log of each job."""

from django.db import models

from apps.jobs.contracts import JobState, Queue
from apps.tenants.fields import TenantForeignKey
from apps.tenants.models import TenantModel


class Job(TenantModel):
    """One piece of long work.

    queued ──claim──▶ running ──▶ succeeded
      │  ▲               │  ├───▶ failed ──retry──▶ queued
      │  └─lease expired─┘  │
      └────────cancel───────┴───▶ cancelled
    running ──put off──▶ queued, claimed again from `not_before` on; the attempt does not count against the job

    A claim sets `lease_until` and adds one to `attempt`; every write of the run checks that attempt, so that a run
    that lost its lease writes nothing.
    """

    kind = models.CharField(max_length=40)
    queue = models.CharField(max_length=20, choices=[(q.value, q.value) for q in Queue])
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    payload = models.JSONField(default=dict)  # ids only
    subject_id = models.UUIDField(null=True)  # what it works on, for look-ups
    created_by_id = models.UUIDField(null=True)
    is_bulk = models.BooleanField(default=False)  # nobody waits for it: others go first
    idempotency_key = models.CharField(max_length=100, null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    queued_at = models.DateTimeField(auto_now_add=True)
    hinted_at = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True)  # a waiting job that was put off
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    attempt = models.PositiveIntegerField(default=0)
    max_attempts = models.PositiveIntegerField(default=3)
    stage = models.CharField(max_length=40, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    last_seq = models.PositiveIntegerField(default=0)
    error_code = models.CharField(max_length=60, blank=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "kind", "idempotency_key"], name="job_once_by_key"),
            models.CheckConstraint(condition=models.Q(state__in=JobState.values), name="job_state"),
        ]
        indexes = [
            models.Index(
                fields=["queue", "queued_at"], condition=models.Q(state__in=["queued", "running"]), name="job_open"
            ),
            models.Index(fields=["tenant", "subject_id", "-created_at"], name="job_by_subject"),
            models.Index(
                fields=["queue", "is_bulk", "tenant", "queued_at"],
                condition=models.Q(state="queued"),
                name="job_waiting",
            ),
            models.Index(fields=["tenant", "queue", "-started_at"], name="job_by_start"),
            models.Index(fields=["queue", "tenant"], condition=models.Q(state="running"), name="job_running"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"


class JobEvent(TenantModel):
    """What a reader of the job must be able to rebuild, in order, without gaps."""

    job = TenantForeignKey(Job, models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    type = models.CharField(max_length=40)
    payload = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "job", "seq"], name="job_event_order")]

    def __str__(self) -> str:
        return f"{self.seq} {self.type}"
