"""Documents, their versions, and what was read out of them. Bytes live in storage.py, never here."""

from django.conf import settings
from django.db import models

from apps.accounts.models import Collection
from apps.documents.contracts import HeaderMode, VersionState
from apps.reading.contracts import BlockKind
from apps.tenants.fields import TenantForeignKey
from apps.tenants.models import TenantModel


class StoredFile(TenantModel):
    """Bytes kept once per organisation, encrypted, under a key that no person chose."""

    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    storage_key = models.CharField(max_length=120)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "sha256"], name="stored_file_once"),
            models.UniqueConstraint(fields=["tenant", "storage_key"], name="stored_file_key"),
        ]

    def __str__(self) -> str:
        return f"{self.size} bytes"


class Document(TenantModel):
    """A file in a collection. Deleted ones stay as empty shells: their ids are all that is left of them."""

    collection = TenantForeignKey(Collection, models.CASCADE)
    name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)  # of the bytes that were brought; "" once deleted
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True)
    binned_at = models.DateTimeField(null=True)  # out of sight as if deleted, until restored
    binned_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    current_version = TenantForeignKey("DocumentVersion", models.SET_NULL, null=True)
    parent = TenantForeignKey("self", models.SET_NULL, null=True)  # the mail or archive that it came in

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "collection", "sha256"],
                condition=models.Q(deleted_at=None, binned_at=None),
                name="document_once_per_collection",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "collection", "-created_at"], name="document_by_collection"),
            models.Index(fields=["tenant", "sha256"], name="document_by_bytes"),
            models.Index(fields=["tenant", "parent"], name="document_by_parent"),
            models.Index(
                fields=["tenant", "binned_at"],
                condition=models.Q(deleted_at=None, binned_at__isnull=False),
                name="document_in_bin",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class DocumentVersion(TenantModel):
    """One reading of one set of bytes.

    queued ──▶ reading ──▶ searchable ──▶ ready | ready_with_warnings
      │           │             │
      │           ├──▶ needs_password ──password──▶ queued
      │           ├──▶ rejected        (a type we do not read, no pages, nothing to retry)
      └───────────┴──▶ failed ──retry──▶ queued
    every state ──delete──▶ deleted

    Searchable: the text index is committed. Ready: the meaning index is complete too.
    A later version supersedes its document's current one in the transaction that makes it searchable.
    `reading_of`: not a version but another reading of that one: a new one that is not done yet, or (superseded) what an
    earlier one said on pages that read differently now, kept for the answers that cite it.
    """

    document = TenantForeignKey(Document, models.CASCADE, related_name="versions")
    file = TenantForeignKey(StoredFile, models.PROTECT, null=True)
    working_file = TenantForeignKey(StoredFile, models.PROTECT, null=True)  # decrypted copy, when a password was given
    number = models.PositiveIntegerField(default=1)
    reading_of = TenantForeignKey("self", models.CASCADE, null=True)
    superseded_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=20, choices=VersionState.choices, default=VersionState.QUEUED)
    media_type = models.CharField(max_length=100, blank=True)
    page_count = models.PositiveIntegerField(default=0)
    pages_read = models.PositiveIntegerField(default=0)
    chunk_count = models.PositiveIntegerField(default=0)
    embedded_count = models.PositiveIntegerField(default=0)
    language = models.CharField(max_length=8, blank=True)
    title = models.CharField(max_length=300, blank=True)
    reader = models.CharField(max_length=60, blank=True)
    warnings = models.JSONField(default=list)
    members = models.JSONField(default=list)  # of an archive or mail: [name, size, outcome, document id or ""]
    failure = models.CharField(max_length=40, blank=True)
    job_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    searchable_at = models.DateTimeField(null=True)
    details = models.JSONField(default=list)  # what the file's own header says: [[name, words], …]
    outline = models.JSONField(default=list)  # the file's own: [[level, title, page], …]
    # What its metadata comes to, for lists and filters; written by metadata_store alone.
    kind = models.CharField(max_length=30, blank=True)  # see metadata.fields.DocumentKind
    entity = models.CharField(max_length=200, blank=True)
    entity_key = models.CharField(max_length=200, blank=True)  # folded, to match and sort
    period = models.CharField(max_length=30, blank=True)  # "year:2024-12-31"
    period_end = models.DateField(null=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "document", "number"], condition=models.Q(reading_of=None), name="version_number"
            ),
            models.CheckConstraint(condition=models.Q(state__in=VersionState.values), name="version_state"),
        ]
        indexes = [
            models.Index(fields=["tenant", "file"], name="version_by_file"),
            models.Index(fields=["tenant", "kind"], name="version_by_kind"),
            models.Index(fields=["tenant", "entity_key"], name="version_by_entity"),
            models.Index(fields=["tenant", "period_end"], name="version_by_period"),
            models.Index(fields=["tenant", "language"], name="version_by_language"),
        ]

    def __str__(self) -> str:
        return f"{self.document_id} {self.number}"


