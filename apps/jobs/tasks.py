"""Celery entry points: ids in, one service call."""

from uuid import UUID

from celery import shared_task

from apps.jobs import services
from apps.tenants.tasks import TenantTask


@shared_task(base=TenantTask, name="jobs.run_job")
def run_job(*, tenant_id: str, job_id: str) -> None:
    services.execute_next(tenant_id=UUID(tenant_id), job_id=UUID(job_id))


@shared_task(name="jobs.dispatch", expires=30)
def dispatch() -> None:
    services.dispatch()
