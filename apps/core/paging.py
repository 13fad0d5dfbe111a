"""Lists of the API in pieces: `{"items": […], "next": cursor or null}`. A cursor is a place in an order, no right."""

import base64
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from apps.core.errors import InputError

T = TypeVar("T")
DEFAULT_LIMIT, MOST = 50, 200
Place = tuple[datetime, UUID]


@dataclass(frozen=True, slots=True)
class Piece(Generic[T]):
    """`next`: the cursor of what follows, None at the end."""

    items: tuple[T, ...]
    next: str | None


class PieceQuery(serializers.Serializer[Any]):
    """The two parameters that every list takes."""

    cursor = serializers.CharField(required=False, max_length=1000, help_text="`next` of the answer before")
    limit = serializers.IntegerField(required=False, default=DEFAULT_LIMIT, min_value=1, max_value=MOST)


def limit_of(request: Request) -> int:
    """How many items the request asks for. Raises InputError."""
    text = request.query_params.get("limit", str(DEFAULT_LIMIT))
    if not text.isascii() or not text.isdecimal() or len(text) > 4 or not 1 <= int(text) <= MOST:
        raise InputError(_("Give a limit from 1 to 200."), field="limit")
    return int(text)


def place_of(request: Request) -> Place | None:
    """The moment and id after which the list goes on; None at its beginning. Raises InputError."""
    values = _decoded(request)
    if values is None:
        return None
    try:
        moment, item = values
        at = datetime.fromisoformat(moment)
        if at.tzinfo is None:
            raise ValueError("no zone")
        return at.astimezone(UTC), UUID(item)
    except (ValueError, OverflowError, TypeError, AttributeError) as exc:
        raise InputError(_("This cursor is not one of this list."), field="cursor") from exc


def piece_of_rows(rows: Sequence[T], limit: int, place: Callable[[T], Place]) -> Piece[T]:
    """A piece out of `limit` + 1 rows read in order."""
    items = tuple(rows[:limit])
    if len(rows) <= limit:
        return Piece(items, None)
    at, item = place(items[-1])
    return Piece(items, _encoded([at.isoformat(), str(item)]))


def piece_of_all(request: Request, everything: Iterable[T], key: Callable[[T], tuple[str, ...]]) -> Piece[T]:
    """A piece of a list that was read whole, in the order of `key`; items with equal keys keep their order."""
    limit, after = limit_of(request), _decoded(request)
    if after is not None and not all(isinstance(part, str) for part in after):
        raise InputError(_("This cursor is not one of this list."), field="cursor")
    seen: Counter[tuple[str, ...]] = Counter()
    rest: list[tuple[list[str], T]] = []
    for item in sorted(everything, key=key):
        seen[key(item)] += 1
        place = [*key(item), f"{seen[key(item)]:06d}"]
        if after is None or place > after:
            rest.append((place, item))
    items = tuple(item for _place, item in rest[:limit])
    return Piece(items, _encoded(rest[limit - 1][0]) if len(rest) > limit else None)


def _encoded(values: list[str]) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


def _decoded(request: Request) -> list[Any] | None:  # Any: what a stranger may have put there
    text = request.query_params.get("cursor", "")
    if not text:
        return None
    try:
        values = json.loads(base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)))
    except (ValueError, RecursionError) as exc:
        raise InputError(_("This cursor is not one of this list."), field="cursor") from exc
    if not isinstance(values, list):
        raise InputError(_("This cursor is not one of this list."), field="cursor")
    return values
