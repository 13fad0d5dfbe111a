"""The permission table: every address, who gets what. A route missing here fails the build.

`viewer` is a member with read on the collection; `contributor` may add documents; `admin` manages it.
Values are status codes of the first answer. Strangers and other organisations always get 404 (sign-in for nobody).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

OK, MADE, NONE, FOUND, BAD, FORBIDDEN, MISSING, CONFLICT = 200, 201, 204, 302, 400, 403, 404, 409


@dataclass(frozen=True, slots=True)
class World:
    """Ids of one organisation's things."""

    slug: str
    collection: UUID
    document: UUID
    conversation: UUID  # the viewer's
    message: UUID
    job: UUID
    member: UUID  # the viewer
    group: UUID
    invitation: UUID
    token: UUID  # the viewer's
    webhook: UUID
    delivery: UUID
    scope: UUID  # the viewer's
    notice: UUID  # the viewer's


@dataclass(frozen=True, slots=True)
class Route:
    arguments: Callable[[World], dict[str, Any]]
    viewer: int
    contributor: int
    admin: int
    method: str = "get"
    data: dict[str, Any] = field(default_factory=dict)
    is_private: bool = False  # the viewer's own: other members are strangers to it
    changes: bool = False  # run last for the member: it removes what others need


def page(**names: str) -> Callable[[World], dict[str, Any]]:
    return lambda world: {"tenant_slug": world.slug} | {name: getattr(world, source) for name, source in names.items()}


def page_of(number: int) -> Callable[[World], dict[str, Any]]:
    return lambda world: {"tenant_slug": world.slug, "document_id": world.document, "number": number}


