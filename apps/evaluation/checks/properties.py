"""Named rules of cases (`property` checks) over what was read. Each returns "" when it holds, else what is wrong."""

import json
from collections.abc import Callable, Iterator

from apps.core.collation import sort_key
from apps.evaluation.checks.content import Check
from apps.evaluation.checks.files import CaseFiles, ReadFile
from apps.evaluation.checks.matching import cells_named, decimal_of, plain, tables_of
from apps.evaluation.checks.network import requests_of
from apps.evaluation.checks.units import agreed_code
from apps.finance.folding import folded
from apps.reading.contracts import Block, BlockKind, Grid, PageContent
from apps.reading.writing import reference

Property = Callable[[Check, CaseFiles], str]
_TICKED = ("☑", "☒", "✓", "✔", "[x]", "checked")


def column_sum(check: Check, files: CaseFiles) -> str:
    total = sum(
        (
            found.quantity.value
            for found in cells_named(tables_of(files.read(check["file"])), "", check["col"])
            if found.quantity is not None and found.quantity.value is not None
        ),
        start=decimal_of(0) or 0,
    )
    return "" if total == decimal_of(check["value"]) else f"the column adds up to {total}, not {check['value']}"


def page_count(check: Check, files: CaseFiles) -> str:
    facts = files.read(check["file"]).facts
    count = facts.page_count if facts else 0
    return "" if count == int(check["value"]) else f"{count} pages, not {check['value']}"


def page_label(check: Check, files: CaseFiles) -> str:
    labels = [page.label for page in files.read(check["file"]).pages if page.number == check["page"]]
    return "" if labels == [check["value"]] else f"the label is {labels}, not {check['value']!r}"


def never_opened(check: Check, files: CaseFiles) -> str:
    opened = [part.name for part in files.read(check["file"]).family() if part.facts is not None]
    return f"{check['value']} was read" if check["value"] in opened else ""


def sorted_tr(check: Check, files: CaseFiles) -> str:
    names = json.loads(files.path(check["file"]).read_text(encoding="utf-8"))
    found = sorted(names, key=sort_key)
    return "" if found == check["value"] else f"sorted as {found}"


def sec_header(check: Check, files: CaseFiles) -> str:
    facts = files.read(check["file"]).facts
    said = dict(facts.details) if facts else {}
    wrong = {name: said.get(name) for name, value in check["value"].items() if said.get(name) != value}
    return f"the header says {wrong}" if wrong else ""


def email_header(check: Check, files: CaseFiles) -> str:
    facts = files.read(check["file"]).facts
    said = dict(facts.details).get(check["header"], "") if facts else ""
    return "" if plain(said) == plain(check["value"]) else f"{check['header']} is {said!r}"


def child_documents(check: Check, files: CaseFiles) -> str:
    facts = files.read(check["file"]).facts
    taken = [member for member in facts.members if member.refusal is None] if facts else []
    known = {word for member in taken for word in (member.name, member.kind) if word}
    missing = [value for value in check["value"] if value not in known]
    return f"no child {', '.join(missing)}" if missing else ""


def section_contains(check: Check, files: CaseFiles) -> str:
    sections = list(_sections(files.read(check["file"]), check["section"]))
    if not sections:
        return f"no section {check['section']!r}"
    return "" if any(plain(check["value"]) in text for text in sections) else f"{check['value']!r} is not in it"


def section_not_contains(check: Check, files: CaseFiles) -> str:
    sections = list(_sections(files.read(check["file"]), check["section"]))
    if not sections:
        return f"no section {check['section']!r}"
    return f"{check['value']!r} is in it" if any(plain(check["value"]) in text for text in sections) else ""


def reason_not(check: Check, files: CaseFiles) -> str:
    file = files.read(check["file"])
    said = " ".join((*file.reasons, file.detail)).casefold()
    wrong = [word for word in check["value"] if word.casefold() in said]
    return f"the reason says {wrong[0]}" if wrong else ""


def occurrences(check: Check, files: CaseFiles) -> str:
    count = plain(files.read(check["file"]).text()).count(plain(check["text"]))
    return "" if count == int(check["value"]) else f"{count} times, not {check['value']}"


def table_columns(check: Check, files: CaseFiles) -> str:
    """Columns of the file's largest table, that of the row labels included."""
    places = list(tables_of(files.read(check["file"])))
    if not places:
        return "no table"
    table = max((place.table for place in places), key=lambda found: len(found.rows))
    used = {cell.column for row in table.rows for cell in row.cells}
    count = max(len(table.columns), len(used)) + any(row.label for row in table.rows)
    return "" if count == int(check["value"]) else f"{count} columns, not {check['value']}"


