"""Origins: the one spelling of each, the addresses that are allowed, and URLs that must stay inside one (section 1)."""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import SplitResult, urlsplit

from agent_connector.byoa.protocol import limits
from agent_connector.byoa.protocol.fields import ProtocolError

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
DEFAULT_PORTS = {"https": 443, "http": 80}
# Two readings of internationalised names differ for these four: a browser and we would reach different hosts.
DEVIATING = frozenset("ßς\u200c\u200d")
LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
TARGET = re.compile(r"/[!$&'()*+,;=:@/?%A-Za-z0-9._~-]*")  # path and query as RFC 3986 spells them, no fragment
KEY_BREAKERS = re.compile(r"://|[^A-Za-z0-9.-]")
FULL_STOPS = re.compile("[\u3002\uff0e\uff61]")
# The last label of a name that an address parser of another program could take for a number.
NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*")


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, host and port in canonical form; made only by `parse_origin`, so two are equal when they are the same."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        shown = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{shown}"

    @property
    def key(self) -> str:
        """The name that stands for it in `~/.byoa`."""
        return KEY_BREAKERS.sub("_", str(self))


def parse_origin(text: str, where: str = "origin") -> Origin:
    """`text` is an origin and nothing more: no user, path, query or fragment."""
    parts = _split(text, where)
    if parts.path not in ("", "/") or "?" in text or "#" in text:
        raise ProtocolError("holds more than scheme, host and port", where)
    return _origin(parts, where)


def within(origin: Origin, text: str, where: str) -> str:
    """The absolute URL for a path or URL of an app, which must stay at the app's own origin."""
    if len(text) > limits.URL:
        raise ProtocolError(f"longer than {limits.URL} characters", where)
    if text.startswith("//"):
        raise ProtocolError("is neither a path nor a URL", where)
    if text.startswith("/"):
        target = text
    else:
        parts = _split(text, where)
        if _origin(parts, where) != origin:
            raise ProtocolError(f"is not at {origin}", where)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        if "#" in text:
            raise ProtocolError("has a fragment", where)
    if not TARGET.fullmatch(target) or target.startswith("//"):
        raise ProtocolError("holds characters that are not allowed", where)
    return f"{origin}{target}"


def _split(text: str, where: str) -> SplitResult:
    if len(text) > limits.URL or not text.isprintable() or " " in text or "\\" in text:
        # urlsplit drops tabs and line breaks silently, and browsers take a backslash for a slash
        raise ProtocolError("holds characters that are not allowed", where)
    try:
        return urlsplit(text)
    except ValueError:
        raise ProtocolError("is not a URL", where) from None


def _origin(parts: SplitResult, where: str) -> Origin:
    if parts.scheme not in DEFAULT_PORTS:
        raise ProtocolError("is not an https URL", where)
    if "@" in parts.netloc:
        raise ProtocolError("names a user", where)
    try:
        name, port = parts.hostname or "", parts.port
    except ValueError:
        raise ProtocolError("has a port that is none", where) from None
    if port is None and parts.netloc.endswith(":"):
        raise ProtocolError("has a port that is none", where)
    if port == 0:
        raise ProtocolError("has a port that is none", where)
    host = _ipv6(name, where) if "[" in parts.netloc else _host(name, where)
    if parts.scheme == "http" and host not in LOOPBACK:
        raise ProtocolError("must be https: plain http reaches this machine only", where)
    return Origin(parts.scheme, host, port or DEFAULT_PORTS[parts.scheme])


def _ipv6(name: str, where: str) -> str:
    try:
        if "%" in name:
            raise AddressValueError
        return f"[{IPv6Address(name).compressed}]"
    except ValueError:
        raise ProtocolError("has a host that is none", where) from None


def _host(name: str, where: str) -> str:
    if DEVIATING & set(name):
        raise ProtocolError("has a host that programs read in two ways", where)
    try:
        host = FULL_STOPS.sub(".", name).removesuffix(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise ProtocolError("has a host that is none", where) from None
    labels = host.split(".")
    if len(host) > 253 or not all(LABEL.fullmatch(label) for label in labels):
        raise ProtocolError("has a host that is none", where)
    if NUMERIC.fullmatch(labels[-1]):
        # 127.1 and 0x7f000001 are addresses for some programs and names for others
        try:
            return str(IPv4Address(host))
        except ValueError:
            raise ProtocolError("has a host that programs read in two ways", where) from None
    return host
