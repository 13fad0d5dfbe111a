"""Metadata of versions: what rules found, what people set, and which of the two holds."""

from collections.abc import Iterable, Sequence
from datetime import date
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.contracts import Actor, Permission
from apps.accounts.permissions import require
from apps.core.errors import InputError
from apps.core.text import clean_input, fold
from apps.documents.contracts import MetadataValue
from apps.documents.metadata.fields import DocumentKind, Field, Found, PeriodKind
from apps.documents.models import DocumentMetadata, DocumentVersion
from apps.documents.rows import readable
from apps.tenants import audit

LONGEST_VALUE = 300
_MOST_VALUES = 20


def store_found(*, version_id: UUID, found: Sequence[Found]) -> None:
    """The rules' values of the version are exactly these; people's stay. Runs inside the ingestion's write."""
    DocumentMetadata.objects.filter(version_id=version_id, set_at=None).delete()
    ordinals: dict[Field, int] = {}
    rows = []
    for item in found:
        ordinal = ordinals[item.field] = ordinals.get(item.field, -1) + 1
        rows.append(
            DocumentMetadata(
                version_id=version_id,
                field=item.field.value,
                ordinal=ordinal,
                value=clean_input(item.value)[:LONGEST_VALUE],
                confidence=item.confidence,
                rule=item.rule,
                page=item.page,
                start=item.start,
                end=item.end,
                quote=clean_input(item.quote)[:300],
            )
        )
    DocumentMetadata.objects.bulk_create(rows)
    _keep_what_people_set(version_id)
    _summarise(version_id)


def get_metadata(*, actor: Actor, document_id: UUID) -> tuple[MetadataValue, ...]:
    """All values of the current version by field, those in use first. Raises NotFound."""
    version_id = readable(actor, document_id).current_version_id
    assert version_id is not None
    return metadata_of(version_id=version_id)


def metadata_of(*, version_id: UUID) -> tuple[MetadataValue, ...]:
    """As get_metadata, for code that works inside a scope."""
    rows = list(DocumentMetadata.objects.filter(version_id=version_id).select_related("set_by"))
    by_people = {row.field for row in rows if row.set_at is not None}
    order = {field.value: index for index, field in enumerate(Field)}
    values = [
        MetadataValue(
            field=row.field,
            value=row.value,
            confidence=row.confidence,
            rule=row.rule,
            page=row.page,
            start=row.start,
            end=row.end,
            quote=row.quote,
            set_by_name=row.set_by.name if row.set_by else "",
            set_at=row.set_at,
            is_used=bool(row.value) and (row.set_at is not None or row.field not in by_people),
        )
        for row in sorted(rows, key=lambda row: (order.get(row.field, 99), row.set_at is None, row.ordinal))
    ]
    return tuple(values)


def set_values(*, actor: Actor, document_id: UUID, field: str, values: Sequence[str]) -> None:
    """The field has these values, by this person; () or "": it has none. What the rules found stays beside it.

    Raises InputError for a value that the field cannot have, NotAllowed without the right to add documents.
    """
    document = readable(actor, document_id)
    require(actor, Permission.CONTRIBUTE, collection_id=document.collection_id)
    chosen = _field(field)
    cleaned = [checked_value(chosen, value) for value in values if value.strip()]
    if len(cleaned) > (_MOST_VALUES if chosen.is_many else 1):
        raise InputError(_("This field holds one value."), field=field)
    version_id = document.current_version_id
    assert version_id is not None
    DocumentMetadata.objects.filter(version_id=version_id, field=field).exclude(set_at=None).delete()
    now = timezone.now()
    DocumentMetadata.objects.bulk_create(
        DocumentMetadata(
            version_id=version_id, field=field, ordinal=ordinal, value=value, set_by_id=actor.user_id, set_at=now
        )
        for ordinal, value in enumerate(cleaned or [""])
    )
    _summarise(version_id)
    _record(actor, "document.metadata_set", document_id, field)


