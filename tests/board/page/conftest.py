"""People at the page: they log in and send its forms as a browser without JavaScript does."""

import re
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from html import unescape
from html.parser import HTMLParser
from typing import Any

import httpx2
import pytest
from tests.board.site import Site

from agent_connector.board import sessions, users
from agent_connector.board.store import Store
from agent_connector.testing.board_stage import ADDRESS, PASSWORD, hashed

COOKIE = "board-session-8700"
OWNER, MEMBER = "ada@example.com", "bob@example.com"


class Seen(HTMLParser):
    """What a page is made of: its tags with their attributes, and the fields of each form by its action."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.forms: list[tuple[str, dict[str, str]]] = []
        self.labelled: set[str] = set()
        self.inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = {name: value or "" for name, value in attrs}
        if "label" in self.inside and tag in ("input", "select", "textarea"):
            held["in-label"] = "yes"
        self.tags.append((tag, held))
        if tag == "form":
            self.forms.append((held.get("action", ""), {}))
        if tag == "input" and self.forms and held.get("name"):
            self.forms[-1][1][held["name"]] = held.get("value", "")
        if tag == "label" and "for" in held:
            self.labelled.add(held["for"])
        if tag in ("label",):
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            self.inside.remove(tag)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attrs for name, attrs in self.tags if name == tag]


class Person:
    """A browser of its own, and what it shows."""

    def __init__(self, site: Site, http: httpx2.AsyncClient) -> None:
        self.site = site
        self.http = http

    async def get(self, path: str, status: int = 200) -> str:
        answer = await self.http.get(path)
        assert answer.status_code == status, f"{path}: {answer.status_code}"
        return answer.text

    async def send(self, path: str, fields: dict[str, str], **more: Any) -> httpx2.Response:
        """A form of this person's pages, its CSRF token in it."""
        page = await self.http.get("/new")
        token = re.search(r'name="csrf" value="([^"]+)"', page.text)
        assert token, "not logged in"
        return await self.http.post(path, data={"csrf": token[1], **fields}, **more)

    async def log_in(self, email: str, password: str = PASSWORD, place: str = "/login") -> httpx2.Response:
        page = Seen((await self.http.get(place)).text)
        fields = next(fields for action, fields in page.forms if action == "/login")
        return await self.http.post("/login", data={**fields, "email": email, "password": password})


Browse = Callable[..., Coroutine[Any, Any, None]]


@pytest.fixture
def at_page(store: Store, at_site: Callable[..., None]) -> Callable[[Browse], None]:
    """Run a coroutine function with an owner and another person, both logged in."""
    two = [store.write(users.add, OWNER, hashed(), owner=True), store.write(users.add, MEMBER, hashed())]
    cookies = [store.write(sessions.start, user.id, "page", sessions.PAGE_SECONDS)[0] for user in two]

    def run(work: Browse) -> None:
        async def go(site: Site) -> None:
            async with person(site) as owner, person(site) as member:
                for somebody, cookie in zip((owner, member), cookies, strict=True):
                    somebody.http.cookies.set(COOKIE, cookie)
                await work(owner, member)

        at_site(go)

    return run


@asynccontextmanager
async def person(site: Site, address: str = ADDRESS) -> AsyncGenerator[Person]:
    transport = httpx2.ASGITransport(site.app, client=("127.0.0.1", 50001))
    async with httpx2.AsyncClient(transport=transport, base_url=address) as http:
        yield Person(site, http)


@pytest.fixture
def visitor() -> Callable[..., Any]:
    """Somebody who is not logged in: `async with visitor(site) as somebody`."""
    return person


@pytest.fixture
def seen() -> type[Seen]:
    return Seen


@pytest.fixture
def text_of() -> Callable[[str], str]:
    """The text of a page, without its tags and double blanks."""
    return lambda page: re.sub(r" +", " ", unescape(re.sub(r"<[^>]+>", " ", page)))
