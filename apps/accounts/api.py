"""What every API view stands on: a scope for each method, validators of bodies, conditional answers."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse, HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.contracts import Scope
from apps.accounts.idempotency import idempotent
from apps.accounts.tokens import access_of_request, actor_of
from apps.core.paging import Piece

Form = TypeVar("Form", bound=serializers.BaseSerializer[Any])


class ApiView(APIView):
    """`scopes`: what a token needs for each method that the view has."""

    scopes: ClassVar[Mapping[str, Scope]] = {}


def checked(form: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The validated body. Raises DRF's ValidationError with every field at fault."""
    filled = form(data=request.data)
    filled.is_valid(raise_exception=True)
    return dict(filled.validated_data)


def listed(piece: Piece[Any], serializer: type[serializers.BaseSerializer[Any]]) -> Response:
    """The answer of a list."""
    return Response({"items": serializer(piece.items, many=True).data, "next": piece.next})


def list_of(serializer: type[serializers.BaseSerializer[Any]]) -> type[serializers.Serializer[Any]]:
    """The schema of `listed`."""
    name = serializer.__name__.removesuffix("Serializer")
    fields = {
        "items": serializer(many=True),
        "next": serializers.CharField(allow_null=True, help_text="`cursor` of the next piece, null at the end"),
    }
    return type(f"{name}ListSerializer", (serializers.Serializer,), fields)


def conditional(request: Request, data: Any) -> Response:
    """The data with an ETag; 304 without a body when the client has it already."""
    tag = tag_of(json.dumps(data, cls=DjangoJSONEncoder, sort_keys=True).encode())
    if is_known(request, tag):
        return Response(status=304, headers={"ETag": tag})
    return Response(data, headers={"ETag": tag, "Cache-Control": "private, no-cache"})


def conditional_bytes(request: Request, tag: str, make: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """As `conditional`, for bodies that are not JSON."""
    if is_known(request, tag):
        return HttpResponse(status=304, headers={"ETag": tag})
    response = make()
    response["ETag"] = tag
    response.setdefault("Cache-Control", "private, no-cache")
    return response


def tag_of(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def is_known(request: Request, tag: str) -> bool:
    known = request.headers.get("If-None-Match", "")
    return known.strip() == "*" or tag in {part.strip().removeprefix("W/") for part in known.split(",")}


__all__ = [
    "ApiView",
    "access_of_request",
    "actor_of",
    "checked",
    "conditional",
    "conditional_bytes",
    "idempotent",
    "list_of",
    "listed",
]
