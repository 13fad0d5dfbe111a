"""An answer as text to take along: each statement with the numbers of its sources, each source with page and link."""

import re
from collections.abc import Callable

from django.utils.translation import gettext as _

from apps.chat.contracts import CitationView, MessageState, MessageView, StatementView

Link = Callable[[CitationView], str]  # the address of a cited place, whole
_MARKUP = re.compile(r"([\\`*_\[\]<>#|~])")


def as_plain(message: MessageView, link: Link) -> str:
    """Plain text, one statement a line."""
    lines = [message.question, ""]
    lines += [_with_marks(statement, statement.text) for statement in _shown(message)]
    lines += _left_open(message, "– ")
    sources = _sources(message)
    if sources:
        lines += ["", _("Sources")]
        lines += [
            f"[{c.number}] {_('deleted document')}" if c.is_deleted else f"[{c.number}] {_place(c)}\n    {link(c)}"
            for c in sources
        ]
    return "\n".join(lines).strip() + "\n"


def as_markdown(message: MessageView, link: Link) -> str:
    """Markdown in which no word of a document is markup."""
    lines = [f"**{_escaped(message.question)}**", ""]
    for statement in _shown(message):
        lines += [_with_marks(statement, _escaped(statement.text)), ""]
    lines += _left_open(message, "- ", _escaped)
    sources = _sources(message)
    if sources:
        lines += ["", f"**{_('Sources')}**", ""]
        lines += [
            f"- \\[{c.number}\\] " + (_("deleted document") if c.is_deleted else f"[{_escaped(_place(c))}]({link(c)})")
            for c in sources
        ]
    return "\n".join(lines).replace("\n\n\n", "\n\n").strip() + "\n"


def _shown(message: MessageView) -> list[StatementView]:
    return [statement for statement in message.statements if statement.text]


def _sources(message: MessageView) -> list[CitationView]:
    return [citation for statement in message.statements for citation in statement.citations]


def _with_marks(statement: StatementView, text: str) -> str:
    numbers = "".join(f"[{citation.number}]" for citation in statement.citations)
    marks = {
        "doubtful": _("low confidence"),
        "partly": _("partly supported"),
        "unsupported": _("not supported"),
        "contradicted": _("contradicted"),
    }
    note = marks.get(statement.mark, "") if statement.kind != "reply" else ""
    return " ".join(part for part in (text, numbers, f"({note})" if note else "") if part)


def _left_open(message: MessageView, bullet: str, escaped: Callable[[str], str] = str) -> list[str]:
    if not message.missing:
        return []
    title = _("The documents do not say") if message.state == MessageState.ABSTAINED else _("Not found")
    return ["", f"{title}:", *(f"{bullet}{escaped(item)}" for item in message.missing)]


def _place(citation: CitationView) -> str:
    if citation.label and citation.boxes:
        page = _("p. %(label)s (page %(n)s of the file)") % {"label": citation.label, "n": citation.page}
    else:
        page = citation.label or _("page %(n)s") % {"n": citation.page}
    return f"{citation.document_name}, {page}"


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
