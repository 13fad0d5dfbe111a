"""Addresses. Everything of an organisation stands under /t/<slug>/; the API resolves it from the token."""

from django.urls import include, path

from airis import home
from apps.accounts.urls import account_urlpatterns
from apps.core import views as core

handler404 = "apps.core.http_errors.unknown_address"
handler500 = "apps.core.http_errors.failed"

urlpatterns = [
    path("healthz", core.healthz, name="healthz"),
    path("readyz", core.readyz, name="readyz"),
    path("metrics", core.metrics, name="metrics"),
    path("settings/language/", core.set_language, name="set_language"),
    path("settings/theme/", core.set_theme, name="set_theme"),
    path("", include("apps.accounts.urls")),
    path("", include(account_urlpatterns)),
    path("t/<slug:tenant_slug>/", home.home, name="home"),
    path("t/<slug:tenant_slug>/suggestions/", home.suggestions, name="suggestions"),
    path("t/<slug:tenant_slug>/", include("apps.providers.urls")),
    path("t/<slug:tenant_slug>/", include("apps.documents.urls")),
    path("t/<slug:tenant_slug>/", include("apps.ingestion.urls")),
    path("t/<slug:tenant_slug>/", include("apps.retrieval.urls")),
    path("t/<slug:tenant_slug>/", include("apps.chat.urls")),
    path("t/<slug:tenant_slug>/", include("apps.api.web_urls")),
    path("api/v1/", include("apps.api.urls")),
]
