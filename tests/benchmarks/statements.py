"""Rows of balance sheet, income and cash-flow pages: the reading stage beside pymupdf4llm, by one rule.

    python -m tests.benchmarks.statements list --documents DIR/documents          # writes statement_pages.json
    python -m tests.benchmarks.statements score --documents DIR/documents --reader airis|pymupdf4llm [--show]

Pages (`statement_pages.json`, made by `list` from the text layer alone, before any reader was scored): every page of a
10-K or 10-Q PDF whose first 14 lines name a balance sheet, statement of income, operations, earnings or cash flows,
and which has at least 8 counted rows; contents pages have none.

Counted rows: lines of the text layer (words whose middles lie within 2.5 points) that end in two or more numbers and
begin with words. The numbers are the longest run of numbers, dashes, currency and percent signs at the line's end.
A row is right when the reader gives a table row with the same numbers in the same order (digits, decimal point and
sign; dashes left out) and the same label (letters and digits; a label that the reader joined from two lines must begin
or end with the line's own).

Two amendments after the first run (which counted 2,458 lines and found 2,276 right for airis, 0.926): a line whose
numbers are nothing but years and days of a month is a column head and not counted; numbers at the beginning of the run
may stand in the reader's label ("Fiscal year 2024 | 115 | 11").
"""

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PAGES = Path(__file__).with_name("statement_pages.json")
FILES = ("*10K*.pdf", "*10Q*.pdf", "sec_10q/*.pdf", "uda/*.pdf")
TITLE = re.compile(
    r"\b(?:balance\s+sheets?|statements?\s+of\s+(?:consolidated\s+)?(?:comprehensive\s+)?(?:net\s+)?"
    r"(?:income|operations|earnings|financial\s+(?:position|condition)|cash\s+flows?)"
    r"|income\s+statements?|cash\s+flows?\s+statements?)\b",
    re.IGNORECASE,
)
TITLE_LINES, LEAST_ROWS = 14, 8
SAME_LINE_PT = 2.5
SIGN = re.compile(r"^[$€£%)(]+$")
DASH = re.compile(r"^[$(]*[-–—]+[%)]*$")
NUMBER = re.compile(r"^[$€£(-]*\d[\d,]*(?:\.\d+)?[%)]*$|^[$€£(-]*\.\d+[%)]*$")
YEAR = re.compile(r"^(?:19|20)\d\d$")
Row = tuple[str, tuple[str, ...]]


def main() -> None:
    options = _options()
    root = Path(options.documents)
    if options.act == "list":
        listed = {str(path.relative_to(root)): pages for path in _files(root) if (pages := statement_pages(path))}
        PAGES.write_text(json.dumps(listed, indent=1) + "\n")
        print(len(listed), "files", sum(map(len, listed.values())), "pages")
        return
    listed = json.loads(PAGES.read_text())
    counted: Counter[str] = Counter()
    seconds = 0.0
    for name, pages in listed.items():
        began = time.process_time()
        found = airis_rows(root / name, pages) if options.reader == "airis" else pymupdf4llm_rows(root / name, pages)
        seconds += time.process_time() - began
        for page, gold in zip(pages, gold_rows(root / name, pages), strict=True):
            wrong = [row for row in gold if not is_given(row, found[page])]
            counted.update(rows=len(gold), right=len(gold) - len(wrong), pages=1)
            counted[f"{name}: wrong"] += len(wrong)
            for row in wrong if options.show else ():
                print(f"{name} p.{page}: {row}")
    share = counted["right"] / max(counted["rows"], 1)
    report = {key: counted[key] for key in ("pages", "rows", "right")}
    wrong_by_file = {key[:-7]: n for key, n in counted.items() if key.endswith(": wrong") and n}
    report_all = {**report, "share": round(share, 4), "cpu_s": round(seconds, 1), "wrong": wrong_by_file}
    print(json.dumps({"reader": options.reader, **report_all}))
    sys.exit(0 if share >= options.gate else 1)


def statement_pages(path: Path) -> list[int]:
    """Numbers (from 1) of the pages that the rule takes, by the text layer alone."""
    import pymupdf

    taken = []
    with pymupdf.open(path) as document:
        for page in document:
            lines = _lines(page)
            top = " ".join(" ".join(words) for words in lines[:TITLE_LINES])
            if TITLE.search(top) and sum(1 for line in lines if counted_row(line)) >= LEAST_ROWS:
                taken.append(page.number + 1)
    return taken


