"""Celery entry points of documents."""

from celery import shared_task

from apps.documents import services


@shared_task(name="documents.sweep_files", expires=3600)
def sweep_files() -> None:
    """Bytes that a process left behind when it died are removed, organisation by organisation."""
    services.sweep_all_files()
