"""Jobs that nobody waits for, and the one rule of who is next: people before loads, organisations in turn."""

from typing import Any

from django.conf import settings
from django.db import migrations, models

from apps.tenants.rls import DefinerFunction


def drop_places(_apps: Any, schema_editor: Any) -> None:
    """It belongs to the sweep role, which alone may replace it."""
    schema_editor.execute(f"SET ROLE {schema_editor.quote_name(settings.DATABASE_SWEEP_ROLE)}")
    schema_editor.execute("DROP FUNCTION airis_queue_places")
    schema_editor.execute("RESET ROLE")


class Migration(migrations.Migration):
    dependencies = [("jobs", "0002_put_off")]

    operations = [
        migrations.AddField(model_name="job", name="is_bulk", field=models.BooleanField(default=False)),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                fields=["queue", "is_bulk", "tenant", "queued_at"],
                condition=models.Q(state="queued"),
                name="job_waiting",
            ),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["tenant", "queue", "-started_at"], name="job_by_start"),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["queue", "tenant"], condition=models.Q(state="running"), name="job_running"),
        ),
        DefinerFunction(
            "airis_next_job",
            arguments="p_queue text",
            returns="TABLE (tenant_id uuid, job_id uuid, is_bulk boolean)",
            owner="DATABASE_SWEEP_ROLE",
            # The oldest waiting job of each organisation; of these the one whose organisation has the fewest running
            # and has waited longest since it last began one. Organisations are found by jumps in the index, so that
            # a load of many thousands costs no more than a single file.
            body="""
                WITH RECURSIVE waiting AS (
                    (SELECT j.is_bulk, j.tenant_id FROM jobs_job j
                     WHERE j.queue = p_queue AND j.state = 'queued' ORDER BY j.is_bulk, j.tenant_id LIMIT 1)
                    UNION ALL
                    SELECT n.is_bulk, n.tenant_id FROM waiting w CROSS JOIN LATERAL (
                        SELECT j.is_bulk, j.tenant_id FROM jobs_job j
                        WHERE j.queue = p_queue AND j.state = 'queued'
                          AND (j.is_bulk, j.tenant_id) > (w.is_bulk, w.tenant_id)
                        ORDER BY j.is_bulk, j.tenant_id LIMIT 1
                    ) n
                )
                SELECT w.tenant_id, oldest.id, w.is_bulk FROM waiting w
                CROSS JOIN LATERAL (
                    SELECT j.id, j.queued_at FROM jobs_job j
                    WHERE j.queue = p_queue AND j.state = 'queued' AND j.is_bulk = w.is_bulk
                      AND j.tenant_id = w.tenant_id AND j.attempt < j.max_attempts
                      AND (j.not_before IS NULL OR j.not_before <= now())
                    ORDER BY j.queued_at LIMIT 1
                ) oldest
                CROSS JOIN LATERAL (
                    SELECT count(*) AS jobs FROM jobs_job r
                    WHERE r.queue = p_queue AND r.state = 'running' AND r.tenant_id = w.tenant_id
                ) running
                CROSS JOIN LATERAL (
                    SELECT max(s.started_at) AS at FROM jobs_job s
                    WHERE s.tenant_id = w.tenant_id AND s.queue = p_queue
                ) began
                ORDER BY w.is_bulk, running.jobs, began.at NULLS FIRST, oldest.queued_at, oldest.id
                LIMIT 1
            """,
        ),
        DefinerFunction(
            "airis_person_waits",
            arguments="p_queue text",
            returns="boolean",
            owner="DATABASE_SWEEP_ROLE",
            body="""
                SELECT EXISTS (
                    SELECT 1 FROM jobs_job j WHERE j.queue = p_queue AND j.state = 'queued' AND NOT j.is_bulk
                      AND j.attempt < j.max_attempts AND (j.not_before IS NULL OR j.not_before <= now())
                )
            """,
        ),
        migrations.RunPython(drop_places, migrations.RunPython.noop),
        DefinerFunction(
            "airis_queue_places",
            arguments="",
            returns="TABLE (job_id uuid, place bigint)",
            owner="DATABASE_SWEEP_ROLE",
            # Organisations take turns, so a job's place is its round, and within the round its age.
            body="""
                SELECT w.id, w.place FROM (
                    SELECT t.id, t.tenant_id, row_number() OVER (
                        PARTITION BY t.queue ORDER BY t.is_bulk, t.round, t.queued_at, t.id
                    ) AS place
                    FROM (
                        SELECT j.id, j.tenant_id, j.queue, j.is_bulk, j.queued_at, row_number() OVER (
                            PARTITION BY j.queue, j.is_bulk, j.tenant_id ORDER BY j.queued_at, j.id
                        ) AS round
                        FROM jobs_job j
                        WHERE j.state = 'queued' AND (j.not_before IS NULL OR j.not_before <= now())
                    ) t
                ) w
                WHERE w.tenant_id = nullif(current_setting('airis.tenant_id', true), '')::uuid
            """,
        ),
    ]
