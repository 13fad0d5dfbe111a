"""Pages a processor second of the reading stage beside pymupdf4llm, on the same pages of the same files.

python -m tests.benchmarks.pages_per_second --documents DIR/documents --reader airis|pymupdf4llm [--pages 40]
"""

import argparse
import json
import time
from pathlib import Path

FILES = ("financebench/COSTCO_2021_10K.pdf", "financebench/AMCOR_2023_10K.pdf", "financebench/NETFLIX_2017_10K.pdf")
WINDOW = 16


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", required=True)
    parser.add_argument("--reader", choices=("airis", "pymupdf4llm"), default="airis")
    parser.add_argument("--pages", type=int, default=40, help="of each file, from the beginning")
    options = parser.parse_args()
    read = _airis if options.reader == "airis" else _pymupdf4llm
    read(Path(options.documents) / FILES[0], 2)  # what is loaded once is not counted
    began = time.process_time()
    count = sum(read(Path(options.documents) / name, options.pages) for name in FILES)
    seconds = time.process_time() - began
    print(json.dumps({"reader": options.reader, "pages": count, "pages_per_cpu_s": round(count / seconds, 1)}))


def _airis(path: Path, pages: int) -> int:
    from apps.reading.pdf import PdfReader

    reader = PdfReader(path.read_bytes())
    return sum(len(reader.pages(first, min(first + WINDOW - 1, pages))) for first in range(1, pages + 1, WINDOW))


def _pymupdf4llm(path: Path, pages: int) -> int:
    import pymupdf4llm

    return len(pymupdf4llm.to_markdown(str(path), pages=list(range(pages)), page_chunks=True, show_progress=False))


if __name__ == "__main__":
    main()
