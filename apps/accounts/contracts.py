"""Types of people and rights. `Actor` is what services of all apps take to know who acts."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Role(TextChoices):
    OWNER = "owner", _("Owner")
    ADMIN = "admin", _("Administrator")
    ANALYST = "analyst", _("Analyst")
    VIEWER = "viewer", _("Viewer")
    AUDITOR = "auditor", _("Auditor")


class GrantLevel(TextChoices):
    """Each level holds the ones before it."""

    READ = "read", _("can read")
    CONTRIBUTE = "contribute", _("can add documents")
    MANAGE = "manage", _("can manage")


class Permission(StrEnum):
    """Acts in an organisation (fixed by role) and on a collection (by grant, capped by role)."""

    ASK = "ask"
    SEARCH = "search"
    MANAGE_COLLECTIONS = "manage_collections"
    MANAGE_MEMBERS = "manage_members"
    VIEW_AUDIT = "view_audit"
    READ = "read"
    CONTRIBUTE = "contribute"
    MANAGE = "manage"


@dataclass(frozen=True, slots=True)
class Actor:
    """A person acting in one organisation."""

    user_id: UUID
    tenant_id: UUID
    role: Role
    name: str
    tenant_slug: str = ""  # for links in what is rendered for this person


@dataclass(frozen=True, slots=True)
class CollectionSummary:
    id: UUID
    name: str
    description: str
    is_private: bool
    level: GrantLevel
    document_count: int = 0


@dataclass(frozen=True, slots=True)
class MembershipSummary:
    user_id: UUID
    name: str
    email: str
    role: Role
    is_active: bool


@dataclass(frozen=True, slots=True)
class OrganisationSummary:
    id: UUID
    slug: str
    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class GrantSummary:
    user_id: UUID
    name: str
    email: str
    level: GrantLevel
