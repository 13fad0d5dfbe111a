"""Addresses of search, under /t/<slug>/."""

from django.urls import path

from apps.retrieval import views

app_name = "retrieval"

urlpatterns = [
    path("search/", views.search, name="search"),
    path("documents/<uuid:document_id>/chunks/", views.chunks, name="chunks"),
]
