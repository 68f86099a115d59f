"""`AppWorld` itself: what goes wrong in the app, or never comes, is said."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from agent_connector.byoa.app import Account, Byoa, SqliteStore
from agent_connector.testing.byoa import AppClock, AppWorld, Browser, pair_by_page

ORIGIN = "https://notes.example"


def world_of(account_of):
    clock = AppClock()
    app = Byoa(SqliteStore(), account_of, id="notes", name="Notes", origin=ORIGIN, clock=clock)
    return AppWorld(app, ORIGIN, clock)


def test_an_app_that_crashes_fails_the_test_that_asked_it():
    async def story():
        world = world_of(lambda request: Account("1", "Ada"))
        await pair_by_page(world)

        async def crash(tx):
            raise LookupError("broken app")

        world.asgi_app._setup.store.run = crash
        with pytest.raises(LookupError, match="broken app"):
            await world.attach()
        await world.close()

    asyncio.run(story())


def test_waiting_for_what_never_comes_ends():
    async def story():
        world = world_of(lambda request: None)
        with pytest.raises(AssertionError, match="did not come true in 5 s"):
            await world.until(lambda: False, 5)
        with pytest.raises(AssertionError, match="Sign in first"):
            await pair_by_page(world)
        await world.close()

    asyncio.run(story())


def test_the_browser_keeps_cookies_and_does_not_leave():
    async def hello(request):
        answer = PlainTextResponse(request.cookies.get("seen", "new"))
        answer.set_cookie("seen", "again")
        return answer

    async def away(request):
        return PlainTextResponse("", 302, {"Location": "https://evil.example/"})

    async def story():
        browser = Browser(Starlette(routes=[Route("/", hello), Route("/away", away)]), ORIGIN)
        assert [(await browser.get("/")).text for _ in range(2)] == ["new", "again"]
        with pytest.raises(AssertionError, match="leads away"):
            await browser.get("/away")

    asyncio.run(story())
