"""Answering a question for a person. The caller owns the job and keeps the answer."""

from collections.abc import Iterable
from contextlib import ExitStack, closing
from uuid import UUID

from apps.accounts.contracts import Actor
from apps.agents import records
from apps.agents.contracts import Answer, Question, ScopeChoice
from apps.agents.engine.reasoner import BuiltInReasoner, language_of
from apps.agents.library import DocumentLibrary
from apps.agents.reasoning import Reasoner
from apps.agents.records import Door
from apps.agents.tools import Library, Toolbox
from apps.providers import selectors as providers
from apps.providers import vendors
from apps.tenants.context import tenant_context


def answer_question(
    *,
    run_id: UUID,
    question: Question,
    actor: Actor,
    choice: ScopeChoice,
    door: Door,
    reasoner: Reasoner | None = None,
    library: Library | None = None,
) -> Answer:
    """The checked answer; its steps are recorded under `run_id` and told as events. Called outside a transaction.

    Raises what `door` raises when the run was stopped or taken over.
    """
    from apps.agents import coordinator  # LangGraph takes seconds to import: only processes that answer pay

    toolbox = Toolbox(library or DocumentLibrary(), actor, choice)
    with ExitStack() as opened:
        mind = reasoner or _mind_of(door, opened)
        return coordinator.answer_question(run_id=run_id, question=question, reasoner=mind, toolbox=toolbox, door=door)


def _mind_of(door: Door, opened: ExitStack) -> Reasoner:
    """The organisation's models in their order, when it lets anything leave, and the built-in engine after them."""
    with tenant_context(door.tenant_id):
        endpoints = providers.usable_endpoints()
    if not endpoints:
        return BuiltInReasoner()
    from apps.agents.model.reasoner import ModelReasoner, Relay

    models = [
        ModelReasoner(
            name=endpoint.name,
            chat=opened.enter_context(closing(vendors.make_chat("openai", endpoint))),
            check=door.check,
        )
        for endpoint in endpoints
    ]
    return Relay([*models, BuiltInReasoner()])


def detect_language(*, text: str, default: str = "en") -> str:
    """The language in which the answer's frame is written: "en" or "tr"."""
    return language_of(text, default if default in ("en", "tr") else "en")


def forget_versions(*, version_ids: Iterable[UUID]) -> int:
    """No recorded step holds text of these versions any more. Idempotent."""
    return records.forget_versions(version_ids=version_ids)


def forget_runs(*, run_ids: Iterable[UUID]) -> None:
    """The runs' records are gone."""
    records.forget_runs(run_ids=run_ids)
