"""One chat model as a Reasoner, and several minds in a row of which the next steps in when one does not answer."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from apps.agents.contracts import Draft, Evidence, Plan, Question, Reflection, Statement, StatementKind, Verdict
from apps.agents.engine.frames import say
from apps.agents.engine.reasoner import BuiltInReasoner, whole_text
from apps.agents.model.missing import says_only
from apps.agents.model.quoting import fenced, statements_of
from apps.agents.model.replies import AnswerReply, PlanReply, UnreadableReply, read_reply
from apps.agents.reasoning import Reasoner
from apps.core.errors import ProviderError
from apps.providers.chat import FAILURES, ChatModel

PLAN_TOKENS = 600
ANSWER_TOKENS = 3000
MOST_QUERIES = 6
LONGEST_QUERY = 300
T = TypeVar("T")
R = TypeVar("R", bound=BaseModel)
_PROMPTS = Path(__file__).parent / "prompts"


@cache
def prompt(name: str) -> str:
    return (_PROMPTS / f"{name}.md").read_text(encoding="utf-8")


class ModelReasoner:
    """Plans and words with a model; greeting, reflection and judgement stay the program's."""

    def __init__(self, *, name: str, chat: ChatModel, check: Callable[[], None]) -> None:
        self.name = name
        self._chat = chat
        self._check = check
        self._program = BuiltInReasoner()

    def plan(self, question: Question) -> Plan:
        plan = self._program.plan(question)
        if plan.reply:
            return plan
        asked = f"Question: {whole_text(question)}\nLanguage: {question.language}"
        queries = [" ".join(query.split())[:LONGEST_QUERY] for query in self._ask("plan", PlanReply, asked).queries]
        together = dict.fromkeys(query for query in (*plan.queries[:1], *queries, *plan.queries[1:]) if query)
        return replace(plan, queries=tuple(together)[:MOST_QUERIES])

    def compose(self, question: Question, plan: Plan, evidence: tuple[Evidence, ...]) -> Draft:
        if plan.reply:
            return Draft((), 1.0)
        if not evidence:
            return Draft((), 0.0, (say("missing_nothing", question.language),))
        asked = (
            f"Question: {whole_text(question)}\nAnswer in: {'Turkish' if question.language == 'tr' else 'English'}\n\n"
            f"{fenced(evidence)}"
        )
        reply = self._ask("answer", AnswerReply, asked)
        statements = statements_of(reply, evidence, question.language)
        asked_for = whole_text(question)
        whole = say("missing", question.language, what=f"“{asked_for[:160]}”")
        items = [" ".join(item.split())[:300] for item in reply.missing if item.strip()]
        missing = tuple(dict.fromkeys(item if says_only(item, asked_for) else whole for item in items))
        if not statements and not missing:
            missing = (whole,)
        return Draft(statements, 1.0 if statements else 0.0, missing, self.name)

    def reflect(self, question: Question, plan: Plan, draft: Draft) -> Reflection:
        return self._program.reflect(question, plan, draft)

    def judge(self, statement: Statement, evidence: tuple[Evidence, ...]) -> Verdict:
        return self._program.judge(statement, evidence)

    def _ask(self, name: str, kind: type[R], user: str) -> R:
        """The reply as data; one that cannot be read is asked for once more. Raises ProviderError."""
        tokens = ANSWER_TOKENS if kind is AnswerReply else PLAN_TOKENS
        reply = self._chat.complete(system=prompt(name), user=user, most_tokens=tokens, check=self._check)
        try:
            return read_reply(kind, reply.text)
        except UnreadableReply as exc:
            again = f"{user}\n\n{prompt('repair').replace('{reason}', str(exc))}"
        reply = self._chat.complete(system=prompt(name), user=again, most_tokens=tokens, check=self._check)
        try:
            return read_reply(kind, reply.text)
        except UnreadableReply as exc:
            raise ProviderError(
                FAILURES["model_broken"], code="model_broken", detail=str(exc), is_retryable=False
            ) from exc


class Relay:
    """Minds in order: when one fails, the next does the step and all later ones. The last is the built-in engine."""

    def __init__(self, minds: Sequence[Reasoner]) -> None:
        self._minds = list(minds)
        self._failed: list[str] = []
        self.name = minds[0].name

    def plan(self, question: Question) -> Plan:
        return self._do(lambda mind: mind.plan(question))

    def compose(self, question: Question, plan: Plan, evidence: tuple[Evidence, ...]) -> Draft:
        draft = self._do(lambda mind: mind.compose(question, plan, evidence))
        if not self._failed:
            return replace(draft, written_by=self._minds[0].name)
        note = say(
            "stepped_in", question.language, failed=", ".join(f"“{name}”" for name in self._failed),
            other=self._minds[0].name,
        )  # fmt: skip
        said = (*draft.statements, Statement(note, StatementKind.REPLY, ()))
        return replace(draft, statements=said, written_by=self._minds[0].name)

    def reflect(self, question: Question, plan: Plan, draft: Draft) -> Reflection:
        return self._do(lambda mind: mind.reflect(question, plan, draft))

    def judge(self, statement: Statement, evidence: tuple[Evidence, ...]) -> Verdict:
        return self._minds[0].judge(statement, evidence)

    def _do(self, step: Callable[[Reasoner], T]) -> T:
        while True:
            try:
                return step(self._minds[0])
            except ProviderError:
                if len(self._minds) == 1:
                    raise
                self._failed.append(self._minds.pop(0).name)