def hidden_marked(check: Check, files: CaseFiles) -> str:
    """Each value stands in a part that is marked as hidden, and nowhere else; a sheet may be named by its label."""
    file = files.read(check["file"])
    hidden = plain(" ".join(text for page in file.pages for text in _hidden(page)))
    shown = plain(" ".join(text for page in file.pages for text in _shown(page)))
    sheets = {page.label for page in file.pages if any(grid.is_hidden for grid in page.grids)}
    for value in check["value"]:
        if value not in sheets and plain(value) not in hidden:
            return f"{value!r} is not marked as hidden"
        if value not in sheets and plain(value) in shown:
            return f"{value!r} is shown as visible"
    return ""


def form_field(check: Check, files: CaseFiles) -> str:
    file = files.read(check["file"])
    text = plain(file.text())
    wanted = _TICKED if check["value"] == "checked" else (plain(check["value"]),)
    return "" if any(word in text for word in wanted) else f"{check['field']} is not {check['value']!r}"


def any_of(check: Check, files: CaseFiles) -> str:
    """One of two accepted ways: the content itself, or a warning that says what is missing."""
    file = files.read(check["file"])
    codes = {agreed_code(code) for code in check.get("else_warning", ("has_attachments",))}
    page = check.get("page")
    if any(found.code.value in codes and (page is None or found.page in (page, None)) for found in file.warnings):
        return ""
    if check["value"] == "ocr_text_or_flag":
        text = plain(file.text(page))
        missing = [value for value in check["ocr_contains"] if plain(value) not in text]
        return f"neither {missing[0]!r} nor a warning" if missing else ""
    if check["value"] == "computed_or_warning":
        sheet, _, cell = check["cell"].partition("!")
        values = _values_at(file, sheet, cell)
        return "" if decimal_of(check["value2"]) in values else f"{check['cell']} is {values}, and no warning"
    if check["value"] == "child_document_or_warning":
        texts = [part.text() for part in file.family() if part is not file and part.name == check["child"]]
        return "" if any(check["child_text"] in text for text in texts) else "neither the child nor a warning"
    return f"unknown rule {check['value']}"


def no_outbound_request(check: Check, files: CaseFiles) -> str:
    """No file of the case, or the named one, makes its reader connect or look up a name."""
    named = [files.path(check["file"])] if check.get("file") else sorted(files.folder.iterdir())
    for path in named:
        seen = requests_of(path) if path.name != "expected.json" else []
        if seen:
            return f"{path.name} asked for {seen[0]}"
    return ""


def _values_at(file: ReadFile, sheet: str, cell: str) -> list[object]:
    return [
        decimal_of(found.value)
        for page in file.pages
        if page.label == sheet
        for grid in page.grids
        for row in grid.rows
        for found in row.cells
        if reference(found.column, row.number) == cell
    ]


def _sections(file: ReadFile, name: str) -> Iterator[str]:
    """Text from each heading that begins with the name up to the next heading that is not below it."""
    wanted = folded(name).split()
    taken: list[str] | None = None
    level = 0
    for part in file.family():
        for page in part.pages:
            for block in page.blocks:
                words = folded(_words_of(page, block)).replace(":", " ").replace(".", " ").split()
                is_end = block.kind is BlockKind.HEADING and (block.level or 9) <= level
                if taken is not None and is_end:
                    yield plain(" ".join(taken))
                    taken = None
                if block.kind is BlockKind.HEADING and words[: len(wanted)] == wanted:
                    taken, level = [], block.level or 9
                if taken is not None:
                    taken.append(_words_of(page, block))
    if taken is not None:
        yield plain(" ".join(taken))


def _words_of(page: PageContent, block: Block) -> str:
    return page.text[block.start : block.end]


def _hidden(page: PageContent) -> Iterator[str]:
    for block in page.blocks:
        if block.kind is BlockKind.HIDDEN:
            yield _words_of(page, block)
    for grid in page.grids:
        yield from _grid_texts(page, grid, is_hidden=True)


def _shown(page: PageContent) -> Iterator[str]:
    """What counts as visible: blocks that are not marked, and cells of visible rows and columns."""
    for block in page.blocks:
        if block.kind is not BlockKind.HIDDEN:
            yield _words_of(page, block)
    for grid in page.grids:
        yield from _grid_texts(page, grid, is_hidden=False)


def _grid_texts(page: PageContent, grid: Grid, *, is_hidden: bool) -> Iterator[str]:
    for row in grid.rows:
        for cell in row.cells:
            if (grid.is_hidden or row.is_hidden or cell.column in grid.hidden_columns) is is_hidden:
                yield page.text[cell.start : cell.end]


PROPERTIES: dict[str, Property] = {
    "column_sum": column_sum,
    "page_count": page_count,
    "page_label": page_label,
    "never_opened": never_opened,
    "sorted_tr": sorted_tr,
    "sec_header": sec_header,
    "email_header": email_header,
    "child_documents": child_documents,
    "section_contains": section_contains,
    "section_not_contains": section_not_contains,
    "reason_not": reason_not,
    "occurrences": occurrences,
    "table_columns": table_columns,
    "hidden_marked": hidden_marked,
    "form_field": form_field,
    "any_of": any_of,
    "no_outbound_request": no_outbound_request,
}
