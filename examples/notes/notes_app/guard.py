"""What stands before every page: our own name only, forms from our own pages only, and headers that forbid the rest."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# The one script may not make HTML out of text, and nothing may be framed, embedded or sent elsewhere.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self';"
    " frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """A page elsewhere may lead its own name to us, or send us a form: neither reaches `app`."""

    def __init__(self, app: ASGIApp, origin: str) -> None:
        self.app = app
        self.origin = origin
        self.host = origin.partition("://")[2]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if [name.lower() for name in headers.getlist("host")] != [self.host]:
            await PlainTextResponse(f"This app is at {self.origin}.", 421)(scope, receive, send)
        elif headers.get("origin", self.origin) != self.origin or self._is_foreign_form(scope, headers):
            await PlainTextResponse("Another site may not ask this one.", 403)(scope, receive, send)
        else:
            await self.app(scope, receive, _with_headers(send))

    def _is_foreign_form(self, scope: Scope, headers: Headers) -> bool:
        """What changes something comes from a page of ours, or from a program, which says nothing of sites."""
        return scope["method"] not in ("GET", "HEAD") and headers.get("sec-fetch-site", "same-origin") != "same-origin"


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)  # the pages of pairing say their own, which are stricter
        await send(message)

    return sending
