"""The Celery application. Messages are hints; the Job row is the queue of record (apps/jobs)."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "airis.settings.development")

app = Celery("airis")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
@beat_init.connect
def check_start(**_kwargs: Any) -> None:
    """A worker of an unsafe installation does not start."""
    from apps.core.checks import refuse_unsafe_start

    refuse_unsafe_start()
