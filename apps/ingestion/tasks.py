"""Celery entry points of ingestion."""

import logging

from celery import shared_task

from apps.ingestion import reconciling

logger = logging.getLogger(__name__)


@shared_task(name="ingestion.reconcile", expires=3600)
def reconcile() -> None:
    """What disagrees is mended, organisation by organisation; the log says how much, the trail what."""
    for tenant_id, findings in reconciling.reconcile_all(mend=True).items():
        for finding in findings:
            logger.warning(
                "reconciled %s: %d found, %d mended",
                finding.kind,
                finding.count,
                finding.mended,
                extra={"tenant_id": tenant_id},
            )
