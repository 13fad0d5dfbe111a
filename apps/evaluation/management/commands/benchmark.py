"""`benchmark fill --organisation NAME [--documents DIR] [--chunks N] [--text-only] [--embed-seconds S]`.

Makes an organisation with one analyst to measure on and fills it: every PDF under DIR, then generated documents
(recipe in apps/evaluation/generated.py) until it has N chunks. Run again it goes on. Without `--text-only` generated
documents get random unit vectors and real ones vectors of the model, for S seconds at most. Run it while the product
is stopped: then all work is done in this process and its memory is seen (on Linux).
"""

import secrets
import sys
from argparse import ArgumentTypeError
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.text import slugify

from apps.core.errors import AirisError
from apps.evaluation import loading

_LARGEST = 5
_NO_LIMIT_S = 24 * 3600.0


class Command(BaseCommand):
    help = "Fill an organisation of this installation for benchmarks; see docs/benchmarks.md."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["fill"])
        parser.add_argument("--organisation", type=_slug, required=True, help="its address; made when absent")
        parser.add_argument("--documents", type=Path, help="folder of real PDF files")
        parser.add_argument("--chunks", type=int, default=0, help="least number of chunks at the end")
        parser.add_argument("--text-only", action="store_true", help="make no vectors, neither real nor random")
        parser.add_argument("--embed-seconds", type=float, default=_NO_LIMIT_S, help="patience with the real model")
        parser.add_argument("--password", default="", help="of the analyst; a fresh one when absent")

    def handle(self, *args: Any, **options: Any) -> None:
        password = options["password"] or secrets.token_urlsafe(12)
        try:
            bench = loading.open_bench(slug=options["organisation"], password=password)
            self._ingest(bench, options["documents"], options["chunks"])
            if not options["text_only"]:
                self._embed(bench, options["embed_seconds"])
        except AirisError as exc:
            self.stderr.write(str(exc.message))
            sys.exit(2)
        chunks, embedded = loading.coverage(bench)
        real, real_embedded = loading.real_coverage(bench)
        self.stdout.write(f"chunks {chunks}, with a vector {embedded}; of real documents {real}, {real_embedded}")
        self.stdout.write(f"organisation {options['organisation']}, e-mail {bench.email}, password {password}")

    def _ingest(self, bench: loading.Bench, folder: Path | None, chunks: int) -> None:
        started = monotonic()
        done: list[loading.Ingested] = []
        for path in loading.pdf_files(folder) if folder is not None else ():
            ingested = loading.ingest_file(bench, path)
            if ingested is None:
                self.stdout.write(f"{path.name}: is there already")
                continue
            done.append(ingested)
            self.stdout.write(_line(ingested))
        if done:
            pages = sum(item.summary.page_count for item in done)
            self.stdout.write(f"{len(done)} files, {pages} pages in {monotonic() - started:.1f} s; the largest:")
            for item in sorted(done, key=lambda item: -item.summary.page_count)[:_LARGEST]:
                self.stdout.write(f"  {_line(item)}")
        for ingested in loading.ingest_generated(bench, chunks=chunks):
            self.stdout.write(f"generated {_line(ingested)}")

    def _embed(self, bench: loading.Bench, patience_s: float) -> None:
        stored = loading.embed_generated(bench)
        self.stdout.write(f"generated documents: {stored} chunks got random unit vectors, not the model's")
        started = monotonic()
        for summary in loading.embed_real(bench, patience_s=patience_s):
            self.stdout.write(f"{summary.name}: {summary.embedded_count} of {summary.chunk_count} chunks embedded")
        self.stdout.write(f"real model: {monotonic() - started:.1f} s")


def _slug(text: str) -> str:
    if text != slugify(text) or not text:
        raise ArgumentTypeError("use small letters, digits and hyphens")
    return text


def _line(item: loading.Ingested) -> str:
    summary = item.summary
    memory = (
        f"process {item.process_mib} MiB, reading child {item.child_mib} MiB" if item.child_mib else "read elsewhere"
    )
    return (
        f"{summary.name}: {summary.state}, {summary.page_count} pages, {summary.chunk_count} chunks, "
        f"{item.seconds:.1f} s, peak {memory}"
    )
