"""Case h19: no feature of an organisation reaches the installation's own network, whatever the spelling."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from apps.accounts.contracts import Role
from tests.factories.people import make_actor, make_organisation, signed_in, slug_of

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESSES: list[str] = json.loads((Path(__file__).parents[1] / "files" / "inner_addresses.json").read_text())


@pytest.fixture
def inner() -> Iterator[socket.socket]:
    """A server of the own network that counts who comes."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        yield server


@pytest.fixture
def admin(settings: LazySettings) -> tuple[Client, str]:
    settings.PRIVATE_HOSTS = []
    tenant_id = make_organisation()
    return signed_in(make_actor(tenant_id, Role.OWNER)), slug_of(tenant_id)


def pages(slug: str, url: str) -> dict[str, dict[str, Any]]:
    """Where an organisation can name an address."""
    return {
        f"/t/{slug}/webhooks/": {"url": url, "kinds": ["job.failed"]},
        f"/t/{slug}/models/": {"name": "m", "base_url": url, "model": "m", "api_key": ""},
    }


def test_inner_addresses_are_refused_when_saved_and_nobody_is_called(
    admin: tuple[Client, str], inner: socket.socket
) -> None:
    client, slug = admin
    port = inner.getsockname()[1]
    own = [f"{scheme}://{host}:{port}/" for scheme in ("http", "https") for host in ("127.0.0.1", "localhost", "[::1]")]
    taken = []

    for url in [*ADDRESSES, *own]:
        for page, data in pages(slug, url).items():
            if client.post(page, data).status_code != 400:
                taken.append((page, url))

    assert [(page, url) for page, url in taken if not url.endswith(".invalid/")] == []
    with pytest.raises(TimeoutError):
        inner.accept()
