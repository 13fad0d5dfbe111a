"""Whether anything leaves is an owner's or admin's decision: off by default, confirmed, audited, per organisation."""

from uuid import UUID

import pytest
from django.test import Client

from apps.accounts.contracts import Role
from apps.providers import selectors
from apps.providers.models import ModelPolicy, ModelProfile
from apps.tenants.context import tenant_context
from apps.tenants.models import AuditEvent
from tests.factories.people import make_actor, make_organisation, signed_in, slug_of
from tests.providers.openai_server import Turn, openai_server

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def desk(settings):
    with openai_server(Turn("Ready.")) as server:
        settings.PRIVATE_HOSTS = [f"127.0.0.1:{server.port}"]
        tenant = make_organisation()
        admin = make_actor(tenant, Role.ADMIN)
        yield tenant, admin, server


def add(client: Client, slug: str, base_url: str, **more: str):
    data = {"name": "Local", "base_url": base_url, "model": "local-7b", "api_key": "key-1", **more}
    return client.post(f"/t/{slug}/models/", data)


def test_nothing_leaves_until_somebody_confirms_what_is_sent(desk) -> None:
    tenant, admin, server = desk
    client = signed_in(admin)
    address = f"/t/{slug_of(tenant)}/models/"

    add(client, slug_of(tenant), server.base_url)
    client.post(address + "switch/", {"is_on": "1"})
    with tenant_context(tenant):
        before = selectors.usable_endpoints()
    client.post(address + "switch/", {"is_on": "1", "understood": "1"})
    with tenant_context(tenant):
        (endpoint,) = selectors.usable_endpoints()
        event = AuditEvent.objects.get(action="models.switched_on")
    client.post(address + "switch/", {"is_on": "0"})

    assert before == ()
    assert (endpoint.base_url, endpoint.model, endpoint.api_key) == (server.base_url, "local-7b", "key-1")
    assert event.detail == {
        "hosts": [f"127.0.0.1:{server.port}"],
        "sent": ["question", "earlier_questions", "passages"],
    }
    with tenant_context(tenant):
        assert selectors.usable_endpoints() == ()


def test_the_key_is_sealed_and_never_shown(desk) -> None:
    tenant, admin, server = desk
    client = signed_in(admin)

    add(client, slug_of(tenant), server.base_url, api_key="sk-very-secret")

    with tenant_context(tenant):
        assert "sk-very-secret" not in ModelProfile.objects.get().sealed_key
    assert b"sk-very-secret" not in client.get(f"/t/{slug_of(tenant)}/models/").content


def test_one_click_tries_the_model_and_sends_nothing_of_the_organisation(desk) -> None:
    tenant, admin, server = desk
    client = signed_in(admin)
    add(client, slug_of(tenant), server.base_url)
    with tenant_context(tenant):
        profile: UUID = ModelProfile.objects.get().id

    page = client.post(f"/t/{slug_of(tenant)}/models/{profile}/try/", follow=True).content.decode()

    assert "local-7b" in page
    assert [message["content"] for message in server.requests[0]["messages"]] == ["Reply with one word.", "ready?"]
    with tenant_context(tenant):
        assert ModelProfile.objects.get().test_failure == ""


@pytest.mark.parametrize(
    ("base_url", "part"),
    [("http://10.0.0.7:8000/v1", "https://"), ("https://127.0.0.1:1/v1", "own network"), ("nonsense", "web address")],
)
def test_an_address_of_the_own_network_is_refused_beside_its_field(base_url: str, part: str, desk) -> None:
    tenant, admin, _ = desk

    answer = add(signed_in(admin), slug_of(tenant), base_url)

    assert answer.status_code == 400
    assert part in answer.content.decode()
    with tenant_context(tenant):
        assert not ModelProfile.objects.exists()


def test_a_name_is_given_once_and_switching_on_needs_a_model(desk) -> None:
    tenant, admin, server = desk
    client = signed_in(admin)

    client.post(f"/t/{slug_of(tenant)}/models/switch/", {"is_on": "1", "understood": "1"})
    first = add(client, slug_of(tenant), server.base_url)
    second = add(client, slug_of(tenant), server.base_url)

    assert (first.status_code, second.status_code) == (302, 400)
    with tenant_context(tenant):
        assert not ModelPolicy.objects.filter(is_on=True).exists()


def test_another_organisation_s_models_are_not_its_own(desk) -> None:
    tenant, admin, server = desk
    other = make_actor(make_organisation(), Role.ADMIN)
    add(signed_in(admin), slug_of(tenant), server.base_url)
    with tenant_context(tenant):
        profile = ModelProfile.objects.get().id
    stranger = signed_in(other)

    tried = stranger.post(f"/t/{other.tenant_slug}/models/{profile}/try/")
    removed = stranger.post(f"/t/{other.tenant_slug}/models/{profile}/remove/")

    assert (tried.status_code, removed.status_code) == (404, 404)
    assert not server.requests
    with tenant_context(tenant):
        assert ModelProfile.objects.exists()
