"""The board's page: its addresses, who may see them, and what answers them. `routes(store, doors)` is mounted by the app.

A page is read in one transaction (`page_show`), a form is done in one (`page_do`); what both share is in `page_web`. All of it
works without JavaScript; with it the log of a run and the columns follow what happens (`page_live`).
"""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from agent_connector.board import keys, page_do, page_show, page_web, users
from agent_connector.board.doors import Doors, address
from agent_connector.board.guard import Refused
from agent_connector.board.page_live import Live
from agent_connector.board.page_web import Form, Handler, Visit, Web
from agent_connector.board.store import Store
from agent_connector.errors import BoardRefused

STATIC = Path(__file__).with_name("static")
FILES = {"board.css": "text/css", "board.js": "text/javascript", "icon.svg": "image/svg+xml"}
ADDRESSES = {
    "/": "board",
    "/tasks/{id:path}": "task",
    "/runs/{id}": "run",
    "/new": "new",
    "/waiting": "waiting",
    "/costs": "costs",
    "/workers": "workers",
    "/roles": "roles",
    "/bundles": "bundles",
    "/keys": "keys",
    "/people": "people",
}


def routes(store: Store, doors: Doors) -> list[Route]:
    """Every address of the page."""
    web = Web(store)
    page, live = BoardPage(web, doors), Live(web)
    return [
        Route("/static/{name}", static, methods=["GET"]),
        Route("/login", web.told(page.ask), methods=["GET"]),
        Route("/login", web.told(page.login), methods=["POST"]),
        Route("/setup", web.told(page.ask_setup), methods=["GET"]),
        Route("/setup", web.told(page.setup), methods=["POST"]),
        Route("/logout", web.told(page.logout), methods=["POST"]),
        Route("/changes", web.told(live.changes), methods=["GET"]),
        Route("/runs/{id}/events", web.told(live.log), methods=["GET"]),
        *(Route(place, web.told(page.show(name)), methods=["GET"]) for place, name in ADDRESSES.items()),
        Route("/do/mint", web.told(page.mint), methods=["POST"]),
        Route("/do/add-person", web.told(page.add_person), methods=["POST"]),
        Route("/do/password", web.told(page.password), methods=["POST"]),
        Route("/do/{action}", web.told(page.act), methods=["POST"]),
    ]


async def static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in FILES:
        return page_web.message(404)
    headers = page_web.HEADERS | {"cache-control": "max-age=300"}
    return FileResponse(STATIC / name, headers=headers, media_type=FILES[name])


