"""Which hosts a run may reach: names with a port, never addresses. Pure.

`example.org` is that name at ports 443 and 80, `example.org:8443` at that port alone, `*.example.org` every name below it.
"""

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass

from agent_connector.errors import SandboxError

USUAL_PORTS = (443, 80)
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_LONGEST = 253


@dataclass(frozen=True, slots=True)
class Allowed:
    """One entry of `sandbox.allowHosts`."""

    name: str  # lower case, without the dot at its end
    ports: tuple[int, ...]
    below: bool  # the names below it, not itself

    def matches(self, name: str, port: int) -> bool:
        if port not in self.ports:
            return False
        return name.endswith("." + self.name) if self.below else name == self.name


def parse(entries: Iterable[str]) -> tuple[Allowed, ...]:
    """The entries as values; SandboxError for the first that is no host."""
    return tuple(_entry(entry) for entry in entries)


def _entry(entry: str) -> Allowed:
    text, _, number = entry.strip().partition(":")
    below = text.startswith("*.")
    name = host(text.removeprefix("*."))
    if name is None or "." not in name:
        why = f"{entry!r} is no host that can be allowed"
        remedy = "write a name, name:port or *.name; no address, no URL, no name of the local network"
        raise SandboxError(why, where="sandbox.allowHosts", remedy=remedy)
    if number and not (number.isascii() and number.isdigit() and 0 < int(number) < 65_536):
        raise SandboxError(f"{entry!r} has no port from 1 to 65535", where="sandbox.allowHosts")
    return Allowed(name, (int(number),) if number else USUAL_PORTS, below)


def host(text: str) -> str | None:
    """A name as it is compared; None for an address in any spelling that a resolver takes for one, and for what is no name.

    A last label that begins with a digit makes a name an address to many resolvers: 127.1, 0x7f.1, 2130706433.
    """
    name = text.lower().removesuffix(".")
    if not name.isascii():
        try:
            name = name.encode("idna").decode()
        except UnicodeError:
            return None
    labels = name.split(".")
    if len(name) > _LONGEST or not all(_LABEL.fullmatch(label) for label in labels) or labels[-1][0].isdigit():
        return None
    return name


def public(address: str) -> bool:
    """Is it an address of the internet? An address in it counts: ::ffff:10.0.0.1, 64:ff9b::a00:1, 2002:a00:1::."""
    try:
        value = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(value, ipaddress.IPv6Address):
        inner = value.ipv4_mapped or value.sixtofour or (value.teredo or (None, None))[1] or _translated(value)
        if inner is not None:
            value = inner
    return value.is_global and not value.is_multicast and not value.is_reserved


def _translated(value: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """What NAT64 would make of it."""
    if value in ipaddress.ip_network("64:ff9b::/96"):
        return ipaddress.IPv4Address(int(value) & 0xFFFF_FFFF)
    return None
