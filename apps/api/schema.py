"""What every operation of the OpenAPI document has in common: problem details, Idempotency-Key, who may be refused."""

from typing import Any

PROBLEM = {
    "type": "object",
    "description": "RFC 9457 problem details",
    "required": ["type", "status", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "stable; compare this"},
        "detail": {"type": "string", "description": "a sentence for the person"},
        "field": {"type": "string", "description": "the one at fault"},
        "errors": {"description": "each field at fault with its reasons"},
    },
}
KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "maxLength": 200, "pattern": "^[!-~]*$"},
    "description": "Repeating the request with the same key gives the first answer; with another body, 422.",
}
METHODS = {"get", "put", "post", "patch", "delete"}


def complete(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """A drf-spectacular post-processing hook."""
    result["components"]["schemas"]["Problem"] = PROBLEM
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for path in result["paths"].values():
        for method in METHODS & set(path):
            operation = path[method]
            operation["responses"]["default"] = {"description": "what went wrong", "content": content}
            if method == "post" and "201" in operation["responses"]:
                operation.setdefault("parameters", []).append(KEY)
            if operation["operationId"] == "questions_create":
                operation.setdefault("parameters", []).append(KEY)
    return result
