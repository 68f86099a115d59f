"""The HTTP doors beside `/mcp`: log in, mint, list and revoke keys, set up the first owner, health.

`Doors` holds what they share; the page uses it too: `await doors.check_login(email, password, address) -> User`,
`await doors.set_up(token, email, password) -> User` (the link of the first start), both raising `guard.Refused`.
"""

import asyncio
import ipaddress
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import jwt
from sqlalchemy import text
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from agent_connector.board import keys, logins, sessions, users
from agent_connector.board.guard import Refused
from agent_connector.board.limits import Buckets
from agent_connector.board.store import Store
from agent_connector.board.users import User
from agent_connector.errors import BoardRefused, BoardUnreachable

AUDIENCE = "agent-connector-board"
ALGORITHM = "HS256"
MOST = 16 * 1024  # bytes of a body here
STATUS = {"unauthorized": 401, "forbidden": 403, "not_found": 404, "conflict": 409}
Answer = Callable[[Request], Awaitable[Response]]


class Doors:
    """`addresses` bounds how often one address may ask here."""

    def __init__(self, store: Store, addresses: Buckets) -> None:
        self.store = store
        self._addresses = addresses
        self._secret: str | None = None
        self._hashing = ThreadPoolExecutor(2, "board-passwords")  # each takes 64 MiB and a good while, on purpose

    def routes(self) -> list[Route]:
        return [
            Route("/healthz", self.health, methods=["GET"]),
            Route("/api/login", self._told(self.login), methods=["POST"]),
            Route("/api/setup", self._told(self.setup), methods=["POST"]),
            Route("/api/mcp-key", self._told(self.mint), methods=["POST"]),
            Route("/api/mcp-key", self._told(self.listed), methods=["GET"]),
            Route("/api/mcp-key/{prefix}", self._told(self.revoke), methods=["DELETE"]),
        ]

    def close(self) -> None:
        self._hashing.shutdown(wait=True)

    # What the page shares.

    async def check_login(self, email: str, password: str, address: str) -> User:
        """Refused with 401 for a wrong pair, 429 for one that failed too often."""
        attempt = await self.store.writing(logins.begin, email, address)
        if attempt.wait is not None:
            raise Refused(429, "too_many_failures", {"retry-after": str(attempt.wait)})
        found = await self.store.reading(users.with_password, email)
        if not await self.hashing(users.verify, password, found[1] if found else None) or found is None:
            raise Refused(401, "unauthorized")
        await self.store.writing(logins.succeeded, attempt, email)
        return found[0]

    async def set_up(self, token: str, email: str, password: str) -> User:
        kept = await self.hashing(users.hashed, password)
        return await self.store.writing(sessions.set_up, token, email, kept)

    async def hashing(self, work: Callable[..., Any], *args: object) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._hashing, work, *args)

    # The doors.

    async def health(self, request: Request) -> Response:
        try:
            await self.store.reading(lambda tx: tx.connection.execute(text("SELECT 1")).scalar())
        except BoardUnreachable:
            return JSONResponse({"ok": False}, 503, {"retry-after": "2"})
        return JSONResponse({"ok": True})

    async def login(self, request: Request) -> Response:
        given = await body(request, "email", "password")
        user = await self.check_login(given["email"], given["password"], address(request))
        token, _ = await self.store.writing(sessions.start, user.id, "api", sessions.API_SECONDS)
        now = int(time.time())
        claims = {"sub": user.id, "jti": token, "aud": AUDIENCE, "iat": now, "exp": now + sessions.API_SECONDS}
        return JSONResponse({"token": jwt.encode(claims, await self._signs(), ALGORITHM)})

    async def setup(self, request: Request) -> Response:
        given = await body(request, "token", "email", "password")
        user = await self.set_up(given["token"], given["email"], given["password"])
        return JSONResponse({"email": user.email}, 201)

    async def mint(self, request: Request) -> Response:
        user = await self._bearer(request)
        raw = await request.body()
        name = (await body(request, optional=("name",))).get("name") if raw else None
        return JSONResponse({"key": await self.store.writing(keys.mint, user.id, name)})

    async def listed(self, request: Request) -> Response:
        user = await self._bearer(request)
        found = await self.store.reading(keys.of_user, user.id)
        return JSONResponse({"keys": [key.wire() for key in found]})

    async def revoke(self, request: Request) -> Response:
        user = await self._bearer(request)
        await self.store.writing(keys.revoke, request.path_params["prefix"], user.id)
        return JSONResponse({"ok": True})

    async def _bearer(self, request: Request) -> User:
        """Who holds this JWT: it must be ours, in time, and not ended since."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        unauthorized = Refused(401, "unauthorized", {"www-authenticate": 'Bearer realm="agent-connector board"'})
        if kind.lower() != "bearer":
            raise unauthorized
        try:
            claims = jwt.decode(
                token.strip(),
                await self._signs(),
                [ALGORITHM],
                audience=AUDIENCE,
                options={"require": ["exp", "jti", "sub"]},
            )
        except jwt.PyJWTError:
            raise unauthorized from None
        session = await self.store.reading(sessions.find, str(claims["jti"]), "api")
        if session is None or session.user.id != claims["sub"]:
            raise unauthorized
        return session.user

    async def _signs(self) -> str:
        if self._secret is None:
            self._secret = await self.store.writing(sessions.signing_secret)
        return self._secret

    def _told(self, door: Answer) -> Answer:
        """With the limits of these doors, and every refusal as an answer."""

        async def answer(request: Request) -> Response:
            try:
                self._addresses.take(address(request))
                return await door(request)
            except Refused as refused:
                return refused.response()
            except BoardRefused as error:
                return JSONResponse({"error": error.code, "message": str(error)}, STATUS.get(error.code, 400))
            except BoardUnreachable as error:
                return Refused(503, "unavailable", {"retry-after": str(int(error.retry_after or 2))}).response()

        return answer


def address(request: Request) -> str:
    """Who is counted: an IPv4 address, or an IPv6 network, of whose addresses its owner has as many as he likes."""
    told = request.client.host if request.client else ""
    try:
        known = ipaddress.ip_address(told.partition("%")[0])
    except ValueError:
        return told
    if isinstance(known, ipaddress.IPv4Address):
        return str(known)
    return str(known.ipv4_mapped or ipaddress.ip_network((known, 64), strict=False))


async def body(request: Request, *needed: str, optional: tuple[str, ...] = ()) -> Mapping[str, str]:
    """A JSON object of texts. JSON by its media type too: a form of another site cannot send that unasked."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused(415, "not_json")
    raw = await request.body()
    if len(raw) > MOST:
        raise Refused(413, "too_large")
    try:
        given: Any = await request.json()
    except (ValueError, RecursionError):
        raise Refused(400, "not_json") from None
    if not isinstance(given, dict):
        raise Refused(400, "invalid")
    held = cast("dict[str, Any]", given)
    found = {name: held.get(name) for name in (*needed, *optional)}
    if any(not isinstance(value, str) and not (value is None and name in optional) for name, value in found.items()):
        raise Refused(400, "invalid")
    return cast("dict[str, str]", found)
