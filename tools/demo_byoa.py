"""Bring your own agent, shown: the notes app, a person at its pages, and an agent that joins. Ends with a page to look at.

    python tools/demo_byoa.py [--once] [--host ID | --scripted]

The agent is the first of Gemini CLI, Qwen Code and OpenCode that is installed, the program itself, with a stand-in for
its model; where there is none, a scripted session on the same pairer. Everything is in a scratch home and goes with it.
"""

import argparse
import asyncio
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

import httpx2

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.scripted_host import PlayingSession, ScriptedHost, read_invitation
from tools.stand_in_agent import stand_in_agent

from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.driver.http import HttpxPort
from agent_connector.byoa.sessions import pairings
from agent_connector.byoa.sessions.acp_host import launch
from agent_connector.byoa.sessions.acp_room import Room
from agent_connector.byoa.sessions.acp_screen import TerminalScreen
from agent_connector.byoa.sessions.acp_updates import Question
from agent_connector.byoa.sessions.typed import Typed
from agent_connector.testing.byoa.pages import Form, Page

BOLD, DIM, OFF = (
    ("\033[1m", "\033[2m", "\033[0m") if sys.stdout.isatty() and "NO_COLOR" not in os.environ else ("",) * 3
)
PROGRAMS: Mapping[str, str] = {"gemini-cli": "gemini", "qwen-code": "qwen", "opencode": "opencode"}
QUESTION = "Please write down that the heron came back today."
NOTE = {"title": "The heron", "body": "It came back today."}
CALL = {"call": {"tool": "byoa_notes", "arguments": {"tool": "add", "arguments": NOTE}}}
AND_THEN = {"say": "I have a stand-in for a model, so this is all that I can say. The way here was the real one."}
STEPS = [CALL, {"say": "I wrote it down, in your notes."}, *[AND_THEN] * 200]
PATIENCE = 120.0


def title(number: int, text: str) -> None:
    print(f"\n{BOLD}{number}. {text}{OFF}", flush=True)


def tell(text: str) -> None:
    for line in text.splitlines():
        print(f"   {line}", flush=True)


class Person:
    """At the pages of the app, as a browser without scripts."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.http = httpx2.AsyncClient(base_url=origin, follow_redirects=True, timeout=PATIENCE)

    async def get(self, path: str) -> Page:
        return self._page(await self.http.get(path))

    async def send(self, page: Page, form: Form, **typed: str) -> Page:
        headers = {"Origin": self.origin, "Sec-Fetch-Site": "same-origin"}
        target = urljoin(page.url, form.action)
        return self._page(await self.http.post(target, data={**form.fields, **typed}, headers=headers))

    def _page(self, answer: httpx2.Response) -> Page:
        return Page(str(answer.url), answer.status_code, dict(answer.headers), answer.text)

    async def parts(self, page: Page) -> AsyncGenerator[dict[str, str]]:
        """What the page's script would hear of the turns."""
        async with self.http.stream("GET", found(r'data-stream="([^"]*)"', page)) as answer:
            name = ""
            async for line in answer.aiter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: ") and name == "part":
                    yield json.loads(line.removeprefix("data: "))


def found(pattern: str, page: Page) -> str:
    match = re.search(pattern, page.text)
    if match is None:
        sys.exit(f"demo: {page.url} ({page.status}) has no {pattern}: {page.text}")
    return html.unescape(match[1])


