"""Addresses that are told when something finished, and what became of each telling."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from apps.api.contracts import DeliveryState, EventKind
from apps.tenants.fields import TenantForeignKey
from apps.tenants.models import TenantModel


class Webhook(TenantModel):
    """Signed with a secret that is shown once. Its address is kept sealed too: chat services put a key into it."""

    sealed_url = models.TextField()
    url_digest = models.CharField(max_length=64)  # SHA-256: the same address twice is noticed
    shown_url = models.CharField(max_length=300)  # without the part that may be a key
    kinds = ArrayField(models.CharField(max_length=30))
    sealed_secret = models.TextField()
    is_on = models.BooleanField(default=True)
    failures = models.PositiveIntegerField(default=0)  # deliveries in a row that failed to the end
    disabled_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "url_digest"], name="webhook_url_digest")]

    def __str__(self) -> str:
        return str(self.id)


class WebhookDelivery(TenantModel):
    """One event for one address.

    waiting ──2xx──▶ delivered
      │  ▲
      │  └──again, later──┐
      └──any other answer─┴──▶ failed ──resend──▶ waiting
    """

    webhook = TenantForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    kind = models.CharField(max_length=30, choices=EventKind.choices)
    body = models.JSONField()  # ids and states only
    state = models.CharField(max_length=10, choices=DeliveryState.choices, default=DeliveryState.WAITING)
    tries = models.PositiveIntegerField(default=0)
    tries_before_resend = models.PositiveIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True)
    failure = models.CharField(max_length=40, blank=True)
    seconds = models.FloatField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    tried_at = models.DateTimeField(null=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=DeliveryState.values), name="webhook_delivery_state")
        ]
        indexes = [models.Index(fields=["tenant", "webhook", "-created_at"], name="webhook_delivery_recent")]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"
