"""Runs the built-in mind over a library in memory, as the graph does, without a database."""

from apps.accounts.contracts import Actor, Role
from apps.agents.contracts import Draft, Evidence, Plan, Question, ScopeChoice
from apps.agents.engine.reasoner import BuiltInReasoner, language_of
from apps.agents.grounding import ground
from apps.agents.tools import PageRef
from tests.agents.library import MemoryLibrary, version_of

REASONER = BuiltInReasoner()


def evidence_for(library: MemoryLibrary, plan: Plan) -> tuple[Evidence, ...]:
    actor = Actor(version_of("user"), version_of("tenant"), Role.ANALYST, "Analyst")
    scope = library.scope(actor, ScopeChoice())
    passages = list(
        {p.chunk_id: p for query in plan.queries for p in library.search(scope, query, 15).passages}.values()
    )
    evidence = []
    for passage in passages:
        refs = [PageRef(passage.document_id, passage.document_name, passage.version_id, s.page) for s in passage.spans]
        evidence.append(Evidence(f"E{len(evidence) + 1}", passage, library.read_pages(refs)))
    return tuple(evidence)


def answer(library: MemoryLibrary, text: str, language: str = "") -> tuple[Plan, Draft, tuple[Evidence, ...]]:
    """The plan, the draft with grounded statements only, and the evidence."""
    question = Question(text, language or language_of(text))
    plan = REASONER.plan(question)
    if plan.reply:
        return plan, Draft((), 1.0), ()
    evidence = evidence_for(library, plan)
    draft = REASONER.compose(question, plan, evidence)
    readable = {page.version_id for item in evidence for page in item.pages}
    statements = ground(draft.statements, evidence, readable=readable, language=question.language, judge=REASONER.judge)
    return plan, Draft(statements, draft.confidence, draft.missing), evidence
