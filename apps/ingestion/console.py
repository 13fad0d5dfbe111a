"""What the console commands of ingestion share: naming an organisation, a collection and a person."""

from uuid import UUID

from django.core.management.base import CommandError

from apps.accounts.contracts import Actor, Role
from apps.accounts.models import Collection, Membership
from apps.tenants.context import tenant_context
from apps.tenants.models import Tenant


def collection_of(organisation: str, collection: str) -> tuple[UUID, UUID]:
    """(tenant id, collection id) by slug and by name or id. Raises CommandError."""
    tenants = Tenant.objects.filter(slug=organisation) if organisation else Tenant.objects.all()
    ids = list(tenants.values_list("id", flat=True)[:2])
    if len(ids) != 1:
        known = ", ".join(Tenant.objects.order_by("slug").values_list("slug", flat=True)[:20])
        raise CommandError(f"give --organisation, one of: {known}")
    with tenant_context(ids[0]):
        rows = Collection.objects.filter(private_to=None)
        found = [row for row in rows.order_by("name") if collection in (row.name, str(row.id))]
        names = ", ".join(rows.order_by("name").values_list("name", flat=True)[:20])
    if len(found) != 1:
        raise CommandError(f"no single collection is called {collection!r}; there are: {names}")
    return ids[0], found[0].id


def person_of(tenant_id: UUID, email: str) -> Actor:
    """The member with this address, or the organisation's first owner. Raises CommandError."""
    members = Membership.objects.filter(tenant_id=tenant_id, is_active=True).select_related("user", "tenant")
    members = members.filter(user__email=email.lower()) if email else members.filter(role=Role.OWNER)
    found = members.order_by("created_at").first()
    if found is None:
        raise CommandError("nobody of the organisation has this address" if email else "the organisation has no owner")
    return Actor(found.user_id, tenant_id, Role(found.role), found.user.name, found.tenant.slug)
