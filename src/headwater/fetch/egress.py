"""Block connections to private addresses, unless the user allows them.

The check happens in the callback that opens the socket, on the address itself, so that neither another spelling of an
address nor a changed DNS answer bypasses it.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING

from headwater.errors import SettingError
from headwater.settings.choices import SEED_HOSTS
from headwater.urls.parsing import get_authority, serialize_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Networks that `ipaddress` calls global, or that embed another address, and that a crawler must not connect to.
SPECIAL_NETWORKS: tuple[Network, ...] = tuple(
    ip_network(text)
    for text in (
        "192.0.0.0/24", "192.88.99.0/24", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/23",
        "fec0::/10", "3fff::/20", "5f00::/16", "::/96", "100::/64",
    )
)  # fmt: skip
LOOPBACK_NAMES = frozenset({"localhost", "localhost.", "ip6-localhost"})


@lru_cache(maxsize=4096)
def is_public(address: str) -> bool:
    """Return True if the text is an IP address of the public internet."""
    parsed = _parse_address(address)
    if parsed is None:
        return False
    if not parsed.is_global or parsed.is_multicast or parsed.is_reserved or parsed.is_unspecified:
        return False
    return not any(parsed in network for network in SPECIAL_NETWORKS)


def _parse_address(address: str) -> Address | None:
    """Parse an address without its zone; an IPv4 address mapped into IPv6 becomes IPv4."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (parsed.ipv4_mapped or parsed) if isinstance(parsed, IPv6Address) else parsed


@dataclass(frozen=True, slots=True)
class EgressPolicy:
    """The private hosts and networks that may be connected to."""

    hosts: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = field(default=())

    @classmethod
    def from_allow_list(cls, allowed: Sequence[str], seeds: Iterable[str] = ()) -> EgressPolicy:
        """Build the policy from `--allow-private [HOST|CIDR]` and from seeds on loopback addresses."""
        hosts: set[str] = set()
        networks: list[Network] = []
        named = [text for text in allowed if text != SEED_HOSTS]
        get_seed_host = get_loopback_host if SEED_HOSTS not in allowed else _get_seed_host
        for text in (*named, *(host for seed in seeds if (host := get_seed_host(seed)))):
            network = _parse_network(text)
            if network is not None:
                networks.append(network)
            else:
                hosts.add(_parse_host(text))
        return cls(frozenset(hosts), tuple(networks))

    def permits(self, host: str, address: str) -> bool:
        """Return True if this address may be connected to for a URL with this host."""
        return is_public(address) or host in self.hosts or self._is_in_allowed_network(address)

    def find_blocked_address(self, host: str, addresses: Iterable[str]) -> str:
        """Return the first address that may not be connected to, or an empty string.

        Used with a proxy, which opens the connection for us.
        """
        return next((address for address in addresses if not self.permits(host, address)), "")

    def _is_in_allowed_network(self, address: str) -> bool:
        parsed = _parse_address(address)
        return parsed is not None and any(parsed in network for network in self.networks)


ALLOW_ALL = EgressPolicy(networks=(ip_network("0.0.0.0/0"), ip_network("::/0")))
"""For connections to a proxy from the settings; targets are checked before the proxy connects to them."""


def describe_blocked_address(address: str) -> str:
    """Return a message about an address that may not be connected to."""
    return f"{address} is not public; --allow-private names exceptions"


class CurlSocket:
    """A socket for libcurl, which duplicates it; the original is closed with this object."""

    __slots__ = ("_descriptor",)

    def __init__(self, family: int, socktype: int, protocol: int) -> None:
        self._descriptor = socket.socket(family, socktype, protocol).detach()

    def fileno(self) -> int:
        """Return the descriptor that libcurl duplicates."""
        return self._descriptor

    def __del__(self) -> None:
        os.close(self._descriptor)


def open_socket(egress: EgressPolicy, host: str, kind: tuple[int, int, int], address: str) -> CurlSocket | None:
    """Open a socket of this family, type and protocol for the address; None if the policy forbids it."""
    if kind[0] not in {socket.AF_INET, socket.AF_INET6} or not egress.permits(host, address):
        return None
    return CurlSocket(*kind)


def get_host(url: str) -> str:
    """Return the host of a serialised URL, without port and brackets."""
    authority = get_authority(url)
    if authority.startswith("["):
        return authority[1 : authority.index("]")]
    return authority.partition(":")[0]


@lru_cache(maxsize=4096)
def is_ip_address(host: str) -> bool:
    """Return True if a URL's host is an IP address and needs no lookup."""
    return ":" in host or (host[-1:].isdigit() and _parse_network(host) is not None)


def get_loopback_host(url: str) -> str:
    """Return the host of a URL if it is a loopback name or address, else an empty string."""
    href = serialize_url(url)
    host = get_host(href) if href else ""
    if host in LOOPBACK_NAMES or host.endswith(".localhost"):
        return host
    try:
        return host if host and ip_address(host).is_loopback else ""
    except ValueError:
        return ""


def require_named_hosts(allowed: Iterable[str]) -> None:
    """Raise SettingError if the hosts of seeds are allowed in a server, where other people name the seeds."""
    if SEED_HOSTS in allowed:
        raise SettingError("allow_private", "a server needs the names of the private hosts or networks")


def _get_seed_host(url: str) -> str:
    href = serialize_url(url)
    return get_host(href) if href else ""


def _parse_network(text: str) -> Network | None:
    try:
        return ip_network(text.strip("[]"), strict=False)
    except ValueError:
        return None


def _parse_host(text: str) -> str:
    href = serialize_url(f"http://{text}/")
    if href is None or "/" in text or ":" in text:
        raise SettingError("allow_private", f"{text!r} is not a host name, an address or a network such as 10.0.0.0/8")
    return get_host(href)
