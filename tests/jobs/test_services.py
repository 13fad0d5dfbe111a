"""The Job row is the truth: claims, leases, attempts, events in order."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from apps.core.errors import Conflict, InputError, NotFound
from apps.jobs import claims, kinds, selectors, services
from apps.jobs.contracts import JobState, Queue
from apps.jobs.kinds import JobKind
from apps.jobs.models import Job
from apps.jobs.run import JobLost, JobPutOff, JobRun
from apps.tenants.context import tenant_context
from tests.factories.people import make_actor, make_organisation

pytestmark = pytest.mark.django_db(transaction=True)


def anybody(_job: object, _actor: object) -> bool:
    return True


@pytest.fixture
def ran() -> Iterator[list[JobRun]]:
    """Registers the kind "test"; holds the runs it saw."""
    seen: list[JobRun] = []

    def work(run: JobRun) -> None:
        seen.append(run)
        run.event("worked", {"attempt": run.attempt})

    kinds.register(
        JobKind(
            name="test",
            queue=Queue.INGESTION,
            run=work,
            may_see=lambda job, actor: True,
            may_stop=lambda job, actor: True,
        )
    )
    yield seen
    kinds._kinds.pop("test")


def enqueue(tenant_id: UUID, **options: Any) -> UUID:
    with tenant_context(tenant_id):
        return services.enqueue(kind="test", payload={}, **options)


def state_of(tenant_id: UUID, job_id: UUID) -> Job:
    with tenant_context(tenant_id):
        return Job.objects.get(id=job_id)


def test_a_job_runs_once_however_often_it_is_delivered(ran: list[JobRun]) -> None:
    tenant_id = make_organisation()
    job_id = enqueue(tenant_id)

    for _ in range(3):
        services.execute(tenant_id=tenant_id, job_id=job_id)

    assert len(ran) == 1
    assert state_of(tenant_id, job_id).state == JobState.SUCCEEDED
    with tenant_context(tenant_id):
        events = selectors.events_after(job_id=job_id, seq=0)
    assert [(e.seq, e.type) for e in events] == [(1, "worked"), (2, "succeeded")]


def test_the_same_key_gives_the_same_job(ran: list[JobRun]) -> None:
    tenant_id = make_organisation()

    first = enqueue(tenant_id, idempotency_key="k")
    second = enqueue(tenant_id, idempotency_key="k")

    assert first == second


def test_a_run_that_lost_its_lease_writes_nothing(ran: list[JobRun]) -> None:
    tenant_id = make_organisation()
    job_id = enqueue(tenant_id)
    with tenant_context(tenant_id):
        old = JobRun(services.claims.claim(job_id), tenant_id)
        Job.objects.filter(id=job_id).update(lease_until=timezone.now() - timedelta(seconds=1))

    services.execute(tenant_id=tenant_id, job_id=job_id)

    with pytest.raises(JobLost):
        old.event("late", {})
    with tenant_context(tenant_id):
        assert [e.type for e in selectors.events_after(job_id=job_id, seq=0)] == ["worked", "succeeded"]


def test_an_expired_job_is_found_by_the_dispatcher_and_fails_after_its_attempts(ran: list[JobRun]) -> None:
    tenant_id = make_organisation()
    job_id = enqueue(tenant_id)
    past = timezone.now() - timedelta(seconds=1)
    with tenant_context(tenant_id):
        Job.objects.filter(id=job_id).update(state="running", attempt=3, max_attempts=3, lease_until=past)

    found = services.dispatch()

    job = state_of(tenant_id, job_id)
    assert found == 1
    assert (job.state, job.error_code) == (JobState.FAILED, "worker_lost")


def test_a_failed_job_can_be_retried_and_a_running_one_cannot(ran: list[JobRun]) -> None:
    tenant_id = make_organisation()
    actor = make_actor(tenant_id)
    job_id = enqueue(tenant_id)
    with tenant_context(tenant_id):
        with pytest.raises(Conflict):
            services.retry(actor=actor, job_id=job_id)
        Job.objects.filter(id=job_id).update(state="failed", attempt=3)
        services.retry(actor=actor, job_id=job_id)

    services.execute(tenant_id=tenant_id, job_id=job_id)

    assert state_of(tenant_id, job_id).state == JobState.SUCCEEDED


def test_a_cancelled_job_stops_at_its_next_write() -> None:
    tenant_id = make_organisation()
    actor = make_actor(tenant_id)

    def work(run: JobRun) -> None:
        with tenant_context(tenant_id):
            services.cancel(actor=actor, job_id=run.job_id)
        run.event("never", {})

    kinds.register(
        JobKind(
            name="test",
            queue=Queue.INGESTION,
            run=work,
            may_see=lambda job, actor: True,
            may_stop=lambda job, actor: True,
        )
    )
    job_id = enqueue(tenant_id)

    services.execute(tenant_id=tenant_id, job_id=job_id)

    assert state_of(tenant_id, job_id).state == JobState.CANCELLED
    with tenant_context(tenant_id):
        assert [e.type for e in selectors.events_after(job_id=job_id, seq=0)] == ["cancelled"]


def test_an_error_of_ours_fails_with_its_code_and_an_unknown_one_is_tried_again() -> None:
    tenant_id = make_organisation()
    errors: list[Exception] = [RuntimeError("once"), InputError(code="bad_input")]

    def work(run: JobRun) -> None:
        raise errors.pop(0)

    kinds.register(
        JobKind(
            name="test",
            queue=Queue.INGESTION,
            run=work,
            may_see=lambda job, actor: True,
            may_stop=lambda job, actor: True,
        )
    )
    job_id = enqueue(tenant_id)

    services.execute(tenant_id=tenant_id, job_id=job_id)
    after_unknown = state_of(tenant_id, job_id).state
    services.execute(tenant_id=tenant_id, job_id=job_id)

    assert after_unknown == JobState.QUEUED
    job = state_of(tenant_id, job_id)
    assert (job.state, job.error_code) == (JobState.FAILED, "bad_input")


def test_another_organisation_cannot_see_or_stop_a_job(ran: list[JobRun]) -> None:
    tenant_id, other_id = make_organisation(), make_organisation()
    stranger = make_actor(other_id)
    job_id = enqueue(tenant_id)

    with tenant_context(other_id):
        with pytest.raises(NotFound):
            selectors.get_job(actor=stranger, job_id=job_id)
        with pytest.raises(NotFound):
            services.cancel(actor=stranger, job_id=job_id)

    assert state_of(tenant_id, job_id).state == JobState.QUEUED


def test_a_waiting_job_knows_its_place_over_the_whole_installation(ran: list[JobRun]) -> None:
    tenant_id, other_id = make_organisation(), make_organisation()
    enqueue(other_id)
    enqueue(other_id)
    job_id = enqueue(tenant_id)

    with tenant_context(tenant_id):
        job = selectors.read_job(job_id=job_id)

    assert job is not None
    assert job.position == 2  # organisations take turns: the other's second job comes after it


def test_of_many_that_begin_at_once_exactly_as_many_as_allowed_go_on() -> None:
    tenant_id = make_organisation()
    with tenant_context(tenant_id):
        ids = [services.enqueue(kind="embed_version", payload={}) for _n in range(4)]
        Job.objects.filter(id__in=ids).update(state="running", started_at=timezone.now())

        first = [selectors.is_among_first(job_id=job_id, kind="embed_version", most=2) for job_id in ids]

    assert sorted(first) == [False, False, True, True]


def test_people_go_before_a_load_and_organisations_take_turns(ran: list[JobRun]) -> None:
    loading, other = make_organisation(), make_organisation()
    with tenant_context(loading):
        load = [services.enqueue(kind="test", payload={}, is_bulk=True) for _ in range(3)]
        first, second = (services.enqueue(kind="test", payload={}) for _ in range(2))
    with tenant_context(other):
        single = services.enqueue(kind="test", payload={})

    for job_id in (*load, first, second):  # hints come in the order in which the jobs were made
        services.execute_next(tenant_id=loading, job_id=job_id)
    services.execute_next(tenant_id=other, job_id=single)

    order = [run.job_id for run in ran]
    assert set(order[:3]) == {first, single, second}
    assert order.index(single) < order.index(second)
    assert order[3:] == load


def test_a_paused_job_waits_until_it_may_go_on(ran: list[JobRun]) -> None:
    tenant_id = make_organisation()
    job_id = enqueue(tenant_id)

    with tenant_context(tenant_id):
        services.pause(job_ids=[job_id])
    services.execute_next(tenant_id=tenant_id, job_id=job_id)
    paused = len(ran)
    with tenant_context(tenant_id):
        services.go_on(job_ids=[job_id])
    services.execute_next(tenant_id=tenant_id, job_id=job_id)

    assert (paused, len(ran)) == (0, 1)


def test_one_of_many_steps_aside_when_somebody_waits_and_keeps_its_attempts(ran: list[JobRun]) -> None:
    tenant_id = make_organisation()
    with tenant_context(tenant_id):
        load = services.enqueue(kind="test", payload={}, is_bulk=True)
        job = claims.claim(load)
        single = services.enqueue(kind="test", payload={})
    assert job is not None
    run = JobRun(job, tenant_id)

    with pytest.raises(JobPutOff):
        run.give_way()
    services.execute(tenant_id=tenant_id, job_id=single)

    run.give_way()  # nobody waits any more
