"""Organisations and people for tests, made through the product's own services."""

from itertools import count
from uuid import UUID, uuid4

from django.test import Client

from apps.accounts import services
from apps.accounts.contracts import Actor, GrantLevel, Role
from apps.accounts.models import User
from apps.tenants.context import tenant_context
from apps.tenants.models import Tenant

_numbers = count(1)
_run = uuid4().hex[:8]  # sign-in attempts are counted by address in Valkey, which outlives a test run
PASSWORD = "correct horse battery"


def make_organisation(slug: str = "") -> UUID:
    number = next(_numbers)
    return services.create_organisation(name=f"Organisation {number}", slug=slug or f"org-{number}")


def make_actor(tenant_id: UUID, role: Role = Role.ANALYST, *, name: str = "") -> Actor:
    """A new person with this role in the organisation."""
    number = next(_numbers)
    user_id = services.create_person(
        email=f"person{number}-{_run}@example.org", name=name or f"Person {number}", password=PASSWORD
    )
    services.add_member(tenant_id=tenant_id, user_id=user_id, role=role, added_by=None)
    user = User.objects.get(id=user_id)
    return Actor(user_id=user_id, tenant_id=tenant_id, role=role, name=user.name)


def make_collection(admin: Actor, *, name: str = "", grants: dict[Actor, GrantLevel] | None = None) -> UUID:
    """A collection managed by `admin` (owner or administrator), with grants to others."""
    with tenant_context(admin.tenant_id):
        collection_id = services.create_collection(actor=admin, name=name or f"Collection {next(_numbers)}")
        for actor, level in (grants or {}).items():
            services.grant_access(actor=admin, collection_id=collection_id, user_id=actor.user_id, level=level)
    return collection_id


def email_of(actor: Actor) -> str:
    return str(User.objects.values_list("email", flat=True).get(id=actor.user_id))


def signed_in(actor: Actor) -> Client:
    """A browser in which the person signed in with their password, from an address of its own."""
    number = next(_numbers)
    client = Client(REMOTE_ADDR=f"10.1.{number // 250}.{number % 250 + 1}", HTTP_USER_AGENT="Mozilla Firefox/130 Linux")
    reply = client.post("/accounts/login/", {"login": email_of(actor), "password": PASSWORD})
    assert reply.status_code == 302, reply.content
    return client


def slug_of(tenant_id: UUID) -> str:
    return str(Tenant.objects.values_list("slug", flat=True).get(id=tenant_id))
