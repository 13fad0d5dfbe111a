"""`evaluate retrieval|answers|cases|reading …`: measures by docs/evaluation-rules.md."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.core.errors import AirisError, InputError
from apps.evaluation import cases, samples, services

_RUNS = {"answers": services.evaluate_answers, "retrieval": services.evaluate_retrieval}


class Command(BaseCommand):
    help = "Score answers, retrieval, cases. Exit code 1 when a gate or a case fails, 2 for bad input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["retrieval", "answers", "cases", "reading"])
        parser.add_argument("--questions", nargs="*", help="question files; for cases: also ask their questions")
        parser.add_argument("--documents", type=Path)
        parser.add_argument("--scope", choices=["document", "all"], default="document")
        parser.add_argument("--cases", type=Path, help="folder with cases.jsonl")
        parser.add_argument("--samples", type=Path, help="reading: folder of files, with manifest.jsonl or without")
        parser.add_argument("--mutations", type=int, default=0, help="reading: damaged copies of the files of --cases")
        parser.add_argument("--kind", default="", help="kinds of cases: a,b")
        parser.add_argument("--level", default="", help="levels of cases: parse,number")
        parser.add_argument("--id", default="", help="cases by the beginning of their id: e05,d01")
        parser.add_argument("--json", action="store_true", help="cases: one JSON object a line")
        parser.add_argument("--out", type=Path, help="file for the whole report")
        parser.add_argument("--gate", action="append", default=[], help="name>=value or name<=value")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            runs = {"cases": self._cases, "reading": self._reading}
            failed = runs.get(options["what"], self._scored)(options)
        except AirisError as exc:
            self.stderr.write(str(exc.message))
            sys.exit(2)
        for gate in failed:
            self.stderr.write(f"gate failed: {gate}")
        sys.exit(1 if failed else 0)

    def _scored(self, options: dict[str, Any]) -> list[str]:
        """Gates that the report fails."""
        if not options["questions"] or options["documents"] is None:
            raise InputError("--questions and --documents are needed", field="questions")
        files = [Path(name) for name in options["questions"]]
        report: services.Report = {}
        for step in _RUNS[options["what"]](files=files, folder=options["documents"], scope=options["scope"]):
            if isinstance(step, str):
                self.stderr.write(step)
            else:
                report = step
        _write(options["out"], report)
        shown = report.get("summary") or {name: value for name, value in report.items() if name != "rows"}
        self.stdout.write(json.dumps(shown, ensure_ascii=False, indent=1))
        return services.failed_gates(report, options["gate"])

    def _cases(self, options: dict[str, Any]) -> list[str]:
        """Gates that fail; without a gate, every failed case is one."""
        if options["cases"] is None:
            raise InputError("--cases is needed", field="cases")
        wanted = cases.read_cases(
            options["cases"], kinds=_list(options["kind"]), levels=_list(options["level"]), ids=_list(options["id"])
        )
        results = []
        for result in cases.run_cases(wanted, with_questions=options["questions"] is not None):
            results.append(result)
            self.stdout.write(json.dumps(_line(result), ensure_ascii=False) if options["json"] else _plain(result))
            self.stdout.flush()
        report = cases.summary_of(results)
        _write(options["out"], report | {"rows": [asdict(result) for result in results]})
        self.stderr.write(json.dumps(report))
        if options["gate"]:
            return services.failed_gates(report, options["gate"])
        return [f"{result.id} failed" for result in results if result.failed]

    def _reading(self, options: dict[str, Any]) -> list[str]:
        """Gates that fail. The summary of the samples, then that of the damaged copies."""
        if options["samples"] is None and not options["mutations"]:
            raise InputError("--samples or --mutations is needed", field="samples")
        rows: list[samples.SampleRow] = []
        report: services.Report = {}
        for step in samples.evaluate_samples(options["samples"]) if options["samples"] else ():
            if isinstance(step, str):
                self.stderr.write(step)
            else:
                rows.append(step)
        if rows:
            report |= samples.summary_of(rows)
        if options["mutations"]:
            if options["cases"] is None:
                raise InputError("--mutations needs --cases", field="cases")
            files = samples.case_files(options["cases"])
            report["mutations"] = samples.evaluate_mutations(files, options["mutations"])
        _write(options["out"], report | {"rows": [asdict(row) for row in rows]})
        self.stdout.write(json.dumps(report, ensure_ascii=False, indent=1))
        return services.failed_gates(report, options["gate"])


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _line(result: cases.CaseResult) -> dict[str, Any]:  # Any: JSON
    return {
        "id": result.id,
        "kind": result.kind,
        "passed": result.passed,
        "failed": list(result.failed),
        "skipped": result.skipped,
    }


def _plain(result: cases.CaseResult) -> str:
    mark = "passed" if result.passed else "FAILED" if result.failed else "skipped"
    return "\n".join([f"{mark:8}{result.id}", *_indented(result.failed)])


def _indented(lines: tuple[str, ...]) -> Iterator[str]:
    return (f"        {line}" for line in lines)


def _write(file: Path | None, report: dict[str, Any]) -> None:  # Any: JSON
    if file:
        file.write_text(json.dumps(report, ensure_ascii=False, indent=1), encoding="utf-8")
