"""The working organisation of the command line: files are ingested once, questions asked as its owner.

Jobs are run in this process when no worker takes them, so that the commands need the services only.
"""

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from apps.accounts import services as accounts
from apps.accounts.contracts import Actor, Role
from apps.accounts.models import Collection, Membership, User
from apps.accounts.selectors import actor_in
from apps.chat import selectors as chat_selectors
from apps.chat import services as chat
from apps.chat.contracts import MessageView
from apps.core.errors import InputError
from apps.documents import selectors as documents
from apps.documents import services as document_services
from apps.documents.contracts import OPEN_STATES, RECOGNISE_KIND, DocumentSummary
from apps.jobs import selectors as job_selectors
from apps.jobs import services as jobs
from apps.tenants.context import tenant_context
from apps.tenants.models import Tenant

SLUG = "command-line"
_EMAIL = "command-line@airis.invalid"
_CHUNK = 1024 * 1024
_WAIT_S = 0.2


@dataclass(frozen=True, slots=True)
class Desk:
    """One folder or list of files as a collection of the working organisation."""

    actor: Actor
    collection_id: UUID


def open_desk(name: str) -> Desk:
    """The collection of this name in the working organisation; both are made on first use."""
    actor = _actor()
    with tenant_context(actor.tenant_id):
        found = Collection.objects.filter(name=name[:200]).values_list("id", flat=True).first()
        collection_id = found or accounts.create_collection(actor=actor, name=name[:200])
    return Desk(actor, collection_id)


def desk_name(paths: list[Path]) -> str:
    """A stable collection name for a folder or a set of files."""
    joined = "\n".join(sorted(str(path.resolve()) for path in paths))
    return f"{paths[0].name} {hashlib.sha256(joined.encode()).hexdigest()[:12]}"


def ingest(desk: Desk, path: Path, *, name: str = "") -> DocumentSummary:
    """The file is in the collection and searchable, or stopped with a reason; the same bytes are read once."""
    if not path.is_file():
        raise InputError(f"{path}: no such file", field="file")
    result = document_services.receive_upload(
        actor=desk.actor, collection_id=desk.collection_id, name=name or path.name, chunks=_chunks(path)
    )
    summary = result.document
    if summary is None and result.elsewhere is not None:
        with tenant_context(desk.actor.tenant_id):
            summary = document_services.add_here(
                actor=desk.actor,
                document_id=result.elsewhere.id,
                collection_id=desk.collection_id,
                name=name or path.name,
            )
    assert summary is not None
    if summary.state in OPEN_STATES and summary.job_id is not None:
        run_to_end(desk.actor.tenant_id, summary.job_id)
        recognise(desk.actor.tenant_id, summary.id)
    _ingest_members(desk, summary.id)
    with tenant_context(desk.actor.tenant_id):
        return documents.summary(document_id=summary.id)


def recognise(tenant_id: UUID, document_id: UUID) -> None:
    """Pages of the document that are images have their words."""
    while True:
        with tenant_context(tenant_id):
            job = job_selectors.latest_jobs(subject_ids=(document_id,)).get(document_id)
        if job is None or job.kind != RECOGNISE_KIND or not job.is_open:
            return
        run_to_end(tenant_id, job.id)


def _ingest_members(desk: Desk, document_id: UUID) -> None:
    """What an archive or mail brought is read too."""
    with tenant_context(desk.actor.tenant_id):
        members = documents.list_members(actor=desk.actor, document_id=document_id)
    for found in (member.document for member in members if member.document is not None):
        if found.state in OPEN_STATES and found.job_id is not None:
            run_to_end(desk.actor.tenant_id, found.job_id)
            recognise(desk.actor.tenant_id, found.id)
            _ingest_members(desk, found.id)


def ask(
    desk: Desk, question: str, *, document_ids: tuple[UUID, ...] = (), language: str = "", key: str = ""
) -> MessageView:
    """The checked answer. The same key gives the recorded answer again, without asking twice."""
    with tenant_context(desk.actor.tenant_id):
        asked = chat.ask(
            actor=desk.actor,
            question=question,
            collection_ids=() if document_ids else (desk.collection_id,),
            document_ids=document_ids,
            language=language,
            idempotency_key=key,
        )
    if asked.job_id is not None:  # always in a conversation of its own: nothing is in line before it
        run_to_end(desk.actor.tenant_id, asked.job_id)
    with tenant_context(desk.actor.tenant_id):
        return chat_selectors.get_message(actor=desk.actor, message_id=asked.message_id)


def run_to_end(tenant_id: UUID, job_id: UUID) -> None:
    """The job is over: run here, or by a worker of a running product that was quicker."""
    while True:
        jobs.execute(tenant_id=tenant_id, job_id=job_id)
        with tenant_context(tenant_id):
            job = job_selectors.read_job(job_id=job_id)
        if job is None or not job.is_open:
            return
        time.sleep(_WAIT_S)


def _actor() -> Actor:
    tenant_id = Tenant.objects.filter(slug=SLUG).values_list("id", flat=True).first()
    if tenant_id is None:
        tenant_id = accounts.create_organisation(name="Command line", slug=SLUG)
    user_id = User.objects.filter(email=_EMAIL).values_list("id", flat=True).first()
    if user_id is None:
        user_id = accounts.create_person(email=_EMAIL, name="Command line", password=None)
    if not Membership.objects.filter(tenant_id=tenant_id, user_id=user_id).exists():
        accounts.add_member(tenant_id=tenant_id, user_id=user_id, role=Role.OWNER, added_by=None)
    actor = actor_in(user_id=user_id, tenant_id=tenant_id)
    assert actor is not None
    return actor


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
