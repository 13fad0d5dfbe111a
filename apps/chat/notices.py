"""The inbox: a notice when an own upload or answer came to its end. Inside the tenant context.

`follow` is told by jobs in the transaction that ends a job. Pages that show the thing mark its notice as read
(`see`), so that only what finished elsewhere stays unread. Names are read when shown: a notice holds none.
"""

import re
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.contracts import Actor
from apps.chat.contracts import ANSWER_KIND, MessageState, NoticeKind, NoticeView
from apps.chat.desks import notices_changed
from apps.chat.models import Message, Notice
from apps.core.errors import NotFound
from apps.documents import selectors as documents
from apps.documents.contracts import INGEST_KIND, DocumentSummary, VersionState
from apps.jobs.contracts import JobState, JobSummary

SHOWN = 200
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_REFUSED = (VersionState.FAILED, VersionState.REJECTED, VersionState.NEEDS_PASSWORD)


def follow(job: JobSummary) -> None:
    """The person who began the job has an unread notice of its end; a repeated job has one, of its last end."""
    if job.created_by_id is None or job.subject_id is None or job.kind not in (ANSWER_KIND, INGEST_KIND):
        return
    if job.kind == ANSWER_KIND:
        kind = NoticeKind.ANSWER
        place_id = Message.objects.filter(id=job.subject_id).values_list("conversation_id", flat=True).first()
    else:
        kind, place_id = NoticeKind.DOCUMENT, documents.collection_of(document_id=job.subject_id)
    if place_id is None:
        return
    values = {
        "person_id": job.created_by_id,
        "kind": kind,
        "subject_id": job.subject_id,
        "place_id": place_id,
        "has_failed": job.state == JobState.FAILED,
        "at": timezone.now(),
        "read_at": None,
    }
    Notice.objects.update_or_create(job_id=job.id, defaults=values)
    notices_changed(person_id=job.created_by_id)


def list_notices(*, actor: Actor) -> tuple[NoticeView, ...]:
    """The actor's, the latest first; things that are gone or closed to them are nameless. Three queries."""
    rows = list(Notice.objects.filter(person_id=actor.user_id).order_by("-at", "id")[:SHOWN])
    questions = {
        message.id: message
        for message in Message.objects.filter(
            id__in=[row.subject_id for row in rows if row.kind == NoticeKind.ANSWER],
            conversation__author_id=actor.user_id,
        )
    }
    wanted = [row.subject_id for row in rows if row.kind == NoticeKind.DOCUMENT]
    files = documents.summaries_of(actor=actor, document_ids=wanted)
    return tuple(
        _of_answer(row, questions.get(row.subject_id))
        if row.kind == NoticeKind.ANSWER
        else _of_document(row, files.get(row.subject_id))
        for row in rows
    )


def count_unread(*, actor: Actor) -> int:
    return Notice.objects.filter(person_id=actor.user_id, read_at=None).count()


def get_notice(*, actor: Actor, notice_id: UUID) -> NoticeView:
    """Raises NotFound for another person's, word for word like an unknown one."""
    row = Notice.objects.filter(id=notice_id, person_id=actor.user_id).first()
    if row is None:
        raise NotFound
    if row.kind == NoticeKind.ANSWER:
        own = Message.objects.filter(id=row.subject_id, conversation__author_id=actor.user_id)
        return _of_answer(row, own.first())
    files = documents.summaries_of(actor=actor, document_ids=[row.subject_id])
    return _of_document(row, files.get(row.subject_id))


def mark_read(*, actor: Actor, notice_id: UUID) -> None:
    """Raises NotFound."""
    if not Notice.objects.filter(id=notice_id, person_id=actor.user_id).exists():
        raise NotFound
    _mark(actor, [notice_id])


def mark_all_read(*, actor: Actor) -> None:
    unread = Notice.objects.filter(person_id=actor.user_id, read_at=None)
    _mark(actor, list(unread.values_list("id", flat=True)))


def see(*, actor: Actor, path: str) -> bool:
    """Notices of what stands on the page at this address are read; whether there were any."""
    ids = {UUID(found) for found in _ID.findall(path)}
    if not ids:
        return False
    unread = Notice.objects.filter(person_id=actor.user_id, read_at=None)
    here = [row.id for row in unread if ids & {row.subject_id, row.place_id}]
    _mark(actor, here)
    return bool(here)


def _mark(actor: Actor, notice_ids: list[UUID]) -> None:
    unread = Notice.objects.filter(id__in=notice_ids, person_id=actor.user_id, read_at=None)
    if unread.update(read_at=timezone.now()):
        notices_changed(person_id=actor.user_id)


def _of_answer(row: Notice, message: Message | None) -> NoticeView:
    state = MessageState(message.state).label if message else ""
    name = (message.question.strip() or _("Empty question")) if message else ""
    is_partial = message is not None and message.state in (MessageState.ABSTAINED, MessageState.PARTLY)
    return _view(row, name, str(state), has_failed=row.has_failed, is_partial=is_partial)


def _of_document(row: Notice, document: DocumentSummary | None) -> NoticeView:
    state = document.state.label if document else ""
    has_failed = document.state in _REFUSED if document else row.has_failed
    is_partial = document is not None and document.state in (
        VersionState.READY_WITH_WARNINGS,
        VersionState.NEEDS_PASSWORD,
    )
    return _view(row, document.name if document else "", str(state), has_failed=has_failed, is_partial=is_partial)


def _view(row: Notice, name: str, state: str, *, has_failed: bool, is_partial: bool) -> NoticeView:
    return NoticeView(
        id=row.id,
        kind=NoticeKind(row.kind),
        name=" ".join(name.split())[:300],
        subject_id=row.subject_id,
        place_id=row.place_id,
        state=state,
        has_failed=has_failed,
        is_partial=is_partial and not has_failed,
        at=row.at,
        is_read=row.read_at is not None,
    )