class Page(TenantModel):
    """A page, a section of a text, or a window of a sheet's rows. `words`: see reading.codec.encode_words."""

    version = TenantForeignKey(DocumentVersion, models.CASCADE, related_name="pages")
    number = models.PositiveIntegerField()
    label = models.CharField(max_length=40, blank=True)
    width = models.FloatField(default=0)
    height = models.FloatField(default=0)
    rotation = models.PositiveSmallIntegerField(default=0)
    text = models.TextField(blank=True)
    words = models.BinaryField(default=bytes)
    language = models.CharField(max_length=8, blank=True)
    first_line = models.PositiveIntegerField(default=0)
    grids = models.BinaryField(default=bytes)  # a block of typed rows, see reading.codec.encode_grids
    changes = models.JSONField(default=list)  # tracked changes, see reading.codec.changes_to_json

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "version", "number"], name="page_number")]

    def __str__(self) -> str:
        return f"page {self.number}"


class Block(TenantModel):
    """A run of a page's text: heading, paragraph, table … Its text is page.text[start:end]."""

    page = TenantForeignKey(Page, models.CASCADE, related_name="blocks")
    ordinal = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=[(kind.value, kind.value) for kind in BlockKind])
    level = models.PositiveSmallIntegerField(default=0)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    box = models.JSONField(null=True)  # [x0, y0, x1, y1] in points

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "page", "ordinal"], name="block_order")]

    def __str__(self) -> str:
        return f"{self.kind} {self.ordinal}"


class Table(TenantModel):
    """A table of a page. Its rows are one blob (reading.codec.encode_rows): a row per cell does not scale."""

    page = TenantForeignKey(Page, models.CASCADE, related_name="tables")
    block = models.PositiveIntegerField()  # ordinal of its block
    columns = models.JSONField(default=list)
    title = models.CharField(max_length=400, blank=True)
    scale_note = models.CharField(max_length=400, blank=True)
    row_count = models.PositiveIntegerField(default=0)
    rows = models.BinaryField(default=bytes)
    continues = models.BooleanField(default=False)  # goes on with the last table of the page before
    confidence = models.PositiveSmallIntegerField(default=100)  # percent, see reading.contracts.Table

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "page", "block"], name="table_block")]

    def __str__(self) -> str:
        return self.title or f"table {self.block}"


class DocumentMetadata(TenantModel):
    """A value that a rule read, with its evidence, or that a person set. A person's values of a field win; both stay.

    A person's row with an empty value says that the document has none.
    """

    version = TenantForeignKey(DocumentVersion, models.CASCADE, related_name="metadata")
    field = models.CharField(max_length=30)  # see metadata.fields.Field
    ordinal = models.PositiveSmallIntegerField(default=0)
    value = models.CharField(max_length=300, blank=True)
    confidence = models.PositiveSmallIntegerField(default=100)  # percent; 100 for a person's
    rule = models.CharField(max_length=60, blank=True)  # "" for a person's
    page = models.PositiveIntegerField(default=0)  # 0: the file itself says it
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)
    quote = models.CharField(max_length=300, blank=True)
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    set_at = models.DateTimeField(null=True)  # None for a rule's

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "version", "field", "ordinal"],
                condition=models.Q(set_at=None),
                name="metadata_of_rules",
            ),
            models.UniqueConstraint(
                fields=["tenant", "version", "field", "ordinal"],
                condition=models.Q(set_at__isnull=False),
                name="metadata_of_people",
            ),
        ]

    def __str__(self) -> str:
        return self.field


class CollectionHeaders(TenantModel):
    """What stands in the headers of a collection's chunks; without a row: rules."""

    collection = TenantForeignKey(Collection, models.CASCADE)
    mode = models.CharField(max_length=10, choices=[(mode.value, mode.value) for mode in HeaderMode])

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "collection"], name="headers_once")]

    def __str__(self) -> str:
        return self.mode


class Figure(TenantModel):
    """A picture or chart of a page: where it stands, what is said of it, and the table that holds a chart's data."""

    page = TenantForeignKey(Page, models.CASCADE, related_name="figures")
    ordinal = models.PositiveIntegerField()
    kind = models.CharField(max_length=10)  # "picture", "chart"
    box = models.JSONField(null=True)  # [x0, y0, x1, y1] in points
    caption = models.CharField(max_length=400, blank=True)
    nearby = models.CharField(max_length=600, blank=True)  # words around it
    table_block = models.IntegerField(default=-1)  # block of the page's table with the chart's data, -1: none

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "page", "ordinal"], name="figure_order")]

    def __str__(self) -> str:
        return f"{self.kind} {self.ordinal}"
