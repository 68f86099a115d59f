"""Requests to the server inside of an OpenCode that listens nowhere: our plugin in it answers them, over our socket.

A line is a message. Ours is a request, or takes one back; the plugin's brings the status, pieces of the body, the end.
"""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator

import httpx2

from agent_connector.byoa.sessions.acp_updates import Object, table, text

UNREAD_MOST = 64 << 20
LOST = "OpenCode is not there any more"


class Tunnel(httpx2.AsyncBaseTransport):
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.lost = False
        self._reader = reader
        self._writer = writer
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Queue[Object]] = {}

    async def run(self) -> None:
        """Bring answers to whoever waits for them, until the other side is gone."""
        try:
            while line := await self._reader.readline():
                told = table(json.loads(line))
                number = told.get("id")
                if isinstance(number, int) and number in self._answers:
                    self._answers[number].put_nowait(told)
        except (ValueError, ConnectionError):
            pass  # nobody of ours, or gone
        finally:
            self.lost = True
            for waiting in self._answers.values():
                waiting.put_nowait({"error": LOST})

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if self.lost:
            raise httpx2.ConnectError(LOST)
        number = next(self._numbers)
        pieces = Pieces(self, number)
        self._answers[number] = pieces.queue
        body = (await request.aread()).decode() or None
        path = request.url.raw_path.decode("ascii")
        self.send({"id": number, "method": request.method, "path": path, "body": body})
        try:
            status = (await pieces.next()).get("status")
        except BaseException:  # a cancelled request must not leave its pieces waiting; it goes on
            await pieces.aclose()
            raise
        return httpx2.Response(status if isinstance(status, int) else 502, stream=pieces)

    def send(self, message: Object) -> None:
        if self._writer.transport.get_write_buffer_size() > UNREAD_MOST:
            self._writer.transport.abort()
        else:
            self._writer.write(
                json.dumps({name: value for name, value in message.items() if value is not None}).encode() + b"\n"
            )

    def over(self, number: int) -> None:
        """Nobody reads this answer any more."""
        if self._answers.pop(number, None) is not None and not self.lost:
            self.send({"cancel": number})


class Pieces(httpx2.AsyncByteStream):
    """The body of one answer, as it comes."""

    def __init__(self, tunnel: Tunnel, number: int) -> None:
        self.queue: asyncio.Queue[Object] = asyncio.Queue()
        self._tunnel = tunnel
        self._number = number

    async def next(self) -> Object:
        told = await self.queue.get()
        if "error" in told:
            raise httpx2.ReadError(text(told.get("error")) or LOST)
        return told

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while not (told := await self.next()).get("end"):
            yield text(told.get("data")).encode()

    async def aclose(self) -> None:
        self._tunnel.over(self._number)
