"""Reports what disagrees: files, rows, pages, index, stuck stages, counts; with --mend puts it right."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.ingestion import reconciling
from apps.tenants.models import Tenant


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--mend", action="store_true", help="put right what can be")
        parser.add_argument("--organisation", default="", help="slug; all otherwise")
        parser.add_argument("--settled-hours", type=float, default=1.0, help="leave alone what is younger")

    def handle(self, *args: Any, **options: Any) -> None:
        tenants = Tenant.objects.order_by("slug")
        if options["organisation"]:
            tenants = tenants.filter(slug=options["organisation"])
            if not tenants.exists():
                raise CommandError("no organisation has this slug")
        is_clean = True
        for tenant_id, slug in tenants.values_list("id", "slug"):
            findings = reconciling.reconcile(
                tenant_id=tenant_id, mend=options["mend"], settled_for=timedelta(hours=options["settled_hours"])
            )
            for finding in findings:
                is_clean = False
                ids = ", ".join(str(found) for found in finding.ids[:5])
                done = f", mended {finding.mended}" if options["mend"] else ""
                self.stdout.write(f"{slug}: {finding.kind}: {finding.count}{done}{f' ({ids})' if ids else ''}")
        self.stdout.write("everything agrees" if is_clean else "done")
