"""Loads of many files: what was announced, and what became of each. The documents themselves are documents'."""

from django.conf import settings
from django.db import models

from apps.accounts.models import Collection
from apps.documents.models import Document
from apps.tenants.fields import TenantForeignKey
from apps.tenants.models import TenantModel

LONGEST_PATH = 500


class Batch(TenantModel):
    """Many files that come together: a folder of a browser, or a path on a console."""

    collection = TenantForeignKey(Collection, models.CASCADE)
    name = models.CharField(max_length=200)
    source = models.CharField(max_length=64, blank=True)  # digest of the console's path: found again to go on
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    paused_at = models.DateTimeField(null=True)
    resumed_at = models.DateTimeField(null=True)

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "collection", "-created_at"], name="batch_by_collection")]

    def __str__(self) -> str:
        return self.name


class BatchFile(TenantModel):
    """announced ──▶ taken (a document) | known (the collection held these bytes) | refused, by its code"""

    batch = TenantForeignKey(Batch, models.CASCADE, related_name="files")
    path = models.CharField(max_length=LONGEST_PATH)
    size = models.PositiveBigIntegerField(default=0)
    outcome = models.CharField(max_length=40, blank=True)
    document = TenantForeignKey(Document, models.SET_NULL, null=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "batch", "path"], name="batch_file_once")]
        indexes = [models.Index(fields=["tenant", "document"], name="batch_file_by_document")]

    def __str__(self) -> str:
        return self.path