def forget_values(*, actor: Actor, document_id: UUID, field: str) -> None:
    """What people set of the field is gone: the rules' value holds again."""
    document = readable(actor, document_id)
    require(actor, Permission.CONTRIBUTE, collection_id=document.collection_id)
    _field(field)
    version_id = document.current_version_id
    assert version_id is not None
    DocumentMetadata.objects.filter(version_id=version_id, field=field).exclude(set_at=None).delete()
    _summarise(version_id)
    _record(actor, "document.metadata_reset", document_id, field)


def forget_versions(_document_id: UUID, version_ids: tuple[UUID, ...]) -> None:
    """Nothing that was read out of the versions is left. For the purge, may run twice."""
    DocumentMetadata.objects.filter(version_id__in=version_ids).delete()
    DocumentVersion.objects.filter(id__in=version_ids).update(
        kind="", entity="", entity_key="", period="", period_end=None, details=[], outline=[]
    )


def checked_value(field: Field, text: str) -> str:
    """The value in the field's own form. Raises InputError when it has none."""
    value = " ".join(clean_input(text).split())[:LONGEST_VALUE]
    if field is Field.KIND and value not in set(DocumentKind):
        raise InputError(_("Choose one of the kinds."), field=field.value)
    if field.is_date:
        _day(value, field)
    if field is Field.PERIOD:
        kind, _colon, end = value.partition(":")
        if kind not in set(PeriodKind):
            raise InputError(_("Say what the period is: a year, half, quarter or nine months."), field=field.value)
        _day(end, field)
    if field is Field.SCALE and value not in ("1", "1000", "1000000", "1000000000"):
        raise InputError(_("A scale is 1, 1000, 1000000 or 1000000000."), field=field.value)
    if field is Field.CURRENCY and not (len(value) == 3 and value.isascii() and value.isalpha()):
        raise InputError(_("A currency has three letters, such as EUR or TRY."), field=field.value)
    return value.upper() if field in (Field.CURRENCY, Field.IBAN, Field.ISIN) else value


def _day(text: str, field: Field) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as exc:
        raise InputError(_("Write a day as 2024-12-31."), field=field.value) from exc


def _field(name: str) -> Field:
    found = next((field for field in Field if field.value == name), None)
    if found is None:
        raise InputError(field="field")
    return found


def _summarise(version_id: UUID) -> None:
    """The columns that lists filter and sort by say what the values in use say."""
    used = {value.field: value.value for value in reversed(metadata_of(version_id=version_id)) if value.is_used}
    period = used.get(Field.PERIOD, "")
    entity = used.get(Field.ENTITY, "")[:200]
    DocumentVersion.objects.filter(id=version_id).update(
        kind=used.get(Field.KIND, "")[:30],
        entity=entity,
        entity_key=fold(entity),
        period=period[:30],
        period_end=date.fromisoformat(period.partition(":")[2]) if ":" in period else None,
    )


def _keep_what_people_set(version_id: UUID) -> None:
    """A version of the same bytes, read anew, has what people set for the one before."""
    version = DocumentVersion.objects.get(id=version_id)
    if DocumentMetadata.objects.filter(version_id=version_id).exclude(set_at=None).exists():
        return
    earlier = DocumentVersion.objects.filter(document_id=version.document_id, file_id=version.file_id)
    before = earlier.filter(number__lt=version.number).order_by("-number").first()
    if before is None or version.file_id is None:
        return
    kept: Iterable[DocumentMetadata] = DocumentMetadata.objects.filter(version_id=before.id).exclude(set_at=None)
    DocumentMetadata.objects.bulk_create(
        DocumentMetadata(
            version_id=version_id,
            field=row.field,
            ordinal=row.ordinal,
            value=row.value,
            set_by_id=row.set_by_id,
            set_at=row.set_at,
        )
        for row in kept
    )


def _record(actor: Actor, action: str, document_id: UUID, field: str) -> None:
    audit.record(
        action=action,
        actor_id=actor.user_id,
        actor_name=actor.name,
        object_type="document",
        object_id=document_id,
        detail={"field": field},
    )
