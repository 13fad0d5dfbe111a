#!/usr/bin/env python
"""Django's command line. Commands that change the schema connect as the owner role."""

import os
import sys

OWNER_COMMANDS = {"migrate", "prepare", "sqlmigrate", "showmigrations", "remove_demo"}
OFFLINE_COMMANDS = {"makemigrations", "makemessages", "compilemessages", "check", "spectacular", "vendor"}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "airis.settings.development")
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command in OWNER_COMMANDS:
        os.environ["AIRIS_AS_OWNER"] = "1"
    if command in OFFLINE_COMMANDS:
        os.environ["DJANGO_SETTINGS_MODULE"] = "airis.settings.test"
    from django.core.management import execute_from_command_line

    import airis.celery  # noqa: F401  (tasks sent from a command reach the broker)

    if command in OFFLINE_COMMANDS or os.environ.get("DATABASE_URL"):
        execute_from_command_line(sys.argv)
        return
    from airis.launcher.preparing import prepare
    from airis.launcher.services import ensure_running

    with ensure_running(on_start=None if command in OWNER_COMMANDS else prepare):
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
