"""Brings a folder or a ZIP of many files into a collection. Stopped, it goes on where it was: run it again.

Files already there are known by their content. The running workers read them behind everybody who waits.
"""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.contracts import Actor
from apps.core.errors import AirisError, InputError
from apps.documents.contracts import OnSameName
from apps.documents.unlock import reading_limits
from apps.ingestion import batches, selectors
from apps.ingestion.console import collection_of, person_of
from apps.ingestion.contracts import AnnouncedFile, BatchProgress
from apps.reading.client import ReadingClient
from apps.reading.contracts import ReadingError
from apps.tenants.context import tenant_context

_CHUNK = 1 << 20
_AT_ONCE = 500
_SAY_EVERY_S = 5.0


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, help="folder, ZIP or file")
        parser.add_argument("--collection", required=True, help="name or id")
        parser.add_argument("--organisation", default="", help="slug; needed when there are several")
        parser.add_argument("--as", dest="email", default="", help="address of the member who brings them; an owner")
        parser.add_argument("--same-name", choices=["both", "version"], default="both", help="what other content is")
        parser.add_argument("--wait", action="store_true", help="follow until everything is read")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["path"].resolve()
        if not path.exists():
            raise CommandError(f"{path} does not exist")
        tenant_id, collection_id = collection_of(options["organisation"], options["collection"])
        actor = person_of(tenant_id, options["email"])
        try:
            with tenant_context(tenant_id):
                batch_id = batches.begin(
                    actor=actor, collection_id=collection_id, name=path.name, source=f"{collection_id} {path}"
                )
            with ExitStack() as stack:
                source = _Archive(path, stack) if path.suffix.lower() == ".zip" else _Folder(path)
                self._bring(actor, batch_id, source, OnSameName(options["same_name"]))
        except (AirisError, ReadingError) as exc:
            raise CommandError(str(getattr(exc, "message", exc))) from exc
        while options["wait"] and not self._say(actor, batch_id).is_over:
            time.sleep(_SAY_EVERY_S)

    def _bring(self, actor: Actor, batch_id: UUID, source: "_Folder | _Archive", on_same_name: OnSameName) -> None:
        for some in _in_pieces(source.files()):
            with tenant_context(actor.tenant_id):
                batches.announce(actor=actor, batch_id=batch_id, files=some)
        self._say(actor, batch_id)
        said = time.monotonic()
        for some in _in_pieces(source.files()):
            with tenant_context(actor.tenant_id):
                waiting = batches.waiting_paths(batch_id=batch_id, paths=[file.path for file in some])
            for file in some:
                if batches.path_of(file.path) not in waiting:
                    continue
                self._bring_one(actor, batch_id, source, file.path, on_same_name)
                if time.monotonic() - said > _SAY_EVERY_S:
                    self._say(actor, batch_id)
                    said = time.monotonic()
        self._say(actor, batch_id)

    def _bring_one(
        self, actor: Actor, batch_id: UUID, source: "_Folder | _Archive", path: str, on_same_name: OnSameName
    ) -> None:
        try:
            chunks = source.chunks(path)
            batches.bring(actor=actor, batch_id=batch_id, path=path, chunks=chunks, on_same_name=on_same_name)
        except ReadingError as exc:
            with tenant_context(actor.tenant_id):
                batches.refuse(batch_id=batch_id, path=path, code=exc.failure.value)
        except OSError as exc:
            self.stderr.write(f"{path}: {exc.strerror}")
            with tenant_context(actor.tenant_id):
                batches.refuse(batch_id=batch_id, path=path, code="unreadable")

    def _say(self, actor: Actor, batch_id: UUID) -> BatchProgress:
        with tenant_context(actor.tenant_id):
            progress = selectors.get_progress(actor=actor, batch_id=batch_id)
        self.stdout.write(line_of(progress))
        return progress


def _in_pieces(files: Iterable[AnnouncedFile]) -> Iterator[tuple[AnnouncedFile, ...]]:
    """Some hundred at a time: a list of millions is never in memory."""
    rest = iter(files)
    while some := tuple(islice(rest, _AT_ONCE)):
        yield some


def line_of(progress: BatchProgress) -> str:
    """One line: how far, how fast, until when."""
    parts = [
        f"{progress.ended} of {progress.files} files",
        f"to come {progress.announced}, waiting {progress.waiting}, reading {progress.reading}, "
        f"searchable {progress.done}, known {progress.known}, failed {progress.failed}",
        f"{progress.files_per_minute} files/min, {progress.pages_per_second} pages/s",
    ]
    if progress.finish_at is not None:
        basis = "measured" if progress.is_measured else "by size"
        parts.append(f"done about {progress.finish_at:%Y-%m-%d %H:%M} UTC ({basis})")
    return " · ".join(parts)


class _Folder:
    """Files under a folder, in a steady order; links are not followed."""

    def __init__(self, path: Path) -> None:
        self._root = path if path.is_dir() else path.parent
        self._path = path

    def files(self) -> Iterator[AnnouncedFile]:
        if self._path.is_file():
            yield AnnouncedFile(self._path.name, self._path.stat().st_size)
            return
        for folder, inner, names in os.walk(self._root):
            inner.sort()
            for name in sorted(names):
                file = Path(folder) / name
                if file.is_file() and not file.is_symlink() and not name.startswith("."):
                    yield AnnouncedFile(file.relative_to(self._root).as_posix(), file.stat().st_size)

    def chunks(self, path: str) -> Iterator[bytes]:
        with (self._root / path).open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk


class _Archive:
    """Members of a ZIP, read by the reading child: no byte of it is parsed here."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        self._client = stack.enter_context(
            ReadingClient(
                _Folder(path).chunks(path.name),
                name=path.name,
                limits=reading_limits(),
                window_timeout_s=settings.READING_WINDOW_TIMEOUT_S,
            )
        )
        facts = self._client.open()
        self._places = {m.name: index for index, m in enumerate(facts.members)}
        self._refused = {m.name: m.refusal.value for m in facts.members if m.refusal is not None}
        self._files = tuple(AnnouncedFile(m.name, m.size) for m in facts.members)

    def files(self) -> Iterable[AnnouncedFile]:
        return self._files

    def chunks(self, path: str) -> Iterator[bytes]:
        if path in self._refused:
            raise InputError(code=self._refused[path])
        yield self._client.member(self._places[path])
