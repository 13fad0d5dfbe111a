"""The one door to the network: what an organisation names may not point into the installation's own network.

Addresses are checked when the connection is made, so that a name that changes its address gets no further. Hosts of
PRIVATE_HOSTS (host or host:port) are the operator's exception, such as a model server on the same machine.
"""

import ipaddress
import socket
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import httpcore2
import httpx2
from django.conf import settings
from django.utils.translation import gettext as _

from apps.core.errors import InputError, ProviderError


def check_url(url: str, *, field: str) -> str:
    """The address without a slash at its end. Raises InputError for one that may not be used."""
    parts = urlsplit(url.strip())
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in ("http", "https") or not parts.hostname or port == -1 or parts.username or parts.password:
        raise InputError(_("Give a web address such as https://models.example.com/v1."), field=field)
    if parts.query or parts.fragment:
        raise InputError(_("Give the address without a question mark or number sign."), field=field)
    is_open = is_private_host(parts.hostname, port or _port(parts.scheme))
    if is_forbidden_literal(parts.hostname) and not is_open:
        text = _(
            "This address belongs to the installation's own network. Its operator can open it with the setting "
            "AIRIS_PRIVATE_HOSTS."
        )
        raise InputError(text, field=field)
    if parts.scheme == "http" and not is_open:
        text = _(
            "Only https:// is used outside this installation. For a server of its own network the operator names the "
            "host in the setting AIRIS_PRIVATE_HOSTS."
        )
        raise InputError(text, field=field)
    return url.strip().rstrip("/")


def is_private_host(host: str, port: int) -> bool:
    """Whether the operator has allowed this host of the own network."""
    allowed: Iterable[str] = settings.PRIVATE_HOSTS
    return any(entry in (host, f"{host}:{port}") for entry in allowed)


def is_forbidden_literal(host: str) -> bool:
    """Whether the host is written as an address that is not public, in any spelling that resolvers take."""
    try:
        return not _is_public(host.strip("[]"))
    except ValueError:
        pass
    try:
        return not _is_public(socket.inet_ntoa(socket.inet_aton(host)))  # "127.1", "0x7f000001", "2130706433"
    except OSError:
        return host == "localhost" or host.endswith((".localhost", ".internal", ".local"))


def guarded_client(*, timeout_s: float, connect_timeout_s: float = 10.0) -> httpx2.Client:
    """An HTTP client that connects to public hosts and the operator's exceptions only, and follows no redirect."""
    transport = httpx2.HTTPTransport(retries=0, trust_env=False)
    transport._pool = httpcore2.ConnectionPool(  # the library offers no public way to give a network backend
        ssl_context=httpx2.create_ssl_context(trust_env=False),
        max_connections=20,
        max_keepalive_connections=5,
        keepalive_expiry=15.0,
        network_backend=_GuardedBackend(),
    )
    timeout = httpx2.Timeout(timeout_s, connect=connect_timeout_s)
    return httpx2.Client(transport=transport, timeout=timeout, follow_redirects=False, trust_env=False)


class _GuardedBackend(httpcore2.SyncBackend):
    """Resolves a host itself and connects to an address that was checked."""

    def connect_tcp(self, host: str, port: int, *args: Any, **kwargs: Any) -> httpcore2.NetworkStream:  # Any: as given
        for address in public_addresses(host, port):
            try:
                return super().connect_tcp(address, port, *args, **kwargs)
            except httpcore2.ConnectError as exc:
                failed = exc
        raise failed


def public_addresses(host: str, port: int) -> list[str]:
    """The host's addresses. Raises ProviderError when one of them is not open to what an organisation names."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as exc:
        raise httpcore2.ConnectError(f"no address for {host}") from exc
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not is_private_host(host, port) and not all(_is_public(address) for address in addresses):
        raise ProviderError(
            code="host_forbidden", detail=f"{host} has an address of the own network", is_retryable=False
        )
    return addresses


def _is_public(address: str) -> bool:
    ip = ipaddress.ip_address(address.split("%")[0])
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return ip.is_global and not ip.is_multicast


def _port(scheme: str) -> int:
    return 443 if scheme == "https" else 80
