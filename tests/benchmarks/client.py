"""A small client of /api/v1 for the measurements."""

import time
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import httpx

PATIENCE_S = 600.0
_LOOK_EVERY_S = 0.1
_ENDED = ("rejected", "failed", "needs_password", "deleted")


class RestClient:
    """Signed in as one person of one organisation."""

    def __init__(self, base: str, *, email: str, password: str, slug: str) -> None:
        self._http = httpx.Client(base_url=f"{base.rstrip('/')}/api/v1/", timeout=60)
        form = {"email": email, "password": password, "organisation": slug, "token_label": "benchmark"}
        token = self._asked("POST", "sign-in/", json=form)["token"]
        self._http.headers["Authorization"] = f"Bearer {token}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._http.close()

    def collection_id(self) -> str:
        """A collection that the person may fill, a shared one before the private one."""
        found = self._asked("GET", "collections/")
        found = found if isinstance(found, list) else found["items"]
        fillable = [c for c in found if c["level"] in ("contribute", "manage")]
        return str(min(fillable, key=lambda c: bool(c["is_private"]))["id"])

    def upload_copy(self, file: Path, collection_id: str) -> str:
        """Id of a new document: the file's bytes and a comment that makes them new, which PDF readers skip."""
        content = file.read_bytes() + f"\n%{uuid4()}\n".encode()
        form = {"collection_id": collection_id}
        reply = self._asked("POST", "documents/", data=form, files={"file": (file.name, content)})
        return str(reply["document"]["id"])

    def wait_until_searchable(self, document_id: str) -> Any:  # Any: the JSON object of the document
        """Raises RuntimeError when the document ends otherwise or the patience is over."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            document = self._asked("GET", f"documents/{document_id}/")
            if document["is_searchable"]:
                return document
            if document["state"] in _ENDED:
                break
            time.sleep(_LOOK_EVERY_S)
        raise RuntimeError(f"document {document_id} did not become searchable")

    def passages(self, query: str, document_id: str) -> list[str]:
        """Texts found in the document, best first."""
        reply = self._asked("POST", "search/", json={"query": query, "document_ids": [document_id]})
        return [str(passage["text"]) for passage in reply["passages"]]

    def delete(self, document_id: str) -> None:
        self._http.delete(f"documents/{document_id}/").raise_for_status()

    def _asked(self, method: str, path: str, **request: Any) -> Any:  # Any: httpx's options, JSON
        reply = self._http.request(method, path, **request)
        reply.raise_for_status()
        return reply.json()
