"""The parts of an XLSX package around its cells: sheets, shared strings, number formats, the date epoch.

openpyxl's read-only mode gives either formulas or stored values and neither hidden rows nor merged cells; reading
the parts here gives all of it in one pass. openpyxl still says which formats are dates and what a serial means.
"""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lxml import etree
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

from apps.reading.containers import Container, refuse_doctype
from apps.reading.contracts import ReadingError, ReadingFailure
from apps.reading.typed import Typed, from_moment, from_number

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"


@dataclass(frozen=True, slots=True)
class SheetPart:
    name: str
    path: str
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class Formats:
    """Number format by style index, and whether it shows dates."""

    codes: tuple[str, ...]
    uses_1904: bool

    def code(self, style: int) -> str:
        return self.codes[style] if 0 <= style < len(self.codes) else "General"

    def typed(self, number: float | int, style: int) -> Typed:
        """A stored number as its format means it: date, percentage, amount."""
        code = self.code(style)
        if _is_moment(code):
            epoch = CALENDAR_MAC_1904 if self.uses_1904 else CALENDAR_WINDOWS_1900
            try:
                moment = from_excel(number, epoch, timedelta=is_timedelta_format(code))
            except (ValueError, OverflowError):
                return from_number(number, "General")
            if moment is not None:
                return from_moment(moment, code)
        return from_number(number, code)


@lru_cache(maxsize=4096)
def _is_moment(code: str) -> bool:
    return bool(is_date_format(code) or is_timedelta_format(code))


def local(element: Any) -> str:  # Any: lxml element
    """The tag without its namespace, which differs between transitional and strict files."""
    return str(element.tag).rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def children(element: Any, tag: str) -> list[Any]:  # Any: lxml elements
    return [child for child in element if local(child) == tag]


def sheet_parts(container: Container) -> tuple[tuple[SheetPart, ...], bool]:
    """(worksheets in tab order, whether dates count from 1904)."""
    workbook = container.xml("xl/workbook.xml")
    targets = relations(container, "xl/workbook.xml")
    uses_1904 = False
    parts: list[SheetPart] = []
    for element in workbook.iter():
        if local(element) == "workbookPr":
            uses_1904 = element.get("date1904") in ("1", "true")
        if local(element) == "sheet":
            path = targets.get(next((v for k, v in element.attrib.items() if k.endswith("}id")), ""), "")
            if path in container and "chartsheet" not in path:
                name = " ".join(str(element.get("name") or "").split())[:40]
                parts.append(SheetPart(name, path, element.get("state", "visible") != "visible"))
    return tuple(parts), uses_1904


def relations(container: Container, part: str) -> dict[str, str]:
    """Target part by relation id; targets outside the package are left out."""
    folder, name = posixpath.split(part)
    path = f"{folder}/_rels/{name}.rels"
    if path not in container:
        return {}
    found = {}
    for element in container.xml(path):
        target = str(element.get("Target") or "")
        if element.get("TargetMode") != "External" and element.get("Id"):
            is_absolute = target.startswith("/")
            found[str(element.get("Id"))] = (
                target.lstrip("/") if is_absolute else posixpath.normpath(posixpath.join(folder, target))
            )
    return found


def formats_of(container: Container, *, uses_1904: bool) -> Formats:
    if "xl/styles.xml" not in container:
        return Formats((), uses_1904)
    root = container.xml("xl/styles.xml")
    own: dict[int, str] = {}
    codes: list[str] = []
    for element in root:
        if local(element) == "numFmts":
            own = {int(f.get("numFmtId", "0")): str(f.get("formatCode") or "") for f in children(element, "numFmt")}
        if local(element) == "cellXfs":
            numbers = [int(xf.get("numFmtId", "0")) for xf in children(element, "xf")]
            codes = [own.get(number) or BUILTIN_FORMATS.get(number, "General") for number in numbers]
    return Formats(tuple(codes), uses_1904)


def shared_strings(container: Container) -> list[str]:
    """Texts of the shared string table in order; phonetic helps are left out."""
    if "xl/sharedStrings.xml" not in container:
        return []
    return [string_of(element) for element in stream(container, "xl/sharedStrings.xml", ("si",))]


def string_of(element: Any) -> str:  # Any: lxml element
    """The words of an <si> or <is>."""
    pieces = []
    for child in element:
        if local(child) == "t":
            pieces.append(child.text or "")
        elif local(child) == "r":
            pieces += [t.text or "" for t in children(child, "t")]
    return "".join(pieces)


def stream(container: Container, path: str, tags: tuple[str, ...]) -> Iterator[Any]:  # Any: lxml elements
    """Elements of a part as they close, forgotten after use: memory does not grow with the part."""
    wanted = [namespace + tag for tag in tags for namespace in (_MAIN, _STRICT)]
    is_first = True
    with container.open(path) as source:
        try:
            for _event, element in etree.iterparse(
                source,
                tag=wanted,
                resolve_entities=False,
                no_network=True,
                load_dtd=False,
                huge_tree=False,
                remove_comments=True,
                remove_pis=True,
            ):
                if is_first:
                    refuse_doctype(element)
                    is_first = False
                yield element
                element.clear()
                parent = element.getparent()
                while parent is not None and element.getprevious() is not None:
                    del parent[0]
        except (etree.XMLSyntaxError, ValueError, OSError, EOFError) as exc:
            raise ReadingError(ReadingFailure.DAMAGED, "sheet") from exc
