"""Addresses of loads, under /t/<slug>/."""

from django.urls import path

from apps.ingestion import views

app_name = "ingestion"

urlpatterns = [
    path("loads/", views.list_page, name="batches"),
    path("collections/<uuid:collection_id>/loads/", views.begin, name="begin"),
    path("collections/<uuid:collection_id>/reread/", views.reread, name="reread"),
    path("loads/<uuid:batch_id>/", views.batch, name="batch"),
    path("loads/<uuid:batch_id>/files/", views.bring, name="bring"),
    path("loads/<uuid:batch_id>/pause/", views.pause, name="pause"),
    path("loads/<uuid:batch_id>/resume/", views.resume, name="resume"),
    path("loads/<uuid:batch_id>/retry/", views.retry, name="retry"),
]
