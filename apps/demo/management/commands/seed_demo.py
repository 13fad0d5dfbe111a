"""Seeds the demo organisations; does nothing for those that exist."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.demo import seeding


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--people-only", action="store_true", help="organisations, people and collections")

    def handle(self, *args: Any, **options: Any) -> None:
        seeding.seed_people()
        if not options["people_only"]:
            seeding.seed_documents()
        self.stdout.write("the demo stands; its documents are read by the running workers")
