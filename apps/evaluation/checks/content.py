"""Checks of what was read: text, tables, warnings, states. Each returns "" when it holds, else what is wrong."""

from typing import Any

from apps.evaluation.checks.files import CaseFiles, ReadFile
from apps.evaluation.checks.matching import Found, Place, cells_named, decimal_of, plain, tables_of
from apps.evaluation.checks.units import agreed_code, in_unit, mark_of_context, unit_is
from apps.finance.numbers import NumberState, read_number

Check = dict[str, Any]  # Any: JSON of a case


def text_contains(check: Check, files: CaseFiles) -> str:
    text = plain(files.read(check["file"]).text(check.get("page")))
    return "" if plain(check["value"]) in text else f"{check['value']!r} is not in the text"


def text_not_contains(check: Check, files: CaseFiles) -> str:
    text = files.read(check["file"]).text(check.get("page"))
    value = check["value"]
    is_there = value in text or (plain(value) != "" and plain(value) in plain(text))
    return f"{value!r} is in the text" if is_there else ""


def text_order(check: Check, files: CaseFiles) -> str:
    text, place = plain(files.read(check["file"]).text(check.get("page"))), 0
    for value in check["values"]:
        found = text.find(plain(value), place)
        if found < 0:
            return f"{value!r} does not follow"
        place = found + len(plain(value))
    return ""


def table_cell(check: Check, files: CaseFiles) -> str:
    file = files.read(check["file"])
    places = tables_of(file, page=check.get("page"), sheet=check.get("sheet", ""))
    found = list(cells_named(places, check["row"], check["col"]))
    if not found:
        return f"no row {check['row']!r} with a column {check['col']!r}"
    problems = [_cell_problem(check, item) for item in found]
    if check["value"] is None:  # a blank must be blank wherever the row stands
        return next((problem for problem in problems if problem), "")
    return "" if "" in problems else problems[0]


def _cell_problem(check: Check, found: Found) -> str:
    quantity = found.quantity
    if check["value"] is None:
        has_value = quantity is not None and quantity.value is not None
        return f"{check['row']!r} has the value {quantity.value}" if has_value and quantity else ""
    if quantity is None:
        return f"{check['row']!r} has nothing under {check['col']!r}"
    wanted = decimal_of(check["value"])
    if wanted is None or quantity.value is None:
        if plain(quantity.text) != plain(str(check["value"])):
            return f"{check['row']!r} is {quantity.text!r}, not {check['value']!r}"
        return ""
    if quantity.value != wanted:
        return f"{check['row']!r} is {quantity.value}, not {check['value']}"
    if check.get("unit") and not unit_is(quantity.unit, check["unit"]):
        return f"{check['row']!r} is in {quantity.unit or 'no unit'}, not {check['unit']}"
    if check.get("scale") and quantity.scale.value != decimal_of(check["scale"]):
        return f"{check['row']!r} has the scale {quantity.scale.value}, not {check['scale']}"
    return ""


def no_cell_equals(check: Check, files: CaseFiles) -> str:
    wanted, value = plain(str(check["value"])), decimal_of(check["value"])
    for place in tables_of(files.read(check["file"]), page=check.get("page")):
        for row in place.table.rows:
            for cell in row.cells:
                number = decimal_of(cell.value) if cell.value else read_number(cell.text).value
                if plain(cell.text) == wanted or (value is not None and number == value):
                    return f"{row.label!r} has the cell {cell.text!r}"
    return ""


def table_rows(check: Check, files: CaseFiles) -> str:
    """The longest table of the pages, joined where a table of the same columns goes on."""
    pages = check.get("pages")
    runs: list[list[Place]] = []
    for place in tables_of(files.read(check["file"])):
        if pages and place.page.number not in pages:
            continue
        if runs and runs[-1][-1].table.columns == place.table.columns:
            runs[-1].append(place)
        else:
            runs.append([place])
    if not runs:
        return "no table"
    longest = max(runs, key=lambda run: sum(len(place.table.rows) for place in run))
    rows = [row for place in longest for row in place.table.rows]
    heads = {plain(head) for head in longest[0].table.columns if head}
    repeated = [row for row in rows if row.cells and all(plain(cell.text) in heads for cell in row.cells)]
    if check.get("header_once") and repeated:
        return f"the head is repeated as the row {repeated[0].label!r}"
    count = len(rows)
    return "" if count == check["data_rows"] else f"{count} rows, not {check['data_rows']}"


def number(check: Check, _files: CaseFiles) -> str:
    """The number reader by itself, with the context that the case gives (neighbours, language)."""
    reading = read_number(check["raw"], mark=mark_of_context(check.get("context")))
    wanted = check["value"]
    is_value = reading.state in (NumberState.VALUE, NumberState.DASH_ZERO)
    if wanted is None:
        return "" if not is_value else f"{check['raw']!r} is {reading.value}, not a value"
    if not is_value or reading.value is None:
        return f"{check['raw']!r} is {reading.state.value} {reading.reason}".rstrip()
    value, unit = in_unit(reading.value, reading.unit, check.get("unit", ""))
    if value != decimal_of(wanted):
        return f"{check['raw']!r} is {value}, not {wanted}"
    if check.get("unit") and not unit_is(unit, check["unit"]):
        return f"{check['raw']!r} is in {unit or 'no unit'}, not {check['unit']}"
    return ""


def warning(check: Check, files: CaseFiles) -> str:
    found = _warnings(files.read(check["file"]), check)
    return "" if found else f"no warning {' or '.join(check['code_any'])}"


def no_warning(check: Check, files: CaseFiles) -> str:
    found = _warnings(files.read(check["file"]), check)
    return f"warning {found[0]}" if found else ""


def ingest_status(check: Check, files: CaseFiles) -> str:
    file = files.read(check["file"])
    if file.state not in check["one_of"]:
        return f"{file.state} {file.failure}, not {' or '.join(check['one_of'])}"
    if check.get("reason_any") and file.state in ("failed", "rejected", "needs_password"):
        said = " ".join((*file.reasons, file.detail)).casefold()
        if not any(reason.casefold() in said for reason in check["reason_any"]):
            return f"the reason {file.reasons[:1]} does not say {' or '.join(check['reason_any'])}"
    if file.seconds > check.get("max_seconds", 60):
        return f"took {file.seconds:.1f} s"
    if file.growth_mib > check.get("max_extra_rss_mb", float("inf")):
        return f"the reading child grew by {file.growth_mib} MiB"
    return ""


def _warnings(file: ReadFile, check: Check) -> list[str]:
    wanted = {agreed_code(code) for code in check["code_any"]}
    page = check.get("page")
    return [
        found.code.value
        for part in file.family()
        for found in part.warnings
        if found.code.value in wanted and (page is None or found.page in (page, None))
    ]
