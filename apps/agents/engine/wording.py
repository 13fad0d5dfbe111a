"""From values to sentences: every value worded in the question's language, every input cited."""

import re
from collections.abc import Sequence

from apps.agents.contracts import Statement, StatementCitation, StatementKind, StatementNumber
from apps.agents.engine import frames
from apps.agents.engine.analysis import Analysis
from apps.agents.engine.cells import Candidate
from apps.agents.engine.values import Value


def statement_of(
    value: Value, analysis: Analysis, *, frame: str = "", extra: dict[str, str] | None = None
) -> Statement:
    """The value worded in the question's language, every input cited."""
    language = analysis.language
    places: dict[tuple[object, int, int], int] = {}
    citations: list[StatementCitation] = []
    cited: list[StatementNumber] = []
    worded_inputs: list[str] = []
    for item in value.inputs:
        place = (item.page.version_id, item.page.number, item.cell.start)
        if place not in places:
            places[place] = len(citations)
            citations.append(cell_citation(item))
        reading = item.reading
        text = frames.amount(reading.value, reading.scale, reading.unit, reading.decimals, language)
        if value.is_printed:
            text = frames.amount(value.value, value.scale, value.unit, value.decimals, language)
        worded_inputs.append(text)
        cited.append(StatementNumber(text, reading.value, reading.unit, places[place]))
    result = frames.amount(value.value, value.scale, value.unit, value.decimals, language)
    words = {"subject": value.label, "period": value.period, "value": result, **(extra or {})}
    if value.is_printed:
        name = frame or ("value" if value.period else "value_no_period")
        return Statement(frames.say(name, language, **words), StatementKind.COMPUTED, tuple(citations), tuple(cited))
    words["formula"] = _worded(value.formula, worded_inputs)
    if value.parts:
        added = " + ".join(shown(part, language) for part in value.parts)
        words["formula"] = added if frame == "sum" else f"({added}) / {len(value.parts)}"
    name = frame or "formula"
    text = frames.say(name, language, **words)
    computed = StatementNumber(result, value.value, value.unit, None, formula=value.formula)
    parts = [
        StatementNumber(shown(part, language), part.value, part.unit, None, formula=part.formula)
        for part in value.parts
    ]
    return Statement(text, StatementKind.COMPUTED, tuple(citations), (*cited, *parts, computed))


def shown(value: Value, language: str) -> str:
    return frames.amount(value.value, value.scale, value.unit, value.decimals, language)


def cell_citation(item: Candidate) -> StatementCitation:
    return StatementCitation(
        item.evidence_id, item.page.document_id, item.page.version_id, item.page.number, item.cell.start, item.cell.end,
        item.page.text[item.cell.start : item.cell.end],
    )  # fmt: skip


def _worded(formula: str, shown_inputs: Sequence[str]) -> str:
    bare = formula.removesuffix(" * 100")
    text = re.sub(r"n(\d+)", lambda m: shown_inputs[int(m[1])], bare)
    text = re.sub(r" \+ 0(?=[ )]|$)", "", text)
    text = re.sub(r"abs\(([^()]*)\)", r"|\1|", text)
    text = re.sub(r"\(([^()+*/ -]*(?: (?:million|thousand|billion|milyon|bin|milyar))?(?: [A-Z]{2,3})?)\)", r"\1", text)
    while text.startswith("(") and text.endswith(")") and _wraps(text):
        text = text[1:-1]
    return text.replace(" - ", " − ")


def _wraps(text: str) -> bool:
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and place < len(text) - 1:
            return False
    return True
