"""Addresses. Everything of an organisation stands under /t/<slug>/; the API resolves it from the token."""

from django.urls import path

from apps.core import views as core

urlpatterns = [
    path("healthz", core.healthz, name="healthz"),
    path("readyz", core.readyz, name="readyz"),
    path("settings/language/", core.set_language, name="set_language"),
    path("settings/theme/", core.set_theme, name="set_theme"),
]
