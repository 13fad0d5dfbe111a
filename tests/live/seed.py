"""Makes an organisation in a live installation; prints JSON with what tests need to act in it."""

import json
import sys

import django

django.setup()

from apps.accounts import services  # noqa: E402
from apps.accounts.contracts import GrantLevel, Role  # noqa: E402
from apps.accounts.models import User  # noqa: E402
from tests.factories.people import PASSWORD, make_actor, make_collection, make_organisation  # noqa: E402


def main(slug: str) -> None:
    tenant_id = make_organisation(slug)
    admin = make_actor(tenant_id, Role.ADMIN, name=f"Admin of {slug}")
    viewer = make_actor(tenant_id, Role.VIEWER, name=f"Viewer of {slug}")
    collection_id = make_collection(admin, name=f"Papers of {slug}", grants={viewer: GrantLevel.READ})
    tokens = {}
    emails = {}
    for name, actor in {"admin": admin, "viewer": viewer}.items():
        tokens[name], _ = services.issue_token(user_id=actor.user_id, tenant_id=tenant_id, label="live test")
        email = f"{name}@{slug}.example"
        User.objects.filter(id=actor.user_id).update(email=email)
        emails[name] = email
    print(
        json.dumps(
            {
                "slug": slug,
                "tenant": str(tenant_id),
                "collection": str(collection_id),
                "tokens": tokens,
                "emails": emails,
                "password": PASSWORD,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
