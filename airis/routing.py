"""Socket addresses. There is one consumer: jobs of one organisation."""

from django.urls import path

from apps.jobs.consumers import JobConsumer

websocket_urlpatterns = [path("ws/t/<slug:tenant_slug>/jobs/", JobConsumer.as_asgi())]