ORGANISATION_ROUTES: dict[str, Route] = {
    "home": Route(page(), OK, OK, OK),
    "suggestions": Route(page(), OK, OK, OK),
    "accounts:new_collection": Route(page(), FORBIDDEN, FORBIDDEN, OK),
    "accounts:access": Route(page(collection_id="collection"), FORBIDDEN, FORBIDDEN, OK),
    # people: members, groups, invitations, oversight (auditors have a test of their own)
    "accounts:activity": Route(page(), OK, OK, OK),
    "providers:models": Route(page(), FORBIDDEN, FORBIDDEN, OK),
    "providers:switch": Route(page(), FORBIDDEN, FORBIDDEN, FOUND, "post", {"is_on": "0"}),
    "providers:try_installation": Route(page(), FORBIDDEN, FORBIDDEN, MISSING, "post"),
    "providers:try": Route(page(profile_id="document"), FORBIDDEN, FORBIDDEN, MISSING, "post"),
    "providers:remove": Route(page(profile_id="document"), FORBIDDEN, FORBIDDEN, MISSING, "post"),
    "accounts:members": Route(page(), FORBIDDEN, FORBIDDEN, OK),
    "accounts:invite": Route(page(), FORBIDDEN, FORBIDDEN, BAD, "post", {"email": "no address"}),
    "accounts:member_role": Route(page(user_id="member"), FORBIDDEN, FORBIDDEN, FOUND, "post", {"role": "viewer"}),
    "accounts:member_state": Route(page(user_id="member"), FORBIDDEN, FORBIDDEN, FOUND, "post", {"active": "1"}),
    "accounts:member_password": Route(page(user_id="member"), FORBIDDEN, FORBIDDEN, OK, "post"),
    "accounts:revoke_invitation": Route(
        page(invitation_id="invitation"), FORBIDDEN, FORBIDDEN, FOUND, "post", changes=True
    ),
    "accounts:groups": Route(page(), FORBIDDEN, FORBIDDEN, OK),
    "accounts:group": Route(page(group_id="group"), FORBIDDEN, FORBIDDEN, OK),
    "accounts:delete_group": Route(page(group_id="group"), FORBIDDEN, FORBIDDEN, FOUND, "post", changes=True),
    "accounts:audit": Route(page(), FORBIDDEN, FORBIDDEN, OK),
    "accounts:audit_grants": Route(page(), FORBIDDEN, FORBIDDEN, OK),
    "accounts:audit_settings": Route(page(), FORBIDDEN, FORBIDDEN, OK),
    "accounts:audit_use": Route(page(), FORBIDDEN, FORBIDDEN, OK),
    "accounts:why": Route(page(), FORBIDDEN, FORBIDDEN, OK),
    "documents:why": Route(page(document_id="document"), FORBIDDEN, FORBIDDEN, FOUND),
    "chat:reviews": Route(page(), FORBIDDEN, FORBIDDEN, FORBIDDEN),
    "chat:review": Route(
        page(conversation_id="conversation"), MISSING, MISSING, MISSING, "post", {"reason": "a reason for it"}
    ),
    "documents:collections": Route(page(), OK, OK, OK),
    "documents:collection": Route(page(collection_id="collection"), OK, OK, OK),
    "documents:upload": Route(page(collection_id="collection"), FORBIDDEN, BAD, BAD, "post"),
    "documents:add_here": Route(page(collection_id="collection"), FORBIDDEN, BAD, BAD, "post"),
    "documents:document": Route(page(document_id="document"), OK, OK, OK),
    "documents:original": Route(page(document_id="document"), OK, OK, OK),
    "documents:page_image": Route(page_of(1), MISSING, MISSING, MISSING),  # a text file has no image
    "documents:retry": Route(page(document_id="document"), FORBIDDEN, CONFLICT, CONFLICT, "post"),
    "documents:password": Route(page(document_id="document"), FORBIDDEN, CONFLICT, CONFLICT, "post", {"password": "x"}),
    "documents:members": Route(page(document_id="document"), OK, OK, OK),
    "documents:bin": Route(page(), OK, OK, OK),
    "documents:bin_days": Route(page(), FORBIDDEN, FORBIDDEN, FORBIDDEN, "post", {"days": "30"}),
    "documents:delete_binned": Route(page(document_id="document"), MISSING, MISSING, MISSING, "post"),
    "documents:bin_document": Route(page(document_id="document"), FORBIDDEN, FOUND, FOUND, "post", changes=True),
    "documents:restore": Route(page(document_id="document"), MISSING, FOUND, FOUND, "post", changes=True),
    "ingestion:batches": Route(page(), OK, OK, OK),
    "ingestion:begin": Route(page(collection_id="collection"), FORBIDDEN, BAD, BAD, "post"),
    "ingestion:reread": Route(page(collection_id="collection"), FORBIDDEN, FORBIDDEN, FOUND, "post"),
    "ingestion:batch": Route(page(batch_id="document"), MISSING, MISSING, MISSING),
    "ingestion:bring": Route(page(batch_id="document"), MISSING, MISSING, MISSING, "post"),
    "ingestion:pause": Route(page(batch_id="document"), MISSING, MISSING, MISSING, "post"),
    "ingestion:resume": Route(page(batch_id="document"), MISSING, MISSING, MISSING, "post"),
    "ingestion:retry": Route(page(batch_id="document"), MISSING, MISSING, MISSING, "post"),
    "documents:history": Route(page(document_id="document"), OK, OK, OK),
    "documents:version": Route(page(document_id="document", version_id="document"), MISSING, MISSING, MISSING),
    "documents:version_image": Route(
        lambda world: page_of(1)(world) | {"version_id": world.document}, MISSING, MISSING, MISSING
    ),
    "documents:delete": Route(page(document_id="document"), FORBIDDEN, FOUND, FOUND, "post", changes=True),
    "retrieval:search": Route(page(), OK, OK, OK, data={"q": "option price"}),
    "chat:ask": Route(page(), OK, OK, OK),
    "chat:send": Route(page(), FOUND, FOUND, FOUND, "post", {"question": "hello"}),
    "chat:conversation": Route(page(conversation_id="conversation"), OK, MISSING, MISSING, is_private=True),
    "chat:rename": Route(
        page(conversation_id="conversation"), FOUND, MISSING, MISSING, "post", {"title": "t"}, is_private=True
    ),
    "chat:stop": Route(page(message_id="message"), CONFLICT, MISSING, MISSING, "post", is_private=True),
    "chat:retry": Route(page(message_id="message"), CONFLICT, MISSING, MISSING, "post", is_private=True),
    "chat:feedback": Route(
        page(message_id="message"), FOUND, MISSING, MISSING, "post", {"kind": "wrong"}, is_private=True
    ),
    # the desk: history, versions, copies, saved scopes, inbox
    "chat:history": Route(page(), OK, OK, OK, data={"q": "option"}),
    "chat:pin": Route(page(conversation_id="conversation"), FOUND, MISSING, MISSING, "post", is_private=True),
    "chat:edit": Route(page(message_id="message"), FOUND, MISSING, MISSING, "post", {"question": "?"}, is_private=True),
    "chat:take_back": Route(page(message_id="message"), CONFLICT, MISSING, MISSING, "post", is_private=True),
    "chat:text": Route(page(message_id="message"), OK, MISSING, MISSING, is_private=True),
    "chat:save_scope": Route(page(), BAD, BAD, BAD, "post", {"scope_name": "nothing chosen"}),
    "chat:use_scope": Route(page(scope_id="scope"), FOUND, MISSING, MISSING, is_private=True),
    "chat:delete_scope": Route(page(scope_id="scope"), FOUND, MISSING, MISSING, "post", is_private=True, changes=True),
    "chat:inbox": Route(page(), OK, OK, OK),
    "chat:open_notice": Route(page(notice_id="notice"), FOUND, MISSING, MISSING, is_private=True),
    "chat:read_notice": Route(page(notice_id="notice"), FOUND, MISSING, MISSING, "post", is_private=True),
    "chat:read_all": Route(page(), FOUND, FOUND, FOUND, "post"),
    "chat:delete": Route(
        page(conversation_id="conversation"), FOUND, MISSING, MISSING, "post", is_private=True, changes=True
    ),
}


