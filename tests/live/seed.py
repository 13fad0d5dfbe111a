"""Makes an organisation in a live installation; prints JSON with what tests need to act in it."""

import json
import sys

import django

django.setup()

from apps.accounts import groups, invitations, services  # noqa: E402
from apps.accounts.contracts import Actor, GrantLevel, InvitationDraft, Role  # noqa: E402
from apps.accounts.models import User  # noqa: E402
from apps.api import services as webhooks  # noqa: E402
from apps.api.contracts import EventKind  # noqa: E402
from apps.tenants.context import tenant_context  # noqa: E402
from tests.factories.people import PASSWORD, make_actor, make_collection, make_organisation  # noqa: E402


def main(slug: str) -> None:
    tenant_id = make_organisation(slug)
    admin = make_actor(tenant_id, Role.ADMIN, name=f"Admin of {slug}")
    viewer = make_actor(tenant_id, Role.VIEWER, name=f"Viewer of {slug}")
    collection_id = make_collection(admin, name=f"Papers of {slug}", grants={viewer: GrantLevel.READ})
    auditor = make_actor(tenant_id, Role.AUDITOR, name=f"Auditor of {slug}")
    invitation = furnish(admin, make_actor(tenant_id, Role.OWNER, name=f"Owner of {slug}"))
    tokens = {}
    emails = {}
    for name, actor in {"admin": admin, "viewer": viewer, "auditor": auditor}.items():
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
                "invitation": invitation,
                "password": PASSWORD,
            }
        )
    )


def furnish(admin: Actor, owner: Actor) -> str:
    """Every page of people has something to show; returns the path of an open invitation."""
    with tenant_context(admin.tenant_id):
        services.set_conversation_review(actor=owner, is_allowed=True)
        groups.create_group(actor=admin, name="Credit committee")
        draft = InvitationDraft(email="new@meridian.example", role=Role.ANALYST, group_ids=(), grants={})
        invitation = invitations.invite(actor=admin, draft=draft)
        webhooks.add_webhook(actor=admin, url="https://hooks.example.com/airis", kinds=[EventKind.JOB_FAILED])
    return invitation


if __name__ == "__main__":
    main(sys.argv[1])
