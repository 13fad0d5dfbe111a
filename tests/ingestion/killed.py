"""Runs one job in a process of its own that may be killed at a failpoint. Called by tests, never collected."""

import os
import sys
from pathlib import Path
from uuid import UUID


def main() -> None:
    import django

    django.setup()
    from django.conf import settings

    from apps.jobs import services

    settings.FILES_DIRECTORY = Path(os.environ["AIRIS_TEST_FILES"])

    services.execute(tenant_id=UUID(sys.argv[1]), job_id=UUID(sys.argv[2]))


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "airis.settings.test"
    main()
