"""`evaluate retrieval|answers --questions … --documents DIR [--scope document|all] [--out F] [--gate name>=value]`."""

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.core.errors import AirisError
from apps.evaluation import services


class Command(BaseCommand):
    help = "Score answers or retrieval by docs/evaluation-rules.md. Exit code 1 when a gate fails, 2 for bad input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["retrieval", "answers"])
        parser.add_argument("--questions", type=Path, nargs="+", required=True)
        parser.add_argument("--documents", type=Path, required=True)
        parser.add_argument("--scope", choices=["document", "all"], default="document")
        parser.add_argument("--out", type=Path, help="file for the whole report")
        parser.add_argument("--gate", action="append", default=[], help="name>=value or name<=value")

    def handle(self, *args: Any, **options: Any) -> None:
        run = services.evaluate_answers if options["what"] == "answers" else services.evaluate_retrieval
        try:
            report: services.Report = {}
            for step in run(files=options["questions"], folder=options["documents"], scope=options["scope"]):
                if isinstance(step, str):
                    self.stderr.write(step)
                else:
                    report = step
            failed = services.failed_gates(report, options["gate"])
        except AirisError as exc:
            self.stderr.write(str(exc.message))
            sys.exit(2)
        if options["out"]:
            options["out"].write_text(json.dumps(report, ensure_ascii=False, indent=1), encoding="utf-8")
        shown = report.get("summary") or {name: value for name, value in report.items() if name != "rows"}
        self.stdout.write(json.dumps(shown, ensure_ascii=False, indent=1))
        for gate in failed:
            self.stderr.write(f"gate failed: {gate}")
        sys.exit(1 if failed else 0)
