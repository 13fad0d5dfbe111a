"""The one door to the network: what an organisation names may not point into the installation's own network.

Addresses are checked when the connection is made, so that a name that changes its address gets no further. Hosts of
PRIVATE_HOSTS (host or host:port) are the operator's exception, such as a model server on the same machine.
"""

import ipaddress
import math
import socket
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpcore2
import httpx2
from django.conf import settings
from django.utils.translation import gettext as _

from apps.core.errors import InputError, ProviderError

LOOK_EVERY_S = 1.0


def check_url(url: str, *, field: str) -> str:
    """The address without a slash at its end. Raises InputError for one that may not be used."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
        httpx2.URL(url.strip()).raw_host.decode("ascii")
    except (ValueError, httpx2.InvalidURL):
        raise InputError(_("Give a web address such as https://models.example.com/v1."), field=field) from None
    is_plain = bool(parts.hostname) and unicodedata.normalize("NFKC", parts.netloc) == parts.netloc
    if parts.scheme not in ("http", "https") or not is_plain or not parts.hostname or parts.username or parts.password:
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


class GuardedClient(httpx2.Client):
    """Connects to public hosts and the operator's exceptions only, follows no redirect, takes no packed reply.

    `bounded` sets what one exchange may cost: a timeout alone counts from byte to byte, and a server that sends one
    now and then holds a process for ever.
    """

    def __init__(self, *, timeout_s: float, connect_timeout_s: float = 10.0) -> None:
        self._backend = _GuardedBackend()
        transport = httpx2.HTTPTransport(retries=0, trust_env=False)
        transport._pool = httpcore2.ConnectionPool(  # the library offers no public way to give a network backend
            ssl_context=httpx2.create_ssl_context(trust_env=False),
            max_connections=20,
            max_keepalive_connections=5,
            keepalive_expiry=15.0,
            network_backend=self._backend,
        )
        super().__init__(
            transport=transport,
            timeout=httpx2.Timeout(timeout_s, connect=connect_timeout_s),
            headers={"Accept-Encoding": "identity"},
            event_hooks={"response": [_refuse_packed]},
            follow_redirects=False,
            trust_env=False,
        )

    @contextmanager
    def bounded(self, *, total_s: float, most_bytes: int, check: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Until the end of the block: at most so many seconds and bytes in all; `check` is asked every second.

        Raises what `check` raised even where a library wrapped it; httpx2.ReadTimeout and ProviderError
        ("reply_too_large") for the bounds.
        """
        bounds = self._backend.bounds = _Bounds(time.monotonic() + total_s, most_bytes, check)
        try:
            yield
        except Exception:
            if bounds.broken_by is not None:
                raise bounds.broken_by from None
            raise
        finally:
            self._backend.bounds = _Bounds()


@dataclass(slots=True)
class _Bounds:
    deadline: float = math.inf  # of time.monotonic()
    left_bytes: float = math.inf
    check: Callable[[], None] = lambda: None
    broken_by: Exception | None = None

    def wait_s(self, timeout_s: float | None) -> float:
        """How long to wait before looking again. Raises what ends the exchange."""
        try:
            self.check()
        except Exception as exc:
            self.broken_by = exc
            raise
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("the exchange took too long in all")
        return min(LOOK_EVERY_S, left, math.inf if timeout_s is None else timeout_s)

    def take(self, count: int) -> None:
        self.left_bytes -= count
        if self.left_bytes < 0:
            self.broken_by = ProviderError(code="reply_too_large", detail="over the limit of bytes", is_retryable=False)
            raise self.broken_by


class _BoundedStream(httpcore2.NetworkStream):
    """A connection that is read in short waits, under the bounds of the exchange."""

    def __init__(self, stream: httpcore2.NetworkStream, backend: "_GuardedBackend") -> None:
        self._stream = stream
        self._backend = backend

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        waited = 0.0
        while True:
            wait_s = self._backend.bounds.wait_s(None if timeout is None else timeout - waited)
            try:
                data = self._stream.read(max_bytes, wait_s)
            except httpcore2.ReadTimeout:
                waited += wait_s
                if timeout is not None and waited >= timeout:
                    raise
                continue
            self._backend.bounds.take(len(data))
            return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, timeout)

    def close(self) -> None:
        self._stream.close()

    def start_tls(self, *args: Any, **kwargs: Any) -> httpcore2.NetworkStream:  # Any: handed on as given
        return _BoundedStream(self._stream.start_tls(*args, **kwargs), self._backend)

    def get_extra_info(self, info: str) -> Any:  # Any: as the library says
        return self._stream.get_extra_info(info)


class _GuardedBackend(httpcore2.SyncBackend):
    """Resolves a host itself and connects to an address that was checked."""

    def __init__(self) -> None:
        super().__init__()
        self.bounds = _Bounds()

    def connect_tcp(self, host: str, port: int, *args: Any, **kwargs: Any) -> httpcore2.NetworkStream:  # Any: as given
        self.bounds.wait_s(None)
        for address in public_addresses(host, port):
            try:
                return _BoundedStream(super().connect_tcp(address, port, *args, **kwargs), self)
            except httpcore2.ConnectError as exc:
                failed = exc
        raise failed


def _refuse_packed(response: httpx2.Response) -> None:
    """A reply of a few bytes may unpack to gigabytes; none was asked for."""
    if response.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        raise ProviderError(code="reply_packed", detail="a packed reply", is_retryable=False)


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
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None) or _embedded(ip)
        if inner is not None and not inner.is_global:
            return False
        ip = ip.ipv4_mapped or ip
    return ip.is_global and not ip.is_multicast


def _embedded(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address in the last four bytes of a translated (NAT64) or compatible address."""
    is_translated = any(ip in network for network in _TRANSLATED)
    return ipaddress.IPv4Address(ip.packed[12:]) if is_translated else None


_TRANSLATED = tuple(ipaddress.IPv6Network(text) for text in ("64:ff9b::/96", "64:ff9b:1::/48", "::/96"))


def _port(scheme: str) -> int:
    return 443 if scheme == "https" else 80