# what was read out of a document: the world's document is a note without tables
def table(**names: str) -> Callable[[World], dict[str, Any]]:
    return lambda world: page(document_id="document")(world) | {"page": 1, "block": 0, **names}


ORGANISATION_ROUTES |= {
    "documents:table_file": Route(table(kind="xlsx"), MISSING, MISSING, MISSING),
    "documents:metadata": Route(
        page(document_id="document"), FORBIDDEN, FOUND, FOUND, "post", {"field": "entity", "value": "Kestrel"}
    ),
    "documents:inspect": Route(page(document_id="document"), FORBIDDEN, FORBIDDEN, OK),
    "documents:collection_headers": Route(
        page(collection_id="collection"), FORBIDDEN, FORBIDDEN, FOUND, "post", {"mode": "rules"}
    ),
    "retrieval:chunks": Route(page(document_id="document"), FORBIDDEN, FORBIDDEN, OK),
}

# webhook pages
ORGANISATION_ROUTES |= {
    "webhooks:webhooks": Route(page(), FORBIDDEN, FORBIDDEN, OK),
    "webhooks:webhook": Route(page(webhook_id="webhook"), FORBIDDEN, FORBIDDEN, OK),
    "webhooks:try": Route(page(webhook_id="webhook"), FORBIDDEN, FORBIDDEN, FOUND, "post"),
    "webhooks:secret": Route(page(webhook_id="webhook"), FORBIDDEN, FORBIDDEN, OK, "post"),
    "webhooks:resend": Route(
        page(webhook_id="webhook", delivery_id="delivery"), FORBIDDEN, FORBIDDEN, CONFLICT, "post"
    ),
    "webhooks:remove": Route(page(webhook_id="webhook"), FORBIDDEN, FORBIDDEN, FOUND, "post", changes=True),
}


def api(**names: str) -> Callable[[World], dict[str, Any]]:
    return lambda world: {name: getattr(world, source) for name, source in names.items()}


def api_page(number: int) -> Callable[[World], dict[str, Any]]:
    return lambda world: {"document_id": world.document, "number": number}


API_ROUTES: dict[str, Route] = {
    "api:collections": Route(api(), OK, OK, OK),
    "api:documents": Route(api(), OK, OK, OK),
    "api:document": Route(api(document_id="document"), OK, OK, OK),
    "api:page": Route(api_page(1), OK, OK, OK),
    "api:page_image": Route(api_page(1), MISSING, MISSING, MISSING),
    "api:retry": Route(api(document_id="document"), FORBIDDEN, CONFLICT, CONFLICT, "post"),
    "api:search": Route(api(), OK, OK, OK, "post", {"query": "option price"}),
    "api:questions": Route(api(), 202, 202, 202, "post", {"question": "hello"}),
    "api:question": Route(api(question_id="message"), OK, MISSING, MISSING, is_private=True),
    "api:question_events": Route(api(question_id="message"), OK, MISSING, MISSING, is_private=True),
    "api:jobs": Route(api(), OK, OK, OK),
    "api:job": Route(api(job_id="job"), OK, MISSING, MISSING, is_private=True),
    "api:job_events": Route(api(job_id="job"), OK, MISSING, MISSING, is_private=True),
}

