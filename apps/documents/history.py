"""What happened to a document: who did what with it. Its versions: versions.list_versions."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.accounts.contracts import Actor
from apps.documents.rows import readable
from apps.tenants.audit import list_events_of

_MOST = 100
ACTS: dict[str, Promise] = {
    "document.uploaded": _("added"),
    "document.new_version": _("new version of a document added"),
    "document.binned": _("document moved to the bin"),
    "document.restored": _("document restored from the bin"),
    "document.renamed": _("renamed"),
    "document.retried": _("read again"),
    "document.unlocked": _("opened with its password"),
    "document.metadata_set": _("details set"),
    "document.metadata_reset": _("details as read by the rules"),
}


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    at: datetime
    who: str
    act: Promise


def list_history(*, actor: Actor, document_id: UUID) -> tuple[HistoryEvent, ...]:
    """Changes, newest first. Who looked or took a copy is in the trail alone. Raises NotFound."""
    readable(actor, document_id)
    events = list_events_of(object_id=document_id, actions=tuple(ACTS), limit=_MOST)
    return tuple(HistoryEvent(event.at, event.actor_name, ACTS[event.action]) for event in events)
