"""Addresses of documents, under /t/<slug>/."""

from django.urls import path

from apps.documents import bin_views, version_views, viewer, views

app_name = "documents"

urlpatterns = [
    path("documents/", views.collections, name="collections"),
    path("collections/<uuid:collection_id>/", views.collection, name="collection"),
    path("collections/<uuid:collection_id>/upload/", views.upload, name="upload"),
    path("collections/<uuid:collection_id>/headers/", views.collection_headers, name="collection_headers"),
    path("collections/<uuid:collection_id>/add/", views.add_here, name="add_here"),
    path("documents/<uuid:document_id>/", viewer.document, name="document"),
    path("documents/<uuid:document_id>/why/", views.why, name="why"),
    path("documents/<uuid:document_id>/original/", views.original, name="original"),
    path("documents/<uuid:document_id>/members/", viewer.members, name="members"),
    path("documents/<uuid:document_id>/tables/<int:page>/<int:block>.<str:kind>", viewer.table_file, name="table_file"),
    path("documents/<uuid:document_id>/inspect/", viewer.inspect, name="inspect"),
    path("documents/<uuid:document_id>/metadata/", viewer.metadata, name="metadata"),
    path("documents/<uuid:document_id>/delete/", views.delete, name="delete"),
    path("documents/<uuid:document_id>/bin/", bin_views.bin_document, name="bin_document"),
    path("bin/", bin_views.bin_page, name="bin"),
    path("bin/days/", bin_views.set_days, name="bin_days"),
    path("bin/<uuid:document_id>/restore/", bin_views.restore, name="restore"),
    path("bin/<uuid:document_id>/delete/", bin_views.delete_binned, name="delete_binned"),
    path("documents/<uuid:document_id>/versions/", version_views.history, name="history"),
    path("documents/<uuid:document_id>/versions/<uuid:version_id>/", version_views.version, name="version"),
    path(
        "documents/<uuid:document_id>/versions/<uuid:version_id>/pages/<int:number>/image/",
        version_views.image,
        name="version_image",
    ),
    path("documents/<uuid:document_id>/retry/", views.retry, name="retry"),
    path("documents/<uuid:document_id>/password/", views.password, name="password"),
    path("documents/<uuid:document_id>/pages/<int:number>/image/", views.page_image, name="page_image"),
]