# REST complete: tokens, documents, conversations, people, oversight, models, webhooks
API_ROUTES |= {
    "api:me": Route(api(), OK, OK, OK),
    "api:tokens": Route(api(), OK, OK, OK),
    "api:token": Route(api(token_id="token"), NONE, MISSING, MISSING, "delete", is_private=True, changes=True),
    "api:collection": Route(api(collection_id="collection"), OK, OK, OK),
    "api:collection_grants": Route(api(collection_id="collection"), FORBIDDEN, FORBIDDEN, OK),
    "api:password": Route(api(document_id="document"), FORBIDDEN, CONFLICT, CONFLICT, "post", {"password": "x"}),
    "api:copies": Route(
        api(document_id="document"), MISSING, MISSING, MISSING, "post", {"collection_id": str(UUID(int=1))}
    ),
    "api:original": Route(api(document_id="document"), OK, OK, OK),
    "api:outline": Route(api(document_id="document"), OK, OK, OK),
    "api:question_retry": Route(api(question_id="message"), CONFLICT, MISSING, MISSING, "post", is_private=True),
    "api:feedback": Route(
        api(question_id="message"), NONE, MISSING, MISSING, "put", {"kind": "wrong"}, is_private=True
    ),
    "api:conversations": Route(api(), OK, OK, OK),
    "api:conversation": Route(api(conversation_id="conversation"), OK, MISSING, MISSING, is_private=True),
    "api:job_retry": Route(api(job_id="job"), CONFLICT, MISSING, MISSING, "post", is_private=True),
    "api:organisation": Route(api(), OK, OK, OK),
    "api:members": Route(api(), FORBIDDEN, FORBIDDEN, OK),
    "api:member": Route(api(user_id="member"), FORBIDDEN, FORBIDDEN, OK),
    "api:member_return": Route(api(user_id="member"), FORBIDDEN, FORBIDDEN, OK, "post"),
    "api:member_password": Route(api(user_id="member"), FORBIDDEN, FORBIDDEN, MADE, "post"),
    "api:groups": Route(api(), FORBIDDEN, FORBIDDEN, OK),
    "api:group": Route(api(group_id="group"), FORBIDDEN, FORBIDDEN, OK),
    "api:invitations": Route(api(), FORBIDDEN, FORBIDDEN, OK),
    "api:invitation": Route(api(invitation_id="invitation"), FORBIDDEN, FORBIDDEN, NONE, "delete", changes=True),
    "api:audit_events": Route(api(), FORBIDDEN, FORBIDDEN, OK),
    "api:audit_grants": Route(api(), FORBIDDEN, FORBIDDEN, OK),
    "api:audit_use": Route(api(), FORBIDDEN, FORBIDDEN, OK),
    "api:audit_access": Route(api(), FORBIDDEN, FORBIDDEN, BAD),
    "api:models": Route(api(), FORBIDDEN, FORBIDDEN, OK),
    "api:model_policy": Route(api(), FORBIDDEN, FORBIDDEN, OK),
    "api:try_installation": Route(api(), FORBIDDEN, FORBIDDEN, MISSING, "post"),
    "api:model": Route(api(profile_id="document"), FORBIDDEN, FORBIDDEN, MISSING, "delete"),
    "api:try_model": Route(api(profile_id="document"), FORBIDDEN, FORBIDDEN, MISSING, "post"),
    "api:webhooks": Route(api(), FORBIDDEN, FORBIDDEN, OK),
    "api:webhook": Route(api(webhook_id="webhook"), FORBIDDEN, FORBIDDEN, OK),
    "api:webhook_secret": Route(api(webhook_id="webhook"), FORBIDDEN, FORBIDDEN, MADE, "post"),
    "api:try_webhook": Route(api(webhook_id="webhook"), FORBIDDEN, FORBIDDEN, 202, "post"),
    "api:deliveries": Route(api(webhook_id="webhook"), FORBIDDEN, FORBIDDEN, OK),
    "api:resend": Route(api(webhook_id="webhook", delivery_id="delivery"), FORBIDDEN, FORBIDDEN, CONFLICT, "post"),
}


