"""An organisation's own chat models, and whether anything may be sent to any."""

from django.db import models

from apps.tenants.models import TenantModel


class ModelPolicy(TenantModel):
    """One row per organisation that has ever decided; none means: nothing leaves."""

    is_on = models.BooleanField(default=False)
    uses_installation = models.BooleanField(default=False)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant"], name="model_policy_once")]

    def __str__(self) -> str:
        return "on" if self.is_on else "off"


class ModelProfile(TenantModel):
    """A chat model by address, name and key; tried in order of position. The key is sealed with the installation's."""

    name = models.CharField(max_length=80)
    base_url = models.CharField(max_length=300)
    model = models.CharField(max_length=120)
    sealed_key = models.TextField(blank=True)
    position = models.PositiveSmallIntegerField(default=0)
    tested_at = models.DateTimeField(null=True)
    test_failure = models.CharField(max_length=40, blank=True)
    test_seconds = models.FloatField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "name"], name="model_profile_name")]

    def __str__(self) -> str:
        return self.name
