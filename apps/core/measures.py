"""What /metrics shows. Counts by kind and state, sums over all organisations: no name, no id, no tenant.

Jobs are counted in the database, so that the numbers are right whichever process is asked and whatever restarted.
What is no row (searches) is counted in Valkey; losing it starts that count anew, as Prometheus expects of counters.
"""

import logging
from collections.abc import Iterator

from django.core.cache import cache
from django.db import DatabaseError, connection
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from apps.core.disk import free_bytes

logger = logging.getLogger(__name__)
CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
COUNTED = {"searches": "Searches that were run, of people and of the answer engine."}
_OPEN = ("queued", "running")


def count(name: str) -> None:
    """One more of COUNTED; nothing happens while Valkey is away."""
    key = f"measure:{name}"
    try:
        cache.add(key, 0, timeout=None)
        cache.incr(key)
    except (RedisError, OSError, ValueError) as exc:
        logger.debug("not counted: %s", type(exc).__name__)


def exposition() -> bytes:
    """The Prometheus text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Installation())
    return generate_latest(registry)


class _Installation(Collector):
    def collect(self) -> Iterator[Metric]:
        rows = _job_rows()
        yield GaugeMetricFamily("airis_up", "The database was read.", value=float(rows is not None))
        yield GaugeMetricFamily("airis_disk_free_bytes", "Free where files are kept.", value=free_bytes())
        if rows is not None:
            yield from _jobs(rows)
        for name, words in COUNTED.items():
            yield CounterMetricFamily(f"airis_{name}", words, value=_counted(name))


def _jobs(rows: list[tuple[str, str, str, int, float, float]]) -> Iterator[Metric]:
    jobs = GaugeMetricFamily("airis_jobs", "Jobs by kind and state.", labels=("kind", "state"))
    seconds = GaugeMetricFamily("airis_job_seconds", "Seconds that ended jobs ran, summed.", labels=("kind", "state"))
    oldest = GaugeMetricFamily("airis_queue_oldest_seconds", "Age of the longest waiting job.", labels=("queue",))
    ages: dict[str, float] = {}
    for kind, queue, state, number, ran_s, oldest_s in rows:
        jobs.add_metric((kind, state), number)
        if state not in _OPEN:
            seconds.add_metric((kind, state), ran_s)
        ages[queue] = max(ages.get(queue, 0.0), oldest_s if state == "queued" else 0.0)
    for queue, age in sorted(ages.items()):
        oldest.add_metric((queue,), age)
    yield from (jobs, seconds, oldest)


def _job_rows() -> list[tuple[str, str, str, int, float, float]] | None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT kind, queue, state, jobs, seconds, oldest FROM airis_job_counts() ORDER BY 1, 2, 3")
            return list(cursor.fetchall())
    except DatabaseError as exc:
        logger.warning("jobs not counted: %s", type(exc).__name__)
        return None


def _counted(name: str) -> int:
    try:
        return int(cache.get(f"measure:{name}") or 0)
    except (RedisError, OSError):
        return 0
