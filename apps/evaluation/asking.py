"""Asks a file of questions over a folder of documents; used by the commands `ask --questions` and `evaluate`."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from uuid import UUID

from apps.chat.contracts import AnswerObject
from apps.chat.selectors import answer_object
from apps.core.errors import InputError
from apps.evaluation import desk
from apps.evaluation.questions import GoldQuestion


@dataclass(frozen=True, slots=True)
class Shelf:
    """The documents of the questions, ingested."""

    desk: desk.Desk
    ids: Mapping[str, UUID]  # path under the folder → document
    names: Mapping[UUID, str]  # document → path under the folder (the first, for twins)


def fill_shelf(folder: Path, names: Iterable[str]) -> Iterator[str | Shelf]:
    """Yields a line of progress per file, then the shelf. Raises InputError for a file that is not there."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder", field="documents")
    opened = desk.open_desk(desk.desk_name([folder]))
    ids: dict[str, UUID] = {}
    paths: dict[UUID, str] = {}
    for name in sorted(set(names)):
        summary = desk.ingest(opened, folder / name, name=Path(name).name)
        ids[name] = summary.id
        paths.setdefault(summary.id, name)
        yield f"{name}: {summary.state}, {summary.page_count} pages"
    yield Shelf(opened, ids, paths)


def ask_all(
    shelf: Shelf, questions: Iterable[GoldQuestion], *, scope: str
) -> Iterator[tuple[GoldQuestion, AnswerObject]]:
    """Each question with its answer object. Answers of this engine's code are kept: a second run goes on."""
    for question in questions:
        narrowed = tuple(shelf.ids[name] for name in question.documents) if scope == "document" else ()
        key = f"{question.id}:{scope}:{shelf.desk.collection_id}:{engine_digest()}:{question.question}"
        message = desk.ask(
            shelf.desk,
            question.question,
            document_ids=narrowed,
            language=question.lang,
            key=hashlib.sha256(key.encode()).hexdigest(),
        )
        yield question, {**answer_object(message), "id": question.id}


@cache
def engine_digest() -> str:
    """Changes with the engine's code, so that kept answers are never another engine's."""
    root = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for part in ("agents", "finance", "reading", "retrieval"):
        for file in sorted((root / part).rglob("*")):
            if file.suffix in (".py", ".toml"):
                digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
