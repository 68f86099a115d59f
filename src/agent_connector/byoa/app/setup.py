"""What an app says once, checked: its name, its one origin, its store, who is signed in."""

import inspect
import secrets
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from starlette.requests import Request

from agent_connector.byoa.app.clock import Clock, Randomness, SystemClock
from agent_connector.byoa.app.people import Account, AppError, Connection
from agent_connector.byoa.app.store.base import Store
from agent_connector.byoa.app.web import BODY_SECONDS, Proxies
from agent_connector.byoa.protocol import (
    App,
    Discovery,
    Endpoints,
    Origin,
    ProtocolError,
    parse_discovery,
    parse_origin,
    printable,
)

AccountOf = Callable[[Request], Account | Awaitable[Account | None] | None]
Announce = Callable[[Connection], object | Awaitable[object]]
DOORS = {
    "pair_start": "/pair/start",
    "pair_poll": "/pair/poll",
    "revoke": "/revoke",
    "register": "/sessions",
    "poll": "/sessions/poll",
    "events": "/sessions/events",
}
MCP_DOOR = "/mcp"


@dataclass(frozen=True, slots=True)
class Setup:
    store: Store
    account_of: AccountOf
    origin: Origin
    prefix: str
    discovery: Discovery
    sign_in: str | None
    proxies: Proxies
    announced: Announce | None
    clock: Clock
    random: Randomness
    body_seconds: float

    @property
    def hold(self) -> float:
        return self.discovery.hold

    @property
    def host(self) -> str:
        """The `Host` that a browser at the app's origin sends."""
        return str(self.origin).partition("://")[2]

    async def account(self, request: Request) -> Account | None:
        """Who is signed in. Names go over the wire, so they are held to its rules here already."""
        found = self.account_of(request)
        account = await found if inspect.isawaitable(found) else found
        if account is not None and not (printable(account.name) and len(account.name) <= 200 and account.id):
            raise AppError(
                f"account_of gave an account whose name cannot be shown: {account.name!r}",
                remedy="A name has 1 to 200 printable characters.",
            )
        return account

    async def announce(self, connection: Connection) -> None:
        if self.announced is not None:
            said = self.announced(connection)
            if inspect.isawaitable(said):
                await said


def set_up(
    store: Store,
    account_of: AccountOf,
    *,
    id: str,
    name: str,
    origin: str,
    mcp: bool,
    prefix: str,
    hold: float,
    interval: float,
    sign_in: str | None,
    trusted_proxies: Iterable[str],
    announce: Announce | None,
    clock: Clock | None,
    random: Randomness | None,
    body_seconds: float | None,
) -> Setup:
    """Raises `AppError` for whatever a pairer would refuse later."""
    if not prefix.startswith("/") or prefix.endswith("/") or "//" in prefix:
        raise AppError(f"prefix: found {prefix!r}", remedy="It begins with / and ends without: /byoa")
    try:
        own = parse_origin(origin)
        urls = {door: f"{own}{prefix}{path}" for door, path in DOORS.items()}
        endpoints = Endpoints(**urls, mcp=f"{own}{prefix}{MCP_DOOR}" if mcp else None)
        discovery = parse_discovery(Discovery(App(id, name), endpoints, hold, interval).dump(), own)
    except ProtocolError as problem:
        raise AppError(f"{problem}", remedy="See section 1 and 2 of docs/byoa-wire.md.") from None
    if sign_in is not None and not sign_in.startswith("/"):
        raise AppError(f"sign_in: found {sign_in!r}", remedy="It is a path of this app: /login")
    return Setup(
        *(store, account_of, own, prefix, discovery, sign_in, Proxies(trusted_proxies), announce),
        clock or SystemClock(),
        random or secrets.token_bytes,
        BODY_SECONDS if body_seconds is None else body_seconds,
    )
