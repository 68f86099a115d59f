"""What a person sees: the approval of a pairing, and the list of what is paired (section 3 of the wire). No JavaScript.

A page is given out only at the app's own origin, cannot be framed, and never holds a code.
"""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from agent_connector.byoa.app import codes, connections, grants
from agent_connector.byoa.app.grants import Asking, Verdict
from agent_connector.byoa.app.people import Account
from agent_connector.byoa.app.setup import Setup
from agent_connector.byoa.app.store.base import Tx
from agent_connector.byoa.app.web import Refused, read_body
from agent_connector.byoa.protocol import CODE_LETTERS, same_code

if TYPE_CHECKING:
    from jinja2 import Environment

FORM_BYTES = 16 * 1024
FORM = "application/x-www-form-urlencoded"
MARK_LIFE = 3600.0
LETTERS = 4
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
Page = Callable[[Request], Awaitable[Response]]


@cache
def templates() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("agent_connector.byoa.app", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


class Pages:
    def __init__(self, setup: Setup) -> None:
        self._setup = setup

    def table(self) -> dict[tuple[str, str], Page]:
        pages: dict[tuple[str, str], Page] = {
            ("GET", "/pair"): self.pair,
            ("POST", "/pair"): self.decide,
            ("GET", "/connections"): self.connections,
            ("POST", "/connections"): self.change,
            ("GET", "/byoa.css"): self.style,
        }
        return {place: self._at_home(page) for place, page in pages.items()}

    def _at_home(self, page: Page) -> Page:
        """Only at the app's own name: a name that leads here by another's DNS must not show our pages."""

        async def shown(request: Request) -> Response:
            if self._setup.proxies.host(request) != self._setup.host:
                return self._show(
                    "message.html", 421, title="Wrong address", text=f"This app is at {self._setup.origin}."
                )
            try:
                return await page(request)
            except Refused as refused:
                return self._show("message.html", refused.status, title="Not possible", text=WORDS[refused.word])

        return shown

    async def style(self, request: Request) -> Response:
        file = resources.files("agent_connector.byoa.app").joinpath("templates", "byoa.css")
        return Response(file.read_bytes(), headers={**HEADERS, "Cache-Control": "max-age=3600"}, media_type="text/css")

    # The approval.

    async def pair(self, request: Request) -> Response:
        account = await self._setup.account(request)
        if account is None:
            return self._ask_to_sign_in(request)
        first = same_code(request.query_params.get("code", ""))[:LETTERS]
        if not first:
            return self._show("code.html", account=account, trouble="")
        network, now = self._setup.proxies.come(request).network, self._setup.clock.now()
        found = await self._setup.store.run(lambda tx: grants.open_for(tx, account, first, network, now))
        if isinstance(found, Asking):
            return await self._show_asking(account, found)
        if found is Verdict.TOO_MANY:
            raise Refused(429, "too_many_guesses")
        return self._show("code.html", 404, account=account, trouble=WORDS["no_such_code"])

    async def _show_asking(self, account: Account, asking: Asking, status: int = 200, trouble: str = "") -> Response:
        now = self._setup.clock.now()
        return self._show(
            "approve.html",
            status,
            account=account,
            asking=asking,
            trouble=trouble,
            at=_time(asking.created),
            ago=_ago(now - asking.created),
            letters=CODE_LETTERS,
            mark=await self._mark(account, asking.id),
        )

    async def decide(self, request: Request) -> Response:
        account, form = await self._form(request)
        id = form.get("request", "")
        await self._check_mark(account, id, form)
        network, now = self._setup.proxies.come(request).network, self._setup.clock.now()
        letters = same_code(form.get("letters", ""))

        def work(tx: Tx) -> tuple[Verdict, Asking | None]:
            if form.get("decision") != "approve":
                return grants.deny(tx, account, id, now), None
            verdict = grants.approve(tx, account, id, letters, network, now)
            return verdict, grants.opened(tx, account, id, now)

        verdict, asking = await self._setup.store.run(work)
        if verdict is Verdict.WRONG and asking is not None:
            return await self._show_asking(account, asking, 422, WORDS["wrong_letters"])
        if verdict is Verdict.TOO_MANY:
            raise Refused(429, "too_many_guesses")
        if verdict is Verdict.APPROVED:
            title, text = "Approved", "Go back to your agent: it is connected in a few seconds."
            return self._show("message.html", title=title, text=text)
        if verdict is Verdict.DENIED:
            return self._show("message.html", title="Refused", text="Nothing was connected.")
        raise Refused(410, "gone")

    # The list.

    async def connections(self, request: Request) -> Response:
        account = await self._setup.account(request)
        if account is None:
            return self._ask_to_sign_in(request)
        found = await self._setup.store.run(lambda tx: connections.of_account(tx, account))
        rows = [(connection, _time(connection.created)) for connection in found]
        mark = await self._mark(account, "connections")
        return self._show("connections.html", account=account, rows=rows, new=any(one.new for one in found), mark=mark)

    async def change(self, request: Request) -> Response:
        account, form = await self._form(request)
        await self._check_mark(account, "connections", form)
        id, now = form.get("revoke"), self._setup.clock.now()

        def work(tx: Tx) -> None:
            if id is None:
                connections.mark_seen(tx, account)
            else:
                connections.revoke(tx, account, id, now)

        await self._setup.store.run(work)
        return RedirectResponse(f"{self._setup.prefix}/connections", 303, HEADERS)

    # Shared.

    def _show(self, template: str, status: int = 200, **values: object) -> Response:
        text = (
            templates()
            .get_template(template)
            .render(
                app=self._setup.discovery.app.name, origin=str(self._setup.origin), prefix=self._setup.prefix, **values
            )
        )
        return Response(text, status, HEADERS, "text/html")

    def _ask_to_sign_in(self, request: Request) -> Response:
        place = request.url.path
        code = same_code(request.query_params.get("code", ""))[:LETTERS]
        back = f"{place}?{urlencode({'code': code})}" if code else place
        if self._setup.sign_in is not None:
            joint = "&" if "?" in self._setup.sign_in else "?"
            return RedirectResponse(f"{self._setup.sign_in}{joint}next={quote(back, safe='')}", 303, HEADERS)
        return self._show("message.html", 401, title="Sign in first", text=WORDS["sign_in"])

    async def _form(self, request: Request) -> tuple[Account, dict[str, str]]:
        """Who sent the form, and what is in it; a form that another site sends is not read."""
        origin = request.headers.get("origin")
        site = request.headers.get("sec-fetch-site", "same-origin")
        if (origin is not None and origin != str(self._setup.origin)) or site != "same-origin":
            raise Refused(403, "other_site")
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
            raise Refused(415, "not_a_form")
        account = await self._setup.account(request)
        if account is None:
            raise Refused(401, "sign_in")
        body = await read_body(request, FORM_BYTES, self._setup.body_seconds)
        try:
            return account, dict(parse_qsl(body.decode("utf-8"), max_num_fields=20))
        except ValueError:
            raise Refused(400, "not_a_form") from None

    async def _mark(self, account: Account, purpose: str) -> str:
        """What makes a form ours: made for this account and this purpose, for an hour."""
        until = str(int(self._setup.clock.now() + MARK_LIFE))
        return f"{until}.{codes.signed(await self._secret(), account.id, purpose, until)}"

    async def _check_mark(self, account: Account, purpose: str, form: dict[str, str]) -> None:
        until, _, mark = form.get("mark", "").partition(".")
        right = codes.signed(await self._secret(), account.id, purpose, until)
        if not codes.same(mark, right) or int(until) < self._setup.clock.now():
            raise Refused(403, "stale_form")

    async def _secret(self) -> str:
        """Made once, shared by all processes of the app."""
        fresh = codes.new_secret(self._setup.random)

        def work(tx: Tx) -> str:
            found = tx.row("SELECT value FROM byoa_secret")
            if found is None:
                tx.alone("secret")
                found = tx.row("SELECT value FROM byoa_secret")
            if found is None:
                tx.count("INSERT INTO byoa_secret (value) VALUES (?)", fresh)
            return fresh if found is None else found[0]

        return await self._setup.store.run(work)


WORDS = {
    "sign_in": "You have to be signed in. Sign in, then open this link again.",
    "other_site": "This form was not sent from this app. Open the page here and try again.",
    "stale_form": "This page is too old. Open the link from your agent again.",
    "not_a_form": "This is not a form of this app.",
    "too_large": "This is not a form of this app.",
    "too_slow": "The form took too long to arrive. Try again.",
    "disconnected": "The form did not arrive. Try again.",
    "too_many_guesses": "There were too many wrong codes. Wait a quarter of an hour, then start again in your agent.",
    "no_such_code": "No agent waits with this code. It may have run out of time: start again in your agent.",
    "wrong_letters": "These are not the last four letters of the code. Look at them again in your agent.",
    "gone": "This request is over, or you opened another one since. Open the link from your agent again.",
}


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _ago(seconds: float) -> str:
    if seconds < 60:
        return "less than a minute ago"
    minutes = int(seconds // 60)
    return "one minute ago" if minutes == 1 else f"{minutes} minutes ago"
