"""Checks that need the product around the reader: uploads over HTTP, lists, downloads, search. As a signed-in owner.

The files of a case become a collection of the working organisation, as `ask` and `inspect` have it.
"""

import json
import re
from functools import cached_property
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.core.text import fold
from apps.documents import selectors as documents
from apps.documents.contracts import DocumentSummary
from apps.evaluation import desk
from apps.evaluation.asking import engine_digest
from apps.evaluation.checks.content import Check
from apps.evaluation.checks.files import CaseFiles
from apps.evaluation.checks.matching import plain
from apps.retrieval import selectors as retrieval
from apps.tenants.context import tenant_context

_NOT_DOCUMENTS = (".json",)  # lists that a case's own checks read


class CaseSite:
    """The case's files in the working organisation; brought there when a check first asks."""

    def __init__(self, files: CaseFiles, names: list[str]) -> None:
        self._files = files
        self._names = [name for name in names if not name.endswith(_NOT_DOCUMENTS)]

    def search(self, check: Check) -> str:
        """Top k of a search of the case's files holds the named place; a search never fails."""
        scope_desk, _documents = self._shelf
        with tenant_context(scope_desk.actor.tenant_id):
            scope = retrieval.scope_for(actor=scope_desk.actor, collection_ids=[scope_desk.collection_id])
            result = retrieval.search_passages(scope=scope, query=check["q"], limit=check["k"])
        wanted = check.get("must_return")
        if wanted is None:
            return ""
        for passage in result.passages:
            is_file = plain(passage.document_name) == plain(wanted["file"])
            if is_file and (wanted.get("page") is None or any(s.page == wanted["page"] for s in passage.spans)):
                return ""
        return f"{wanted['file']} is not among the first {check['k']}"

    def upload_http(self, check: Check) -> str:
        path = self._files.path(check["file"])
        response = self._upload(path.name, path.read_bytes())
        if response.status_code not in check["status_in"]:
            return f"HTTP {response.status_code}"
        said = response.content.decode(errors="replace").casefold()  # type: ignore[attr-defined]  # test client's reply
        is_said = any(reason.casefold() in said for reason in check.get("reason_any", ("",)))
        return "" if is_said else f"the answer does not say {' or '.join(check['reason_any'])}"

    def upload_names_no_5xx(self, check: Check) -> str:
        """A file under each hostile name: an answer, never an error of the server."""
        said = json.loads(self._files.path(check["file"]).read_text(encoding="utf-8"))
        names = said["names"] if isinstance(said, dict) else said
        for position, name in enumerate(names):
            content = f"File {position} of names that are hard to keep.\n".encode()
            response = self._upload(name, content)
            if response.status_code >= 500:
                return f"HTTP {response.status_code} for {name!r}"
        return ""

    def listed_name_nfc(self, check: Check) -> str:
        shelf, shown = self._shelf
        with tenant_context(shelf.actor.tenant_id):
            found = documents.find_by_name(actor=shelf.actor, query=check["value"])
        names = {document.name for document in (*shown.values(), *found)}
        return "" if check["value"] in names else f"listed as {sorted(names)}"

    def download_header(self, check: Check) -> str:
        summary = self._document(check["file"])
        response = self._client.get(self._address("documents:original", summary.id))
        header = response.get("Content-Disposition", "")
        if "\r" in header or "\n" in header:
            return "the header has a line break"
        return "" if re.search(check["must_match"], header) else f"the header is {header!r}"

    def no_href_scheme(self, check: Check) -> str:
        """No page of the viewer holds a link of that scheme."""
        summary = self._document(check["file"])
        for number in range(1, summary.page_count + 1):
            response = self._client.get(self._address("documents:document", summary.id), {"page": number})
            page = response.content.decode(errors="replace").casefold()
            if response.status_code != 200:
                return f"HTTP {response.status_code}"
            if re.search(rf"""(?:href|src)\s*=\s*["']?\s*{re.escape(check["value"])}""", page):
                return f"page {number} has a link with {check['value']}"
        return ""

    @property
    def shelf(self) -> desk.Desk:
        """The collection that holds the case's files."""
        return self._shelf[0]

    @cached_property
    def _shelf(self) -> tuple[desk.Desk, dict[str, DocumentSummary]]:
        paths = [self._files.path(name) for name in self._names]
        opened = desk.open_desk(f"{desk.desk_name(paths)} {engine_digest()}")  # read anew when the readers changed
        return opened, {path.name: desk.ingest(opened, path) for path in paths}

    @cached_property
    def _client(self) -> Client:
        client = Client(headers={"host": "localhost"})
        client.force_login(User.objects.get(id=self._shelf[0].actor.user_id))
        return client

    def _document(self, name: str) -> DocumentSummary:
        _desk, shown = self._shelf
        return next(s for n, s in shown.items() if fold(plain(n)) == fold(plain(name)))

    def _upload(self, name: str, content: bytes) -> HttpResponseBase:
        opened = desk.open_desk(desk.desk_name([self._files.folder]))
        client = Client(headers={"host": "localhost"})
        client.force_login(User.objects.get(id=opened.actor.user_id))
        file = SimpleUploadedFile("x", content)
        file._name = name  # type: ignore[attr-defined]  # the name as a hostile client sends it
        address = reverse("documents:upload", args=(desk.SLUG, opened.collection_id))
        return client.post(address, {"file": file}, headers={"accept": "application/json"})

    def _address(self, name: str, document_id: UUID) -> str:
        return reverse(name, args=(desk.SLUG, document_id))
