"""Question files: one JSON object a line (id, documents, question, answer, evidence, answerable, kind, lang)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apps.core.errors import InputError


@dataclass(frozen=True, slots=True)
class GoldEvidence:
    doc: str
    page: int | None  # physical page, from 1
    also_pages: tuple[int, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    id: str
    documents: tuple[str, ...]  # paths under the documents folder
    question: str
    answer: str
    evidence: tuple[GoldEvidence, ...] = ()
    answerable: bool = True
    kind: str = ""
    lang: str = ""
    other_answers: tuple[str, ...] = field(default=())  # equally right forms, such as an executed program's result


def read_questions(path: Path) -> Iterator[GoldQuestion]:
    """Raises InputError naming the line that cannot be used."""
    if not path.is_file():
        raise InputError(f"{path}: no such file", field="questions")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            yield _question(json.loads(line))
        except (ValueError, KeyError, TypeError) as exc:
            raise InputError(f"{path}, line {number}: not a question ({exc})", field="questions") from exc


def _question(data: dict[str, Any]) -> GoldQuestion:  # Any: JSON from a file
    other = (data.get("meta") or {}).get("exe_answer")
    return GoldQuestion(
        id=str(data["id"]),
        documents=tuple(data.get("documents", ())),
        question=str(data["question"]),
        answer=str(data.get("answer", "")),
        evidence=tuple(
            GoldEvidence(str(e["doc"]), e.get("page"), tuple(e.get("also_pages", ())), str(e.get("text", "")))
            for e in data.get("evidence", ())
        ),
        answerable=bool(data.get("answerable", True)),
        kind=str(data.get("kind", "")),
        lang=str(data.get("lang", "")),
        other_answers=(str(other),) if other not in (None, "") else (),
    )
