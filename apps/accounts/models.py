"""People and what they may reach."""

import uuid
from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.utils import timezone

from apps.accounts.contracts import GrantLevel, Role
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


class ApiToken(models.Model):
    """A key of one person in one organisation; only its hash is kept. No row policy: read before a context."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)  # sha256, hex
    label = models.CharField(max_length=100, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()

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
