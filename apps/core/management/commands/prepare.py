"""Brings the database and static files to this code's state. Runs as the owner role; safe to repeat."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import connection


class Command(BaseCommand):
    help = "Migrate, grant the app role its rights, compile translations, collect static files."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--schema-only", action="store_true", help="leave static files alone")

    def handle(self, *args: Any, **options: Any) -> None:
        grant_app_role()
        call_command("migrate", interactive=False, verbosity=0)
        if not options["schema_only"]:
            call_command("collectstatic", interactive=False, verbosity=0)
        self.stdout.write("prepared")


def grant_app_role() -> None:
    """Tables and sequences that the owner makes from now on can be used, not owned, by the app role."""
    role = connection.ops.quote_name(settings.DATABASE_APP_ROLE)
    with connection.cursor() as cursor:
        cursor.execute(f"GRANT USAGE ON SCHEMA public TO {role}")
        cursor.execute(
            f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role}"
        )
        cursor.execute(f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {role}")
