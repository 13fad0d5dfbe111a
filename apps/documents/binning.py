"""The bin: out of sight at once as by a deletion, with everything kept, until it is restored or its days are over."""

from datetime import timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.contracts import Actor, GrantLevel, Permission
from apps.accounts.permissions import capped, grant_level, granted_levels, holds, require
from apps.core.errors import Conflict, InputError, NotFound
from apps.documents import services
from apps.documents.contracts import BinnedDocument, VersionState
from apps.documents.models import Document, DocumentVersion
from apps.jobs import services as jobs
from apps.reading.contracts import MediaType, WarningCode
from apps.tenants import audit
from apps.tenants.context import tenant_context
from apps.tenants.models import Tenant

LONGEST_DAYS = 3650


def bin_document(*, actor: Actor, document_id: UUID) -> bool:
    """Nothing of the document can be found, read or opened from this commit on; its rows and bytes stay.

    False when the organisation keeps nothing in the bin: then it is deleted for good. A mail's attachments go with it.
    Work on it is stopped, and goes on when it is restored. Raises NotFound, NotAllowed.
    """
    document = services.live_document(document_id)
    require(actor, Permission.CONTRIBUTE, collection_id=document.collection_id)
    if bin_days(actor.tenant_id) == 0:
        services.delete_document(actor=actor, document_id=document_id)
        return False
    moment = timezone.now()
    for member_id in (document_id, *_attachments(document)):
        jobs.cancel_for_subject(subject_id=member_id)  # its jobs before its row, as every write of a run locks them
        live = Document.objects.filter(id=member_id, deleted_at=None, binned_at=None)
        if not live.update(binned_at=moment, binned_by_id=actor.user_id) and member_id == document_id:
            raise NotFound
    _record(actor, "document.binned", document)
    return True


def restore_document(*, actor: Actor, document_id: UUID) -> None:
    """The document is where it was, searchable without being read again; stopped work goes on.

    Raises NotFound unless it is in the bin and they may add to its collection, Conflict("exists_again") when the
    collection has got the same bytes since.
    """
    document = _restorable(actor, document_id)
    services.lock_uploads(actor.tenant_id)
    together = _binned().filter(parent_id=document_id, binned_at=document.binned_at)
    for member in (document, *together.order_by("id")):
        if services.document_of_bytes(member.sha256, [member.collection_id]) is None:
            Document.objects.filter(id=member.id).update(binned_at=None, binned_by=None)
            _go_on(actor, member)
        elif member.id == document_id:
            text = _("The collection has got the same file again since. Delete this one, or that one first.")
            raise Conflict(text, code="exists_again")
    _record(actor, "document.restored", document)


def delete_binned(*, actor: Actor, document_id: UUID) -> None:
    """A document of the bin is deleted for good, before its days are over. Raises NotFound."""
    _restorable(actor, document_id)
    services.delete_row(document_id=document_id, by_id=actor.user_id, by_name=actor.name)


def list_binned(*, actor: Actor) -> tuple[BinnedDocument, ...]:
    """What lies in the bin of collections that the actor may add to, newest first: who, when, and when it goes."""
    levels = granted_levels(actor.user_id)
    days = timedelta(days=bin_days(actor.tenant_id))
    rows = _binned().filter(collection_id__in=[found for found, level in levels.items() if _may_restore(actor, level)])
    return tuple(
        BinnedDocument(
            id=row.id,
            name=row.name,
            collection_id=row.collection_id,
            collection_name=row.collection.name,
            binned_at=row.binned_at,
            binned_by_name=row.binned_by.name if row.binned_by else "",
            goes_at=row.binned_at + days,
        )
        for row in rows.select_related("collection", "binned_by").order_by("-binned_at", "name", "id")
        if row.binned_at is not None
    )


def bin_days(tenant_id: UUID) -> int:
    """How long the organisation keeps binned documents; 0: not at all."""
    return int(Tenant.objects.values_list("bin_days", flat=True).get(id=tenant_id))


def set_bin_days(*, actor: Actor, days: int) -> None:
    """Binned documents are kept so long from now on, those in the bin too. Owners decide. Raises InputError."""
    require(actor, Permission.MANAGE_ORGANISATION)
    if not 0 <= days <= LONGEST_DAYS:
        raise InputError(_("Give a number of days from 0 to 3650."), code="bin_days", field="days")
    Tenant.objects.filter(id=actor.tenant_id).update(bin_days=days)
    audit.record(
        action="organisation.bin_days",
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="tenant",
        object_id=actor.tenant_id,
        detail={"days": days},
    )


def empty_bin(*, tenant_id: UUID) -> int:
    """Documents whose days in the bin are over are deleted for good, each in a transaction. Returns how many."""
    with tenant_context(tenant_id):
        latest = timezone.now() - timedelta(days=bin_days(tenant_id))
        over = list(_binned().filter(binned_at__lte=latest).order_by("binned_at").values_list("id", flat=True))
    for document_id in over:
        with tenant_context(tenant_id):
            if _binned().filter(id=document_id, binned_at__lte=latest).exists():  # nobody restored it meanwhile
                services.delete_row(document_id=document_id, by_id=None, by_name="")
    return len(over)


def empty_all_bins() -> int:
    """As empty_bin, for every organisation of the installation."""
    return sum(empty_bin(tenant_id=tenant_id) for tenant_id in Tenant.objects.values_list("id", flat=True))


def _binned() -> QuerySet[Document]:
    return Document.objects.filter(deleted_at=None, binned_at__isnull=False)


def _restorable(actor: Actor, document_id: UUID) -> Document:
    """The row, held. To people who may only read, what is in the bin is gone."""
    document = _binned().select_for_update().filter(id=document_id).first()
    level = grant_level(actor, document.collection_id) if document else None
    if document is None or level is None or not holds(level, Permission.CONTRIBUTE):
        raise NotFound
    return document


def _may_restore(actor: Actor, level: GrantLevel) -> bool:
    return holds(capped(level, actor.role), Permission.CONTRIBUTE)


def _attachments(document: Document) -> list[UUID]:
    """Members of a mail; those of an archive are documents in their own right and stay."""
    media_types = set(DocumentVersion.objects.filter(document_id=document.id).values_list("media_type", flat=True))
    if not {MediaType.EML, MediaType.MSG} & media_types:
        return []
    members = Document.objects.filter(parent_id=document.id, deleted_at=None, binned_at=None)
    return list(members.order_by("id").values_list("id", flat=True))


def _go_on(actor: Actor, document: Document) -> None:
    """What was stopped when the document went into the bin is done after all."""
    for version in DocumentVersion.objects.filter(document_id=document.id, reading_of=None, superseded_at=None):
        if version.state == VersionState.FAILED and version.failure == "cancelled":
            DocumentVersion.objects.filter(id=version.id).update(state=VersionState.QUEUED, failure="")
            services.enqueue_ingestion(actor.user_id, document.id, version.id)
        elif any(warning[0] == WarningCode.MEANING_STOPPED for warning in version.warnings):
            services.continue_meaning_index(version)


def _record(actor: Actor, action: str, document: Document) -> None:
    audit.record(
        action=action,
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="document",
        object_id=document.id,
        detail={"name": document.name, "collection": str(document.collection_id)},
    )
