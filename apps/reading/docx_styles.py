"""What a DOCX paragraph is by its style: heading with level, list item or paragraph; and the package's small parts."""

from dataclasses import dataclass, field
from typing import Any

from apps.reading.containers import Container
from apps.reading.contracts import BlockKind

_PART_LIMIT = 32 * 1024**2


def local(element: Any) -> str:  # Any: lxml element
    """The tag without its namespace, which differs between transitional and strict files."""
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def attribute(element: Any, name: str) -> str:  # Any: lxml element
    """An attribute whatever its namespace, "" when absent."""
    return next((str(value) for key, value in element.attrib.items() if key.rsplit("}", 1)[-1] == name), "")


def parts_of(container: Container, kind: str) -> list[Any]:  # Any: lxml elements
    """Roots of word/<kind>.xml, word/<kind>1.xml …, in order of their names."""
    stem = f"word/{kind}"
    names = [n for n in container.names if n.startswith(stem) and n[len(stem) :].removesuffix(".xml").isdecimal()]
    names += [f"{stem}.xml"] if f"{stem}.xml" in container else []
    return [container.xml(name, _PART_LIMIT) for name in sorted(names)]


@dataclass(slots=True)
class Styles:
    """Heading level and list membership by style id, inheritance applied."""

    levels: dict[str, int] = field(default_factory=dict)
    lists: set[str] = field(default_factory=set)

    def kind_of(self, paragraph: Any) -> tuple[BlockKind, int]:
        """(kind, heading level) of a paragraph."""
        properties = _child(paragraph, "pPr")
        style = _value(properties, "pStyle")
        outline = _value(properties, "outlineLvl")
        level = int(outline) + 1 if outline.isdecimal() and int(outline) < 9 else self.levels.get(style, 0)
        if level:
            return BlockKind.HEADING, level
        is_listed = _child(properties, "numPr") is not None or style in self.lists
        return (BlockKind.LIST_ITEM if is_listed else BlockKind.PARAGRAPH), 0

    def is_hidden(self, run: Any) -> bool:
        """Whether a run is formatted as hidden text."""
        mark = _child(_child(run, "rPr"), "vanish")
        return mark is not None and attribute(mark, "val") not in ("0", "false")


def styles_of(container: Container) -> Styles:
    if "word/styles.xml" not in container:
        return Styles()
    parents: dict[str, str] = {}
    styles = Styles()
    for style in container.xml("word/styles.xml", _PART_LIMIT):
        if local(style) != "style":
            continue
        identifier, name = attribute(style, "styleId"), _value(style, "name").lower()
        parents[identifier] = _value(style, "basedOn")
        properties = _child(style, "pPr")
        outline = _value(properties, "outlineLvl")
        if name == "title":
            styles.levels[identifier] = 1
        elif name.startswith("heading ") and name[8:].isdecimal():
            styles.levels[identifier] = min(int(name[8:]), 9)
        elif outline.isdecimal() and int(outline) < 9:
            styles.levels[identifier] = int(outline) + 1
        if _child(properties, "numPr") is not None or name.startswith("list "):
            styles.lists.add(identifier)
    for identifier in parents:
        _inherit(identifier, parents, styles)
    return styles


def _inherit(identifier: str, parents: dict[str, str], styles: Styles) -> None:
    seen = {identifier}
    parent = parents.get(identifier, "")
    while parent and parent not in seen:
        seen.add(parent)
        if parent in styles.levels:
            styles.levels.setdefault(identifier, styles.levels[parent])
            return
        parent = parents.get(parent, "")


def _child(element: Any, name: str) -> Any:
    return None if element is None else next((child for child in element if local(child) == name), None)


def _value(element: Any, name: str) -> str:
    child = _child(element, name)
    return "" if child is None else attribute(child, "val")
