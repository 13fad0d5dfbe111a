"""Addresses of people. Those of an organisation are included under /t/<slug>/ as `organisation_urlpatterns`."""

from django.urls import include, path

from apps.accounts import views

app_name = "accounts"

organisation_urlpatterns = [
    path("members/", views.members, name="members"),
    path("audit/", views.audit_trail, name="audit"),
    path("activity/", views.activity, name="activity"),
    path("collections/new/", views.new_collection, name="new_collection"),
    path("collections/<uuid:collection_id>/access/", views.access, name="access"),
]

urlpatterns = [
    path("", views.start, name="start"),
    path("accounts/login/", views.sign_in, name="sign_in"),
    path("accounts/logout/", views.sign_out, name="sign_out"),
    path("t/<slug:tenant_slug>/", include(organisation_urlpatterns)),
]
