"""Tenant, the base of all tenant tables, and the audit trail."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.tenants.context import current_tenant_id
from apps.tenants.managers import TenantManager


class Tenant(models.Model):
    """An organisation. No row policy: addresses are resolved from its slug before any context exists."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    allows_private_files = models.BooleanField(_("members have a private My files collection"), default=True)
    allows_conversation_review = models.BooleanField(default=False)  # auditors, with a reason, on the record
    bin_days = models.PositiveSmallIntegerField(default=30)  # how long binned documents are kept; 0: not at all
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.slug


class TenantModel(models.Model):
    """Base of every table that belongs to an organisation; its migration uses rls.SecureTable."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant: models.ForeignKey[Tenant, Tenant] = models.ForeignKey(
        Tenant, on_delete=models.CASCADE, default=current_tenant_id, editable=False, related_name="+", db_index=False
    )

    objects = TenantManager()
    unscoped = models.Manager()

    class Meta:
        abstract = True
        base_manager_name = "unscoped"
        default_manager_name = "objects"


class AuditEvent(TenantModel):
    """Who did what to which thing. Append-only: the app role may insert and select, nothing else."""

    at = models.DateTimeField(auto_now_add=True)
    actor_id = models.UUIDField(null=True)  # no key: the event outlives the person
    actor_name = models.CharField(max_length=200, blank=True)
    action = models.CharField(max_length=60)  # "document.uploaded"
    object_type = models.CharField(max_length=40, blank=True)
    object_id = models.UUIDField(null=True)
    detail = models.JSONField(default=dict)  # ids, names and counts; never document text

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(fields=["tenant", "-at", "id"], name="audit_by_time"),
            models.Index(fields=["tenant", "actor_id", "-at"], name="audit_by_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.at:%Y-%m-%d %H:%M:%S}"
