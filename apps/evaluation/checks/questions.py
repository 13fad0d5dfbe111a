"""`question` checks: asked over the case's files in the working organisation, the answer compared with the rules."""

from typing import Any, Protocol

from apps.chat.selectors import answer_object
from apps.evaluation import desk
from apps.evaluation.checks.content import Check
from apps.evaluation.checks.files import CaseFiles
from apps.evaluation.checks.matching import plain


class Shelf(Protocol):
    """What a question needs of the case's site."""

    @property
    def shelf(self) -> desk.Desk: ...


def question(check: Check, files: CaseFiles, site: Shelf) -> str:
    """ "" when the answer holds what it must, nothing that it must not, and cites every named place."""
    message = desk.ask(site.shelf, check["q"], language=check.get("lang", ""))
    answer: dict[str, Any] = dict(answer_object(message))  # Any: JSON
    said = plain(str(answer["answer"])).casefold()
    citations = [citation for statement in answer["statements"] for citation in statement["citations"]]
    if check.get("abstain"):
        return "" if answer["state"] == "abstained" and not citations else f"{answer['state']}: {said[:120]}"
    if answer["state"] not in ("answered", "partly"):
        return f"{answer['state']}: {said[:120]}"
    missing = [word for word in check.get("must_contain_all", ()) if word.casefold() not in said]
    if missing:
        return f"the answer lacks {missing[0]!r}: {said[:160]}"
    wanted = check.get("must_contain_any", ())
    if wanted and not any(word.casefold() in said for word in wanted):
        return f"the answer has none of {wanted}: {said[:160]}"
    wrong = [word for word in check.get("must_not_contain", ()) if word.casefold() in said]
    if wrong:
        return f"the answer has {wrong[0]!r}: {said[:160]}"
    uncited = [place for place in check.get("cite", ()) if not any(_is_at(cited, place) for cited in citations)]
    return f"does not cite {uncited[0]}" if uncited else ""


def _is_at(citation: dict[str, Any], place: dict[str, Any]) -> bool:  # Any: JSON
    name = place.get("child") or place["file"]
    if plain(str(citation["document"])).rsplit("/", 1)[-1] != plain(name):
        return False
    if place.get("page") is not None and citation["page"] != place["page"]:
        return False
    label = str(citation.get("label") or "")
    wanted = place.get("sheet") or place.get("label") or ""
    return not wanted or wanted in label
