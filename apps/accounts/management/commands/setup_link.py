"""Prints the one-time link of the first-run page while no real person owns an organisation; else nothing."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse

from apps.accounts import setup


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        token = setup.offer()
        if token is not None:
            link = settings.BASE_URL + reverse("accounts:first_run", args=[token])
            self.stdout.write(f"Your own organisation and its owner, by this one-time link:\n  {link}")
