"""Writing the text index of a version: chunks with their terms, and how often terms stand in them."""

import json
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from uuid import UUID

from django.db import connection
from django.db.models import F

from apps.retrieval.chunker import ChunkDraft
from apps.retrieval.contracts import ChunkKind
from apps.retrieval.models import Chunk, ChunkEmbedding, TermFrequency
from apps.retrieval.terms import STEMMERS, lexemes_of_header, stems_of, tokens_of, vector_of
from apps.tenants.context import current_tenant_id

_BATCH = 200
_ASIDE = 1_000_000_000  # above every ordinal: where chunks stand while they get new ones
_MOST_COUNTED = 300_000
_RARE_SHARE = 2_000  # a term in fewer chunks than one of these weighs like one of a single chunk
_COLUMNS = {
    "id": "uuid", "document_id": "uuid", "version_id": "uuid", "collection_id": "uuid", "ordinal": "int",
    "kind": "text", "language": "text", "header": "text", "text": "text", "spans": "text", "terms": "text",
    "term_count": "int",
}  # fmt: skip
_CASTS = {"spans": "spans::jsonb", "terms": "terms::tsvector"}
_INSERT = (
    f"INSERT INTO {Chunk._meta.db_table} (tenant_id, {', '.join(_COLUMNS)}) "  # noqa: S608  # our own names
    f"SELECT %s::uuid, {', '.join(_CASTS.get(name, name) for name in _COLUMNS)} "
    f"FROM unnest({', '.join(f'%s::{type_}[]' for type_ in _COLUMNS.values())}) AS u ({', '.join(_COLUMNS)})"
)
TOTAL = ""  # the lexeme whose row holds the number of terms of a version


def prepared_rows(
    drafts: Iterable[ChunkDraft],
    *,
    document_id: UUID,
    version_id: UUID,
    collection_id: UUID,
    language: str,
    first_ordinal: int = 0,
) -> list[Chunk]:
    """Unsaved chunk rows with their terms. Asks Postgres once per language for stems; no tenant table is read."""
    drafts = list(drafts)
    languages = [draft.language if draft.language in STEMMERS else language for draft in drafts]
    headers = {draft.header: tokens_of(draft.header) for draft in drafts}
    bodies = [tokens_of(draft.text) for draft in drafts]
    words: dict[str, set[str]] = {code: set() for code in languages}
    for draft, body, code in zip(drafts, bodies, languages, strict=True):
        words[code].update(token.original for token in chain(headers[draft.header], body) if token.is_word)
    stems = {code: stems_of(some, code) for code, some in words.items()}
    lexemes = {
        (draft.header, code): lexemes_of_header(headers[draft.header], stems[code])
        for draft, code in dict.fromkeys(zip(drafts, languages, strict=True))
    }
    rows = []
    for ordinal, (draft, body, code) in enumerate(zip(drafts, bodies, languages, strict=True), start=first_ordinal):
        vector = vector_of(lexemes[draft.header, code], body, stems[code])
        rows.append(
            Chunk(
                document_id=document_id,
                version_id=version_id,
                collection_id=collection_id,
                ordinal=ordinal,
                kind=ChunkKind(draft.kind).value,
                language=code,
                header=draft.header,
                text=draft.text,
                spans=[[span.page, span.start, span.end] for span in draft.spans],
                terms=vector.literal(),
                term_count=vector.count,
            )
        )
        rows[-1].lexemes = list(vector.entries)  # type: ignore[attr-defined]  # carried to Frequencies
    return rows


def clear_version(version_id: UUID) -> None:
    """Nothing of a version is indexed any more. Children first: the keys between the tables do not cascade."""
    ChunkEmbedding.objects.filter(version_id=version_id)._raw_delete(using="default")
    TermFrequency.objects.filter(version_id=version_id)._raw_delete(using="default")
    Chunk.objects.filter(version_id=version_id)._raw_delete(using="default")


def save_chunks(rows: list[Chunk]) -> None:
    """One statement a batch, columns as arrays: parsing a parameter for each value takes longer than the insert."""
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        fields = list(_COLUMNS)
        with connection.cursor() as cursor:
            cursor.execute(
                _INSERT,
                [current_tenant_id(), *([_value(row, field) for row in batch] for field in fields)],
            )


def _value(row: Chunk, field: str) -> object:
    value = getattr(row, field)
    return json.dumps(value) if field == "spans" else value


class Frequencies:
    """In how many chunks of a version each term stands, counted batch by batch.

    Terms of a single chunk are left out; so are, once many are known, those met once so far: a column of ids
    costs no memory, and a rare term's weight hardly changes.
    """

    def __init__(self) -> None:
        self.chunks = 0
        self._terms = 0
        self._counts: Counter[str] = Counter()

    def add(self, rows: Iterable[Chunk]) -> None:
        for row in rows:
            self._counts.update(row.lexemes)  # type: ignore[attr-defined]  # set by prepared_rows
            self._terms += row.term_count
            self.chunks += 1
        if len(self._counts) > _MOST_COUNTED:
            self._counts = Counter({lexeme: count for lexeme, count in self._counts.items() if count > 1})

    def save(self, version_id: UUID) -> None:
        least = max(2, self.chunks // _RARE_SHARE)
        frequencies = [
            TermFrequency(version_id=version_id, lexeme=lexeme, frequency=count)
            for lexeme, count in self._counts.items()
            if count >= least and lexeme
        ]
        frequencies.append(TermFrequency(version_id=version_id, lexeme=TOTAL, frequency=self._terms))
        TermFrequency.objects.bulk_create(frequencies, batch_size=2000)


def merge_rows(version_id: UUID, rows: list[Chunk]) -> int:
    """See services.merge_chunks; the number of chunks that kept their id."""
    was: dict[tuple[str, str, str], tuple[UUID, str]] = {
        (text, kind, str(spans)): (chunk_id, header)
        for chunk_id, text, kind, spans, header in Chunk.objects.filter(version_id=version_id).values_list(
            "id", "text", "kind", "spans", "header"
        )
    }
    kept: list[Chunk] = []
    made: list[Chunk] = []
    renamed: list[UUID] = []
    for row in rows:
        found = was.pop((row.text, row.kind, str(row.spans)), None)
        if found is None:
            made.append(row)
            continue
        row.id = found[0]
        kept.append(row)
        if found[1] != row.header:
            renamed.append(row.id)
    gone = [chunk_id for chunk_id, _header in was.values()]
    gone += list(
        Chunk.objects.filter(version_id=version_id)
        .exclude(id__in=[row.id for row in kept])
        .exclude(id__in=gone)
        .values_list("id", flat=True)  # twins of the same words at the same place
    )
    ChunkEmbedding.objects.filter(chunk_id__in=[*gone, *renamed])._raw_delete(using="default")
    TermFrequency.objects.filter(version_id=version_id)._raw_delete(using="default")
    Chunk.objects.filter(id__in=gone)._raw_delete(using="default")
    Chunk.objects.filter(version_id=version_id).update(ordinal=F("ordinal") + _ASIDE)
    Chunk.objects.bulk_update(kept, ["ordinal", "header", "language", "terms", "term_count"], batch_size=_BATCH)
    save_chunks(made)
    frequencies = Frequencies()
    frequencies.add(rows)
    frequencies.save(version_id)
    return len(kept)
