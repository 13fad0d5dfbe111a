"""What stands beside the page in the viewer: outline, pages and finds on one side, panels on the other."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.accounts.contracts import Actor
from apps.core.errors import NotFound
from apps.documents import finding, selectors, tables
from apps.documents.contracts import DocumentDetail, DocumentSummary
from apps.documents.table_layout import cell_boxes, panel_rows

Choice = TypeVar("Choice", bound=StrEnum)
PAGES_AT_ONCE = 30  # of the list of pages


class Panel(StrEnum):
    ABOUT = "about"
    TABLES = "tables"
    TABLE = "table"  # one of them


class Side(StrEnum):
    OUTLINE = "outline"
    PAGES = "pages"
    FIND = "find"


@dataclass(frozen=True, slots=True)
class Tab:
    key: str
    name: str | Promise
    count: int | None  # None: nothing to count
    is_open: bool


def panel_context(actor: Actor, detail: DocumentDetail, query: Mapping[str, str], page: int) -> dict[str, object]:
    """What the open panel shows. An unknown one is the first."""
    document = detail.summary
    panel = _choice(Panel, query.get("panel", ""), Panel.ABOUT)
    context: dict[str, object] = {"panel": panel.value}
    kept = {"panel": panel.value} if panel is not Panel.ABOUT else {}
    if panel is Panel.TABLES:
        context["tables"] = tables.list_tables(actor=actor, document_id=document.id)
    elif panel is Panel.TABLE:
        kept["table"] = query.get("table", "")
        context |= _table_context(actor, document, query.get("table", ""), page)
    context["kept"] = "".join(f"&{urlencode({key: value})}" for key, value in kept.items())
    context["panel_tabs"] = _tabs(document, panel)
    return context


def side_context(actor: Actor, document: DocumentSummary, query: Mapping[str, str], page: int) -> dict[str, object]:
    """Outline, pages or finds: what the left side shows."""
    wanted = query.get("find", "").strip()[: finding.LONGEST_QUERY]
    side = Side.FIND if wanted else _choice(Side, query.get("side", ""), Side.OUTLINE)
    context: dict[str, object] = {"side": side.value, "find": wanted}
    if side is Side.FIND:
        context["finds"] = finding.find_in_document(actor=actor, document_id=document.id, words=wanted)
    elif side is Side.PAGES:
        first = (page - 1) // PAGES_AT_ONCE * PAGES_AT_ONCE + 1
        last = min(first + PAGES_AT_ONCE - 1, document.page_count)
        context["labels"] = selectors.page_labels(actor=actor, document_id=document.id, first=first, last=last)
        context["pages_before"] = first - 1 if first > 1 else None
        context["pages_after"] = last + 1 if last < document.page_count else None
    else:
        context["outline"] = selectors.outline(actor=actor, document_id=document.id)
    return context


def table_key(text: str) -> tuple[int, int]:
    """(page, block) of "12-3". Raises NotFound for anything else."""
    page, _dash, block = text.partition("-")
    if not (page.isascii() and page.isdecimal() and block.isascii() and block.isdecimal()) or len(text) > 18:
        raise NotFound
    return int(page), int(block)


def _table_context(actor: Actor, document: DocumentSummary, key: str, page: int) -> dict[str, object]:
    number, block = table_key(key)
    view = tables.get_table(actor=actor, document_id=document.id, page=number, block=block)
    return {"table": view, "table_rows": panel_rows(view), "cell_boxes": cell_boxes(view, page)}


def _tabs(document: DocumentSummary, panel: Panel) -> tuple[Tab, ...]:
    count = tables.count_tables(version_id=document.version_id)
    return (
        Tab(Panel.ABOUT, _("About"), None, panel is Panel.ABOUT),
        Tab(Panel.TABLES, _("Tables"), count, panel in (Panel.TABLES, Panel.TABLE)),
    )


def _choice(kinds: type[Choice], text: str, otherwise: Choice) -> Choice:
    return next((kind for kind in kinds if kind.value == text), otherwise)
