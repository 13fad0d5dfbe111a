"""Hints over Valkey: to workers ("there is a job") and to open pages ("look again"). Losing one loses nothing."""

import logging
from uuid import UUID

import redis
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from apps.accounts.sockets import person_group

logger = logging.getLogger(__name__)


def reader_group(tenant_id: UUID, job_id: UUID) -> str:
    """Channel group of everybody who follows a job; carries the tenant (under 100 characters)."""
    return f"job.{tenant_id}.{job_id}"


def hint_readers(tenant_id: UUID, job_id: UUID) -> None:
    """After the commit, whoever follows the job is told to look. They poll as well."""

    def send() -> None:
        layer = get_channel_layer()
        message = {"type": "job.changed", "job_id": str(job_id)}
        try:
            async_to_sync(layer.group_send)(reader_group(tenant_id, job_id), message)
        except (redis.RedisError, OSError) as exc:
            logger.warning("hint to readers lost: %s", type(exc).__name__, extra={"job_id": job_id})

    transaction.on_commit(send)


def hint_topics(user_id: UUID) -> None:
    """After the commit, the person's open pages look at what they watch. They poll as well."""

    def send() -> None:
        try:
            async_to_sync(get_channel_layer().group_send)(person_group(user_id), {"type": "topics.changed"})
        except (redis.RedisError, OSError) as exc:
            logger.warning("hint to pages lost: %s", type(exc).__name__)

    transaction.on_commit(send)


def waiting_hints(queue: str) -> int:
    """Messages that wait in a queue of the broker; 0 when it cannot be asked."""
    from celery import current_app
    from kombu.exceptions import ChannelError, OperationalError

    try:
        with current_app.connection_for_read() as connection, connection.channel() as channel:
            return int(channel.queue_declare(queue, passive=True).message_count)
    except (OperationalError, ChannelError, redis.RedisError, OSError):
        return 0


def hint_worker(tenant_id: UUID, job_id: UUID, queue: str) -> None:
    """After the commit, a worker of the queue is told. The dispatcher tells again when this is lost."""

    def send() -> None:
        from kombu.exceptions import OperationalError

        from apps.jobs.tasks import run_job

        try:
            run_job.apply_async(kwargs={"tenant_id": str(tenant_id), "job_id": str(job_id)}, queue=queue)
        except (OperationalError, redis.RedisError, OSError) as exc:
            logger.warning("hint to workers lost: %s", type(exc).__name__, extra={"job_id": job_id})

    transaction.on_commit(send)
