"""What every page of the board shares: templates, headers, who is there, and forms that only our own pages can send.

A session is a random token in a cookie that scripts cannot read; each form carries the session's CSRF token. Before there is a
session the form carries the same random text as a cookie.
"""

import hmac
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl, quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from agent_connector.board import page_words, sessions
from agent_connector.board.guard import Refused
from agent_connector.board.store import Store
from agent_connector.board.users import User
from agent_connector.errors import BoardRefused, BoardUnreachable

if TYPE_CHECKING:
    from jinja2 import Environment

FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 40
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    # not `no-referrer`: with it a browser sends its forms from nowhere, and the guard turns them away
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
WHY = {
    400: "That cannot be done",
    401: "You are not logged in",
    403: "That is not for you",
    404: "There is no such thing",
    409: "Something stands against it",
    429: "Too many attempts",
    503: "The board's database does not answer",
}
STATUS = {"not_found": 404, "forbidden": 403, "unauthorized": 401, "conflict": 409}
FILTERS: Mapping[str, Callable[..., object]] = {
    "words": page_words.words,
    "mark": page_words.mark,
    "comment": page_words.comment,
    "money": page_words.money,
    "at": page_words.at,
    "ago": page_words.ago(time.time),
    "span": page_words.span,
    "until": page_words.between,
    "pretty": page_words.pretty,
}
_PLACE = re.compile(r"/(?![/\\])[\w\-./~%?=&+,:@]*")
Handler = Callable[[Request], Awaitable[Response]]
Form = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody who is logged in."""

    user: User
    csrf: str
    token: str


@cache
def templates() -> "Environment":
    """Compiled once; everything is escaped, and nothing may be missing."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    found = Environment(
        loader=PackageLoader("agent_connector.board", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=page_words.readable,
    )
    cast("dict[str, Any]", found.filters).update(FILTERS)
    return found


def rendered(template: str, status: int = 200, **values: Any) -> Response:
    """A page. `visit` is None where nobody is logged in."""
    visit = cast("Visit | None", values.get("visit"))
    csrf = visit.csrf if visit else ""
    values = {"visit": None, "csrf": csrf, "asking": 0, "here": "", "given": {}, "trouble": "", **values}
    return HTMLResponse(templates().get_template(template).render(values), status, HEADERS)


def message(status: int, text: str = "", **values: Any) -> Response:
    """A page that only says something."""
    return rendered("message.html", status, title=WHY.get(status, "That cannot be done"), text=text, **values)


class Web:
    """Sessions, cookies and forms over one store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def visit(self, request: Request) -> Visit | None:
        token = request.cookies.get(_cookie(request, "session"))
        found = await self.store.reading(sessions.find, token, "page") if token else None
        return Visit(found.user, found.csrf, token) if found and token else None

    def told(self, handler: Handler) -> Handler:
        """With every refusal as a page."""

        async def answer(request: Request) -> Response:
            try:
                return await handler(request)
            except Refused as refused:
                response = message(refused.status, visit=await self.visit(request))
                response.headers.update(refused.headers)
                return response
            except BoardRefused as error:
                return message(STATUS.get(error.code, 400), sentence(error), visit=await self.visit(request))
            except BoardUnreachable:
                return message(503, "Try again in a moment.")

        return answer

    # Sessions.

    async def enter(self, request: Request, user: User, place: str) -> Response:
        token, _ = await self.store.writing(sessions.start, user.id, "page", sessions.PAGE_SECONDS)
        response = redirect(place)
        _set(request, response, "session", token, sessions.PAGE_SECONDS)
        return response

    async def leave(self, request: Request, visit: Visit) -> Response:
        await self.store.writing(sessions.end, visit.token)
        response = redirect("/login")
        response.delete_cookie(
            _cookie(request, "session"), path="/", secure=_secure(request), httponly=True, samesite="lax"
        )
        return response

    # Forms.

    def stranger(self, request: Request, template: str, status: int = 200, **values: Any) -> Response:
        """A page with a form for somebody who is not logged in."""
        mark = request.cookies.get(_cookie(request, "form")) or secrets.token_urlsafe(32)
        response = rendered(template, status, csrf=mark, **values)
        _set(request, response, "form", mark, sessions.PAGE_SECONDS)
        return response

    async def strangers_form(self, request: Request) -> Form:
        given = await form(request)
        _same(request.cookies.get(_cookie(request, "form"), ""), given)
        return given

    async def form(self, request: Request, visit: Visit) -> Form:
        given = await form(request)
        _same(visit.csrf, given)
        return given


async def form(request: Request) -> Form:
    """The fields of a form, with line ends as files have them."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise Refused(415, "not_a_form")
    try:
        fields = parse_qsl((await request.body()).decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Refused(400, "not_a_form") from None
    return {name: value.replace("\r\n", "\n") for name, value in fields}


def _same(csrf: str, given: Form) -> None:
    if not csrf or not hmac.compare_digest(csrf.encode(), given.get("csrf", "").encode()):
        raise Refused(403, "old_form")


def redirect(place: str) -> Response:
    return RedirectResponse(place, 303, HEADERS)


def to_login(request: Request) -> Response:
    """For who is not logged in; comes back to where it was asked for."""
    place = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return redirect("/login" if request.method != "GET" or place == "/" else f"/login?next={quote(place, safe='')}")


def local(place: str) -> str:
    """An address of this board and of no other; `/` for anything else."""
    return place if _PLACE.fullmatch(place) else "/"


def sentence(error: BoardRefused) -> str:
    """What was refused, with the field it is about."""
    what = error.what[:1].upper() + error.what[1:]
    return f"{error.where}: {error.what}." if error.where else f"{what}."


def _secure(request: Request) -> bool:
    return request.url.scheme == "https"


def _cookie(request: Request, name: str) -> str:
    """Cookies do not tell ports apart, and one machine may have several boards."""
    return f"__Host-board-{name}" if _secure(request) else f"board-{name}-{request.url.port or 80}"


def _set(request: Request, response: Response, name: str, value: str, seconds: int) -> None:
    response.set_cookie(
        _cookie(request, name), value, max_age=seconds, path="/", secure=_secure(request), httponly=True, samesite="lax"
    )
