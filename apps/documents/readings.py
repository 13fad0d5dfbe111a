"""Another reading of a version's file: made beside the one that answers, then swapped in by one transaction.

Pages whose words are the same keep their rows, and blocks at the same place theirs, so that what cites them stays
exact. Pages that read differently now change places: the version has the new ones, the reading keeps the old ones for
the answers that cite them.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db import connection
from django.db.models import F, QuerySet
from django.db.models.functions import MD5
from django.utils import timezone

from apps.documents import followers
from apps.documents.contracts import VersionState
from apps.documents.models import DocumentVersion, Page

_ASIDE = 1_000_000_000  # above every page number: where pages stand while two sets change places
_TWINS = """documents_block n
    JOIN unnest(%(old)s::uuid[], %(new)s::uuid[]) AS pages (old, new) ON n.page_id = pages.new
    JOIN documents_block was ON was.page_id = pages.old
    AND (was.ordinal, was.kind, was.level, was.start, was."end") = (n.ordinal, n.kind, n.level, n.start, n."end")"""
_TAKE_DETAILS = (
    """UPDATE documents_page o SET label = n.label, width = n.width, height = n.height, rotation = n.rotation,
    words = n.words, language = n.language, first_line = n.first_line, grids = n.grids, changes = n.changes
    FROM documents_page n, unnest(%(old)s::uuid[], %(new)s::uuid[]) AS pair (old, new)
    WHERE o.id = pair.old AND n.id = pair.new""",
    "UPDATE documents_block o SET box = n.box FROM «twins» WHERE o.id = was.id",
    """DELETE FROM documents_block o WHERE o.page_id = ANY (%(old)s::uuid[])
    AND o.id NOT IN (SELECT was.id FROM «twins»)""",
    """UPDATE documents_block o SET page_id = pair.old
    FROM unnest(%(old)s::uuid[], %(new)s::uuid[]) AS pair (old, new)
    WHERE o.page_id = pair.new AND o.id NOT IN (SELECT n.id FROM «twins»)""",
    "DELETE FROM documents_table WHERE page_id = ANY (%(old)s::uuid[])",
    """UPDATE documents_table o SET page_id = pair.old
    FROM unnest(%(old)s::uuid[], %(new)s::uuid[]) AS pair (old, new) WHERE o.page_id = pair.new""",
    "DELETE FROM documents_figure WHERE page_id = ANY (%(old)s::uuid[])",
    """UPDATE documents_figure o SET page_id = pair.old
    FROM unnest(%(old)s::uuid[], %(new)s::uuid[]) AS pair (old, new) WHERE o.page_id = pair.new""",
)
_COPIED = ("media_type", "page_count", "pages_read", "reader", "warnings", "members", "details", "outline")


def begin(*, version_id: UUID) -> UUID:
    """The unfinished reading of a version: an earlier attempt's, or a fresh one. Inside `JobRun.write()`."""
    version = DocumentVersion.objects.get(id=version_id)
    found = _unfinished(version_id).first()
    if found is not None and found.file_id == version.file_id:
        return found.id
    drop_unfinished(version_id=version_id)
    made = DocumentVersion.objects.create(
        document_id=version.document_id,
        file_id=version.file_id,
        working_file_id=version.working_file_id,
        number=version.number,
        reading_of_id=version_id,
        members=version.members,
    )
    return made.id


def drop_unfinished(*, version_id: UUID) -> None:
    """What a reading that will not be finished wrote is gone; the version is as it was."""
    ids = list(_unfinished(version_id).values_list("id", flat=True))
    Page.objects.filter(version_id__in=ids).delete()
    DocumentVersion.objects.filter(id__in=ids).delete()


def swap(*, version_id: UUID, reading_id: UUID) -> frozenset[int]:
    """The version says what the reading read; numbers of the pages that read differently now.

    Inside `JobRun.write()`. The reading is gone, or keeps the former state of those pages, superseded.
    """
    version = DocumentVersion.objects.select_for_update().get(id=version_id)
    reading = DocumentVersion.objects.select_for_update().get(id=reading_id)
    before, after = _pages(version_id), _pages(reading_id)
    same = {number for number, (_id, digest) in before.items() if number in after and after[number][1] == digest}
    _take_details([(before[number][0], after[number][0]) for number in sorted(same)])
    Page.objects.filter(version_id=reading_id, number__in=same).delete()
    changed = frozenset((before.keys() | after.keys()) - same)
    _change_places(version_id, reading_id, changed & before.keys())
    former = {name: getattr(version, name) for name in _COPIED}
    for name in _COPIED:
        setattr(version, name, getattr(reading, name))
    version.save(update_fields=list(_COPIED))
    kept = changed & before.keys()
    if not kept:
        reading.delete()
        return changed
    for name in _COPIED:
        setattr(reading, name, former[name])
    reading.state = VersionState.READY
    reading.superseded_at = timezone.now()
    reading.save()
    followers.tell_moved(version.document_id, version_id, reading_id, kept)
    return changed


def _unfinished(version_id: UUID) -> QuerySet[DocumentVersion]:
    return DocumentVersion.objects.filter(reading_of_id=version_id, superseded_at=None)


def _pages(version_id: UUID) -> dict[int, tuple[UUID, str]]:
    rows = Page.objects.filter(version_id=version_id).annotate(digest=MD5("text"))
    return {number: (page_id, digest) for number, page_id, digest in rows.values_list("number", "id", "digest")}


def _take_details(pairs: list[tuple[UUID, UUID]]) -> None:
    """Pages with the same words take the rest from the new reading: places of words, blocks, tables."""
    if not pairs:
        return
    old, new = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    with connection.cursor() as cursor:
        for statement in _TAKE_DETAILS:
            cursor.execute(statement.replace("«twins»", _TWINS), {"old": old, "new": new})


def _change_places(version_id: UUID, reading_id: UUID, former: Iterable[int]) -> None:
    """What is left of the reading's pages is the version's; the version's former ones are the reading's."""
    Page.objects.filter(version_id=reading_id).update(number=F("number") + _ASIDE)
    Page.objects.filter(version_id=version_id, number__in=list(former)).update(version_id=reading_id)
    new = Page.objects.filter(version_id=reading_id, number__gte=_ASIDE)
    new.update(version_id=version_id, number=F("number") - _ASIDE)
