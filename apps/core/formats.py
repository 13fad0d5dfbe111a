"""How numbers are written for the person of this request: by their choice, else by the language."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.utils import timezone, translation

POINT, COMMA = "point", "comma"  # the decimal sign
_chosen: ContextVar[str] = ContextVar("airis_number_format", default="")


@contextmanager
def person_formats(*, number_format: str, time_zone: str) -> Iterator[None]:
    """Inside, numbers and times are written as the person wants them ("": by language, in UTC)."""
    token = _chosen.set(number_format)
    try:
        with timezone.override(ZoneInfo(time_zone) if time_zone else ZoneInfo("UTC")):
            yield
    finally:
        _chosen.reset(token)


def format_number(value: int | float | Decimal, places: int | None = None) -> str:
    """1,234.56 or 1.234,56; `places` fixes the decimals, otherwise they stay as they are."""
    text = f"{value:,.{places}f}" if places is not None else f"{value:,}"
    chosen = _chosen.get() or (COMMA if (translation.get_language() or "").startswith("tr") else POINT)
    return text.translate(str.maketrans(",.", ".,")) if chosen == COMMA else text
