"""Seeds the demo organisations; does nothing for those that exist."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.demo import seeding


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        seeding.seed()
        self.stdout.write("the demo stands; its documents are read by the running workers")
