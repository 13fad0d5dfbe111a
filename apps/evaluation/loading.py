"""Fills an organisation for measuring: real PDF files, then generated documents, until it has enough chunks.

Everything goes through the product's services and jobs. Jobs run in this process when no worker takes them; only
then is their memory seen. What an earlier run did is left as it is.
"""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from uuid import UUID

import numpy as np
from django.db import connections
from numpy.typing import NDArray

from apps.accounts import services as accounts
from apps.accounts.contracts import Actor, GrantLevel, Role
from apps.accounts.models import Collection, User
from apps.accounts.selectors import actor_in
from apps.core.errors import InputError
from apps.documents import intake
from apps.documents import selectors as documents
from apps.documents import services as document_services
from apps.documents.contracts import INGEST_KIND, OPEN_STATES, DocumentSummary, VersionState
from apps.evaluation import desk
from apps.evaluation.generated import generated_document
from apps.evaluation.memory import watched_memory
from apps.jobs import selectors as job_selectors
from apps.jobs import services as jobs
from apps.jobs.contracts import JobState, JobSummary
from apps.providers import embedding
from apps.retrieval import selectors as retrieval
from apps.retrieval import services as retrieval_services
from apps.tenants.context import tenant_context
from apps.tenants.models import Tenant

COLLECTION = "Benchmark"
_DIMENSIONS = 384
_STORE = 500
_READ_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Bench:
    """The organisation that is filled; its analyst brings and asks."""

    analyst: Actor
    email: str
    collection_id: UUID


@dataclass(frozen=True, slots=True)
class Ingested:
    """What one file became, and what that took. Seconds run from the upload to searchable."""

    summary: DocumentSummary
    seconds: float
    process_mib: int
    child_mib: int  # 0 when no reading child of this process was seen


def open_bench(*, slug: str, password: str) -> Bench:
    """The organisation, its owner, its analyst with this password, and a collection the analyst may fill."""
    tenant_id = Tenant.objects.filter(slug=slug).values_list("id", flat=True).first()
    if tenant_id is None:
        tenant_id = accounts.create_organisation(name=f"Benchmark {slug}", slug=slug)
    owner = _member(tenant_id, f"owner@{slug}.example", Role.OWNER)
    email = f"analyst@{slug}.example"
    analyst = _member(tenant_id, email, Role.ANALYST)
    user = User.objects.get(id=analyst.user_id)
    user.set_password(password)
    user.save(update_fields=["password"])
    with tenant_context(tenant_id):
        collection_id = Collection.objects.filter(name=COLLECTION).values_list("id", flat=True).first()
        if collection_id is None:
            collection_id = accounts.create_collection(actor=owner, name=COLLECTION)
            accounts.grant_access(
                actor=owner, collection_id=collection_id, user_id=analyst.user_id, level=GrantLevel.MANAGE
            )
    return Bench(analyst, email, collection_id)


