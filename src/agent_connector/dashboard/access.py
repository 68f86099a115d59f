"""Who may see the page: a browser on this machine that was given the first address, and nobody who was sent here.

Host and Origin must be our own (a page elsewhere cannot reach us through a name that it points at us), and the token of
the first address becomes a cookie that scripts do not see, so that it stays out of the history and of other requests.
"""

import hmac
from collections.abc import Awaitable, Callable

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "agent-connector-dashboard"
TOKEN = "token"  # noqa: S105  # the name of a parameter
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
_DAY = 86_400


class Guard:
    """Lets requests through to `app` that come from our own page on `port` and carry `token`."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self.app = app
        self.token = token
        self.names = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        refused = self._refused(request)
        answer: ASGIApp = refused if refused is not None else self.app
        await answer(scope, receive, _with_headers(send))

    def _refused(self, request: Request) -> Response | None:
        if request.headers.get("host", "") not in self.names:
            return PlainTextResponse("This page answers to the names of this machine alone.", 421)
        origin = request.headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in self.names:
            return PlainTextResponse("Another page may not ask this one.", 403)
        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("There is nothing here to change.", 405, {"allow": "GET, HEAD"})
        given = request.query_params.get(TOKEN)
        if given is not None and request.url.path == "/" and self._is_ours(given):
            return self._exchanged()
        if not self._is_ours(request.cookies.get(self.cookie, "")):
            return PlainTextResponse("This page opens from the address that `agent-connector dashboard` prints.", 403)
        return None

    @property
    def cookie(self) -> str:
        """Its name. Cookies do not know ports, and two dashboards may run."""
        return f"{COOKIE}-{min(self.names).rpartition(':')[2]}"

    def _exchanged(self) -> Response:
        answer = RedirectResponse("/", 303)
        answer.set_cookie(self.cookie, self.token, max_age=_DAY, httponly=True, samesite="strict", path="/")
        return answer

    def _is_ours(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return sent
