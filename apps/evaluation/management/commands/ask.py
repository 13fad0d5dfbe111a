"""`ask QUESTION FILE… [--json] [--lang]`, or `ask --questions Q.jsonl --documents DIR [--scope …] --json`."""

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.chat.selectors import answer_object
from apps.core.errors import AirisError
from apps.evaluation import asking, desk
from apps.evaluation.questions import read_questions

ANSWERED, FAILED, BAD_INPUT, ABSTAINED = 0, 1, 2, 3


class Command(BaseCommand):
    help = "Ask about files. Exit code 0 answered, 3 abstained, 2 bad input, 1 failed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question", nargs="?", default="")
        parser.add_argument("files", nargs="*", type=Path)
        parser.add_argument("--json", action="store_true", help="one JSON object a line")
        parser.add_argument("--lang", choices=["en", "tr"], default="", help="language of the answer")
        parser.add_argument("--questions", type=Path, help="a file of questions, one JSON object a line")
        parser.add_argument("--documents", type=Path, help="folder that the questions' documents are under")
        parser.add_argument("--scope", choices=["document", "all"], default="document")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            code = self._ask_file(options) if options["questions"] else self._ask_one(options)
        except AirisError as exc:
            self.stderr.write(str(exc.message))
            code = BAD_INPUT
        sys.exit(code)

    def _ask_one(self, options: dict[str, Any]) -> int:
        if not options["question"].strip() or not options["files"]:
            self.stderr.write("Give a question and at least one file.")
            return BAD_INPUT
        opened = desk.open_desk(desk.desk_name(options["files"]))
        for path in options["files"]:
            summary = desk.ingest(opened, path)
            if not summary.is_searchable:
                self.stderr.write(f"{path}: {summary.state} {summary.failure}".rstrip())
        message = desk.ask(opened, options["question"], language=options["lang"])
        answer = answer_object(message)
        self.stdout.write(json.dumps(answer, ensure_ascii=False) if options["json"] else _plain(answer))
        return {"abstained": ABSTAINED, "failed": FAILED}.get(str(answer["state"]), ANSWERED)

    def _ask_file(self, options: dict[str, Any]) -> int:
        if options["documents"] is None:
            self.stderr.write("--questions needs --documents DIR.")
            return BAD_INPUT
        questions = list(read_questions(options["questions"]))
        shelf: asking.Shelf | None = None
        for step in asking.fill_shelf(options["documents"], [n for q in questions for n in q.documents]):
            if isinstance(step, asking.Shelf):
                shelf = step
            else:
                self.stderr.write(step)
        assert shelf is not None
        for _question, answer in asking.ask_all(shelf, questions, scope=options["scope"]):
            self.stdout.write(json.dumps(answer, ensure_ascii=False))
            self.stdout.flush()
        return ANSWERED


def _place(citation: Any) -> str:  # Any: the JSON object
    """The name of a place in a sheet or text; the page number where there are pages."""
    label = str(citation["label"])
    return label if label and not citation["boxes"] else f"page {citation['page']}"


def _plain(answer: Any) -> str:  # Any: the JSON object
    lines: list[str] = []
    for statement in answer["statements"]:
        mark = " [low confidence]" if statement["marked_low_confidence"] else ""
        lines.append(f"{statement['text']}{mark}")
        lines += [f"    {c['document']}, {_place(c)}" for c in statement["citations"]]
    lines += list(answer["missing"])
    return "\n".join(lines) or str(answer["state"])
