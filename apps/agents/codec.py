"""Frozen contracts to JSON and back, by their type hints. Records of a run are kept in this form."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from typing import Any, TypeVar
from uuid import UUID

T = TypeVar("T")


def to_json(value: Any) -> Any:  # Any: JSON trees have no narrower type
    """Dataclasses as objects, tuples as arrays, UUID, Decimal and enums as strings."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, (tuple, list)):
        return [to_json(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (UUID, Decimal)):
        return str(value)
    return value


def from_json(kind: type[T], data: Any) -> T:  # Any: as above
    """The dataclass out of its JSON; unknown keys are ignored, absent ones take their defaults."""
    result: T = _read(kind, data)
    return result


def _read(kind: Any, data: Any) -> Any:  # Any: type hints are values here
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        if data is None:
            return None
        return _read(next(part for part in typing.get_args(kind) if part is not type(None)), data)
    if origin is tuple:
        parts = typing.get_args(kind)
        if len(parts) == 2 and parts[1] is Ellipsis:
            return tuple(_read(parts[0], item) for item in data)
        return tuple(_read(part, item) for part, item in zip(parts, data, strict=True))
    if dataclasses.is_dataclass(kind) and isinstance(data, Mapping):
        hints = typing.get_type_hints(kind)
        known = {f.name: _read(hints[f.name], data[f.name]) for f in dataclasses.fields(kind) if f.name in data}
        return kind(**known)  # type: ignore[operator]  # a dataclass type, checked above
    if kind in (UUID, Decimal) or (isinstance(kind, type) and issubclass(kind, Enum)):
        return kind(data)
    return data
