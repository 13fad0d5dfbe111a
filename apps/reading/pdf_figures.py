"""Pictures of a PDF page that say something, and the outline that the file itself holds. Runs only in the child."""

from __future__ import annotations

from typing import Any

from apps.reading import normalise
from apps.reading.contracts import Box, FigureContent, OutlineItem

_LEAST_PT = 36.0  # half an inch: smaller ones are marks and rules
_MOST_SHARE = 0.92  # of the page: a scan, not a figure on it
_MOST_ON_PAGE = 60
_MOST_ITEMS = 5_000
_DEEPEST = 6


def figures_of(page: Any) -> tuple[FigureContent, ...]:  # Any: a MuPDF page
    """Where pictures stand, in reading order; tiles of one picture are one."""
    area = max(page.rect.width * page.rect.height, 1.0)
    boxes: list[Box] = []
    for info in page.get_image_info():
        x0, y0, x1, y1 = page.rect & info["bbox"]
        if x1 - x0 >= _LEAST_PT and y1 - y0 >= _LEAST_PT and (x1 - x0) * (y1 - y0) < _MOST_SHARE * area:
            boxes.append((round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1)))
        if len(boxes) >= _MOST_ON_PAGE:
            break
    joined = _joined(boxes)
    return tuple(FigureContent("picture", box) for box in sorted(joined, key=lambda b: (round(b[1] / 20), b[0])))


def outline_of(document: Any) -> tuple[OutlineItem, ...]:
    """The file's own outline; () for none, or for one that points nowhere."""
    found = []
    for level, title, page, *_rest in document.get_toc(simple=True)[:_MOST_ITEMS]:
        words = " ".join(normalise.clean_line(str(title)).split())[:300]
        if words and 1 <= page <= document.page_count:
            found.append(OutlineItem(min(max(int(level), 1), _DEEPEST), words, int(page)))
    return tuple(found)


def _joined(boxes: list[Box]) -> list[Box]:
    """Boxes that touch along a side are one."""
    found: list[Box] = []
    for box in sorted(boxes, key=lambda b: (b[1], b[0])):
        for index, other in enumerate(found):
            if _is_beside(box, other):
                found[index] = (
                    min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3]),
                )  # fmt: skip
                break
        else:
            found.append(box)
    return found


def _is_beside(a: Box, b: Box) -> bool:
    across = min(a[2], b[2]) - max(a[0], b[0])
    down = min(a[3], b[3]) - max(a[1], b[1])
    return across > -1.5 and down > -1.5 and max(across, down) > 0
