"""Reads a collection's documents again from their originals with today's reader; they answer as before meanwhile."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.ingestion import rereading
from apps.ingestion.console import collection_of
from apps.tenants.context import tenant_context


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--collection", required=True, help="name or id")
        parser.add_argument("--organisation", default="", help="slug; needed when there are several")

    def handle(self, *args: Any, **options: Any) -> None:
        tenant_id, collection_id = collection_of(options["organisation"], options["collection"])
        with tenant_context(tenant_id):
            count = rereading.enqueue_collection(collection_id=collection_id, by_id=None)
        self.stdout.write(f"{count} documents will be read again by the running workers, one by one; each is swapped")
        self.stdout.write("in when its new reading is whole. Running the command again adds only what is not in work.")
