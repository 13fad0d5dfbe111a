"""Types of people and rights. `Actor` is what services of all apps take to know who acts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
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


class NumberFormat(TextChoices):
    BY_LANGUAGE = "", _("as the language writes it")
    POINT = "point", "1,234.56"
    COMMA = "comma", "1.234,56"


class Scope(TextChoices):
    """What an API token may be used for, at most; its person's rights bound it further."""

    READ = "read", _("read: documents, pages, search, conversations, jobs")
    WRITE = "write", _("write: add, rename and delete documents")
    ASK = "ask", _("ask: questions and conversations")
    MANAGE = "manage", _("manage: people, collections, access, models, webhooks, tokens")
    AUDIT = "audit", _("audit: the trail and the list of grants")


class Permission(StrEnum):
    """Acts in an organisation (fixed by role) and on a collection (by grant, capped by role)."""

    ASK = "ask"
    SEARCH = "search"
    MANAGE_COLLECTIONS = "manage_collections"
    MANAGE_MEMBERS = "manage_members"
    MANAGE_ORGANISATION = "manage_organisation"
    MANAGE_MODELS = "manage_models"
    MANAGE_WEBHOOKS = "manage_webhooks"
    VIEW_AUDIT = "view_audit"
    REVIEW_CONVERSATIONS = "review_conversations"
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


@dataclass(frozen=True, slots=True)
class GroupSummary:
    id: UUID
    name: str
    member_count: int
    collection_count: int


@dataclass(frozen=True, slots=True)
class GroupGrantSummary:
    group_id: UUID
    name: str
    level: GrantLevel


@dataclass(frozen=True, slots=True)
class InvitationSummary:
    id: UUID
    email: str
    role: Role
    created_by_name: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class InvitationOffer:
    """What the holder of a link may take: shown before they accept."""

    id: UUID
    tenant_id: UUID
    organisation: str
    tenant_slug: str
    email: str
    role: Role
    invited_by: str
    is_known_person: bool  # somebody with this address can sign in already


@dataclass(frozen=True, slots=True)
class InvitationDraft:
    """What an invitation will give. `grants`: collection id → level."""

    email: str
    role: Role
    group_ids: tuple[UUID, ...]
    grants: Mapping[UUID, GrantLevel]


@dataclass(frozen=True, slots=True)
class GrantLine:
    """One line of the list of all grants: a collection and who reaches it, a person or a group."""

    collection: str
    holder: str
    is_group: bool
    members: tuple[str, ...]  # of the group
    level: GrantLevel


@dataclass(frozen=True, slots=True)
class AccessReason:
    """Why one person reaches one collection, or does not."""

    collection_id: UUID
    collection: str
    is_private: bool
    user_id: UUID
    person: str
    role: Role
    is_active: bool
    direct: GrantLevel | None
    groups: tuple[tuple[str, GrantLevel], ...]
    effective: GrantLevel | None  # after the role's cap; None: cannot see it
    is_capped: bool  # the role or the organisation holds back some of what was granted


@dataclass(frozen=True, slots=True)
class SessionSummary:
    id: int
    device: str
    address: str
    started_at: datetime
    last_seen_at: datetime
    is_current: bool


@dataclass(frozen=True, slots=True)
class TokenAccess:
    """Who acts through an API token, and how far."""

    token_id: UUID
    actor: Actor
    scopes: frozenset[Scope]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class TokenSummary:
    id: UUID
    label: str
    tenant_id: UUID
    organisation: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None
    is_expired: bool
