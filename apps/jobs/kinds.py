"""Registry of what can run. Higher apps register in AppConfig.ready(); jobs never imports them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from apps.jobs.contracts import JobEventRecord, JobSummary, Queue

if TYPE_CHECKING:
    from apps.accounts.contracts import Actor
    from apps.jobs.run import JobRun


def creator_only(job: JobSummary, actor: "Actor") -> bool:
    return job.created_by_id == actor.user_id


def nobody(job: JobSummary, actor: "Actor") -> bool:
    """For work that must end: what was promised when it was begun."""
    return False


def no_html(job: JobSummary, events: tuple[JobEventRecord, ...], actor: "Actor") -> str:
    return ""


@dataclass(frozen=True, slots=True)
class JobKind:
    """How jobs of one kind run and who may follow them.

    run: does the work; called outside any transaction. Returning means succeeded; raising AirisError means failed
      with its code; any other exception is retried until max_attempts.
    may_see: whether a person may follow, inside the tenant context.
    may_stop: whether a person who may see it may also stop it or start it again; seeing is never enough.
    render_event: HTML to swap into the page for events just read, inside the tenant context and the person's
      language; rendered from rows, so rendering twice is harmless.
    on_failed: bookkeeping of the subject when the job ends as failed, in the same transaction.
    """

    name: str
    queue: Queue
    run: Callable[["JobRun"], None]
    may_see: Callable[[JobSummary, "Actor"], bool]
    may_stop: Callable[[JobSummary, "Actor"], bool] = creator_only
    render_event: Callable[[JobSummary, tuple[JobEventRecord, ...], "Actor"], str] = no_html
    on_failed: Callable[[UUID, Mapping[str, Any], str], None] | None = None  # job id, payload, error code
    on_cancelled: Callable[[UUID, Mapping[str, Any]], None] | None = None


_kinds: dict[str, JobKind] = {}


def register(kind: JobKind) -> None:
    _kinds[kind.name] = kind


def get(name: str) -> JobKind:
    return _kinds[name]


def names() -> frozenset[str]:
    return frozenset(_kinds)
