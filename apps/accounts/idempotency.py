"""Idempotency-Key: a request that comes again with the same key is not done again; it gets the first one's answer.

Inside a tenant transaction the key is claimed in that transaction: a second request waits for it, and an error leaves
nothing behind. A view that opens its own short transactions claims the key before and fills in the answer after.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import wraps
from typing import Any, TypeVar

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.contracts import Actor
from apps.accounts.models import IdempotencyKey
from apps.accounts.tokens import actor_of
from apps.core.errors import Conflict, InputError, KeyReused
from apps.tenants.context import connection_tenant_id, tenant_context

KEPT = timedelta(days=1)
ABANDONED = timedelta(minutes=10)  # a process died between the claim and the answer
LONGEST_KEY = 200
Post = TypeVar("Post", bound=Callable[..., Response])


def idempotent(*secrets: str) -> Callable[[Post], Post]:
    """For a `post` that makes something. `secrets`: fields shown once; a repeated answer has them empty."""

    def decorate(post: Post) -> Post:
        @wraps(post)
        def wrapper(view: Any, request: Request, **kwargs: Any) -> Response:
            key = _key(request)
            if not key:
                return post(view, request, **kwargs)
            actor = actor_of(request)
            if connection_tenant_id() is not None:
                return _once(actor, key, request, secrets, lambda: post(view, request, **kwargs))
            return _once_in_steps(actor, key, request, secrets, lambda: post(view, request, **kwargs))

        return wrapper  # type: ignore[return-value]  # the same signature as what it wraps

    return decorate


def _once(actor: Actor, key: str, request: Request, secrets: tuple[str, ...], work: Callable[[], Response]) -> Response:
    row, is_new = _claim(actor, key, request)
    if not is_new:
        return _replay(row)
    response = work()
    _fill(row, response, secrets)
    return response


def _once_in_steps(
    actor: Actor, key: str, request: Request, secrets: tuple[str, ...], work: Callable[[], Response]
) -> Response:
    with tenant_context(actor.tenant_id):
        row, is_new = _claim(actor, key, request)
    if not is_new:
        return _replay(row)
    try:
        response = work()
    except BaseException:
        with tenant_context(actor.tenant_id):
            row.delete()
        raise
    with tenant_context(actor.tenant_id):
        _fill(row, response, secrets)
    return response


def _claim(actor: Actor, key: str, request: Request) -> tuple[IdempotencyKey, bool]:
    """The row of the key and whether this request is to be done. Raises KeyReused, Conflict."""
    digest = hashlib.sha256(f"{actor.user_id}:{key}".encode()).hexdigest()
    wanted = _digest(request)
    own = IdempotencyKey.objects.filter(user_id=actor.user_id)
    own.filter(created_at__lt=timezone.now() - KEPT).delete()
    try:
        with transaction.atomic():
            return IdempotencyKey.objects.create(user_id=actor.user_id, key_digest=digest, request_digest=wanted), True
    except IntegrityError:
        row = own.select_for_update().get(key_digest=digest)
    if row.request_digest != wanted:
        raise KeyReused
    if row.status is not None:
        return row, False
    if row.created_at > timezone.now() - ABANDONED:
        raise Conflict(_("The first request with this key is still under way."), code="in_progress")
    row.created_at = timezone.now()
    row.save(update_fields=["created_at"])
    return row, True


def _fill(row: IdempotencyKey, response: Response, secrets: tuple[str, ...]) -> None:
    body = response.data
    if secrets and isinstance(body, dict):
        body = {name: "" if name in secrets else value for name, value in body.items()}
    IdempotencyKey.objects.filter(id=row.id).update(status=response.status_code, body=body)


def _replay(row: IdempotencyKey) -> Response:
    return Response(row.body, status=row.status, headers={"Idempotency-Replayed": "true"})


def _key(request: Request) -> str:
    key = request.headers.get("Idempotency-Key", "")
    if len(key) > LONGEST_KEY:
        raise InputError(_("An Idempotency-Key has at most 200 characters."), field="Idempotency-Key")
    return key


def _digest(request: Request) -> str:
    """sha256 of the method, the address and what was sent, files by their bytes."""
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode())
    data = request.data
    if not isinstance(data, Mapping):  # no form and no object: the view refuses it
        data = {"": data}
    files = {name: file for name, file in data.items() if isinstance(file, UploadedFile)}
    fields = {name: value for name, value in data.items() if name not in files}
    digest.update(json.dumps(fields, sort_keys=True, default=str).encode("utf-8", "surrogatepass"))
    for name, file in sorted(files.items()):
        digest.update(f"\n{name}={file.name}\n".encode("utf-8", "surrogatepass"))
        for chunk in file.chunks():
            digest.update(chunk)
        file.seek(0)
    return digest.hexdigest()