def gold_rows(path: Path, pages: list[int]) -> Iterator[list[Row]]:
    import pymupdf

    with pymupdf.open(path) as document:
        for number in pages:
            yield [row for line in _lines(document[number - 1]) if (row := counted_row(line))]


def counted_row(words: list[str]) -> Row | None:
    """(label, numbers) of a line that counts, else None."""
    label, numbers = parted(words)
    is_head = all(YEAR.match(number) for number in numbers if not (number.isdigit() and int(number) <= 31))
    is_row = len(numbers) >= 2 and sum(c.isalpha() for c in label) >= 2
    return (label, numbers) if is_row and not (is_head and any(map(YEAR.match, numbers))) else None


def parted(words: list[str]) -> Row:
    """The words before the run of values at the end, and the numbers of that run."""
    first = len(words)
    while first and (NUMBER.match(words[first - 1]) or DASH.match(words[first - 1]) or SIGN.match(words[first - 1])):
        first -= 1
    return plain(" ".join(words[:first])), numbers_of(" ".join(words[first:]))


def numbers_of(text: str) -> tuple[str, ...]:
    """ "$ (1,234)" is "-1234"; dashes are none."""
    found = re.finditer(r"(?P<minus>[(-]\s*[$€£]?\s*|[$€£]\s*\(\s*)?(?P<digits>\d[\d,]*(?:\.\d+)?|\.\d+)", text)
    return tuple(("-" if match["minus"] else "") + match["digits"].replace(",", "") for match in found)


def plain(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def is_given(row: Row, found: list[Row]) -> bool:
    label, numbers = row
    for name, other in found:
        spare = len(numbers) - len(other)
        if spare < 0 or not other or numbers[spare:] != other:
            continue
        whole = label + "".join(map(plain, numbers[:spare]))
        if name.startswith(whole) or name.endswith(whole):
            return True
    return False


def airis_rows(path: Path, pages: list[int]) -> dict[int, list[Row]]:
    from apps.reading.pdf import PdfReader

    reader = PdfReader(path.read_bytes())
    found: dict[int, list[Row]] = {}
    for number in pages:
        content = reader.pages(number, number)[0][0]
        found[number] = [
            (plain(row.label), numbers_of(" ".join(cell.text for cell in row.cells)))
            for table in content.tables
            for row in table.rows
        ]
    return found


def pymupdf4llm_rows(path: Path, pages: list[int]) -> dict[int, list[Row]]:
    import pymupdf4llm

    chunks = pymupdf4llm.to_markdown(str(path), pages=[n - 1 for n in pages], page_chunks=True, show_progress=False)
    found = {}
    for number, chunk in zip(pages, chunks, strict=True):
        rows = [line for line in chunk["text"].splitlines() if line.lstrip().startswith("|")]
        found[number] = [parted(re.sub(r"<br>|\*\*|[|_~`]", " ", row).split()) for row in rows]
    return found


def _lines(page: object) -> list[list[str]]:
    """Words of the text layer by visual line, top to bottom, left to right. Any: PyMuPDF has no types."""
    matrix = page.rotation_matrix  # type: ignore[attr-defined]  # no types
    import pymupdf

    words = [(pymupdf.Rect(w[:4]) * matrix, w[4]) for w in page.get_text("words")]  # type: ignore[attr-defined]  # no types
    words.sort(key=lambda word: (word[0].y0 + word[0].y1) / 2)
    lines: list[list[tuple[float, str]]] = []
    last = float("-inf")
    for box, text in words:
        middle = (box.y0 + box.y1) / 2
        if middle - last > SAME_LINE_PT:
            lines.append([])
        last = middle
        lines[-1].append((box.x0, text))
    return [[text for _x, text in sorted(line)] for line in lines]


def _files(root: Path) -> list[Path]:
    found = {path for pattern in FILES for path in root.glob(pattern if "/" in pattern else f"financebench/{pattern}")}
    return sorted(found)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("act", choices=("list", "score"))
    parser.add_argument("--documents", required=True)
    parser.add_argument("--reader", choices=("airis", "pymupdf4llm"), default="airis")
    parser.add_argument("--show", action="store_true", help="print the rows that are wrong")
    parser.add_argument("--gate", type=float, default=0.0, help="least share of right rows")
    return parser.parse_args()


if __name__ == "__main__":
    main()
