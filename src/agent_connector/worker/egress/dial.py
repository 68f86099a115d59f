"""Connections to allowed hosts: a name is resolved once, what came out is checked, and that address is connected.

So a name that answers with a public address first and a private one later gains nothing.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence

from agent_connector.worker.egress.allow import Allowed, host, public

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Resolve = Callable[[str, int], Awaitable[list[str]]]
Connect = Callable[[str, int], Awaitable[Streams]]
SECONDS = 20.0  # for a name, and for each address
SIZE = 262_144  # bytes that are buffered of a connection


class Refused(Exception):
    """This host is not to be reached; the text says why. `code` is what the run is told."""

    def __init__(self, why: str, code: int = 403) -> None:
        super().__init__(why)
        self.code = code


async def resolve(name: str, port: int) -> list[str]:
    """The system's answer, in its order."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def connect(address: str, port: int) -> Streams:
    return await asyncio.open_connection(address, port, limit=SIZE)


async def reach(name: str, port: int, allowed: Sequence[Allowed], resolve: Resolve, connect: Connect) -> Streams:
    """A connection to `name`, as the run spells it; Refused when it may not be, or cannot."""
    known = host(name)
    if known is None:
        raise Refused("only names are allowed, no addresses")
    if not any(entry.matches(known, port) for entry in allowed):
        raise Refused("it is not in sandbox.allowHosts")
    try:
        async with asyncio.timeout(SECONDS):
            addresses = await resolve(known, port)
    except (OSError, TimeoutError):
        raise Refused("the name cannot be resolved", 502) from None
    inner = next((address for address in addresses if not public(address)), None)
    if inner is not None or not addresses:
        raise Refused(f"its name leads to {inner}, which is no address of the internet")
    for address in addresses:
        try:
            async with asyncio.timeout(SECONDS):
                return await connect(address, port)
        except (OSError, TimeoutError):
            continue
    raise Refused("it cannot be reached", 502)
