"""The one answer graph: plan → search → compose → (reflect → search) → check → respond.

The mind proposes and the program disposes: tools, grounding, events and records are the same for every Reasoner.
No checkpointer: steps are rows of RunStep, and a redelivered run goes through the graph again at once.
"""

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, TypedDict
from uuid import UUID

from langgraph.graph import END, START, StateGraph

from apps.agents.contracts import (
    Answer,
    AnswerState,
    Draft,
    Evidence,
    EvidencePage,
    Plan,
    Question,
    Reflection,
    SearchedStep,
    Statement,
    StatementKind,
    Verdict,
)
from apps.agents.engine.names import names_document
from apps.agents.grounding import ground
from apps.agents.reasoning import Reasoner
from apps.agents.records import Door, Recorder
from apps.agents.tools import PageRef, Toolbox
from apps.core import failpoints
from apps.retrieval.contracts import Passage, SearchResult

PASSAGES_PER_QUERY = 15
EVIDENCE_LIMIT = 14
ROUNDS = 2
RECURSION_LIMIT = 16
_FUSION = 10  # reciprocal rank fusion over the run's queries


@dataclass(frozen=True, slots=True)
class _Found:
    """One search as it is recorded."""

    step: SearchedStep
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class _Checked:
    statements: tuple[Statement, ...]


class _State(TypedDict, total=False):
    plan: Plan
    queries: tuple[str, ...]
    found: tuple["_Found", ...]
    evidence: tuple[Evidence, ...]
    draft: Draft
    round: int
    statements: tuple[Statement, ...]
    answer: Answer


def answer_question(*, run_id: UUID, question: Question, reasoner: Reasoner, toolbox: Toolbox, door: Door) -> Answer:
    """The checked answer. Events tell the steps as they happen; each step is recorded under `run_id`.

    Raises what the door raises when the run was stopped or taken over.
    """
    started = time.monotonic()
    run = _Run(run_id, question, reasoner, toolbox, door)
    final = _graph(run).invoke({"round": 0}, {"recursion_limit": RECURSION_LIMIT})
    answer: Answer = final["answer"]
    return replace(answer, seconds=round(time.monotonic() - started, 3))


def _graph(run: "_Run") -> Any:  # Any: langgraph's compiled graph has no useful type
    graph: Any = StateGraph(_State)
    graph.add_node("plan", run.plan)
    graph.add_node("search", run.search)
    graph.add_node("compose", run.compose)
    graph.add_node("reflect", run.reflect)
    graph.add_node("check", run.check)
    graph.add_node("respond", run.respond)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", lambda state: "respond" if state["plan"].reply else "search")
    graph.add_edge("search", "compose")
    graph.add_conditional_edges("compose", lambda state: "reflect" if state["round"] < ROUNDS else "check")
    graph.add_conditional_edges("reflect", lambda state: "search" if state["queries"] else "check")
    graph.add_edge("check", "respond")
    graph.add_edge("respond", END)
    return graph.compile()


