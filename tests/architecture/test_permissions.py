"""Walks every address as nobody, stranger, other organisation's member and members of three kinds."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple, fields, replace
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse

from apps.accounts import groups, invitations
from apps.accounts import services as accounts
from apps.accounts.contracts import Actor, GrantLevel, InvitationDraft, Role, Scope
from apps.accounts.models import User
from apps.accounts.selectors import list_invitations
from apps.api import services as webhooks
from apps.api.contracts import EventKind
from apps.chat import selectors as chat
from apps.chat.notices import list_notices
from apps.chat.scopes import save_scope
from apps.tenants.context import tenant_context
from tests.architecture.routes import API_ROUTES, OPEN_ROUTES, ORGANISATION_ROUTES, Route, World
from tests.factories.library import ask, make_document
from tests.factories.people import make_actor, make_collection, make_organisation

pytestmark = pytest.mark.django_db(transaction=True)


def all_route_names(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            space = f"{prefix}{entry.namespace}:" if entry.namespace else prefix
            yield from all_route_names(entry, space)
        elif isinstance(entry, URLPattern) and entry.name:
            yield f"{prefix}{entry.name}"


def make_world(slug: str) -> tuple[World, dict[str, Actor]]:
    tenant_id = make_organisation(slug)
    people = {
        "admin": make_actor(tenant_id, Role.ADMIN),
        "contributor": make_actor(tenant_id, Role.ANALYST),
        "viewer": make_actor(tenant_id, Role.VIEWER),
        "outsider": make_actor(tenant_id, Role.ANALYST),  # a member without any grant
    }
    grants = {people["contributor"]: GrantLevel.CONTRIBUTE, people["viewer"]: GrantLevel.READ}
    collection_id = make_collection(people["admin"], grants=grants)
    document = make_document(people["contributor"], collection_id)
    message_id = ask(people["viewer"], "What is the option price of the Kestrel project?")
    with tenant_context(tenant_id):
        message = chat.get_message(actor=people["viewer"], message_id=message_id)
        group_id = groups.create_group(actor=people["admin"], name="Credit committee")
        draft = InvitationDraft(email=f"new@{slug}.example", role=Role.VIEWER, group_ids=(), grants={})
        invitations.invite(actor=people["admin"], draft=draft)
        webhook_id, _secret = webhooks.add_webhook(
            actor=people["admin"], url="https://hooks.example.com/airis", kinds=[EventKind.JOB_FAILED]
        )
        delivery_id = webhooks.try_webhook(actor=people["admin"], webhook_id=webhook_id)
        scope_id = save_scope(actor=people["viewer"], name="Mine", collection_ids=[collection_id])
        [notice_id] = [notice.id for notice in list_notices(actor=people["viewer"])]
        [invitation_id] = [invited.id for invited in list_invitations(actor=people["admin"])]
    assert message.job_id is not None
    world = World(
        slug=slug,
        collection=collection_id,
        document=document.id,
        conversation=message.conversation_id,
        message=message.id,
        job=message.job_id,
        member=people["viewer"].user_id,
        group=group_id,
        invitation=invitation_id,
        token=accounts.issue_token(user_id=people["viewer"].user_id, tenant_id=tenant_id, label="own")[1].id,
        webhook=webhook_id,
        delivery=delivery_id,
        scope=scope_id,
        notice=notice_id,
    )
    return world, people


def unknown(world: World) -> World:
    return World(world.slug, *(uuid4() for _ in fields(World)[1:]))


def call(client: Client, name: str, route: Route, world: World, **headers: Any) -> Any:
    url = reverse(name, kwargs=route.arguments(world))
    if name.startswith("api:") and route.method in ("post", "put", "patch"):
        send = getattr(client, route.method)
        return send(url, json.dumps(route.data), content_type="application/json", **headers)
    response = getattr(client, route.method)(url, route.data, **headers)
    response.whole = b"".join(response.streaming_content) if response.streaming else response.content
    return response


def signed_in(actor: Actor) -> Client:
    client = Client()
    client.force_login(User.objects.get(id=actor.user_id), backend="apps.accounts.backends.EmailBackend")
    return client


def token_header(actor: Actor, *, scopes: Iterable[Scope] = tuple(Scope)) -> dict[str, str]:
    token, _ = accounts.issue_token(user_id=actor.user_id, tenant_id=actor.tenant_id, label="test", scopes=scopes)
    return {"HTTP_AUTHORIZATION": f"Bearer {token}"}


def body(response: Any) -> bytes:
    """Without what differs by request and person: tokens, language and the shell of the own organisation."""
    content: bytes = response.whole
    return content


def test_every_route_stands_in_the_table() -> None:
    names = set(all_route_names(get_resolver()))

    assert names == set(ORGANISATION_ROUTES) | set(API_ROUTES) | set(OPEN_ROUTES)


def test_pages_answer_each_person_as_the_table_says() -> None:
    world, people = make_world("alpha")
    _, other_people = make_world("beta")
    nobody, stranger = Client(), signed_in(other_people["admin"])
    browsers = {person: signed_in(people[person]) for person in ("viewer", "contributor", "admin")}
    wrong = []

    for name, route in sorted(ORGANISATION_ROUTES.items(), key=lambda item: item[1].changes):
        got: dict[str, int] = {"nobody": call(nobody, name, route, world).status_code}
        expected = {"nobody": 302, "stranger": 404}
        got["stranger"] = call(stranger, name, route, world).status_code
        for person in ("viewer", "contributor", "admin"):
            if route.changes and person == "admin":
                continue
            got[person] = call(browsers[person], name, route, world).status_code
            expected[person] = getattr(route, person)
        wrong += [f"{name} {who}: {got[who]}, not {expected[who]}" for who in got if got[who] != expected[who]]

    assert wrong == []


def test_another_organisations_ids_answer_like_unknown_ids_under_the_own_address() -> None:
    world, _ = make_world("alpha")
    own, people = make_world("beta")
    admin = signed_in(people["admin"])
    foreign = replace(world, slug=own.slug)
    nothing = unknown(own)

    for name, route in ORGANISATION_ROUTES.items():
        if route.arguments(foreign) == route.arguments(own):
            continue
        there, nowhere = call(admin, name, route, foreign), call(admin, name, route, nothing)
        assert (there.status_code, strip(body(there), foreign)) == (404, strip(body(nowhere), nothing)), name

    with tenant_context(people["viewer"].tenant_id):
        assert chat.get_message(actor=people["viewer"], message_id=own.message)


def test_a_member_without_a_grant_sees_a_collection_like_an_unknown_one() -> None:
    world, people = make_world("alpha")
    outsider = signed_in(people["outsider"])

    for name, route in ORGANISATION_ROUTES.items():
        needs_thing = set(route.arguments(world)) & {
            "collection_id",
            "document_id",
            "conversation_id",
            "message_id",
            "scope_id",
        }
        if needs_thing:
            assert call(outsider, name, route, world).status_code == 404, name


def test_the_api_answers_each_person_as_the_table_says() -> None:
    world, people = make_world("alpha")
    _, other_people = make_world("beta")
    client = Client()
    wrong = []

    for name, route in sorted(API_ROUTES.items(), key=lambda item: item[1].changes):
        got = {"nobody": call(client, name, route, world).status_code}
        expected = {"nobody": 401}
        for person in ("viewer", "contributor", "admin"):
            got[person] = call(client, name, route, world, **token_header(people[person])).status_code
            expected[person] = getattr(route, person)
        if route.arguments(world):
            got["stranger"] = call(client, name, route, world, **token_header(other_people["admin"])).status_code
            expected["stranger"] = 404
        wrong += [f"{name} {who}: {got[who]}, not {expected[who]}" for who in got if got[who] != expected[who]]

    assert wrong == []


def test_a_token_does_what_its_scopes_say_and_nothing_else() -> None:
    world, people = make_world("alpha")
    admin, client, wrong = people["admin"], Client(), []
    headers = {scope: token_header(admin, scopes=[scope]) for scope in Scope}

    for name, route in API_ROUTES.items():
        view = resolve(reverse(name, kwargs=route.arguments(world))).func.cls
        methods = {method for method in ("GET", "POST", "PUT", "PATCH", "DELETE") if hasattr(view, method.lower())}
        assert set(view.scopes) == methods, f"{name} names a scope for each method"
        for method, scope in view.scopes.items():
            url = reverse(name, kwargs=route.arguments(unknown(world)))
            for held, header in headers.items():
                reply = getattr(client, method.lower())(url, content_type="application/json", **header)
                code = reply.json().get("code", "") if reply.get("Content-Type", "").endswith("problem+json") else ""
                if (held == scope) == (code == "scope_missing"):
                    wrong.append(f"{method} {name} with {held}: {reply.status_code} {code}")

    assert wrong == []


def test_no_method_on_another_organisations_thing_changes_it_or_tells_of_it() -> None:
    world, people = make_world("alpha")
    _, other_people = make_world("beta")
    stranger = signed_in(other_people["admin"])
    header = token_header(other_people["admin"])

    for name, route in {**ORGANISATION_ROUTES, **API_ROUTES}.items():
        arguments = route.arguments(world)
        if not arguments:
            continue
        url = reverse(name, kwargs=arguments)
        for method in ("get", "head", "post", "put", "patch", "delete", "options"):
            options = header if name.startswith("api:") else {}
            status = getattr(stranger, method)(url, **options).status_code
            assert status in ((404, 405, 200) if method == "options" else (404, 405)), f"{method} {name}: {status}"

    assert call(signed_in(people["viewer"]), "documents:document", ORGANISATION_ROUTES["documents:document"], world)
    assert chat_is_whole(people["viewer"], world)


def chat_is_whole(viewer: Actor, world: World) -> bool:
    with tenant_context(viewer.tenant_id):
        return bool(chat.get_message(actor=viewer, message_id=world.message).statements)


def strip(content: bytes, world: World) -> bytes:
    text = content.decode()
    for value in astuple(world)[1:]:
        text = text.replace(str(value), "")
    import re

    return re.sub(r'(csrfmiddlewaretoken" value|"X-CSRFToken":) ?=?"?[^">]*', "", text).encode()
