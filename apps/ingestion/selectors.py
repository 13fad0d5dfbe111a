"""Reads of loads: how far each is, how fast, until when, and what failed."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import grant_level, holds, readable_collections
from apps.core.errors import NotFound
from apps.documents.contracts import SEARCHABLE_STATES, VersionState
from apps.ingestion.contracts import KNOWN, TAKEN, BatchProgress, BatchSummary, DeadLetter
from apps.ingestion.models import Batch, BatchFile

SHOWN_DEAD = 200
WINDOW = timedelta(minutes=10)  # the rate is that of the last minutes
LONGEST_S = 10 * 365 * 24 * 3600.0  # no estimate says more
LEAST_MEASURED = 5  # files before their rate counts
# What a file costs before anything is measured: read and indexed on one core (docs/benchmarks.md, born-digital pages).
SECONDS_A_FILE = 0.4
BYTES_A_SECOND = 400_000


@dataclass(frozen=True, slots=True)
class _Measured:
    files: int
    pages: int
    cost: float  # what these files were expected to take, in seconds
    seconds: float  # what they took


def list_batches(*, actor: Actor, limit: int = 50) -> tuple[BatchSummary, ...]:
    """Loads of collections that the actor may read, newest first."""
    rows = Batch.objects.filter(collection_id__in=readable_collections(actor)).select_related("collection")
    return tuple(_summary(row) for row in rows.select_related("created_by").order_by("-created_at", "id")[:limit])


def get_progress(*, actor: Actor, batch_id: UUID, now: datetime | None = None) -> BatchProgress:
    """Six queries however many files. Raises NotFound unless the actor may read the collection."""
    row = Batch.objects.filter(id=batch_id).select_related("collection", "created_by").first()
    level = grant_level(actor, row.collection_id) if row else None
    if row is None or level is None:
        raise NotFound
    progress = progress_of(row, now or timezone.now())
    return replace(progress, may_act=holds(level, Permission.CONTRIBUTE))


def progress_of(row: Batch, now: datetime) -> BatchProgress:
    """As get_progress, for code that checked the right."""
    files = BatchFile.objects.filter(batch_id=row.id)
    is_there = Q(outcome=TAKEN, document__deleted_at=None, document__binned_at=None) & ~Q(document=None)
    state = "document__current_version__state"
    done, failed = Q(**{f"{state}__in": SEARCHABLE_STATES}), Q(**{f"{state}__in": _FAILED})
    counts = files.aggregate(
        files=Count("id"),
        announced=Count("id", filter=Q(outcome="")),
        known=Count("id", filter=Q(outcome=KNOWN)),
        waiting=Count("id", filter=is_there & Q(**{state: VersionState.QUEUED})),
        reading=Count("id", filter=is_there & Q(**{state: VersionState.READING})),
        done=Count("id", filter=is_there & done),
        failed=Count("id", filter=is_there & failed | _refused()),
        pages=Sum("document__current_version__page_count", filter=is_there & done),
    )
    pages = counts.pop("pages") or 0
    gone = counts["files"] - sum(counts[name] for name in counts if name != "files")
    measured = _measured(row, files.filter(is_there), now)
    left = _cost(files.filter(Q(outcome="") | is_there & Q(**{f"{state}__in": _OPEN})))
    is_measured = measured.files >= LEAST_MEASURED and measured.cost > 0
    seconds = min(left * (measured.seconds / measured.cost if is_measured else 1.0), LONGEST_S)
    is_moving = left > 0 and row.paused_at is None
    return BatchProgress(
        summary=_summary(row),
        **counts,
        gone=gone,
        pages=pages,
        files_per_minute=round(60 * measured.files / measured.seconds, 1) if measured.files else 0.0,
        pages_per_second=round(measured.pages / measured.seconds, 2) if measured.files else 0.0,
        seconds_left=round(seconds) if is_moving else None,
        is_measured=is_measured,
        finish_at=now + timedelta(seconds=seconds) if is_moving else None,
        dead=_dead(files, is_there & failed),
    )


_OPEN = (VersionState.QUEUED, VersionState.READING)
_FAILED = (VersionState.FAILED, VersionState.REJECTED, VersionState.NEEDS_PASSWORD)


def _refused() -> Q:
    return ~Q(outcome__in=("", TAKEN, KNOWN))


def _measured(row: Batch, files: QuerySet[BatchFile], now: datetime) -> _Measured:
    """What became searchable lately, in the time since the load began, went on, or the window began."""
    since = max(now - WINDOW, row.created_at, row.resumed_at or row.created_at)
    recent = files.filter(document__current_version__searchable_at__gte=since)
    totals = recent.aggregate(files=Count("id"), pages=Sum("document__current_version__page_count"))
    seconds = max((now - since).total_seconds(), 1.0)
    return _Measured(totals["files"], totals["pages"] or 0, _cost(recent), seconds)


def _cost(files: QuerySet[BatchFile]) -> float:
    totals = files.aggregate(files=Count("id"), size=Sum("size"))
    return float(totals["files"] * SECONDS_A_FILE + (totals["size"] or 0) / BYTES_A_SECOND)


def _dead(files: QuerySet[BatchFile], failed: Q) -> tuple[DeadLetter, ...]:
    rows = files.filter(failed | _refused()).select_related("document__current_version").order_by("path")[:SHOWN_DEAD]
    letters = []
    for row in rows:
        version = row.document.current_version if row.document else None
        code = version.failure if version is not None and row.outcome == TAKEN else row.outcome
        letters.append(
            DeadLetter(
                path=row.path,
                code=code,
                document_id=row.document_id,
                may_retry=version is not None and version.state == VersionState.FAILED,
            )
        )
    return tuple(letters)


def _summary(row: Batch) -> BatchSummary:
    return BatchSummary(
        id=row.id,
        name=row.name,
        collection_id=row.collection_id,
        collection_name=row.collection.name,
        created_at=row.created_at,
        created_by_name=row.created_by.name if row.created_by else "",
        is_paused=row.paused_at is not None,
    )
