"""Whether cited words support a statement: numbers, terms, negation and period compared. No model, no guess."""

import re

from apps.agents.contracts import Evidence, Statement, StatementKind, Verdict
from apps.agents.engine.prose import content_stems, is_negated
from apps.agents.engine.restating import restated
from apps.agents.engine.text import fold
from apps.finance.numbers import NumberReading, NumberState, find_numbers


def judge(statement: Statement, evidence: tuple[Evidence, ...]) -> Verdict:
    """SUPPORTED when the cited words say it, CONTRADICTED when they say the opposite, else PARTLY or UNSUPPORTED."""
    if statement.kind is StatementKind.REPLY:
        return Verdict.SUPPORTED
    pages = {(page.version_id, page.number): page for item in evidence for page in item.pages}
    known = {item.id for item in evidence}
    cited = []
    for citation in statement.citations:
        page = pages.get((citation.version_id, citation.page))
        if (
            citation.evidence_id in known
            and page is not None
            and page.text[citation.start : citation.end] == citation.quote
        ):
            cited.append((page, citation))
    if not cited:
        return Verdict.UNSUPPORTED
    if statement.kind is StatementKind.COMPUTED:
        return Verdict.SUPPORTED  # its numbers are read again and recomputed by grounding
    if statement.kind is StatementKind.REWORDED:
        return restated(statement.text, cited)
    return compare(statement.text, " ".join(citation.quote for _page, citation in cited))


def compare(claim: str, source: str) -> Verdict:
    """How far `source` carries `claim`: same terms, same numbers, same polarity, same years."""
    wanted, offered = content_stems(claim), content_stems(source)
    words = {root for root in wanted if not root.isdigit()}
    touched = len(words & offered) / len(words) if words else 1.0
    claimed, printed = _values(claim), _values(source)
    lost = [value for value in claimed if not any(_same(value, other) for other in printed)]
    years = set(re.findall(r"\b(?:19|20)\d\d\b", fold(claim))) - set(re.findall(r"\b(?:19|20)\d\d\b", fold(source)))
    if touched < 0.4:
        return Verdict.UNSUPPORTED
    if is_negated(claim) != is_negated(source) and touched >= 0.6:
        return Verdict.CONTRADICTED
    if lost and printed and touched >= 0.6:
        return Verdict.CONTRADICTED
    if lost or years or touched < 0.75:
        return Verdict.PARTLY
    return Verdict.SUPPORTED


def _values(text: str) -> list[NumberReading]:
    return [n for n in find_numbers(text) if not re.fullmatch(r"(?:19|20)\d\d", n.text.strip())]


def _same(first: NumberReading, second: NumberReading) -> bool:
    if first.state is NumberState.AMBIGUOUS or second.state is NumberState.AMBIGUOUS:
        return bool(set(first.readings) & set(second.readings))
    return first.value == second.value and (not first.unit or not second.unit or first.unit == second.unit)
