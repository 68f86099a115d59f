"""A door with a model behind it, and a client inside: all on loopback, no sandbox."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from agent_connector.worker.egress.door import Door
from agent_connector.worker.egress.proxy import Egress

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
SECONDS = 60


@dataclass
class Site:
    """What a test sees: `said` are the lines for the run's log, `asked` the heads that the far side got."""

    egress: Egress
    door: Door
    model: str
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    dialled: list[tuple[str, int]] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)

    async def send(self, data: bytes, *, by: str = "unix") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection from inside, with these bytes sent."""
        if by == "unix":
            streams = await asyncio.open_unix_connection(self.door.socket)
        else:
            streams = await asyncio.open_connection("127.0.0.1", self.door.port)
        streams[1].write(data)
        await streams[1].drain()
        return streams

    async def ask(self, data: bytes, *, by: str = "unix") -> str:
        """All of the answer to a request that ends the connection."""
        reader, writer = await self.send(data, by=by)
        answer = await reader.read()
        writer.close()
        return answer.decode()


async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A model that says what it was told."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Model: yes\r\nConnection: close\r\n\r\nhello")


@asynccontextmanager
async def site(
    far: Handler = plain,
    *,
    network: str = "model",
    hosts: tuple[str, ...] = (),
    key: str | None = "real-key",
    header: str = "x-api-key",
    path: str = "",
    addresses: tuple[str, ...] = ("93.184.215.14",),
) -> AsyncIterator[Site]:
    """`far` answers for the model, and for every host that is dialled; names lead to `addresses`."""
    here: Site

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            here.asked.append((await reader.readuntil(b"\r\n\r\n")).decode())
            await far(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def resolve(name: str, port: int) -> list[str]:
        here.resolved.append(name)
        return list(addresses)

    async def connect(address: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        here.dialled.append((address, port))
        return await asyncio.open_connection("127.0.0.1", server.sockets[0].getsockname()[1])

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with asyncio.timeout(SECONDS), Egress(resolve, connect) as egress:
        said: list[str] = []
        door = await egress.open("run", network=network, hosts=hosts, on_line=said.append, loopback=True)
        model = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{path}"
        egress.add("run", model, key, header)
        here = Site(egress, door, model, said)
        yield here
    server.close()
