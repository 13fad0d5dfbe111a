"""The audit trail in words: acts as sentences, people, collections, groups and documents by name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.accounts.contracts import GrantLevel, Role
from apps.accounts.models import Collection, Group, Membership
from apps.tenants.audit import AuditEntry
from apps.tenants.models import AuditEvent

ACTS: dict[str, Promise] = {
    "person.signed_in": _("signed in"),
    "person.password_changed": _("set a new password"),
    "person.second_factor_added": _("switched on the second factor"),
    "person.second_factor_removed": _("switched off the second factor"),
    "person.recovery_codes": _("made new recovery codes"),
    "member.added": _("member added"),
    "member.role_changed": _("role changed"),
    "member.deactivated": _("member removed"),
    "member.reactivated": _("member let in again"),
    "member.password_link": _("password link made"),
    "invitation.made": _("invited"),
    "invitation.revoked": _("invitation taken back"),
    "invitation.accepted": _("invitation accepted"),
    "group.created": _("group made"),
    "group.renamed": _("group renamed"),
    "group.member_added": _("added to a group"),
    "group.member_removed": _("removed from a group"),
    "group.deleted": _("group deleted"),
    "collection.created": _("collection made"),
    "grant.set": _("access given"),
    "grant.revoked": _("access taken away"),
    "audit.exported": _("took a list as a file"),
    "organisation.private_files": _("private files switched"),
    "organisation.conversation_review": _("reading of conversations switched"),
    "token.made": _("API token made"),
    "token.revoked": _("API token revoked"),
    "webhook.added": _("webhook added"),
    "webhook.changed": _("webhook changed"),
    "webhook.removed": _("webhook removed"),
    "webhook.disabled": _("webhook switched off after failures"),
    "model.added": _("model added"),
    "model.removed": _("model removed"),
    "model.tried": _("model tried"),
    "models.switched_on": _("sending to models switched on"),
    "models.switched_off": _("sending to models switched off"),
    "document.uploaded": _("document added"),
    "document.viewed": _("page read"),
    "document.downloaded": _("original downloaded"),
    "document.deleted": _("document deleted"),
    "document.renamed": _("document renamed"),
    "document.binned": _("document moved to the bin"),
    "document.restored": _("document restored from the bin"),
    "document.new_version": _("new version of a document added"),
    "collection.reread": _("collection read again"),
    "batch.begun": _("load of many files begun"),
    "batch.paused": _("load paused"),
    "batch.resumed": _("load gone on with"),
    "batch.retried": _("failed files of a load tried again"),
    "organisation.bin_days": _("days in the bin set"),
    "organisation.reconciled": _("disagreements found"),
    "document.retried": _("reading tried again"),
    "document.unpacked": _("files taken out of it"),
    "document.unlocked": _("password of a document given"),
    "search.read": _("read passages by searching"),
    "question.asked": _("question asked"),
    "conversation.deleted": _("conversation deleted"),
    "conversation.reviewed": _("conversation read by an auditor"),
}
_LABELS: dict[str, Promise] = {
    "level": _("access"),
    "role": _("role"),
    "before": _("before"),
    "reason": _("reason"),
    "page": _("page"),
    "size": _("bytes"),
    "characters": _("characters"),
    "documents": _("documents"),
    "passages": _("passages"),
    "allowed": _("allowed"),
    "by_mail": _("by mail"),
    "lines": _("lines"),
    "grants": _("collections"),
    "groups": _("groups"),
    "questions": _("questions"),
    "email": _("address"),
    "hosts": _("sent to"),
    "sent": _("sent"),
    "scopes": _("scopes"),
    "host": _("host"),
    "kinds": _("events"),
}
_SENT: dict[str, Promise] = {
    "question": _("the question"),
    "earlier_questions": _("earlier questions of the conversation"),
    "passages": _("the passages found"),
}
_NAMED_TYPES = {"user", "collection", "group", "document"}


@dataclass(frozen=True, slots=True)
class WordedEvent:
    at: datetime
    person: str
    act: str
    thing: str  # what it was done to, by name
    detail: tuple[tuple[str, str], ...]


def describe(events: Iterable[AuditEntry], *, tenant_id: UUID) -> tuple[WordedEvent, ...]:
    """The events in words. At most four queries for any number of them."""
    listed = tuple(events)
    names = _names(listed, tenant_id)
    return tuple(
        WordedEvent(
            at=event.at,
            person=event.actor_name,
            act=name_of_act(event.action),
            thing=_thing(event, names),
            detail=tuple(_detail(event.detail, names)),
        )
        for event in listed
    )


def name_of_act(action: str) -> str:
    """Words for an act; its code when a later app made it and nobody gave it words."""
    return str(ACTS.get(action, action))


def _thing(event: AuditEntry, names: Mapping[str, str]) -> str:
    written = event.detail.get("name") or event.detail.get("author_name") or event.detail.get("email")
    if event.object_type == "collection" and "group" in event.detail:
        written = None  # there, `name` is the group's
    known = names.get(str(event.object_id))
    if known or written:
        return str(known or written)
    return str(_("something deleted")) if event.object_type in _NAMED_TYPES else ""


def _detail(detail: Mapping[str, object], names: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    if "instead_of" in detail:
        yield str(_("instead of")), names.get(str(detail["instead_of"]), str(_("something deleted")))
    if "rewording_of" in detail:
        yield "", str(_("asked in other words; the earlier wording is kept"))
    for key in ("user", "group", "collection"):
        if key in detail:
            yield "", names.get(str(detail[key]), str(_("something deleted")))
    for key, label in _LABELS.items():
        if key in detail and detail[key] not in (None, ""):
            yield str(label), _value(key, detail[key])


def _value(key: str, value: Any) -> str:  # Any: a JSON column
    if key in ("hosts", "sent", "scopes", "kinds") and isinstance(value, list):
        return ", ".join(str(_SENT.get(item, item)) for item in value)
    if key in ("role", "before") and value in Role.values:
        return str(Role(value).label)
    if key == "level" and value in GrantLevel.values:
        return str(GrantLevel(value).label)
    if isinstance(value, bool):
        return str(_("yes") if value else _("no"))
    return str(value)


def _names(events: tuple[AuditEntry, ...], tenant_id: UUID) -> dict[str, str]:
    ids: dict[str, set[str]] = {kind: set() for kind in _NAMED_TYPES}
    for event in events:
        if event.object_type in ids and event.object_id is not None:
            ids[event.object_type].add(str(event.object_id))
        for key in ("user", "group", "collection"):
            if isinstance(event.detail.get(key), str):
                ids[key].add(str(event.detail[key]))
        if isinstance(event.detail.get("instead_of"), str):
            ids["user"].add(str(event.detail["instead_of"]))
    names: dict[str, str] = {}
    if ids["user"]:
        members = Membership.objects.filter(tenant_id=tenant_id, user_id__in=ids["user"])
        names |= {str(key): name for key, name in members.values_list("user_id", "user__name")}
    for kind, model in (("collection", Collection), ("group", Group)):
        if ids[kind]:
            names |= {str(key): name for key, name in model.objects.filter(id__in=ids[kind]).values_list("id", "name")}
    return names | _document_names(ids["document"])


def _document_names(ids: set[str]) -> dict[str, str]:
    """Documents live in an app above; the trail itself remembers the name under which each was added."""
    if not ids:
        return {}
    added = AuditEvent.objects.filter(action="document.uploaded", object_id__in=ids).order_by("at")
    found = added.values_list("object_id", "detail")
    return {str(key): str(detail["name"]) for key, detail in found if detail.get("name")}
