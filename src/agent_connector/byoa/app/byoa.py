"""`Byoa`: what an app mounts, and what it asks of the sessions that were paired.

byoa = Byoa(SqliteStore("byoa.db"), account_of, id="notes", name="Notes", origin="https://notes.example")
app = byoa.wrap(app)                                   # any ASGI app; or routes=[*byoa.routes(), ...] in Starlette

for session in await byoa.sessions_of(account):
    async for event in session.chat("What is new?"): ...
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent_connector.byoa.app import connections, sessions, turns, upkeep
from agent_connector.byoa.app.clock import Clock, Randomness
from agent_connector.byoa.app.doors import Doors, refusal
from agent_connector.byoa.app.live import Session, Turn
from agent_connector.byoa.app.pages import Pages
from agent_connector.byoa.app.people import Account, Connection
from agent_connector.byoa.app.setup import DOORS, MCP_DOOR, AccountOf, Announce, set_up
from agent_connector.byoa.app.store.base import Store
from agent_connector.byoa.app.web import Refused
from agent_connector.byoa.protocol import WELL_KNOWN, ProtocolError

if TYPE_CHECKING:
    from agent_connector.byoa.app.mcp_door import McpServer

SHOWN_FOR = 86_400.0  # a session that is away is listed for a day
Handler = Callable[[Request], Awaitable[Response]]


class Byoa:
    """An ASGI app, and the API of the app that mounts it. One per process; close it at the end."""

    def __init__(
        self,
        store: Store,
        account_of: AccountOf,
        *,
        id: str,
        name: str,
        origin: str,
        mcp: "McpServer | None" = None,
        prefix: str = "/byoa",
        hold: float = 25,
        interval: float = 3,
        sign_in: str | None = None,
        trusted_proxies: Iterable[str] = (),
        announce: Announce | None = None,
        clock: Clock | None = None,
        random: Randomness | None = None,
        body_seconds: float | None = None,
    ) -> None:
        self._setup = set_up(
            *(store, account_of),
            id=id,
            name=name,
            origin=origin,
            mcp=mcp is not None,
            prefix=prefix,
            hold=hold,
            interval=interval,
            sign_in=sign_in,
            trusted_proxies=trusted_proxies,
            announce=announce,
            clock=clock,
            random=random,
            body_seconds=body_seconds,
        )
        self._routes = self._table()
        self._mcp = None
        if mcp is not None:
            from agent_connector.byoa.app.mcp_door import McpDoor

            self._mcp = McpDoor(self._setup, mcp)

    def _table(self) -> dict[tuple[str, str], Handler]:
        doors, pages, prefix = Doors(self._setup), Pages(self._setup), self._setup.prefix
        asked: dict[str, Handler] = {name: getattr(doors, name) for name in DOORS}
        table: dict[tuple[str, str], Handler] = {
            ("POST", f"{prefix}{path}"): asked[name] for name, path in DOORS.items()
        }
        table["GET", WELL_KNOWN] = doors.discovery
        table.update({(method, f"{prefix}{path}"): page for (method, path), page in pages.table().items()})
        return table

    # Mounting.

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1000})
            return
        if self._mcp is not None and scope["path"] == f"{self._setup.prefix}{MCP_DOOR}":
            await self._mcp(scope, receive, send)
            return
        response = await self._answer(Request(scope, receive))
        await response(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Served by itself, with no app around it."""
        while True:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await self.close()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return

    async def _answer(self, request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        path: str = request.scope["path"]
        handler = self._routes.get((method, path))
        if handler is None:
            allowed = [known for known, place in self._routes if place == path]
            return (
                Response(status_code=405, headers={"Allow": ", ".join(allowed)})
                if allowed
                else Response(status_code=404)
            )
        try:
            return await handler(request)
        except Refused as refused:
            return refused.response()
        except ProtocolError as problem:
            return refusal(problem)

    def routes(self) -> list[BaseRoute]:
        """For the router of Starlette or FastAPI; there, `account_of` sees what the app's own middleware adds."""
        return [Route(WELL_KNOWN, endpoint=self), Mount(self._setup.prefix, app=self)]

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """`app` with our paths in front of it, closed together with it. For any ASGI app, Django's too."""
        prefix = f"{self._setup.prefix}/"

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "lifespan":
                await app(scope, receive, self._closing(send))
            elif scope["type"] == "http" and (scope["path"] == WELL_KNOWN or scope["path"].startswith(prefix)):
                await self(scope, receive, send)
            else:
                await app(scope, receive, send)

        return wrapped

    def _closing(self, send: Send) -> Send:
        async def closing(message: Message) -> None:
            if message["type"].startswith("lifespan.shutdown."):
                await self.close()
            await send(message)

        return closing

    async def close(self) -> None:
        if self._mcp is not None:
            await self._mcp.close()
        await self._setup.store.close()

    # What an app asks.

    async def sessions_of(self, account: Account, *, since: float = SHOWN_FOR) -> list[Session]:
        """The sessions of an account that were there in the last `since` seconds, the one seen last first."""
        setup, now = self._setup, self._setup.clock.now()
        records = await setup.store.run(lambda tx: sessions.of_account(tx, account, setup.hold, now, now - since))
        return [Session(setup, account, record) for record in records]

    async def session(self, account: Account, id: str) -> Session | None:
        """One session, if it is of this account."""
        setup, now = self._setup, self._setup.clock.now()
        records = await setup.store.run(lambda tx: sessions.of_account(tx, account, setup.hold, now, 0.0, id))
        return Session(setup, account, records[0]) if records else None

    async def turn(self, account: Account, id: str) -> Turn | None:
        """One turn, if it is of this account: to read it again after a reconnect, `turn.events(after=number)`."""
        record = await self._setup.store.run(lambda tx: turns.of_account(tx, account.id, id))
        return None if record is None else Turn(self._setup, record)

    async def connections_of(self, account: Account) -> Sequence[Connection]:
        return await self._setup.store.run(lambda tx: connections.of_account(tx, account))

    async def prune(self, older: float) -> None:
        """Forget turns that ended, sessions that were last seen and connections that were revoked `older` seconds ago."""
        before = self._setup.clock.now() - older
        await self._setup.store.run(lambda tx: upkeep.prune(tx, before))

    async def revoke(self, account: Account, connection_id: str) -> bool:
        """End a connection; False when it is not this account's, or over already."""
        now = self._setup.clock.now()
        return await self._setup.store.run(lambda tx: connections.revoke(tx, account, connection_id, now))
