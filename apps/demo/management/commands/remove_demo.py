"""Removes the demo organisations and people, as the owner role. `make demo-reset` seeds them again after."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.demo import seeding


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        seeding.remove()
        self.stdout.write("the demo organisations are gone")
