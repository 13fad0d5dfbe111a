"""`inspect FILE --json`: what a file became: status, warnings, pages, blocks, tables, metadata."""

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.core.errors import AirisError
from apps.documents import selectors as documents
from apps.evaluation import desk
from apps.reading.contracts import Cell, PageContent, Table
from apps.reading.quantities import Quantity, quantity_of
from apps.reading.typed import plain
from apps.tenants.context import tenant_context

WINDOW = 32


class Command(BaseCommand):
    help = "What a file became when it was read. Exit code 0 searchable, 2 not."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--json", action="store_true", help="the whole content as one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = inspect(options["file"])
        except AirisError as exc:
            self.stderr.write(str(exc.message))
            sys.exit(2)
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))
        else:
            self.stdout.write(_plain(found))
        sys.exit(0 if found["is_searchable"] else 2)


def inspect(path: Path) -> dict[str, Any]:  # Any: JSON
    """The object that the command prints; the file is ingested into the working organisation."""
    opened = desk.open_desk("inspect")
    summary = desk.ingest(opened, path)
    with tenant_context(opened.actor.tenant_id):
        detail = documents.get_document(actor=opened.actor, document_id=summary.id)
        members = documents.list_members(actor=opened.actor, document_id=summary.id)
    pages: list[dict[str, Any]] = []
    for first in range(1, summary.page_count + 1, WINDOW):
        with tenant_context(opened.actor.tenant_id):
            read = documents.read_pages(version_id=summary.version_id, numbers=range(first, first + WINDOW))
        pages += [_page(page) for page in read]
    return {
        "file": path.name,
        "status": str(summary.state.value),
        "failure": summary.failure,
        "is_searchable": summary.is_searchable,
        "warnings": [{"code": str(w.code), "page": w.page} for w in detail.warnings],
        "pages": pages,
        "members": [{"name": m.name, "size": m.size, "outcome": m.outcome} for m in members],
        "facts": [],
        "metadata": {
            "title": detail.title,
            "media_type": summary.media_type,
            "language": summary.language,
            "pages": summary.page_count,
            "chunks": summary.chunk_count,
            "reader": detail.reader,
        },
    }


def _page(page: PageContent) -> dict[str, Any]:
    return {
        "number": page.number,
        "label": page.label,
        "text": page.text,
        "language": page.language,
        "blocks": [
            {"kind": block.kind.value, "level": block.level, "start": block.start, "end": block.end, "box": block.box}
            for block in page.blocks
        ],
        "tables": [_table(page, table) for table in page.tables],
    }


def _table(page: PageContent, table: Table) -> dict[str, Any]:
    return {
        "title": table.title,
        "scale_note": table.scale_note,
        "columns": list(table.columns),
        "rows": [
            {
                "label": row.label,
                "section": row.section,
                "cells": [_cell(cell, quantity_of(page, table, row, cell)) for cell in row.cells],
            }
            for row in table.rows
        ],
    }


def _cell(cell: Cell, quantity: Quantity) -> dict[str, Any]:
    """What is printed, and what it means: value as printed, unit, and the scale that its table states."""
    found: dict[str, Any] = {"text": cell.text, "column": cell.column, "start": cell.start, "end": cell.end}
    if cell.kind is not None:
        found |= {"kind": cell.kind.value, "ref": cell.ref}
    value = cell.value or None if quantity.value is None else plain(quantity.value)
    return found | {"value": value, "unit": quantity.unit, "scale": int(quantity.scale.value)}


def _plain(found: dict[str, Any]) -> str:
    tables = sum(len(page["tables"]) for page in found["pages"])
    lines = [f"{found['file']}: {found['status']} {found['failure']}".rstrip()]
    lines.append(f"{len(found['pages'])} pages, {tables} tables, language {found['metadata']['language'] or 'unknown'}")
    lines += [f"warning: {w['code']}" + (f", page {w['page']}" if w["page"] else "") for w in found["warnings"]]
    return "\n".join(lines)
