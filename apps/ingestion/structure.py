"""From stored pages to chunks ready to be written, a batch at a time: a million rows never stand in memory."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from apps.documents import selectors as documents
from apps.documents.contracts import IngestionSource
from apps.jobs.run import JobRun
from apps.reading.contracts import PageContent
from apps.retrieval import services as retrieval
from apps.retrieval.chunker import chunks_of, identity_of, title_of
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
        self.title = title_of(source.title, next(iter(self._read(1, 1)), None))

    @property
    def language(self) -> str:
        """Commonest language of the pages taken so far, "" when none has one."""
        return self._languages.most_common(1)[0][0] if self._languages else ""

    def batches(self) -> Iterator[list[retrieval.ChunkRow]]:
        """Rows of at most BATCH chunks, not empty, with their terms; nothing is written."""
        drafts = chunks_of(self._pages(), identity=identity_of(self.source.name, self.title))
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

    def _pages(self) -> Iterator[PageContent]:
        for first in range(1, self.source.page_count + 1, PAGES):
            for page in self._read(first, min(first + PAGES - 1, self.source.page_count)):
                if page.language:
                    self._languages[page.language] += 1
                self.pages_taken = page.number
                yield page

    def _read(self, first: int, last: int) -> tuple[PageContent, ...]:
        with tenant_context(self._run.tenant_id):
            return documents.read_pages(
                version_id=self.source.version_id, numbers=range(first, last + 1), keeps_uniform=True
            )
