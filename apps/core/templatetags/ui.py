"""Template tags of the design system: icons, byte sizes. No logic that belongs in a selector."""

import re
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from apps.core.formats import format_number

register = template.Library()
_ICONS: dict[str, str] = {}
_UNITS = ("B", "KB", "MB", "GB", "TB")


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """An inline SVG from static/icons; decorative unless it has a label."""
    if name not in _ICONS:
        if not name.replace("-", "").isalnum():
            raise ValueError(name)
        drawing = Path(settings.ROOT / "static" / "icons" / f"{name}.svg").read_text().partition("-->")[2].strip()
        _ICONS[name] = re.sub(r'\s+class="[^"]*"', "", drawing, count=1)
    accessible = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return mark_safe(_ICONS[name].replace("<svg", f'<svg class="icon" {accessible}', 1))  # noqa: S308  (our own files)


@register.filter
def number(value: Any, places: int | None = None) -> str:
    """A number as the person writes it: 1,234.56 or 1.234,56. What is not a number stays as it is."""
    return format_number(value, places) if isinstance(value, int | float | Decimal) else str(value)


@register.filter
def bytes_size(value: int) -> str:
    """1.4 MB; powers of 1024, in the person's way of writing numbers."""
    size, unit = float(value), 0
    while size >= 1024 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{format_number(size, 1 if unit else 0)}\u00a0{_UNITS[unit]}"


@register.filter
def with_numbers(text: str, numbers: Iterable[Any]) -> SafeString:
    """The text with its verified numbers marked; hovering tells value and unit. Everything is escaped."""
    parts: list[str] = []
    rest = text
    for number in numbers:
        before, found, after = rest.partition(number.text)
        if not found or not number.verified or not number.text:
            continue
        title = escape(" ".join(part for part in (number.value, number.unit) if part))
        parts += [escape(before), f'<span class="number--verified" title="{title}">{escape(found)}</span>']
        rest = after
    return mark_safe("".join([*parts, escape(rest)]))  # noqa: S308  (each part is escaped above)
