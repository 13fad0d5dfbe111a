"""Facts of inline XBRL filings beside the cells that our HTML reader makes of the same page.

    python -m tests.benchmarks.ixbrl FILE… [--misses]

A fact counts when it is numeric, visible and stands inside a table. It is found when a cell has its value; its scale is
right when one of those cells has it; its period is named when the year of its end stands in the heads, the section,
the label or the title of such a cell. Facts inside a label or a range ("par value $0.001 per share", "31%-72%") have no
cell of their own and count as not found.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from lxml import html

from apps.reading.contracts import Cell, PageContent, Row, Table
from apps.reading.html import HtmlReader
from apps.reading.quantities import Quantity, quantity_of


@dataclass(frozen=True, slots=True)
class Fact:
    name: str
    text: str
    value: Decimal  # as printed, without sign
    scale: int  # power of ten
    year: str  # of the period's end


@dataclass(frozen=True, slots=True)
class Printed:
    quantity: Quantity
    words: str  # heads, section, label and title


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--misses", action="store_true", help="list what was not found")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    for file in options.files:
        counts, misses = scored(file.read_bytes())
        total += counts
        print(json.dumps({"file": file.name, **counts}))
        for miss in misses if options.misses else ():
            print("  ", *miss)
    shares = {name: round(total[name] / total["facts"], 4) for name in ("value", "scale", "period")}
    print(json.dumps({"facts": total["facts"], **shares}))


def scored(data: bytes) -> tuple[Counter[str], list[tuple[str, Fact]]]:
    """(how many facts there are and how many have value, scale and period right; the others)"""
    cells = defaultdict(list)
    reader = HtmlReader(data)
    for page, _warnings in reader.pages(1, reader.facts().page_count):
        for value, printed in _printed(page):
            cells[value].append(printed)
    counts: Counter[str] = Counter(facts=0, value=0, scale=0, period=0)
    misses = []
    for fact in facts_of(data):
        counts["facts"] += 1
        found = cells[fact.value]
        scaled = [p for p in found if fact.value == 0 or _scale_of(p.quantity) == fact.scale]
        named = [p for p in scaled if fact.year in p.words]
        counts.update({"value": bool(found), "scale": bool(scaled), "period": bool(named)})
        if not named:
            misses.append(("period" if scaled else "scale" if found else "value", fact))
    return counts, misses


def facts_of(data: bytes) -> Iterator[Fact]:
    tree: Any = html.fromstring(data)  # lxml element
    years = {}
    for context in tree.iter("xbrli:context"):
        ends = [e.text for e in context.iter() if str(e.tag).split(":")[-1] in ("instant", "enddate")]
        years[context.get("id")] = ends[0].strip()[:4] if ends and ends[0] else ""
    for element in tree.iter("ix:nonfraction"):
        if element.get("xsi:nil") == "true" or not _is_visible_in_table(element):
            continue
        text = element.text_content().strip()
        is_zero = "zero" in (element.get("format") or "")
        try:
            value = Decimal(0) if is_zero else Decimal(text.replace(",", "").replace("\xa0", ""))
        except InvalidOperation:
            continue
        year = years.get(element.get("contextref"), "")
        yield Fact(element.get("name"), text, value, int(element.get("scale") or 0), year)


def _is_visible_in_table(element: Any) -> bool:  # Any: lxml element
    above = list(element.iterancestors())
    is_hidden = any(
        a.tag in ("ix:hidden", "ix:header") or "display:none" in (a.get("style") or "").replace(" ", "") for a in above
    )
    return not is_hidden and any(a.tag == "table" for a in above)


def _printed(page: PageContent) -> Iterator[tuple[Decimal, Printed]]:
    for table in page.tables:
        for row in table.rows:
            for cell in row.cells:
                quantity = quantity_of(page, table, row, cell)
                if quantity.value is not None:
                    yield abs(quantity.value), Printed(quantity, _words(table, row, cell))


def _words(table: Table, row: Row, cell: Cell) -> str:
    heads = table.columns[cell.column] if 0 <= cell.column < len(table.columns) else ""
    return " ".join((heads, row.section, row.label, table.title))


def _scale_of(quantity: Quantity) -> int:
    return -2 if quantity.unit == "percent" else len(str(int(quantity.scale.value))) - 1


if __name__ == "__main__":
    main()
