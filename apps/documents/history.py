"""What happened to a document: its versions, and who did what with it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.accounts.contracts import Actor
from apps.documents.contracts import VersionState
from apps.documents.models import DocumentVersion
from apps.documents.rows import readable
from apps.tenants.audit import list_events_of

_MOST = 100
ACTS: dict[str, Promise] = {
    "document.uploaded": _("added"),
    "document.renamed": _("renamed"),
    "document.retried": _("read again"),
    "document.unlocked": _("opened with its password"),
    "document.metadata_set": _("details set"),
    "document.metadata_reset": _("details as read by the rules"),
}


@dataclass(frozen=True, slots=True)
class HistoryVersion:
    number: int
    state: VersionState
    reader: str
    page_count: int
    created_at: datetime
    is_current: bool


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    at: datetime
    who: str
    act: Promise


@dataclass(frozen=True, slots=True)
class History:
    versions: tuple[HistoryVersion, ...]  # newest first
    events: tuple[HistoryEvent, ...]  # newest first


def list_history(*, actor: Actor, document_id: UUID) -> History:
    """Versions and changes, newest first. Who looked or took a copy is in the trail alone. Raises NotFound."""
    document = readable(actor, document_id)
    rows = DocumentVersion.objects.filter(document_id=document_id).order_by("-number")
    versions = tuple(
        HistoryVersion(
            row.number,
            VersionState(row.state),
            row.reader,
            row.page_count,
            row.created_at,
            row.id == document.current_version_id,
        )
        for row in rows
    )
    events = list_events_of(object_id=document_id, actions=tuple(ACTS), limit=_MOST)
    return History(versions, tuple(HistoryEvent(e.at, e.actor_name, ACTS[e.action]) for e in events))
