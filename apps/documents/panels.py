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
from apps.documents import figures, finding, history, metadata_store, selectors, tables
from apps.documents.contracts import DocumentDetail, DocumentSummary, MetadataValue
from apps.documents.metadata.fields import Field
from apps.documents.metadata_words import FIELD_NAMES, KIND_NAMES, PERIOD_NAMES, value_in_words
from apps.documents.sheets import rectangle
from apps.documents.table_layout import cell_boxes, panel_rows

Choice = TypeVar("Choice", bound=StrEnum)
PAGES_AT_ONCE = 30  # of the list of pages


class Panel(StrEnum):
    ABOUT = "about"
    METADATA = "metadata"
    TABLES = "tables"
    TABLE = "table"  # one of them
    FIGURES = "figures"
    HISTORY = "history"


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


@dataclass(frozen=True, slots=True)
class ShownValue:
    words: str
    about: MetadataValue


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A field of the metadata as its panel shows it."""

    name: str
    words: Promise
    used: tuple[ShownValue, ...]
    other: tuple[ShownValue, ...]  # what the rules read, where a person's value holds
    by_person: MetadataValue | None
    form: str  # how it is written: "lines", "day", or the name of a field with a form of its own

    @property
    def plain(self) -> str:
        return "\n".join(shown.about.value for shown in self.used)

    @property
    def period_kind(self) -> str:
        return self.plain.partition(":")[0]

    @property
    def period_end(self) -> str:
        return self.plain.partition(":")[2]


def panel_context(actor: Actor, detail: DocumentDetail, query: Mapping[str, str], page: int) -> dict[str, object]:
    """What the open panel shows. An unknown one is the first."""
    document = detail.summary
    panel = _choice(Panel, query.get("panel", ""), Panel.ABOUT)
    context: dict[str, object] = {"panel": panel.value}
    kept = {"panel": panel.value} if panel is not Panel.ABOUT else {}
    if panel is Panel.ABOUT:
        context["fields"] = _fields(actor, document)
    elif panel is Panel.METADATA:
        fields = _fields(actor, document)
        context |= {
            "fields": fields,
            "kinds": [(kind.value, name) for kind, name in KIND_NAMES.items()],
            "periods": [(kind.value, name) for kind, name in PERIOD_NAMES.items()],
            "unset": _unset(fields),
        }
    elif panel is Panel.TABLES:
        context["tables"] = tables.list_tables(actor=actor, document_id=document.id)
    elif panel is Panel.FIGURES:
        listed = figures.list_figures(actor=actor, document_id=document.id)
        boxes = [rectangle(figure.box) for figure in listed if figure.page == page and figure.box is not None]
        context |= {"figures": listed, "figure_boxes": boxes}
    elif panel is Panel.HISTORY:
        context["history"] = history.list_history(actor=actor, document_id=document.id)
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


def values_of_form(form: Mapping[str, str]) -> tuple[str, ...]:
    """The values that a form gives: one a line; a period from its two fields."""
    if form.get("field") == Field.PERIOD:
        kind, end = form.get("period_kind", ""), form.get("period_end", "")
        return (f"{kind}:{end}",) if kind and end else ()
    return tuple(line.strip() for line in form.get("value", "").splitlines() if line.strip())


def _fields(actor: Actor, document: DocumentSummary) -> tuple[FieldRow, ...]:
    """Fields that have a value, each with those in use and what the rules read besides."""
    found: dict[str, list[ShownValue]] = {}
    for value in metadata_store.get_metadata(actor=actor, document_id=document.id):
        found.setdefault(value.field, []).append(ShownValue(value_in_words(value.field, value.value), value))
    return tuple(
        FieldRow(
            field.value,
            FIELD_NAMES[field],
            tuple(shown for shown in found[field] if shown.about.is_used),
            tuple(shown for shown in found[field] if not shown.about.is_used and not shown.about.is_by_person),
            next((shown.about for shown in found[field] if shown.about.is_by_person), None),
            "lines" if field.is_many else "day" if field.is_date else field.value,
        )
        for field in Field
        if field.value in found
    )


def _unset(fields: tuple[FieldRow, ...]) -> list[tuple[str, str, str]]:
    """(name, words, form) of the fields without any value."""
    have = {row.name for row in fields}
    return [
        (field.value, str(FIELD_NAMES[field]), "lines" if field.is_many else "day" if field.is_date else field.value)
        for field in Field
        if field.value not in have
    ]


def _tabs(document: DocumentSummary, panel: Panel) -> tuple[Tab, ...]:
    count = tables.count_tables(version_id=document.version_id)
    pictures = figures.count_figures(version_id=document.version_id)
    return (
        Tab(Panel.ABOUT, _("About"), None, panel is Panel.ABOUT),
        Tab(Panel.METADATA, _("Details"), None, panel is Panel.METADATA),
        Tab(Panel.TABLES, _("Tables"), count, panel in (Panel.TABLES, Panel.TABLE)),
        *([Tab(Panel.FIGURES, _("Figures"), pictures, panel is Panel.FIGURES)] if pictures else []),
        Tab(Panel.HISTORY, _("History"), None, panel is Panel.HISTORY),
    )


def _choice(kinds: type[Choice], text: str, otherwise: Choice) -> Choice:
    return next((kind for kind in kinds if kind.value == text), otherwise)
