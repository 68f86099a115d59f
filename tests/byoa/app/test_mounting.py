"""In front of another app, among its routes, and what is refused before anything is served."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from agent_connector.byoa.app import Account, AppError, Byoa, SqliteStore
from agent_connector.testing.byoa import AppClock, AppWorld, Browser, pair_by_page

ORIGIN = "https://notes.example"


def byoa(account_of=lambda request: None, **options):
    return Byoa(SqliteStore(), account_of, **{"id": "notes", "name": "Notes", "origin": ORIGIN, **options})


async def home(request):
    return PlainTextResponse("home")


async def texts(app, *paths):
    browser = Browser(app, ORIGIN)
    return [(page.status, page.text) for page in [await browser.get(path) for path in paths]]


def test_in_front_of_any_app():
    app = byoa().wrap(Starlette(routes=[Route("/", home), Route("/byoanic", home)]))

    async def story():
        found = await texts(app, "/", "/byoanic", "/byoa/connections", "/.well-known/byoa", "/byoa/x", "/x")
        assert [status for status, _ in found] == [200, 200, 401, 200, 404, 404]
        assert found[0] == found[1] == (200, "home")

    asyncio.run(story())


def test_among_the_routes_the_apps_own_session_signs_in():
    async def sign_in(request):
        request.session["user"] = "Ada"
        return PlainTextResponse("hello")

    async def account_of(request):
        name = request.session.get("user")
        return Account(name, name) if name else None

    async def story():
        clock = AppClock()
        mounted = byoa(account_of, clock=clock)
        app = Starlette(
            routes=[Route("/", home), Route("/login", sign_in), *mounted.routes()],
            middleware=[Middleware(SessionMiddleware, secret_key="secret", https_only=True)],
        )
        browser = Browser(app, ORIGIN)
        assert (await browser.get("/byoa/connections")).status == 401
        await browser.get("/login")
        world = AppWorld(app, ORIGIN, clock)
        await pair_by_page(world, cookies=browser.cookies)
        assert "test machine" in (await browser.get("/byoa/connections")).text
        assert (await texts(app, "/"))[0] == (200, "home")
        await world.close()
        await mounted.close()

    asyncio.run(story())


def test_other_prefixes():
    async def story():
        app = byoa(prefix="/agents/pair")
        assert [status for status, _ in await texts(app, "/agents/pair/connections", "/byoa/connections")] == [401, 404]
        ((_, discovery),) = await texts(app, "/.well-known/byoa")
        assert f"{ORIGIN}/agents/pair/sessions/poll" in discovery

    asyncio.run(story())


def test_it_is_closed_with_the_app_it_wraps(tmp_path):
    steps = []

    @asynccontextmanager
    async def lifespan(app):
        steps.append("up")
        yield
        steps.append("down")

    class Watched(SqliteStore):
        async def close(self):
            steps.append("closed")
            await super().close()

    async def story():
        mounted = Byoa(Watched(str(tmp_path / "byoa.db")), lambda request: None, id="n", name="N", origin=ORIGIN)
        app = mounted.wrap(Starlette(lifespan=lifespan))
        await mounted.sessions_of(Account("1", "Ada"))
        incoming = [{"type": "lifespan.shutdown"}, {"type": "lifespan.startup"}]
        sent = []

        async def receive():
            return incoming.pop()

        async def send(message):
            sent.append(message["type"])

        await app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send)
        assert steps == ["up", "down", "closed"]
        assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]

    asyncio.run(story())


def test_by_itself_it_lives_and_ends_as_an_app_does():
    async def story():
        incoming = [{"type": "lifespan.shutdown"}, {"type": "lifespan.startup"}]
        sent = []

        async def receive():
            return incoming.pop()

        async def send(message):
            sent.append(message["type"])

        await byoa()({"type": "lifespan"}, receive, send)
        await byoa()({"type": "websocket", "path": "/byoa/pair"}, receive, send)
        assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete", "websocket.close"]

    asyncio.run(story())


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"origin": "http://notes.example"}, "origin"),
        ({"origin": "https://notes.example/x"}, "origin"),
        ({"id": "Not An Id"}, "app.id"),
        ({"name": "a\u202eb"}, "app.name"),
        ({"hold": 26}, "poll_hold_seconds"),
        ({"prefix": "byoa"}, "prefix"),
        ({"sign_in": "https://elsewhere.example"}, "sign_in"),
        ({"trusted_proxies": ["10.0.0"]}, "trusted_proxies"),
    ],
)
def test_what_no_pairer_would_take_is_refused_at_once(options, named):
    with pytest.raises(AppError, match=named):
        byoa(**options)


def test_an_account_that_cannot_be_shown_is_the_apps_mistake():
    async def story():
        with pytest.raises(AppError, match="name"):
            await texts(byoa(lambda request: Account("1", "a\nb")), "/byoa/connections")

    asyncio.run(story())


@pytest.mark.parametrize(
    ("peer", "forwarded", "shown"),
    [
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),  # nobody we trust says so
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "192.0.2.66, 198.51.100.1, 10.0.0.2", "198.51.100.1"),  # the first is the client's own claim
        ("10.0.0.1", "198.51.100.66, evil, 10.0.0.2", "10.0.0.2"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("::ffff:10.0.0.1", "2001:db8::1", "2001:db8::1"),
    ],
)
def test_whose_address_is_shown(peer, forwarded, shown):
    async def story():
        app = byoa(lambda request: Account("1", "Ada"), trusted_proxies=["10.0.0.0/8"])
        names = ("host", "host_version", "connector", "machine_name")
        body = '{"client":{' + ",".join(f'"{name}":"x"' for name in names) + "}}"
        sent = {"Content-Type": "application/json", "X-Forwarded-For": forwarded}
        browser = Browser(app, ORIGIN, address=peer)
        grant = (await browser.send("POST", f"{ORIGIN}/byoa/pair/start", body.encode(), sent)).text
        code = grant.partition("?code=")[2][:4]
        page = await Browser(app, ORIGIN).get(f"/byoa/pair?code={code}")
        assert f"<dd>{shown}</dd>" in page.text

    asyncio.run(story())


def test_a_proxy_that_is_trusted_tells_the_host_asked_for():
    async def story():
        app = byoa(lambda request: Account("1", "Ada"), trusted_proxies=["10.0.0.1"])
        for peer, forwarded, status in (("10.0.0.1", "notes.example", 200), ("10.0.0.2", "notes.example", 421)):
            browser = Browser(app, ORIGIN, address=peer, headers={"X-Forwarded-Host": forwarded})
            assert (await browser.send("GET", "http://127.0.0.1:8000/byoa/connections")).status == status

    asyncio.run(story())
