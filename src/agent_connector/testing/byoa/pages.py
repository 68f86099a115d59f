"""A person with a browser, as far as the pages of pairing need one: links, forms, cookies. `pair_by_page` does all of it.

await pair_by_page(world, cookies={"session": "..."})      # or headers={"Remote-User": "ada"}
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urljoin, urlsplit

from agent_connector.byoa.core.effects import Failure, Request
from agent_connector.testing.byoa.app_world import AppWorld
from agent_connector.testing.byoa.asgi import AsgiApp, http_over

PAGE_BYTES = 1024 * 1024
REDIRECTS = 5


@dataclass
class Form:
    """A form of a page: where it goes, what it sends of itself, and its buttons (name, value)."""

    method: str
    action: str
    fields: dict[str, str] = field(default_factory=dict[str, str])
    buttons: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


@dataclass(frozen=True)
class Page:
    url: str
    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def forms(self) -> list[Form]:
        reader = _Forms()
        reader.feed(self.text)
        return reader.forms

    def form(self, name: str) -> Form:
        """The first form that has a field or a button with this name."""
        for form in self.forms:
            if name in form.fields or any(name == button for button, _ in form.buttons):
                return form
        raise AssertionError(f"no form with {name!r} at {self.url} ({self.status}): {self.text}")


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(found.get("method", "get").upper(), found.get("action", "")))
            self._open = True
        elif self._open and tag == "input" and "name" in found:
            self.forms[-1].fields[found["name"]] = found.get("value", "")
        elif self._open and tag == "button" and "name" in found:
            self.forms[-1].buttons.append((found["name"], found.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        self._open = self._open and tag != "form"


class Browser:
    """One person's browser: keeps cookies, follows redirects at the app's own origin, sends forms as browsers do."""

    def __init__(
        self,
        app: AsgiApp,
        origin: str,
        *,
        cookies: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        address: str = "127.0.0.1",
    ) -> None:
        self.origin = origin
        self.cookies = dict(cookies or {})
        self.headers = dict(headers or {})
        self._http = http_over(app, client=(address, 50_001))

    async def get(self, path: str) -> Page:
        return await self._follow("GET", urljoin(f"{self.origin}/", path), b"", {})

    async def submit(self, page: Page, form: Form, fields: Mapping[str, str] | None = None, **headers: str) -> Page:
        """`fields` are what is typed, and the button that is pressed."""
        data = urlencode({**form.fields, **(fields or {})})
        url = urljoin(page.url, form.action or page.url)
        if form.method == "GET":
            return await self._follow("GET", f"{url.partition('?')[0]}?{data}", b"", {})
        sent = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": self.origin,
            "Sec-Fetch-Site": "same-origin",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        return await self._follow("POST", url, data.encode(), sent)

    async def send(self, method: str, url: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Page:
        """One request, and no redirect followed."""
        named = {**self.headers, **(headers or {})}
        if self.cookies:
            named["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = await self._http.send(Request(0, method, url, tuple(named.items()), body, PAGE_BYTES))
        assert not isinstance(answer, Failure), f"{method} {url}: {answer.what}"
        for name, cookie in SimpleCookie(answer.headers.get("set-cookie", "")).items():
            self.cookies[name] = cookie.value
        return Page(url, answer.status, answer.headers, answer.body.decode("utf-8", "replace"))

    async def _follow(self, method: str, url: str, body: bytes, headers: Mapping[str, str]) -> Page:
        page = await self.send(method, url, body, headers)
        for _ in range(REDIRECTS):
            if page.status not in (302, 303, 307, 308):
                return page
            target = urljoin(url, page.headers["location"])
            assert urlsplit(target)[:2] == urlsplit(self.origin)[:2], f"leads away, to {target}"
            url, page = target, await self.send("GET", target)
        return page


@dataclass(frozen=True)
class Invitation:
    """What the terminal shows."""

    command: int
    link: str
    code: str


async def invite(world: AppWorld) -> Invitation:
    """Give the command `connect` and wait for its link and code."""
    command = world.pairer.connect(world.origin)
    await world.until(lambda: world.said.get(command))
    text = world.text(command)
    lines = dict(line.split(maxsplit=1) for line in text.splitlines() if line.startswith("  "))
    assert {"open", "code"} <= set(lines), text
    return Invitation(command, lines["open"], lines["code"])


async def pair_by_page(
    world: AppWorld,
    *,
    cookies: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    approve: bool = True,
) -> Page:
    """Pair the world's host with its app as a signed-in person does: open the link, type the last four letters, approve.

    `cookies` and `headers` sign the person in. Gives the approval page as it was shown.
    """
    invitation = await invite(world)
    browser = Browser(world.asgi_app, world.origin, cookies=cookies, headers=headers)
    page = await browser.get(invitation.link)
    typed = {"letters": invitation.code[-4:], "decision": "approve" if approve else "deny"}
    answer = await browser.submit(page, page.form("letters"), typed)
    assert answer.status == 200, f"{answer.status}: {answer.text}"
    await world.until(lambda: world.said[invitation.command][-1].done)
    assert world.said[invitation.command][-1].ok is approve, world.text(invitation.command)
    return page
