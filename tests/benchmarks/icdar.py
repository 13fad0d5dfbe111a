"""Cells of the ICDAR-2013 table documents: F1 of neighbouring cells, by document and over all.

    python -m tests.benchmarks.icdar --data DIR/tables_icdar2013 [--whole] [--show NAME]

The measure of the competition (Göbel et al., ICDAR 2013): for every cell the nearest cell that is not blank to its
right and below it gives a relation (text, text, direction); relations of a document are compared as bags, texts without
blanks and signs. Without `--whole` the gold regions are given; with it tables are those
that the reader finds on whole pages.
"""

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from apps.reading._pymupdf import pymupdf
from apps.reading.geometry import Token
from apps.reading.pdf import PdfReader
from apps.reading.pdf_rules import rules_of
from apps.reading.pdf_words import words_of
from apps.reading.table_grid import Rules, grid_of

Relation = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Placed:
    text: str
    row: int
    row_end: int
    column: int
    column_end: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--show", default="")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    by_document = {}
    for path in sorted(Path(options.data).glob("*.pdf")):
        gold = _gold(path.with_name(f"{path.stem}-str.xml"))
        found = _whole(path) if options.whole else _given(path)
        hits, given, wanted = (gold & found).total(), found.total(), gold.total()
        total.update(hits=hits, given=given, wanted=wanted)
        by_document[path.stem] = round(2 * hits / max(given + wanted, 1), 3)
        if options.show == path.stem:
            print("missing", *sorted((gold - found).elements()), sep="\n  ")
            print("wrong", *sorted((found - gold).elements()), sep="\n  ")
    mean = sum(by_document.values()) / len(by_document)
    f1 = 2 * total["hits"] / (total["given"] + total["wanted"])
    print(json.dumps({"regions": "found" if options.whole else "given", "f1": round(f1, 3), "mean": round(mean, 3),
                      **total, "documents": by_document}))  # fmt: skip


def relations(cells: list[Placed]) -> Counter[Relation]:
    """Each cell with its nearest neighbours to the right and below, once."""
    cells = [cell for cell in cells if cell.text]
    found: set[tuple[int, int, str]] = set()
    for i, cell in enumerate(cells):
        for row in range(cell.row, cell.row_end + 1):
            right = [
                (c.column, j) for j, c in enumerate(cells) if c.row <= row <= c.row_end and c.column > cell.column_end
            ]
            if right:
                found.add((i, min(right)[1], "right"))
        for column in range(cell.column, cell.column_end + 1):
            below = [
                (c.row, j) for j, c in enumerate(cells) if c.column <= column <= c.column_end and c.row > cell.row_end
            ]
            if below:
                found.add((i, min(below)[1], "below"))
    return Counter((cells[i].text, cells[j].text, way) for i, j, way in found)


def _gold(path: Path) -> Counter[Relation]:
    bag: Counter[Relation] = Counter()
    for table in ElementTree.parse(path).getroot().iter("table"):
        cells, row_base, column_base = [], 0, 0
        for region in table.iter("region"):
            row_base += int(region.get("row-increment", "0"))
            column_base += int(region.get("col-increment", "0"))
            for cell in region.iter("cell"):
                row, column = int(cell.get("start-row", "0")), int(cell.get("start-col", "0"))
                row_end, column_end = int(cell.get("end-row", row)), int(cell.get("end-col", column))
                text = _plain("".join(node.text or "" for node in cell.iter("content")))
                cells.append(
                    Placed(text, row + row_base, row_end + row_base, column + column_base, column_end + column_base)
                )
        bag += relations(cells)
    return bag


def _given(path: Path) -> Counter[Relation]:
    bag: Counter[Relation] = Counter()
    document = pymupdf.open(path)
    for table in ElementTree.parse(path.with_name(f"{path.stem}-reg.xml")).getroot().iter("table"):
        cells: list[Placed] = []
        for region in table.iter("region"):
            page = document[int(region.get("page", "1")) - 1]
            box = next(region.iter("bounding-box"))
            x0, x1 = sorted(float(box.get(key, "0")) for key in ("x1", "x2"))
            y0, y1 = sorted(page.rect.height - float(box.get(key, "0")) for key in ("y1", "y2"))
            tokens = [t for t in words_of(page).tokens if _inside(t, (x0, y0, x1, y1))]
            base = max((cell.row_end for cell in cells), default=-1) + 1
            cells += _cells(tokens, rules_of(page), base)
        bag += relations(cells)
    return bag


def _whole(path: Path) -> Counter[Relation]:
    reader = PdfReader(path.read_bytes())
    bag: Counter[Relation] = Counter()
    for content, _warnings in reader.pages(1, reader.facts().page_count):
        for grid in content.grids:
            bag += relations(
                [
                    Placed(
                        _plain(cell.text or content.text[cell.start : cell.end]),
                        row.number, row.number, cell.column, cell.column + cell.span - 1,
                    )
                    for row in grid.rows
                    for cell in row.cells
                ]
            )  # fmt: skip
    return bag


def _cells(tokens: list[Token], rules: Rules, base: int) -> list[Placed]:
    return [
        Placed(_plain(cell.text), cell.row + base, cell.row_end + base, cell.column, cell.column_end)
        for cell in grid_of(tokens, rules)
    ]


def _inside(token: Token, box: tuple[float, ...]) -> bool:
    x, y = (token.box[0] + token.box[2]) / 2, (token.box[1] + token.box[3]) / 2
    return box[0] - 2 <= x <= box[2] + 2 and box[1] - 2 <= y <= box[3] + 2


def _plain(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


if __name__ == "__main__":
    main()