class _Run:
    """The nodes of one run."""

    def __init__(self, run_id: UUID, question: Question, reasoner: Reasoner, toolbox: Toolbox, door: Door) -> None:
        self._question = question
        self._reasoner = reasoner
        self._toolbox = toolbox
        self._door = door
        self._recorder = Recorder(run_id, door)

    def plan(self, state: _State) -> _State:
        inputs = (self._reasoner.name, self._question)
        plan, replayed = self._recorder.step("plan", Plan, inputs, lambda: self._reasoner.plan(self._question))
        self._tell(replayed, "planned", {"kind": plan.kind.value, "queries": list(plan.queries)})
        failpoints.reach("answer.planned")
        return {"plan": plan, "queries": plan.queries, "found": ()}

    def search(self, state: _State) -> _State:
        turn = state["round"]
        found = list(state["found"])
        for index, query in enumerate(state["queries"]):
            self._door.check()
            result, replayed = self._recorder.step(
                f"search/{turn}/{index}",
                _Found,
                query,
                lambda query=query: self._search(query),  # type: ignore[misc]  # the loop's own query
                versions=lambda item: {passage.version_id for passage in item.passages},
            )
            found.append(result)
            step = result.step
            self._tell(
                replayed,
                "searched",
                {
                    "query": step.query,
                    "documents": step.documents,
                    "passages": step.passages,
                    "meaning_coverage": round(step.meaning_coverage, 3),
                    "seconds": step.seconds,
                },
            )
            failpoints.reach("answer.searched")
        passages = named_first(fuse([item.passages for item in found]), state["plan"].entities)
        passages = passages[: EVIDENCE_LIMIT + 4 * turn]
        evidence = self._read(passages)
        pages = len({(page.version_id, page.number) for item in evidence for page in item.pages})
        self._door.event("read", {"pages": pages, "passages": len(evidence)})
        failpoints.reach("answer.read")
        return {"found": tuple(found), "evidence": evidence, "round": turn + 1}

    def compose(self, state: _State) -> _State:
        plan, evidence = state["plan"], state["evidence"]
        inputs = (self._reasoner.name, self._question, plan, _evidence_key(evidence))
        draft, replayed = self._recorder.step(
            f"compose/{state['round']}",
            Draft,
            inputs,
            lambda: self._reasoner.compose(self._question, plan, evidence),
            versions=lambda item: {c.version_id for s in item.statements for c in s.citations},
        )
        self._tell(
            replayed, "composed", {"statements": len(draft.statements), "confidence": round(draft.confidence, 3)}
        )
        failpoints.reach("answer.composed")
        return {"draft": draft}

    def reflect(self, state: _State) -> _State:
        inputs = (self._reasoner.name, self._question, state["plan"], round(state["draft"].confidence, 4))
        reflection, _ = self._recorder.step(
            f"reflect/{state['round']}",
            Reflection,
            inputs,
            lambda: self._reasoner.reflect(self._question, state["plan"], state["draft"]),
        )
        return {"queries": () if reflection.is_enough else reflection.next_queries}

    def check(self, state: _State) -> _State:
        self._door.check()
        readable = self._toolbox.scope().version_ids  # never from the record: rights may have changed
        statements = ground(
            state["draft"].statements,
            state["evidence"],
            readable=readable,
            language=self._question.language,
            judge=self._reasoner.judge,
        )
        pages = [page for item in state["evidence"] for page in item.pages]
        statements = self._toolbox.located(statements, pages, self._question.language)
        claims = [s for s in statements if s.kind is not StatementKind.REPLY]
        self._door.event(
            "checked", {"statements": len(claims), "supported": sum(s.verdict is Verdict.SUPPORTED for s in claims)}
        )
        failpoints.reach("answer.checked")
        return {"statements": statements if claims else ()}

    def respond(self, state: _State) -> _State:
        plan = state["plan"]
        if plan.reply:
            reply = Statement(plan.reply, StatementKind.REPLY, (), verdict=Verdict.SUPPORTED)
            return {"answer": Answer(AnswerState.ANSWERED, (reply,), (), (), self._reasoner.name, 0.0)}
        statements = state["statements"]
        draft = state["draft"]
        searched = tuple(item.step for item in state["found"])
        missing = draft.missing
        if not statements:
            answer_state = AnswerState.ABSTAINED
        elif missing or any(s.verdict is not Verdict.SUPPORTED for s in statements):
            answer_state = AnswerState.PARTLY
        else:
            answer_state = AnswerState.ANSWERED
        engine = draft.written_by or self._reasoner.name
        return {"answer": Answer(answer_state, statements, missing, searched, engine, 0.0)}

    def _search(self, query: str) -> _Found:
        result: SearchResult = self._toolbox.search(query, PASSAGES_PER_QUERY)
        step = SearchedStep(
            query, result.documents_searched, len(result.passages), result.meaning_coverage, round(result.seconds, 4)
        )
        return _Found(step, result.passages)

    def _read(self, passages: Sequence[Passage]) -> tuple[Evidence, ...]:
        """Pages are read anew on every run: versions never change, and the rights of now decide."""
        refs = list(
            dict.fromkeys(
                PageRef(p.document_id, p.document_name, p.version_id, s.page) for p in passages for s in p.spans
            )
        )
        pages = {(page.version_id, page.number): page for page in self._toolbox.read_pages(refs)}
        evidence: list[Evidence] = []
        for passage in passages:
            own = [pages[(passage.version_id, s.page)] for s in passage.spans if (passage.version_id, s.page) in pages]
            unique: dict[int, EvidencePage] = {page.number: page for page in own}
            if unique:
                evidence.append(Evidence(f"E{len(evidence) + 1}", passage, tuple(unique.values())))
        return tuple(evidence)

    def _tell(self, replayed: bool, type_: str, payload: dict[str, object]) -> None:
        if not replayed:
            self._door.event(type_, payload)


def fuse(lists: Sequence[Sequence[Passage]]) -> list[Passage]:
    """Passages of several searches in one order: reciprocal ranks added, the first query counting double."""
    scores: dict[UUID, float] = defaultdict(float)
    passages: dict[UUID, Passage] = {}
    for turn, ranked in enumerate(lists):
        for rank, passage in enumerate(ranked):
            scores[passage.chunk_id] += (2.0 if turn == 0 else 1.0) / (_FUSION + rank)
            passages.setdefault(passage.chunk_id, passage)
    return sorted(passages.values(), key=lambda p: (-scores[p.chunk_id], str(p.chunk_id)))


def named_first(passages: Sequence[Passage], entities: Sequence[str]) -> list[Passage]:
    """Passages of documents whose name or header holds a name of the question come first, names taking turns."""
    groups = [[p for p in passages if names_document(entity, f"{p.document_name} {p.header}")] for entity in entities]
    turns = [passage for turn in zip_longest(*groups) for passage in turn if passage is not None]
    return list({passage.chunk_id: passage for passage in (*turns, *passages)}.values())


def _evidence_key(evidence: Sequence[Evidence]) -> list[tuple[str, str, list[int]]]:
    return [(item.id, str(item.passage.chunk_id), [page.number for page in item.pages]) for item in evidence]
