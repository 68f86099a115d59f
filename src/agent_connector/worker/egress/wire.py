"""One connection of a run to the proxy, as HTTP/1.1: requests in, answers out, nothing held back."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence

import h11

Headers = Sequence[tuple[bytes, bytes]]
SIZE = 65_536
# Of one connection, not of the message: never passed on.
HOP = frozenset((b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te",
                 b"trailer", b"transfer-encoding", b"upgrade"))  # fmt: skip


class Gone(Exception):
    """The other side closed the connection."""


class Wire:
    """The server's side of a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.state = h11.Connection(h11.SERVER, max_incomplete_event_size=SIZE)

    async def request(self) -> h11.Request | None:
        """The next request, None at the end of the connection."""
        event = await self._event()
        return event if isinstance(event, h11.Request) else None

    async def body(self) -> AsyncIterator[bytes]:
        while True:
            event = await self._event()
            if isinstance(event, h11.Data):
                yield bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                return
            else:
                raise Gone

    async def gone(self) -> None:
        """Returns when the run closes the connection. What it sends ahead is kept for the next request."""
        while data := await self.reader.read(SIZE):
            self.state.receive_data(data)

    async def send(self, event: "h11.Event") -> None:
        data = self.state.send(event)
        if data:
            self.writer.write(data)
            await self.writer.drain()

    async def answer(self, code: int, text: str, headers: Headers = ()) -> None:
        """A short answer of the proxy's own, in the shape in which models' APIs tell an error."""
        body = json.dumps({"error": {"type": "agent_connector_proxy", "message": text}}).encode()
        kind = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await self.send(h11.Response(status_code=code, headers=[*kind, (b"connection", b"close"), *headers]))
        await self.send(h11.Data(data=body))
        await self.send(h11.EndOfMessage())

    def again(self) -> bool:
        """Make ready for another request; False when the connection is over."""
        if self.state.our_state is h11.DONE and self.state.their_state is h11.DONE:
            self.state.start_next_cycle()
            return True
        return False

    async def _event(self) -> "h11.Event | type[h11.PAUSED]":
        while True:
            event = self.state.next_event()
            if event is not h11.NEED_DATA:
                return event  # type: ignore[return-value]
            if self.state.they_are_waiting_for_100_continue:
                await self.send(h11.InformationalResponse(status_code=100, headers=[]))
            self.state.receive_data(await self.reader.read(SIZE))


def passed_on(headers: Headers, without: frozenset[bytes] = frozenset()) -> list[tuple[bytes, bytes]]:
    """The headers of a message less those of the connection, and those named there."""
    named = {part.strip().lower() for name, value in headers if name == b"connection" for part in value.split(b",")}
    return [(name, value) for name, value in headers if name not in HOP and name not in named and name not in without]


async def pipe(
    one: tuple[asyncio.StreamReader, asyncio.StreamWriter], other: tuple[asyncio.StreamReader, asyncio.StreamWriter]
) -> None:
    """Move bytes both ways until both sides have ended."""

    async def move(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(SIZE):
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(move(one[0], other[1]))
        tasks.create_task(move(other[0], one[1]))
