"""A worker dies at every named place of an answer: the next attempt goes on and the result is the same."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from apps.chat.contracts import MessageState
from apps.chat.models import Citation, Statement
from apps.jobs import services as jobs
from apps.jobs.models import Job, JobEvent
from apps.tenants.context import tenant_context
from tests.chat.conftest import Room

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "a.txt": "Offer 88: the discount is 17 per cent until March.\n\nThe board of the offerer met twice.\n",
    "b.txt": "Offer 89: the discount is 9 per cent until June.\n",
}
PLACES = [
    "answer.planned",
    "answer.searched",
    "answer.read",
    "answer.composed",
    "answer.checked",
    "answer.statement",
]
WORKER = """
import django, sys, uuid
django.setup()
from apps.jobs import services
services.execute(tenant_id=uuid.UUID(sys.argv[1]), job_id=uuid.UUID(sys.argv[2]))
"""


def killed_at(place: str, room: Room, job_id: Any) -> int:
    """Exit code of a worker process that dies at the failpoint while it runs the job."""
    database = settings.DATABASES["default"]
    url = os.environ["DATABASE_URL"].replace("/airis?", f"/{database['NAME']}?")
    failpoint = settings.VAR / "test-failpoint"
    failpoint.write_text(f"{place} once")
    environment = os.environ | {
        "AIRIS_FAILPOINTS": str(failpoint),
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "airis.settings.test",
    }
    command = [sys.executable, "-c", WORKER, str(room.tenant_id), str(job_id)]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False, timeout=120).returncode


def expire_lease(room: Room, job_id: Any) -> None:
    with tenant_context(room.tenant_id):
        Job.objects.filter(id=job_id).update(lease_until=timezone.now() - timedelta(seconds=1))


@pytest.mark.services
@pytest.mark.parametrize("place", PLACES)
def test_a_worker_killed_in_the_middle_of_an_answer_changes_nothing(place: str, room: Room) -> None:
    for name, text in FILES.items():
        room.add(name, text)
    clean = room.ask("What is the discount of offer 88?")
    asked = room.put("What is the discount of offer 88?")
    assert connection.vendor == "postgresql"

    code = killed_at(place, room, asked.job_id)
    interrupted = room.message(asked.message_id)
    expire_lease(room, asked.job_id)
    jobs.execute(tenant_id=room.tenant_id, job_id=asked.job_id)

    assert code == -9
    assert interrupted.is_open
    finished = room.message(asked.message_id)
    assert finished.state is MessageState.ANSWERED
    assert [(s.text, s.verdict) for s in finished.statements] == [(s.text, s.verdict) for s in clean.statements]
    assert [s.query for s in finished.searched] == [s.query for s in clean.searched]
    with tenant_context(room.tenant_id):
        assert Statement.objects.filter(message_id=asked.message_id).count() == len(clean.statements)
        assert Citation.objects.filter(statement__message_id=asked.message_id).count() == 1
        numbers = list(JobEvent.objects.filter(job_id=asked.job_id).order_by("seq").values_list("seq", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_run_that_lost_its_lease_writes_nothing(room: Room) -> None:
    room.add("a.txt", FILES["a.txt"])
    asked = room.put("What is the discount of offer 88?")
    with tenant_context(room.tenant_id):
        Job.objects.filter(id=asked.job_id).update(
            state="running", attempt=7, lease_until=timezone.now() + timedelta(hours=1)
        )

    jobs.execute(tenant_id=room.tenant_id, job_id=asked.job_id)

    assert room.message(asked.message_id).statements == ()


def test_an_answer_that_failed_for_good_is_shown_as_interrupted_with_a_retry(room: Room) -> None:
    room.add("a.txt", FILES["a.txt"])
    asked = room.put("What is the discount of offer 88?")
    with tenant_context(room.tenant_id):
        Job.objects.filter(id=asked.job_id).update(
            state="running", attempt=3, lease_until=timezone.now() - timedelta(seconds=1)
        )

    jobs.dispatch()

    message = room.message(asked.message_id)
    assert message.state is MessageState.FAILED
    assert message.error_code == "worker_lost"
    assert message.can_retry
