"""Celery entry points of documents."""

from celery import shared_task

from apps.documents import binning, sweeping


@shared_task(name="documents.sweep_files", expires=3600)
def sweep_files() -> None:
    """Bytes that a process left behind when it died are removed, and what lay in the bin for its days, day by day."""
    binning.empty_all_bins()
    sweeping.sweep_all_files()
