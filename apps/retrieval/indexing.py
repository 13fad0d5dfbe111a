"""Writing the text index of a version: chunks with their terms, and how often terms stand in them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from uuid import UUID

from django.db.models import F

from apps.retrieval.chunker import ChunkDraft
from apps.retrieval.contracts import ChunkKind
from apps.retrieval.models import Chunk, ChunkEmbedding, TermFrequency
from apps.retrieval.terms import STEMMERS, Token, stems_of, tokens_of, vector_of

_BATCH = 200
_ASIDE = 1_000_000_000  # above every ordinal: where chunks stand while they get new ones
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
    headers = [tokens_of(draft.header) for draft in drafts]
    bodies = [tokens_of(draft.text) for draft in drafts]
    languages = [draft.language if draft.language in STEMMERS else language for draft in drafts]
    stems = {
        code: stems_of(
            _words(
                tokens
                for tokens, chosen in zip((*headers, *bodies), (*languages, *languages), strict=True)
                if chosen == code
            ),
            code,
        )
        for code in set(languages)
    }
    rows = []
    for index, draft in enumerate(drafts):
        vector = vector_of(headers[index], bodies[index], stems[languages[index]])
        rows.append(
            Chunk(
                document_id=document_id,
                version_id=version_id,
                collection_id=collection_id,
                ordinal=first_ordinal + index,
                kind=ChunkKind(draft.kind).value,
                language=languages[index],
                header=draft.header,
                text=draft.text,
                spans=[[span.page, span.start, span.end] for span in draft.spans],
                terms=vector.literal(),
                term_count=vector.count,
            )
        )
        rows[-1].lexemes = list(vector.entries)  # type: ignore[attr-defined]  # carried to frequencies_of
    return rows


def clear_version(version_id: UUID) -> None:
    """Nothing of a version is indexed any more. Children first: the keys between the tables do not cascade."""
    ChunkEmbedding.objects.filter(version_id=version_id)._raw_delete(using="default")
    TermFrequency.objects.filter(version_id=version_id)._raw_delete(using="default")
    Chunk.objects.filter(version_id=version_id)._raw_delete(using="default")


def save_chunks(rows: list[Chunk]) -> None:
    Chunk.objects.bulk_create(rows, batch_size=_BATCH)


def save_frequencies(version_id: UUID, rows: Iterable[Chunk]) -> None:
    """The version's document frequencies; terms that stand in one chunk only are left out."""
    counts: Counter[str] = Counter()
    total = 0
    for row in rows:
        counts.update(row.lexemes)  # type: ignore[attr-defined]  # set by prepared_rows
        total += row.term_count
    frequencies = [
        TermFrequency(version_id=version_id, lexeme=lexeme, frequency=count)
        for lexeme, count in counts.items()
        if count > 1 and lexeme
    ]
    frequencies.append(TermFrequency(version_id=version_id, lexeme=TOTAL, frequency=total))
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
    save_frequencies(version_id, rows)
    return len(kept)


def _words(tokens: Iterable[list[Token]]) -> Iterator[str]:
    for some in tokens:
        for token in some:
            if token.is_word:
                yield token.original
