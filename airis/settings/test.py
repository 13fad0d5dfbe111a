"""The default test suite: real Postgres as the app role, real Valkey; cheap password hashes."""

import os

# mypy and import-linter load settings without services
os.environ.setdefault("DATABASE_URL", "postgresql://airis_app@localhost/airis")
os.environ.setdefault("DATABASE_OWNER_URL", "postgresql://airis_owner@localhost/airis")
os.environ.setdefault("VALKEY_URL", "redis://localhost:6379/0")

from airis.settings.base import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
