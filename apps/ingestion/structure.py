"""From stored pages to chunks ready to be written, a batch at a time: a million rows never stand in memory."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from apps.documents import intake
from apps.documents import selectors as documents
from apps.documents.contracts import HeaderMode, IngestionSource
from apps.documents.metadata.fields import Found
from apps.documents.metadata.reader import OPENING_PAGES, MetadataReader
from apps.jobs.run import JobRun
from apps.reading.contracts import MediaType, PageContent
from apps.retrieval import services as retrieval
from apps.retrieval.chunker import HeaderFacts, chunks_of, identity_of, title_of
from apps.tenants.context import tenant_context

PAGES = 64  # read at once
BATCH = 400  # chunks


class Structure:
    """The chunks of a version in reading order; what was seen on the way is known once they are all taken."""

    def __init__(self, run: JobRun, source: IngestionSource) -> None:
        self._run = run
        self.source = source
        self._languages: Counter[str] = Counter()
        self.pages_taken = 0
        opening = self._read(1, min(OPENING_PAGES, max(source.page_count, 1)))
        self.title = title_of(source.title, next(iter(opening), None))
        self._rules = self._new_rules()
        self._facts = self._header_facts(opening)

    @property
    def language(self) -> str:
        """Commonest language of the pages taken so far, "" when none has one."""
        return self._languages.most_common(1)[0][0] if self._languages else ""

    def batches(self) -> Iterator[list[retrieval.ChunkRow]]:
        """Rows of at most BATCH chunks, not empty, with their terms; nothing is written."""
        drafts = (
            draft.with_facts(self._facts)
            for draft in chunks_of(self._pages(), identity=identity_of(self.source.name, self.title))
        )
        ordinal = 0
        while batch := list(islice(drafts, BATCH)):
            self._run.check()
            with tenant_context(self._run.tenant_id):
                rows = retrieval.prepare_chunks(
                    drafts=batch,
                    document_id=self.source.document_id,
                    version_id=self.source.version_id,
                    collection_id=self.source.collection_id,
                    language=self.language,
                    first_ordinal=ordinal,
                )
            ordinal += len(batch)
            yield rows

    def found(self) -> tuple[Found, ...]:
        """What the pages taken so far say of the document."""
        return self._rules.found()

    def _new_rules(self) -> MetadataReader:
        source = self.source
        return MetadataReader(
            media_type=MediaType(source.media_type or MediaType.TEXT), title=source.title, details=source.details
        )

    def _header_facts(self, opening: tuple[PageContent, ...]) -> HeaderFacts | None:
        """What every header repeats, known before the first chunk is written; None when headers are left out."""
        with tenant_context(self._run.tenant_id):
            mode = intake.header_mode(collection_id=self.source.collection_id)
        if mode is HeaderMode.NONE:
            return None
        rules = self._new_rules()
        for page in opening:
            rules.page(page)
        return HeaderFacts.of(rules.found(), said=self.title)

    def _pages(self) -> Iterator[PageContent]:
        for first in range(1, self.source.page_count + 1, PAGES):
            for page in self._read(first, min(first + PAGES - 1, self.source.page_count)):
                if page.language:
                    self._languages[page.language] += 1
                self.pages_taken = page.number
                self._rules.page(page)
                yield page

    def _read(self, first: int, last: int) -> tuple[PageContent, ...]:
        with tenant_context(self._run.tenant_id):
            return documents.read_pages(
                version_id=self.source.version_id, numbers=range(first, last + 1), keeps_uniform=True
            )
