"""A waiting job can be put off; the dispatcher leaves it alone until then, and it has no place in the queue."""

from typing import Any

from django.conf import settings
from django.db import migrations, models

from apps.tenants.rls import DefinerFunction


def drop_functions(_apps: Any, schema_editor: Any) -> None:
    """They belong to the sweep role, which alone may replace them."""
    schema_editor.execute(f"SET ROLE {schema_editor.quote_name(settings.DATABASE_SWEEP_ROLE)}")
    for name in ("airis_due_jobs", "airis_queue_places"):
        schema_editor.execute(f"DROP FUNCTION {name}")
    schema_editor.execute("RESET ROLE")


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial")]

    operations = [
        migrations.AddField(model_name="job", name="not_before", field=models.DateTimeField(null=True)),
        migrations.AlterField(
            model_name="job",
            name="queue",
            field=models.CharField(
                choices=[
                    ("answers", "answers"),
                    ("ingestion", "ingestion"),
                    ("embedding", "embedding"),
                    ("outside", "outside"),
                ],
                max_length=20,
            ),
        ),
        migrations.RunPython(drop_functions, migrations.RunPython.noop),
        DefinerFunction(
            "airis_due_jobs",
            arguments="hint_again_after interval",
            returns="TABLE (tenant_id uuid, job_id uuid)",
            owner="DATABASE_SWEEP_ROLE",
            body="""
                SELECT j.tenant_id, j.id FROM jobs_job j
                WHERE (j.state = 'queued' AND j.not_before IS NULL
                       AND (j.hinted_at IS NULL OR j.hinted_at < now() - hint_again_after))
                   OR (j.state = 'queued' AND j.not_before <= now())
                   OR (j.state = 'running' AND j.lease_until < now())
                ORDER BY j.queued_at LIMIT 1000
            """,
        ),
        DefinerFunction(
            "airis_queue_places",
            arguments="",
            returns="TABLE (job_id uuid, place bigint)",
            owner="DATABASE_SWEEP_ROLE",
            body="""
                SELECT w.id, w.place FROM (
                    SELECT j.id, j.tenant_id, row_number() OVER (PARTITION BY j.queue ORDER BY j.queued_at, j.id) AS place
                    FROM jobs_job j WHERE j.state = 'queued' AND (j.not_before IS NULL OR j.not_before <= now())
                ) w
                WHERE w.tenant_id = nullif(current_setting('airis.tenant_id', true), '')::uuid
            """,
        ),
        DefinerFunction(
            "airis_job_counts",
            arguments="",
            returns="TABLE (kind text, queue text, state text, jobs bigint, seconds double precision, oldest double precision)",
            owner="DATABASE_SWEEP_ROLE",
            body="""
                SELECT j.kind::text, j.queue::text, j.state::text, count(*),
                       coalesce(sum(extract(epoch FROM j.finished_at - j.started_at)), 0)::double precision,
                       coalesce(extract(epoch FROM now() - min(j.queued_at)), 0)::double precision
                FROM jobs_job j GROUP BY 1, 2, 3
            """,
        ),
    ]
