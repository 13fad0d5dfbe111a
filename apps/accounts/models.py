"""People and what they may reach."""

import uuid
from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone

from apps.accounts.contracts import GrantLevel, NumberFormat, Role, Scope
from apps.tenants.fields import TenantForeignKey
from apps.tenants.models import Tenant, TenantModel


class UserManager(BaseUserManager["User"]):
    def create_user(self, *, email: str, name: str, password: str | None = None) -> "User":
        user = self.model(email=normalise_email(email), name=name)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=normalise_email(username or ""))


def normalise_email(email: str) -> str:
    return email.strip().casefold()


class User(AbstractBaseUser):
    """A person, across organisations. No row policy: sign-in happens before a context exists."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=200)
    is_active = models.BooleanField(default=True)
    is_demo = models.BooleanField(default=False)  # signs in from this machine only
    language = models.CharField(max_length=8, blank=True)  # "": that of the browser
    theme = models.CharField(max_length=8, blank=True)  # "": that of the device
    time_zone = models.CharField(max_length=64, blank=True)  # IANA name; "": UTC
    number_format = models.CharField(max_length=8, blank=True, choices=NumberFormat.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    def __str__(self) -> str:
        return self.email


class Membership(models.Model):
    """A person's role in an organisation. No row policy: read to decide whether a context may be opened."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "user"], name="membership_once"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role}"


def all_scopes() -> list[str]:
    return list(Scope.values)


class ApiToken(models.Model):
    """A key of one person in one organisation; only its hash is kept. No row policy: read before a context."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)  # sha256, hex
    label = models.CharField(max_length=100, blank=True)
    scopes = ArrayField(models.CharField(max_length=10), default=all_scopes)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)  # to the minute

    def __str__(self) -> str:
        return f"token {self.id}"

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()


class Collection(TenantModel):
    """A set of documents with its own grants. A private one belongs to one person ("My files")."""

    name = models.CharField(max_length=200)
    description = models.CharField(max_length=500, blank=True)
    private_to = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "name"], condition=models.Q(private_to=None), name="collection_name"
            ),
            models.UniqueConstraint(fields=["tenant", "private_to"], name="collection_private_once"),
        ]

    def __str__(self) -> str:
        return self.name


class CollectionGrant(TenantModel):
    """What a person may do with a collection."""

    collection = TenantForeignKey(Collection, models.CASCADE, related_name="grants")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    level = models.CharField(max_length=10, choices=GrantLevel.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "collection", "user"], name="grant_once"),
            models.CheckConstraint(condition=models.Q(level__in=GrantLevel.values), name="grant_level"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.level}"


class Group(TenantModel):
    """People who are granted things together."""

    name = models.CharField(max_length=100)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "name"], name="group_name")]

    def __str__(self) -> str:
        return self.name


class GroupMember(TenantModel):
    """A person of a group. What the group may reach counts while the membership is active."""

    group = TenantForeignKey(Group, models.CASCADE, related_name="members")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "group", "user"], name="group_member_once")]

    def __str__(self) -> str:
        return str(self.user_id)


class GroupGrant(TenantModel):
    """What the people of a group may do with a collection."""

    collection = TenantForeignKey(Collection, models.CASCADE, related_name="group_grants")
    group = TenantForeignKey(Group, models.CASCADE, related_name="grants")
    level = models.CharField(max_length=10, choices=GrantLevel.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "collection", "group"], name="group_grant_once"),
            models.CheckConstraint(condition=models.Q(level__in=GrantLevel.values), name="group_grant_level"),
        ]

    def __str__(self) -> str:
        return f"{self.group_id} {self.level}"


class Invitation(TenantModel):
    """A way in for one address, by a link of which only the hash is kept.

    open ──accepted──▶ accepted
      ├──revoked──▶ revoked
      └──time──▶ expired (expires_at is past)
    """

    email = models.EmailField(max_length=254)
    role = models.CharField(max_length=10, choices=Role.choices)
    digest = models.CharField(max_length=64)  # sha256, hex
    group_ids = ArrayField(models.UUIDField(), default=list)
    grants = models.JSONField(default=dict)  # collection id → level
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")  # null: the console
    is_mailed = models.BooleanField(default=False)  # the link went by mail alone: accepting proves the address
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "digest"], name="invitation_once"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role"),
        ]
        indexes = [models.Index(fields=["digest"], name="invitation_by_digest")]

    def __str__(self) -> str:
        return f"invitation {self.id}"


class SetupToken(models.Model):
    """The one-time key of the first-run page; at most one row. No tenant: there is none yet."""

    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"setup token of {self.created_at:%Y-%m-%d}"


class IdempotencyKey(TenantModel):
    """A request of the API that must not be done twice, and its answer. Kept for a day."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    key_digest = models.CharField(max_length=64)  # sha256 of the key, hex
    request_digest = models.CharField(max_length=64)  # of method, address and body
    status = models.PositiveSmallIntegerField(null=True)  # null: under way
    body = models.JSONField(null=True, encoder=DjangoJSONEncoder)  # without what is shown only once
    created_at = models.DateTimeField(default=timezone.now)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "user", "key_digest"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return f"key {self.id}"