class BoardPage:
    """Answers to requests, over one store."""

    def __init__(self, web: Web, doors: Doors) -> None:
        self._web = web
        self._doors = doors

    def show(self, name: str) -> Handler:
        """The page of that name."""

        async def answer(request: Request) -> Response:
            visit = await self._web.visit(request)
            if visit is None:
                return page_web.to_login(request)
            return await self._shown(name, dict(request.query_params) | request.path_params, visit)

        return answer

    async def _shown(
        self, name: str, asked: page_show.Asked, visit: Visit, status: int = 200, **more: object
    ) -> Response:
        page = page_show.PAGES[name]
        values = await self._web.store.reading(page_show.shown, page, asked, visit)
        return page_web.rendered(page.template, status, **(values | more))

    async def act(self, request: Request) -> Response:
        """A form was sent. Refused, its page comes again with what was typed."""
        visit, form = await self._sent(request)
        action = page_do.ACTIONS.get(request.path_params["action"])
        if action is None:
            raise Refused(404, "no_such_action")
        if action.owner:
            _owner(visit)
        try:
            place = await self._web.store.writing(action.do, form, visit)
        except BoardRefused as error:
            if error.code == "not_found":
                raise
            asked = {name: form.get(field, "") for name, field in action.asked.items()}
            return await self._refused(action.page, asked or _only(form, "name", "path", "content"), visit, form, error)
        return page_web.redirect(place)

    async def _refused(
        self, page: str, asked: page_show.Asked, visit: Visit, form: Form, error: BoardRefused
    ) -> Response:
        status = page_web.STATUS.get(error.code, 400)
        there = page not in ("roles", "bundles") or await self._web.store.reading(page_show.known, page, asked)
        known: page_show.Asked = asked if there else {}  # what is being made is not there yet
        return await self._shown(page, known, visit, status, given=form, trouble=page_web.sentence(error))

    async def _sent(self, request: Request) -> tuple[Visit, Form]:
        visit = await self._web.visit(request)
        if visit is None:
            raise Refused(401, "unauthorized")
        return visit, await self._web.form(request, visit)

    # Keys and people: what is shown once, and what takes long, is no matter of one transaction.

    async def mint(self, request: Request) -> Response:
        visit, form = await self._sent(request)
        try:
            key = await self._web.store.writing(keys.mint, visit.user.id, form.get("name", "").strip() or None)
        except BoardRefused as error:
            return await self._refused("keys", {}, visit, form, error)
        return await self._shown("keys", {}, visit, minted=key)

    async def add_person(self, request: Request) -> Response:
        visit, form = await self._sent(request)
        _owner(visit)
        try:
            kept = await self._doors.hashing(users.hashed, form.get("password", ""))
            owner = form.get("owner") == "yes"
            await self._web.store.writing(users.add, form.get("email", ""), kept, owner=owner)
        except BoardRefused as error:
            typed = {name: value for name, value in form.items() if name != "password"}
            return await self._refused("people", {}, visit, typed, error)
        return page_web.redirect("/people")

    async def password(self, request: Request) -> Response:
        """One's own; whoever else is logged in as that person is no more."""
        visit, form = await self._sent(request)
        try:
            user = await self._doors.check_login(visit.user.email, form.get("old", ""), address(request))
            kept = await self._doors.hashing(users.hashed, form.get("new", ""))
        except Refused as refused:
            text = "The old password is another one." if refused.status == 401 else page_web.WHY[429]
            return await self._shown("keys", {}, visit, refused.status, trouble=text)
        except BoardRefused as error:
            return await self._refused("keys", {}, visit, {}, error)
        await self._web.store.writing(users.set_password, user.email, kept)
        return await self._web.enter(request, user, "/keys")

    # Coming and going.

    async def ask(self, request: Request) -> Response:
        if await self._web.visit(request) is not None:
            return page_web.redirect("/")
        place = page_web.local(request.query_params.get("next", "/"))
        nobody = not await self._web.store.reading(lambda tx: users.count(tx, owners=True))
        return self._web.stranger(request, "login.html", place=place, nobody=nobody)

    async def login(self, request: Request) -> Response:
        form = await self._web.strangers_form(request)
        place = page_web.local(form.get("next", "/"))
        try:
            user = await self._doors.check_login(form.get("email", ""), form.get("password", ""), address(request))
        except Refused as refused:
            known = {401: "No account has this address and password.", 429: "Too many attempts failed. Wait a while."}
            given, trouble = {"email": form.get("email", "")}, known.get(refused.status, refused.code)
            shown = {"place": place, "nobody": False, "given": given, "trouble": trouble}
            response = self._web.stranger(request, "login.html", refused.status, **shown)
            response.headers.update(refused.headers)
            return response
        return await self._web.enter(request, user, place)

    async def ask_setup(self, request: Request) -> Response:
        token = request.query_params.get("token", "")
        return self._web.stranger(request, "setup.html", link=token, shortest=users.SHORTEST)

    async def setup(self, request: Request) -> Response:
        form = await self._web.strangers_form(request)
        token = form.get("token", "")
        try:
            user = await self._doors.set_up(token, form.get("email", ""), form.get("password", ""))
        except BoardRefused as error:
            given, trouble = {"email": form.get("email", "")}, page_web.sentence(error)
            status = page_web.STATUS.get(error.code, 400)
            shown = {"link": token, "shortest": users.SHORTEST, "given": given, "trouble": trouble}
            return self._web.stranger(request, "setup.html", status, **shown)
        return await self._web.enter(request, user, "/")

    async def logout(self, request: Request) -> Response:
        visit, _ = await self._sent(request)
        return await self._web.leave(request, visit)


def _owner(visit: Visit) -> None:
    if not visit.user.owner:
        raise Refused(403, "forbidden")


def _only(form: Form, *names: str) -> dict[str, str]:
    return {name: form[name] for name in names if form.get(name)}