# what was read out of a document
def api_table(**names: str) -> Callable[[World], dict[str, Any]]:
    return lambda world: {"document_id": world.document, "page": 1, "block": 0, **names}


API_ROUTES |= {
    "api:find": Route(api(document_id="document"), OK, OK, OK),
    "api:tables": Route(api(document_id="document"), OK, OK, OK),
    "api:table": Route(api_table(), MISSING, MISSING, MISSING),
    "api:table_file": Route(api_table(kind="xlsx"), MISSING, MISSING, MISSING),
    "api:metadata": Route(api(document_id="document"), OK, OK, OK),
    "api:metadata_field": Route(
        lambda world: {"document_id": world.document, "field": "entity"},
        FORBIDDEN,
        OK,
        OK,
        "put",
        {"values": ["Kestrel"]},
    ),
    "api:figures": Route(api(document_id="document"), OK, OK, OK),
    "api:history": Route(api(document_id="document"), OK, OK, OK),
    "api:structure": Route(api_page(1), FORBIDDEN, FORBIDDEN, OK),
    "api:chunks": Route(api(document_id="document"), FORBIDDEN, FORBIDDEN, OK),
    "api:collection_headers": Route(api(collection_id="collection"), OK, OK, OK),
}

# the bin, versions, loads
API_ROUTES |= {
    "api:reread": Route(api(collection_id="collection"), FORBIDDEN, FORBIDDEN, 202, "post"),
    "api:batches": Route(api(), OK, OK, OK),
    "api:batch": Route(api(batch_id="document"), MISSING, MISSING, MISSING),
    "api:batch_files": Route(api(batch_id="document"), MISSING, MISSING, MISSING, "post"),
    "api:batch_pause": Route(api(batch_id="document"), MISSING, MISSING, MISSING, "post"),
    "api:batch_resume": Route(api(batch_id="document"), MISSING, MISSING, MISSING, "post"),
    "api:batch_retry": Route(api(batch_id="document"), MISSING, MISSING, MISSING, "post"),
    "api:versions": Route(api(document_id="document"), OK, OK, OK),
    "api:version_page": Route(
        lambda world: api_page(1)(world) | {"version_id": world.document}, MISSING, MISSING, MISSING
    ),
    "api:bin": Route(api(), OK, OK, OK),
    "api:bin_days": Route(api(), OK, OK, OK),
    "api:binned": Route(api(document_id="document"), MISSING, MISSING, MISSING, "delete"),
    "api:bin_document": Route(api(document_id="document"), FORBIDDEN, OK, MISSING, "post", changes=True),
    "api:restore": Route(api(document_id="document"), MISSING, OK, MISSING, "post", changes=True),
}

OPEN_ROUTES = {
    "healthz": "no content",
    "readyz": "names of parts only",
    "set_language": "sets a cookie",
    "set_theme": "sets a cookie",
    "accounts:start": "redirects to the person's own organisation",
    "accounts:sign_in": "the door",
    "accounts:sign_out": "ends the own session",
    "accounts:first_run": "answers to the one-time key alone",
    "accounts:invitation": "answers to the link's key alone",
    "accounts:preferences": "the own settings",
    "accounts:end_session": "the own sign-ins",
    "accounts:end_other_sessions": "the own sign-ins",
    "accounts:tokens": "the own API tokens",
    "accounts:revoke_token": "the own API tokens",
    "metrics": "counts by kind, to this machine or to the metrics token",
    **dict.fromkeys(
        (
            "account_login",
            "account_logout",
            "account_signup",
            "account_inactive",
            "account_reset_password",
            "account_reset_password_done",
            "account_reset_password_from_key",
            "account_reset_password_from_key_done",
            "account_confirm_email",
            "account_email_verification_sent",
            "mfa_authenticate",
        ),
        "the door: allauth's steps before a sign-in, by keys that were mailed or by the half-done sign-in",
    ),
    **dict.fromkeys(
        (
            "account_reauthenticate",
            "account_change_password",
            "mfa_reauthenticate",
            "mfa_index",
            "mfa_activate_totp",
            "mfa_deactivate_totp",
            "mfa_view_recovery_codes",
            "mfa_generate_recovery_codes",
            "mfa_download_recovery_codes",
        ),
        "the own account",
    ),
    "api:sign_in": "the door",
    "api:schema": "describes the API, holds no data",
}
