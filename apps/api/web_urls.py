"""Addresses of the webhook pages, included under /t/<slug>/."""

from django.urls import path

from apps.api import views

app_name = "webhooks"

urlpatterns = [
    path("webhooks/", views.webhooks, name="webhooks"),
    path("webhooks/<uuid:webhook_id>/", views.webhook, name="webhook"),
    path("webhooks/<uuid:webhook_id>/try/", views.try_webhook, name="try"),
    path("webhooks/<uuid:webhook_id>/secret/", views.renew_secret, name="secret"),
    path("webhooks/<uuid:webhook_id>/remove/", views.remove, name="remove"),
    path("webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/resend/", views.resend, name="resend"),
]