def pdf_files(folder: Path) -> list[Path]:
    """Every PDF under the folder, in a fixed order. Raises InputError when it is not a folder."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder", field="documents")
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".pdf" and path.is_file())


def ingest_file(bench: Bench, path: Path) -> Ingested | None:
    """The file is searchable, its meaning index is held; None when an earlier run or a twin brought these bytes."""
    with path.open("rb") as file:
        return _ingest(bench, path.name, iter(lambda: file.read(_READ_BYTES), b""))


def ingest_generated(bench: Bench, *, chunks: int) -> Iterator[Ingested]:
    """Generated documents are searchable, in order of their numbers, until the organisation has `chunks` chunks."""
    number = 0
    while coverage(bench)[0] < chunks:
        document = generated_document(number)
        number += 1
        ingested = _ingest(bench, document.name, [document.text.encode()])
        if ingested is not None:
            yield ingested


def embed_generated(bench: Bench) -> int:
    """Every chunk of the generated documents has a random unit vector, seeded by its document. Chunks done now."""
    done = 0
    with tenant_context(bench.analyst.tenant_id):
        waiting = [s for s in _summaries(bench) if _is_generated(s) and s.state == VersionState.SEARCHABLE]
    for summary in waiting:
        with tenant_context(bench.analyst.tenant_id):
            _hold_meaning(summary)
            done += _store_random(summary)
    return done


def embed_real(bench: Bench, *, patience_s: float) -> Iterator[DocumentSummary]:
    """The meaning index by the real model, document by document, shortest first, until the patience is over."""
    deadline = monotonic() + patience_s
    tenant_id = bench.analyst.tenant_id
    with tenant_context(tenant_id):
        waiting = [s for s in _summaries(bench) if not _is_generated(s) and s.state == VersionState.SEARCHABLE]
    for summary in sorted(waiting, key=lambda s: (s.chunk_count, s.name)):
        if monotonic() >= deadline:
            return
        with tenant_context(tenant_id):
            job = _meaning_job(summary)
            if job is None:
                continue
            if not job.is_open:
                jobs.requeue(job_id=job.id)
        with _cancelled_at(tenant_id, job.id, deadline):
            desk.run_to_end(tenant_id, job.id)
        with tenant_context(tenant_id):
            yield documents.summary(document_id=summary.id)


def coverage(bench: Bench) -> tuple[int, int]:
    """(chunks, chunks with a vector) of what the analyst may search."""
    with tenant_context(bench.analyst.tenant_id):
        scope = retrieval.scope_for(actor=bench.analyst)
        return documents.index_counts(version_ids=scope.version_ids)


def real_coverage(bench: Bench) -> tuple[int, int]:
    """(chunks, chunks with a vector) of the real documents alone."""
    with tenant_context(bench.analyst.tenant_id):
        real = [s for s in _summaries(bench) if not _is_generated(s)]
    return sum(s.chunk_count for s in real), sum(s.embedded_count for s in real)


def _member(tenant_id: UUID, email: str, role: Role) -> Actor:
    user_id = User.objects.filter(email=email).values_list("id", flat=True).first()
    if user_id is None:
        user_id = accounts.create_person(email=email, name=f"Benchmark {role.value}", password=None)
    actor = actor_in(user_id=user_id, tenant_id=tenant_id)
    if actor is None:
        accounts.add_member(tenant_id=tenant_id, user_id=user_id, role=role, added_by=None)
        actor = actor_in(user_id=user_id, tenant_id=tenant_id)
    assert actor is not None
    return actor


def _ingest(bench: Bench, name: str, chunks: Iterable[bytes]) -> Ingested | None:
    started = monotonic()
    tenant_id = bench.analyst.tenant_id
    with watched_memory() as peaks:
        result = document_services.receive_upload(
            actor=bench.analyst, collection_id=bench.collection_id, name=name, chunks=chunks
        )
        summary = result.document
        if summary is None or summary.job_id is None or summary.state not in OPEN_STATES:
            return None
        desk.run_to_end(tenant_id, summary.job_id)
        desk.recognise(tenant_id, summary.id)
    seconds = monotonic() - started
    with tenant_context(tenant_id):
        _hold_meaning(summary)
        return Ingested(documents.summary(document_id=summary.id), seconds, peaks.process_mib, peaks.child_mib)


def _summaries(bench: Bench) -> list[DocumentSummary]:
    found: list[DocumentSummary] = []
    number = pages = 1
    while number <= pages:
        page = documents.list_documents(actor=bench.analyst, collection_id=bench.collection_id, number=number)
        found += page.items
        pages = page.pages
        number += 1
    return found


def _is_generated(summary: DocumentSummary) -> bool:
    return not summary.media_type.endswith("pdf")


def _meaning_job(summary: DocumentSummary) -> JobSummary | None:
    """The job that follows the ingestion; None when there is none or it succeeded."""
    job = job_selectors.latest_jobs(subject_ids=(summary.id,)).get(summary.id)
    return None if job is None or job.kind == INGEST_KIND or job.state == JobState.SUCCEEDED else job


def _hold_meaning(summary: DocumentSummary) -> None:
    """The meaning index is not under way: its job is cancelled, and taken up again when it is wanted."""
    job = _meaning_job(summary)
    if job is not None and job.is_open:
        jobs.cancel_in_transaction(job_id=job.id)


def _store_random(summary: DocumentSummary) -> int:
    chance = np.random.default_rng(summary.id.int)
    space = embedding.space()
    done = 0
    while batch := retrieval.chunks_to_embed(version_id=summary.version_id, space=space, limit=_STORE):
        vectors = zip((chunk.id for chunk in batch), _unit_vectors(chance, len(batch)), strict=True)
        stored = retrieval_services.store_embeddings(version_id=summary.version_id, space=space, vectors=vectors)
        intake.mark_embedded(version_id=summary.version_id, embedded_count=stored)
        done += len(batch)
    intake.mark_ready(version_id=summary.version_id)
    return done


def _unit_vectors(chance: np.random.Generator, count: int) -> NDArray[np.float32]:
    """count × 384, L2-normalised."""
    drawn = chance.standard_normal((count, _DIMENSIONS))
    unit: NDArray[np.float32] = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    return unit


@contextmanager
def _cancelled_at(tenant_id: UUID, job_id: UUID, deadline: float) -> Iterator[None]:
    """The job is cancelled when the deadline comes inside the block; what it stored stays."""

    def cancel() -> None:
        with tenant_context(tenant_id):
            jobs.cancel_in_transaction(job_id=job_id)
        connections.close_all()

    timer = threading.Timer(max(0.0, deadline - monotonic()), cancel)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
