"""The stage that follows reading for archives and mails: every member that can be taken is a document of its own."""

from django.conf import settings

from apps.core.errors import LimitExceeded
from apps.core.failpoints import reach
from apps.documents import members, storage
from apps.documents.contracts import IngestionSource, MemberSource
from apps.jobs.run import JobRun
from apps.reading.client import ReadingClient
from apps.reading.contracts import MemberRefusal, ReadingError, ReadingFailure
from apps.tenants.context import tenant_context

_REFUSALS = {ReadingFailure.TOO_LARGE: MemberRefusal.TOO_LARGE}


def unpack(run: JobRun, source: IngestionSource, client: ReadingClient) -> None:
    """No member waits any more: each is a document, known already, or refused with its reason. Resumable by member."""
    with tenant_context(run.tenant_id):
        waiting = members.waiting_members(version_id=source.version_id)
        is_too_deep = members.is_too_deep(document_id=source.document_id)
    for position, member in enumerate(waiting, start=1):
        run.check()
        if is_too_deep:
            _refuse(run, source, member, MemberRefusal.TOO_DEEP)
        else:
            _take(run, source, client, member)
        run.progress("unpacking", position, len(waiting))
        reach("ingestion.unpack.member")


def _take(run: JobRun, source: IngestionSource, client: ReadingClient, member: MemberSource) -> None:
    try:
        data = client.member(member.index)
        stored = storage.write(tenant_id=run.tenant_id, chunks=[data], limit=settings.MAX_UPLOAD_BYTES)
    except ReadingError as exc:
        _refuse(run, source, member, _REFUSALS.get(exc.failure, MemberRefusal.DAMAGED))
        return
    except LimitExceeded:
        _refuse(run, source, member, MemberRefusal.TOO_LARGE)
        return
    is_kept = False
    try:
        with run.write():
            is_kept = members.take_member(
                tenant_id=run.tenant_id, version_id=source.version_id, index=member.index, stored=stored
            )
    except LimitExceeded:  # the organisation's quota
        is_kept = False
        _refuse(run, source, member, MemberRefusal.TOO_LARGE)
    except BaseException:
        is_kept = False
        raise
    finally:
        if not is_kept:
            storage.delete(stored.key)


def _refuse(run: JobRun, source: IngestionSource, member: MemberSource, refusal: MemberRefusal) -> None:
    with run.write():
        members.refuse_member(version_id=source.version_id, index=member.index, refusal=refusal)
