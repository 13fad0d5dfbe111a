"""Conversations of one person, their questions, the checked answers; their saved scopes and notices."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from apps.agents.contracts import StatementKind, Verdict
from apps.chat.contracts import FeedbackKind, MessageState, NoticeKind
from apps.tenants.fields import TenantForeignKey
from apps.tenants.models import TenantModel


class Conversation(TenantModel):
    """Private to its author."""

    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    title = models.CharField(max_length=200)
    collection_ids = ArrayField(models.UUIDField(), default=list)  # both empty: all the author may read
    document_ids = ArrayField(models.UUIDField(), default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now_add=True)
    pinned_at = models.DateTimeField(null=True)  # pinned ones are listed first

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "author", "-updated_at"], name="conversation_recent")]

    def __str__(self) -> str:
        return str(self.id)


class Message(TenantModel):
    """A question and the state of its answer.

    Questions of a conversation are a tree: `parent` is the question before, None for a first one. Edited and asked
    again, a question gets a sibling; nothing is overwritten. `job_id` is None while an earlier question runs.

    waiting ──claimed──▶ running ──▶ answered | partly | abstained
       │                    ├──▶ failed ──retry──▶ waiting
       └───────stop─────────┴──▶ stopped ──retry──▶ waiting

    Its statements are replaced whole by the run that holds the job: running the answer twice changes nothing.
    """

    conversation = TenantForeignKey(Conversation, models.CASCADE, related_name="messages")
    parent = TenantForeignKey("self", models.CASCADE, null=True, related_name="follow_ups")
    ordinal = models.PositiveIntegerField()  # in the order they were asked, over all branches
    question = models.TextField()
    language = models.CharField(max_length=8)
    idempotency_key = models.CharField(max_length=64, null=True)  # sha256 of author and key
    state = models.CharField(max_length=10, choices=MessageState.choices, default=MessageState.WAITING)
    job_id = models.UUIDField(null=True)
    collection_ids = ArrayField(models.UUIDField(), default=list)  # the scope when it was asked
    document_ids = ArrayField(models.UUIDField(), default=list)
    missing = models.JSONField(default=list)
    searched = models.JSONField(default=list)
    pages_read = models.PositiveIntegerField(default=0)
    engine = models.CharField(max_length=60, blank=True)
    seconds = models.FloatField(default=0)
    error_code = models.CharField(max_length=60, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "conversation", "ordinal"], name="message_order"),
            models.UniqueConstraint(fields=["tenant", "idempotency_key"], name="message_once_by_key"),
            models.CheckConstraint(condition=models.Q(state__in=MessageState.values), name="message_state"),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.state}"


class Statement(TenantModel):
    """One checked sentence of an answer."""

    message = TenantForeignKey(Message, models.CASCADE, related_name="statements")
    ordinal = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    kind = models.CharField(max_length=10, choices=[(kind.value, kind.value) for kind in StatementKind])
    verdict = models.CharField(max_length=12, choices=[(verdict.value, verdict.value) for verdict in Verdict])
    is_low_confidence = models.BooleanField(default=False)
    is_scrubbed = models.BooleanField(default=False)  # verbatim words of a deleted document were removed
    numbers = models.JSONField(default=list)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "message", "ordinal"], name="statement_order")]

    def __str__(self) -> str:
        return f"{self.message_id} {self.ordinal}"


class Citation(TenantModel):
    """Where a statement's words or numbers stand. Plain ids: the citation outlives the document, without content."""

    statement = TenantForeignKey(Statement, models.CASCADE, related_name="citations")
    ordinal = models.PositiveIntegerField()
    document_id = models.UUIDField()
    document_name = models.CharField(max_length=255, blank=True)
    version_id = models.UUIDField()
    page = models.PositiveIntegerField()
    label = models.CharField(max_length=40, blank=True)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    quote = models.TextField(blank=True)
    boxes = models.JSONField(default=list)  # [[x0, y0, x1, y1], …] in points
    is_deleted = models.BooleanField(default=False)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "statement", "ordinal"], name="citation_order")]
        indexes = [models.Index(fields=["tenant", "version_id"], name="citation_by_version")]

    def __str__(self) -> str:
        return f"{self.statement_id} {self.ordinal}"


class Feedback(TenantModel):
    """What the author thought of an answer; one per answer."""

    message = TenantForeignKey(Message, models.CASCADE, related_name="feedback")
    kind = models.CharField(max_length=12, choices=FeedbackKind.choices)
    comment = models.CharField(max_length=2000, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "message"], name="feedback_once")]

    def __str__(self) -> str:
        return self.kind


class SavedScope(TenantModel):
    """A named choice of where to look, of one person. Plain ids: rights are read when it is used."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    collection_ids = ArrayField(models.UUIDField(), default=list)
    document_ids = ArrayField(models.UUIDField(), default=list)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "owner", "name"], name="saved_scope_name")]

    def __str__(self) -> str:
        return str(self.id)


class Notice(TenantModel):
    """That a thing of a person came to its end. Holds no name: it is read when shown, and gone with the thing."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    job_id = models.UUIDField()
    kind = models.CharField(max_length=10, choices=NoticeKind.choices)
    subject_id = models.UUIDField()  # the question or the document
    place_id = models.UUIDField(null=True)  # the conversation or the collection
    has_failed = models.BooleanField(default=False)
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "job_id"], name="notice_once_by_job")]
        indexes = [models.Index(fields=["tenant", "person", "-at"], name="notice_recent")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject_id}"


class Desk(TenantModel):
    """Counts the changes of what a person's open pages show, so that they know when to look again."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    conversations = models.PositiveBigIntegerField(default=0)
    notices = models.PositiveBigIntegerField(default=0)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "person"], name="desk_once")]

    def __str__(self) -> str:
        return str(self.person_id)
