"""From a model's quotes to places: the exact stretch of the page's text, or nothing."""

import re
from collections.abc import Sequence

from apps.agents.contracts import Evidence, EvidencePage, Statement, StatementCitation, StatementKind, StatementNumber
from apps.agents.engine.places import cells_of
from apps.agents.engine.text import sentences
from apps.agents.model.replies import AnswerReply, ProposedStatement
from apps.finance.numbers import DecimalMark, NumberState, find_numbers

_SHORTEST_QUOTE = 3
LONGEST_STATEMENT = 800


def statements_of(reply: AnswerReply, evidence: Sequence[Evidence], language: str) -> tuple[Statement, ...]:
    """The proposed statements that keep at least one true citation; unknown ids and untrue quotes are dropped."""
    known = {item.id: item for item in evidence}
    built = (_statement(proposed, known, language) for proposed in reply.statements)
    return tuple(statement for statement in built if statement is not None)


def _statement(proposed: ProposedStatement, known: dict[str, Evidence], language: str) -> Statement | None:
    text = " ".join(proposed.text.split())[:LONGEST_STATEMENT]
    citations = tuple(
        dict.fromkeys(
            citation
            for quoted in proposed.evidence
            if (item := known.get(quoted.id.strip())) is not None
            and (citation := _citation(item, quoted.quote)) is not None
        )
    )
    if not text or not citations:
        return None
    bare = text.strip("“”\"' ")
    pages = {(page.version_id, page.number): page for item in known.values() for page in item.pages}
    whole = (c for c in citations if " ".join(c.quote.split()) == bare and is_whole(pages[c.version_id, c.page], c))
    if any(whole):
        return Statement(f"“{bare}”", StatementKind.QUOTED, citations, _numbers(bare, language, citations))
    return Statement(text, StatementKind.REWORDED, citations, _numbers(text, language, citations))


def _numbers(text: str, language: str, citations: tuple[StatementCitation, ...]) -> tuple[StatementNumber, ...]:
    """The statement's figures; grounding looks for each of them in the cited words."""
    mark = DecimalMark.COMMA if language == "tr" else DecimalMark.POINT
    return tuple(
        StatementNumber(found.text, found.value, found.unit, _place_of(found.text, citations))
        for found in find_numbers(text, mark=mark)
        if found.state is NumberState.VALUE and found.value is not None and not _is_year(found.text)
    )[:20]


def _place_of(number: str, citations: tuple[StatementCitation, ...]) -> int:
    figures = re.sub(r"\D", "", number)
    held = [index for index, c in enumerate(citations) if figures and figures in re.sub(r"\D", "", c.quote)]
    return held[0] if held else 0


def _is_year(text: str) -> bool:
    return bool(re.fullmatch(r"(?:19|20)\d\d", text.strip()))


def _citation(item: Evidence, quote: str) -> StatementCitation | None:
    for page in item.pages:
        place = find_quote(page.text, quote)
        if place is not None:
            start, end = _unbroken(page.text, *place)
            return StatementCitation(
                item.id, page.document_id, page.version_id, page.number, start, end, page.text[start:end]
            )
    return None


def is_whole(page: EvidencePage, citation: StatementCitation) -> bool:
    """Whether the quote is whole sentences, or one cell: a part of a sentence may say the opposite of it."""
    cells = cells_of(page)
    if any((cell.start, cell.end) == (citation.start, citation.end) for _table, _row, cell in cells):
        return True
    touched = [s for s in sentences(page) if s.start < citation.end and citation.start < s.end]
    if not touched:
        return False
    before, after = page.text[touched[0].start : citation.start], page.text[citation.end : touched[-1].end]
    return not before.strip("“\"'‘ ") and not after.strip(".;:!?”\"'’ ")


def _unbroken(text: str, start: int, end: int) -> tuple[int, int]:
    """The place widened to whole words and figures: "EUR 4" of "EUR 40.5" is another amount."""
    while start > 0 and (text[start - 1].isalnum() and text[start].isalnum()):
        start -= 1
    figure = re.compile(r"(?:[.,]?\w)*")
    if text[end - 1].isalnum():
        match = figure.match(text, end)
        end = match.end() if match else end
    return start, end


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Where the words stand, white space and kinds of quotation marks aside; None when they do not."""
    words = quote.strip().strip('“”"…').split()
    if sum(map(len, words)) < _SHORTEST_QUOTE:
        return None
    pattern = r"\s+".join(_loose(word) for word in words)
    match = re.search(pattern, text)
    return match.span() if match is not None else None


_ALIKE = ("'’‘`", '"“”„', "-‐‑–—−")


def _loose(word: str) -> str:
    """A pattern for the word in which quotation marks and dashes match their kind."""
    signs = (next((alike for alike in _ALIKE if sign in alike), sign) for sign in word)
    return "".join(re.escape(kind) if len(kind) == 1 else f"[{re.escape(kind)}]" for kind in signs)


def fenced(evidence: Sequence[Evidence]) -> str:
    """The passages as the prompt shows them; a document cannot close its own fence."""
    return "\n\n".join(
        f'<passage id="{item.id}" document="{_plain(item.passage.document_name)}" pages="{_pages(item.pages)}">\n'
        f"{_plain(item.passage.header)}\n{_inert(item.passage.text)}\n</passage>"
        for item in evidence
    )


def _pages(pages: Sequence[EvidencePage]) -> str:
    return ", ".join(page.label or str(page.number) for page in pages)


def _plain(text: str) -> str:
    return re.sub(r'[<>"\n]', " ", text)


def _inert(text: str) -> str:
    return re.sub(r"<(?=\s*/?\s*passage)", "‹", text, flags=re.IGNORECASE)
