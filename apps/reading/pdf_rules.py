"""The straight lines that a PDF page draws, as rules of its tables. Costs 2 ms a page and 50 ms on shaded ones."""

from typing import Any

from apps.reading.table_grid import Rule, Rules

_THIN_PT = 2.0
_SHORT_PT = 6.0


def rules_of(page: Any) -> Rules:
    """Thin fills and strokes that run straight across or down, and the sides of drawn boxes."""
    across: list[Rule] = []
    down: list[Rule] = []
    for drawing in page.get_cdrawings():
        for item in drawing["items"]:
            if item[0] == "l":
                (x0, y0), (x1, y1) = item[1], item[2]
                _add(across, down, min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
            elif item[0] == "re":
                x0, y0, x1, y1 = item[1]
                if min(x1 - x0, y1 - y0) < _THIN_PT:
                    _add(across, down, x0, y0, x1, y1)
                elif drawing.get("color") is not None:
                    for side in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
                        _add(across, down, *side)
    return Rules(tuple(across), tuple(down))


def _add(across: list[Rule], down: list[Rule], x0: float, y0: float, x1: float, y1: float) -> None:
    if x1 - x0 >= _SHORT_PT and y1 - y0 < _THIN_PT:
        across.append(((y0 + y1) / 2, x0, x1))
    elif y1 - y0 >= _SHORT_PT and x1 - x0 < _THIN_PT:
        down.append(((x0 + x1) / 2, y0, y1))
