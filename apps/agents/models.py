"""RunStep: what a tool or the mind gave back, so that a redelivered run goes on instead of starting again."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from apps.tenants.models import TenantModel


class RunStep(TenantModel):
    """One recorded result. `run_id` is the answer's id in the app that asked; the same input has the same hash."""

    run_id = models.UUIDField()
    path = models.CharField(max_length=60)  # "plan", "search/0", "compose/1"
    input_hash = models.CharField(max_length=64)  # sha256, hex
    output = models.JSONField()
    version_ids = ArrayField(models.UUIDField(), default=list)  # whose text stands in `output`
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "run_id", "path", "input_hash"], name="run_step_once"),
        ]
        indexes = [GinIndex(fields=["version_ids"], name="run_step_versions")]

    def __str__(self) -> str:
        return f"{self.run_id} {self.path}"
