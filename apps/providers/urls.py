"""Addresses of model settings, included under /t/<slug>/."""

from django.urls import path

from apps.providers import views

app_name = "providers"

urlpatterns = [
    path("models/", views.models, name="models"),
    path("models/switch/", views.switch, name="switch"),
    path("models/installation/try/", views.try_installation, name="try_installation"),
    path("models/<uuid:profile_id>/try/", views.try_model, name="try"),
    path("models/<uuid:profile_id>/remove/", views.remove, name="remove"),
]
