"""Chunks and their two indexes. Postings are exact at commit; document frequencies are per version, append-only."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from pgvector.django import HalfVectorField

from apps.accounts.models import Collection
from apps.documents.models import Document, DocumentVersion
from apps.retrieval.contracts import ChunkKind
from apps.tenants.fields import TenantForeignKey
from apps.tenants.models import TenantModel

DIMENSIONS = 384


class Chunk(TenantModel):
    """A passage of some 250 words with the exact places it was cut from.

    terms: folded words (weight C), their stems in the chunk's language (B), words and stems of the header (A).
    """

    document = TenantForeignKey(Document, models.CASCADE)
    version = TenantForeignKey(DocumentVersion, models.CASCADE)
    collection = TenantForeignKey(Collection, models.CASCADE)
    ordinal = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=[(kind.value, kind.value) for kind in ChunkKind])
    language = models.CharField(max_length=8, blank=True)
    header = models.TextField(blank=True)
    text = models.TextField()
    spans = models.JSONField(default=list)  # [[page, start, end], …] in reading order
    terms = SearchVectorField()
    term_count = models.PositiveIntegerField(default=0)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "version", "ordinal"], name="chunk_order")]
        indexes = [GinIndex(fields=["terms"], name="chunk_terms", fastupdate=False)]

    def __str__(self) -> str:
        return f"chunk {self.ordinal}"


class ChunkEmbedding(TenantModel):
    """The meaning of a chunk in one space (model, version, dimensions). Inserted, never changed."""

    chunk = TenantForeignKey(Chunk, models.CASCADE)
    version = TenantForeignKey(DocumentVersion, models.CASCADE)
    space = models.CharField(max_length=40)
    embedding = HalfVectorField(dimensions=DIMENSIONS)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "chunk", "space"], name="embedding_once")]
        indexes = [models.Index(fields=["tenant", "version", "space"], name="embedding_by_version")]

    def __str__(self) -> str:
        return f"{self.space} of {self.chunk_id}"


class TermFrequency(TenantModel):
    """In how many chunks of a version a lexeme stands; only those in two or more. "" holds the version's term count."""

    version = TenantForeignKey(DocumentVersion, models.CASCADE)
    lexeme = models.CharField(max_length=80)
    frequency = models.PositiveIntegerField()

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "lexeme", "version"], name="term_frequency_once")]
        indexes = [models.Index(fields=["tenant", "version"], name="term_frequency_by_version")]

    def __str__(self) -> str:
        return f"{self.lexeme} {self.frequency}"
