"""The one seam between the answer graph and a mind. Two implement it: `engine/` (deterministic, built in, no
key) and, later, `model/` (prompts over a chat model). The graph, tools, grounding and records know only this.
"""

from typing import Protocol

from apps.agents.contracts import Draft, Evidence, Plan, Question, Reflection, Statement, Verdict


class Reasoner(Protocol):
    """The mind proposes; grounding disposes. All methods are pure: same input, same output."""

    name: str

    def plan(self, question: Question) -> Plan:
        """What kind of question this is and what to search for."""

    def compose(self, question: Question, plan: Plan, evidence: tuple[Evidence, ...]) -> Draft:
        """Statements with citations into the evidence, and how sure the mind is."""

    def reflect(self, question: Question, plan: Plan, draft: Draft) -> Reflection:
        """Whether the draft suffices, or what to search next."""

    def judge(self, statement: Statement, evidence: tuple[Evidence, ...]) -> Verdict:
        """Whether the cited words support the statement."""
