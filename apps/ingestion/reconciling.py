"""Finds what processes that died, or a restored backup, left disagreeing, says it, and mends what can be mended.

Every finding is a kind with a count; nothing that a person could still read is removed.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from apps.documents import reconciling as documents
from apps.documents.contracts import INGEST_KIND, RECOGNISE_KIND, REREAD_KIND, VersionState
from apps.ingestion.meaning import EMBED_KIND
from apps.jobs import services as jobs
from apps.jobs.selectors import in_work
from apps.retrieval import reconciling as index
from apps.tenants import audit
from apps.tenants.context import tenant_context
from apps.tenants.models import Tenant

SETTLED_FOR = timedelta(hours=1)  # younger things may be in the middle of their transaction or their hint


@dataclass(frozen=True, slots=True)
class Finding:
    kind: str
    count: int
    mended: int
    ids: tuple[UUID, ...] = ()  # the first of them


def reconcile(*, tenant_id: UUID, mend: bool, settled_for: timedelta = SETTLED_FOR) -> tuple[Finding, ...]:
    """What disagrees in the organisation; with `mend`, what was put right. One audit event when anything was found."""
    findings = [*_files(tenant_id, mend, settled_for)]
    with tenant_context(tenant_id):
        findings += _rows(mend, settled_for)
        found = tuple(finding for finding in findings if finding.count)
        if found:
            audit.record(
                action="organisation.reconciled",
                actor_id=None,
                object_type="tenant",
                object_id=tenant_id,
                detail={finding.kind: {"found": finding.count, "mended": finding.mended} for finding in found},
            )
    return found


def reconcile_all(*, mend: bool) -> dict[UUID, tuple[Finding, ...]]:
    """As reconcile, for every organisation of the installation."""
    ids = Tenant.objects.order_by("slug").values_list("id", flat=True)
    return {tenant_id: reconcile(tenant_id=tenant_id, mend=mend) for tenant_id in ids}


def _files(tenant_id: UUID, mend: bool, age: timedelta) -> Iterable[Finding]:
    """Stored bytes without a row go; rows without bytes are said: only a backup brings those back."""
    orphans = documents.files_without_rows(tenant_id=tenant_id, age=age)
    if mend:
        documents.remove_files(keys=orphans)
    yield Finding("files_without_rows", len(orphans), len(orphans) if mend else 0)
    lost = documents.rows_without_files(tenant_id=tenant_id)
    yield Finding("rows_without_files", len(lost), 0, lost[:20])


def _rows(mend: bool, age: timedelta) -> Iterable[Finding]:
    before = timezone.now() - age
    versions = documents.settled_versions(before=before)
    checks: tuple[tuple[str, Callable[[], tuple[UUID, ...]], Callable[[tuple[UUID, ...]], int]], ...] = (
        ("stuck_versions", lambda: _stuck(before), _read_again),
        ("unfinished_readings", lambda: _abandoned(before), documents.drop_readings),
        ("pages_without_index", lambda: _not_in_work(index.without_chunks(versions)), _index_again),
        ("chunks_of_gone_versions", lambda: index.chunks_of(documents.gone_versions(before=before)), index.forget),
        ("pages_of_deleted_versions", documents.deleted_with_pages, documents.remove_pages),
        ("counts_that_disagree", lambda: _not_in_work(tuple(index.miscounted(versions))), _count_again),
    )
    for kind, find, put_right in checks:
        ids = find()
        yield Finding(kind, len(ids), put_right(ids) if mend and ids else 0, ids[:20])


def _stuck(before: datetime) -> tuple[UUID, ...]:
    """Versions that wait or are being read, with no job that would go on with them."""
    found = documents.open_versions(before=before)
    busy = in_work(subject_ids=[document_id for document_id, _version in found], kinds_of_work=(INGEST_KIND,))
    return tuple(version_id for document_id, version_id in found if document_id not in busy)


def _abandoned(before: datetime) -> tuple[UUID, ...]:
    found = documents.unfinished_readings(before=before)
    busy = in_work(subject_ids=[document_id for document_id, _reading in found], kinds_of_work=(REREAD_KIND,))
    return tuple(reading_id for document_id, reading_id in found if document_id not in busy)


def _not_in_work(version_ids: tuple[UUID, ...]) -> tuple[UUID, ...]:
    owners = documents.documents_of(version_ids)
    kinds_of_work = (INGEST_KIND, REREAD_KIND, RECOGNISE_KIND, EMBED_KIND)
    busy = in_work(subject_ids=owners.values(), kinds_of_work=kinds_of_work)
    return tuple(version_id for version_id in version_ids if owners.get(version_id) not in busy)


def _count_again(version_ids: tuple[UUID, ...]) -> int:
    said = dict.fromkeys(version_ids, (-1, -1))
    return documents.set_counts(index.miscounted(said))


def _read_again(version_ids: tuple[UUID, ...]) -> int:
    owners = documents.documents_of(version_ids)
    for version_id in version_ids:
        documents.enqueue_again(document_id=owners[version_id], version_id=version_id, state=VersionState.QUEUED)
    return len(version_ids)


def _index_again(version_ids: tuple[UUID, ...]) -> int:
    """Read again beside what is there: the pages stay, the index is made with the swap."""
    owners = documents.documents_of(version_ids)
    for version_id in version_ids:
        jobs.enqueue(
            kind=REREAD_KIND,
            payload={"version_id": str(version_id), "document_id": str(owners[version_id])},
            subject_id=owners[version_id],
            is_bulk=True,
        )
    return len(version_ids)
