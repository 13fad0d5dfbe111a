"""An organisation with two collections and people of every kind, for tests of knowledge apps."""

from dataclasses import dataclass
from uuid import UUID

from apps.accounts.contracts import Actor, GrantLevel, Role
from tests.factories.people import make_actor, make_collection, make_organisation


@dataclass
class Desk:
    tenant_id: UUID
    admin: Actor
    member: Actor  # contributes to `shared`
    reader: Actor  # reads `shared`
    stranger: Actor  # in the organisation, without any grant
    shared: UUID
    secret: UUID  # open to the admin alone


def make_desk() -> Desk:
    tenant_id = make_organisation()
    admin = make_actor(tenant_id, Role.OWNER)
    member, reader, stranger = make_actor(tenant_id), make_actor(tenant_id, Role.VIEWER), make_actor(tenant_id)
    shared = make_collection(admin, grants={member: GrantLevel.CONTRIBUTE, reader: GrantLevel.READ})
    return Desk(tenant_id, admin, member, reader, stranger, shared, make_collection(admin))
