"""Types of jobs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Queue(StrEnum):
    """Separate worker processes, so that none occupies another."""

    ANSWERS = "answers"
    INGESTION = "ingestion"
    EMBEDDING = "embedding"
    OUTSIDE = "outside"  # calls to what organisations name: slow ones hold up nobody's answer


class JobState(TextChoices):
    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("running")
    SUCCEEDED = "succeeded", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("stopped")


OPEN_STATES = (JobState.QUEUED, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class JobSummary:
    id: UUID
    kind: str
    state: JobState
    subject_id: UUID | None
    created_by_id: UUID | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    attempt: int
    stage: str
    done: int
    total: int
    last_seq: int
    error_code: str
    position: int | None  # among waiting jobs of its queue, from 1; None unless waiting

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_STATES


@dataclass(frozen=True, slots=True)
class JobEventRecord:
    seq: int  # from 1, without gaps within a job
    type: str
    payload: Mapping[str, Any]
    at: datetime
