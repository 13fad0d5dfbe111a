"""What all API views share: bounded JSON, problem details."""

import json
import math
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import connection, transaction
from django.http import Http404
from django.http.multipartparser import MultiPartParserError
from rest_framework import exceptions
from rest_framework.parsers import BaseParser
from rest_framework.response import Response

from apps.core.errors import AirisError, NotFound, TooLarge
from apps.core.http_errors import problem, problem_body
from apps.core.text import clean_input

DEEPEST_JSON = 32
PROBLEM_TYPE = "application/problem+json"


class BoundedJSONParser(BaseParser):
    """JSON up to MAX_BODY_BYTES and 32 levels; strings come out clean (NFC, no NUL, no lone surrogates)."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        body = stream.read(settings.MAX_BODY_BYTES + 1)
        if len(body) > settings.MAX_BODY_BYTES:
            raise RequestDataTooBig
        try:
            return _clean(json.loads(body), depth=0)
        except (ValueError, RecursionError) as exc:
            raise exceptions.ParseError("The body is not JSON that can be used.") from exc


def problem_details(exc: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: every error leaves as problem details, what was written goes back."""
    if connection.in_atomic_block:
        transaction.set_rollback(True)
    if isinstance(exc, Http404):
        exc = NotFound()
    if isinstance(exc, (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)):
        exc = TooLarge()
    if isinstance(exc, MultiPartParserError):
        exc = exceptions.ParseError("The body is not a form that can be read.")
    if isinstance(exc, AirisError):
        return Response(problem(exc), status=exc.status, content_type=PROBLEM_TYPE)
    if isinstance(exc, exceptions.APIException):
        detail = exc.detail if isinstance(exc.detail, str) else "The input is not valid."
        body = problem_body(exc.status_code, exc.default_code, detail)
        if isinstance(exc, exceptions.ValidationError):
            body["errors"] = exc.detail
        return Response(body, status=exc.status_code, headers=_headers(exc), content_type=PROBLEM_TYPE)
    return None


def _headers(exc: exceptions.APIException) -> dict[str, str]:
    headers = {}
    scheme, wait = getattr(exc, "auth_header", None), getattr(exc, "wait", None)
    if scheme:
        headers["WWW-Authenticate"] = scheme
    if wait:
        headers["Retry-After"] = str(math.ceil(wait))
    return headers


def _clean(value: Any, *, depth: int) -> Any:
    if depth > DEEPEST_JSON:
        raise ValueError("too deep")
    if isinstance(value, str):
        return clean_input(value)
    if isinstance(value, list):
        return [_clean(item, depth=depth + 1) for item in value]
    if isinstance(value, dict):
        return {clean_input(key): _clean(item, depth=depth + 1) for key, item in value.items()}
    return value
