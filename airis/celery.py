"""The Celery application. Messages are hints; the Job row is the queue of record (apps/jobs)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "airis.settings.development")

app = Celery("airis")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