@asynccontextmanager
async def the_app(folder: Path) -> AsyncGenerator[dict[str, str]]:
    """The notes app as anybody starts it. Gives what it prints: `origin`, `password`."""
    words = [sys.executable, str(ROOT / "examples" / "notes" / "app.py"), "--port", "0", "--data", str(folder / "app")]
    process = await asyncio.create_subprocess_exec(*words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    try:
        printed = [(await process.stdout.readline()).decode() for _ in range(4)] if process.stdout else []
        if process.returncode is not None or not printed[0].strip():
            sys.exit("demo: the app did not start")
        tell("".join(printed))
        yield {"origin": printed[0].split()[-1], "password": printed[1].split()[-1]}
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@dataclass(frozen=True)
class Agent:
    """What it showed to be paired, and what its side says of apps since."""

    link: str
    code: str
    said: Callable[[], str]


class Terminal(TerminalScreen):
    """The terminal of `byoa run`, which hears its own invitation."""

    def __init__(self) -> None:
        super().__init__(sys.stdout)
        self.invited: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self.asked: asyncio.Queue[Question] = asyncio.Queue()
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        super().note(text)
        self.notes.append(text)
        if (invitation := read_invitation(text)) is not None:
            self.invited.put_nowait(invitation)

    def said(self, text: str) -> None:
        super().said(text if text.endswith("\n") else f"{text}\n")  # what the page hears is printed in between

    def ask(self, question: Question) -> None:
        super().ask(question)
        self.asked.put_nowait(question)


@asynccontextmanager
async def real_agent(host: str, origin: str) -> AsyncGenerator[Agent]:
    """`byoa run --host HOST --app ORIGIN`; the agent goes with the block."""
    variables = {**os.environ, "PATH": search_path()}
    with stand_in_agent(host, STEPS, variables) as stage:
        files, http = RealFiles(pairings.root(stage.place.home)), HttpxPort()
        screen, typed = Terminal(), Typed()
        found = launch(host, stage.arguments, stage.environment)
        room = Room(found, stage.place.project, stage.environment, files, screen, http, interactive=True)
        if sys.stdin.isatty():
            typed.start()
        running = asyncio.create_task(room.run(typed, (origin,)))
        allowing = asyncio.create_task(allow(screen, typed))
        try:
            inviting = asyncio.create_task(screen.invited.get())
            await asyncio.wait({running, inviting}, return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                inviting.cancel()
                running.result()
            yield Agent(*await inviting, lambda: "\n".join(screen.notes))
        finally:
            for task in (allowing, running):
                task.cancel()
            await asyncio.gather(allowing, running, return_exceptions=True)
            await http.close()


async def allow(screen: Terminal, typed: Typed) -> None:
    """The person lets the agent use the tool, for once. Who sits at a real terminal answers what comes after that."""
    while True:
        question = await screen.asked.get()
        kinds = [choice.kind for choice in question.choices]
        if "allow_once" in kinds:
            number = kinds.index("allow_once") + 1
            tell(f"(the person types {number})")
            typed.feed(str(number))
        if sys.stdin.isatty():
            return


@asynccontextmanager
async def scripted_agent(folder: Path, origin: str) -> AsyncGenerator[Agent]:
    host = ScriptedHost(str(folder))
    running = asyncio.create_task(host.run())
    try:
        await asyncio.sleep(0)
        invitation = await host.invitation(origin)
        tell(f"open  {invitation[0]}\ncode  {invitation[1]}")
        host.attach(PlayingSession(host=host, title="A scripted session"))
        yield Agent(*invitation, lambda: "\n".join(host.shown.toasts))
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


def search_path() -> str:
    installed = ROOT / ".hosts" / "bin"
    return os.pathsep.join([str(installed)] * installed.is_dir() + [os.environ.get("PATH", os.defpath)])


def installed_host() -> str | None:
    return next((host for host, program in PROGRAMS.items() if shutil.which(program, path=search_path())), None)


async def run(folder: Path, host: str | None, once: bool) -> int:
    title(1, "The app starts: python examples/notes/app.py")
    async with the_app(folder) as app:
        origin = app["origin"]
        title(2, "A person signs in")
        person = Person(origin)
        page = await person.get("/")
        page = await person.send(page, page.form("password"), name="ada", password=app["password"])
        tell(f"{page.url} says: {found(r'<h1>([^<]*)', page)}")
        title(3, f"An agent asks to be paired: {host or 'a scripted session, without a host'}")
        joining = real_agent(host, origin) if host else scripted_agent(folder, origin)
        async with joining as agent:
            await approve(person, agent.link, agent.code)
            page = await session_of(person)
            await talk(person, page)
            return await (end(person, agent) if once else stay(app))


async def approve(person: Person, link: str, code: str) -> None:
    title(4, "The person opens the link, compares the address, and types the last four letters")
    page = await person.get(link)
    for name in ("Agent", "Machine", "Network address"):
        tell(f"{name:16}{found(rf'<dt>{name}</dt><dd>([^<]*)', page)}")
    wrong = await person.send(page, page.form("letters"), letters="BBBB", decision="approve")
    tell(f"BBBB: {found(r'role=.alert.[^>]*>([^<]*)', wrong)}")
    page = await person.send(wrong, wrong.form("letters"), letters=code[-4:], decision="approve")
    tell(f"{code[-4:]}: {found(r'<h1>([^<]*)', page)}")


async def session_of(person: Person) -> Page:
    """The page with the session, once it is there."""
    title(5, "The session shows up in the panel")
    async with asyncio.timeout(PATIENCE):
        while "data-session=" not in (page := await person.get("/")).text:
            await asyncio.sleep(0.5)
    tell(f"{found(r'<span class=.name.>([^<]*)', page)}: {found(r'<span class=.state[^>]*>([^<]*)', page)}")
    return page


async def talk(person: Person, page: Page) -> None:
    title(6, f"The person asks in the app: {QUESTION}")
    page = await person.send(page, page.form("session"), text=QUESTION)
    async with asyncio.timeout(PATIENCE):
        text = ""  # pieces that follow each other are shown as one
        async for part in person.parts(page):
            if part["kind"] == "text":
                text += part["text"]
                continue
            if text:
                tell(f"{DIM}the page{OFF} {'text':8}{text.strip()}")
            text = ""
            tell(f"{DIM}the page{OFF} {part['kind']:8}{part.get('text', '')}")
            if part["kind"] == "end":
                break
    title(7, "What the agent did in the app, with the app's own tool")
    page = await person.get("/")
    for name in re.findall(r'<h2><a href="/notes/[^>]*>([^<]*)', page.text):
        tell(f"a note: {html.unescape(name)}")
    if "/notes/1" not in page.text:
        sys.exit("demo: there is no note")


async def end(person: Person, agent: Agent) -> int:
    title(8, "The person ends the connection")
    page = await person.get("/byoa/connections")
    await person.send(page, page.form("revoke"), revoke=dict(page.form("revoke").buttons)["revoke"])
    async with asyncio.timeout(PATIENCE):
        while "data-session=" in (await person.get("/")).text:
            await asyncio.sleep(0.5)
        tell("the session is gone from the panel")
        while "has revoked this pairing" not in agent.said():  # the agent's side says so, too
            await asyncio.sleep(0.1)
    return 0


async def stay(app: Mapping[str, str]) -> int:
    print(
        f"\n{BOLD}Look at {app['origin']}: sign in as ada with {app['password']}. Ctrl-C ends it all.{OFF}", flush=True
    )
    await asyncio.Event().wait()
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--once", action="store_true", help="end by itself, without a page to look at")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--host", choices=list(PROGRAMS), help="which host, when several are installed")
    which.add_argument("--scripted", action="store_true", help="a scripted session, also where a host is installed")
    asked = parser.parse_args()
    host = None if asked.scripted else asked.host or installed_host()
    folder = tempfile.mkdtemp(prefix="agent-connector-demo-")
    try:
        return asyncio.run(run(Path(folder), host, asked.once))
    except KeyboardInterrupt:
        return 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
