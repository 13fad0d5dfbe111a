"""An organisation that is erased while its documents wait: the queue's jobs end as no-ops, nothing of it is left."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection

from apps.documents.services import forget_files
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.tenants.context import tenant_context
from apps.tenants.erasure import erase_organisation
from apps.tenants.models import TenantModel
from tests.factories.desk import make_desk
from tests.factories.documents import upload


@contextmanager
def owner_role() -> Iterator[None]:
    """The connection of this test is the owner's, as of the command that erases."""
    owner = psycopg.conninfo.conninfo_to_dict(os.environ["DATABASE_OWNER_URL"])
    before = connection.settings_dict["USER"]
    connection.close()
    connection.settings_dict["USER"] = owner["user"]
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["USER"] = before


@pytest.mark.django_db(transaction=True)
def test_jobs_of_an_erased_organisation_end_quietly(caplog: pytest.LogCaptureFixture) -> None:
    desk = make_desk()
    for number in range(20):
        upload(desk.member, desk.shared, f"note {number}.txt", f"Option price {number}.".encode())
    with tenant_context(desk.tenant_id):
        waiting = list(Job.objects.values_list("id", flat=True))

    with owner_role():
        erase_organisation(tenant_id=desk.tenant_id)
        forget_files(tenant_id=desk.tenant_id)
        with connection.cursor() as cursor:
            left = 0
            for model in apps.get_models():
                if issubclass(model, TenantModel):
                    cursor.execute(
                        f"SELECT set_config('airis.tenant_id', %s, false), count(*) FROM {model._meta.db_table}"
                        " WHERE tenant_id = %s",
                        [str(desk.tenant_id), desk.tenant_id],
                    )
                    left += cursor.fetchone()[1]
    with caplog.at_level(logging.WARNING):
        for job_id in waiting:
            jobs.execute(tenant_id=desk.tenant_id, job_id=job_id)

    assert len(waiting) == 20
    assert left == 0
    assert not (Path(settings.FILES_DIRECTORY) / str(desk.tenant_id)).exists()
    assert len(caplog.records) <= len(waiting)
    assert not [record for record in caplog.records if record.exc_info]
