"""Error → page, part or API body. One place, so that all routes answer an unknown thing word for word alike."""

import logging
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme

from apps.core.errors import AirisError, NotFound, Unavailable

logger = logging.getLogger(__name__)


def error_response(request: HttpRequest, error: AirisError) -> HttpResponse:
    """The answer for an error: problem details for the API, a part for HTMX, a page otherwise."""
    if error.status >= 500:
        logger.error("request failed", extra={"code": error.code}, exc_info=error)
    if request.path.startswith("/api/"):
        return JsonResponse(problem(error), status=error.status, content_type="application/problem+json")
    if isinstance(error, Unavailable):  # no shell: it would ask the database
        return HttpResponse(render_to_string("errors/unavailable.html", {"error": error}), status=error.status)
    context = {"error": error, "back": _page_before(request)}
    if request.headers.get("HX-Request") == "true":
        response = render(request, "errors/_notice.html", context, status=error.status)
        response["HX-Retarget"] = "#notices"
        response["HX-Reswap"] = "beforeend"
        return response
    return render(request, "errors/error.html", context, status=error.status)


def _page_before(request: HttpRequest) -> str:
    """The page of this site that the person came from, "" when there is none to go back to."""
    before = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(before, allowed_hosts={request.get_host()})
    return before if is_ours and before != request.build_absolute_uri() else ""


def problem(error: AirisError) -> dict[str, object]:
    """RFC 9457 problem details."""
    body = problem_body(error.status, error.code, str(error.message))
    field = getattr(error, "field", "")
    return body | ({"field": field} if field else {})


def problem_body(status: int, code: str, detail: str) -> dict[str, object]:
    """`title` is the status in words, `code` what programs compare, `detail` a sentence for the person."""
    return {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "code": code, "detail": detail}


def unknown_address(request: HttpRequest, exception: Exception) -> HttpResponse:
    """An address that no route matches answers like a thing that does not exist."""
    return error_response(request, NotFound())


def failed(request: HttpRequest) -> HttpResponse:
    """An error that nobody foresaw: the log has it, the person gets a page or problem details."""
    error = AirisError(code="unexpected")
    if request.path.startswith("/api/"):
        return JsonResponse(problem(error), status=500, content_type="application/problem+json")
    return HttpResponse(render_to_string("errors/unavailable.html", {"error": error}), status=500)
