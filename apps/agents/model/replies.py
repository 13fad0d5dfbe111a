"""A model's reply as data: the one JSON object in it, checked for shape. Nothing here trusts a value."""

import json
import re
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from apps.core.text import clean_input


class UnreadableReply(Exception):
    """The reply holds no object of the asked shape; the text says why, for the repair prompt."""


class _Lenient(BaseModel):
    """Of unknown names nothing is kept; words are such as the database can hold."""

    model_config = ConfigDict(extra="ignore")

    @field_validator("*", mode="before")
    @classmethod
    def _clean(cls, value: object) -> object:
        if isinstance(value, list):
            return [clean_input(item) if isinstance(item, str) else item for item in value]
        return clean_input(value) if isinstance(value, str) else value


class PlanReply(_Lenient):
    queries: list[str] = Field(default_factory=list, max_length=12)


class Quoted(_Lenient):
    id: str
    quote: str = ""


class ProposedStatement(_Lenient):
    text: str
    evidence: list[Quoted] = Field(default_factory=list)


class AnswerReply(_Lenient):
    statements: list[ProposedStatement] = Field(default_factory=list, max_length=40)
    missing: list[str] = Field(default_factory=list, max_length=20)


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int


T = TypeVar("T", bound=BaseModel)


def read_reply(kind: type[T], text: str) -> T:
    """The first JSON object of the text that has the shape. Raises UnreadableReply."""
    reason = "no JSON object"
    for span in _objects(text):
        try:
            return kind.model_validate(json.loads(text[span.start : span.end]))
        except json.JSONDecodeError as exc:
            reason = f"not JSON: {exc.msg}"
        except (ValueError, RecursionError) as exc:  # an endless number, a thousand brackets
            if not isinstance(exc, ValidationError):
                reason = f"not readable: {type(exc).__name__}"
                continue
            first = exc.errors()[0]
            reason = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    raise UnreadableReply(reason)


def _objects(text: str) -> list[_Span]:
    """Stretches from an opening brace to the last closing one: the whole first, then shorter ones."""
    ends = [match.end() for match in re.finditer(r"\}", text)]
    starts = [match.start() for match in re.finditer(r"\{", text)][:3]
    return [_Span(start, end) for start in starts for end in reversed(ends[-3:]) if end > start]
