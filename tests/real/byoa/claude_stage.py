"""Claude Code in a terminal with our connector in it, in a scratch home, and an app that listens on the loopback."""

import asyncio
import json
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request as WebRequest
from starlette.responses import Response as WebResponse
from starlette.routing import Route
from tests.real.byoa.terminal import ENTER, Terminal
from tests.real.runs import PROGRAMS, SECRETS

from agent_connector.byoa.core.effects import Request
from agent_connector.byoa.sessions import claude_install
from agent_connector.byoa.sessions.claude_pair import HOLD
from agent_connector.deploy import install as deploying
from agent_connector.deploy.uninstall import uninstall
from agent_connector.drive.events import Job
from agent_connector.home import paths
from agent_connector.hosts import query
from agent_connector.rehearse.install import machine
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.run import tool_names
from agent_connector.rehearse.scratch import Scratch, scratch
from agent_connector.rehearse.script import parse
from agent_connector.rehearse.stage import stage_of
from agent_connector.testing.byoa import ScriptedApp

HOST = "claude-code"
WITHIN = 120.0
LOOK_EVERY = 0.05
APPEARS = 10.0  # at most: what is drawn in pieces cannot be found
T = TypeVar("T")


class Served:
    """A scripted app that real pairers reach over HTTP."""

    def __init__(self, **options: object) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]}"
        self.app = ScriptedApp(f"http://{self.address}", **options)
        self._count = 0
        self._arrived: dict[int, object] = {}

    @contextmanager
    def open(self) -> Generator["Served"]:
        routes = [Route("/{path:path}", self._answer, methods=["GET", "POST"])]
        config = uvicorn.Config(Starlette(routes=routes), log_config=None, access_log=False, lifespan="off", ws="none")
        serving = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(serving.serve(sockets=[self._socket])), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            serving.should_exit = serving.force_exit = True
            thread.join(10)

    async def _answer(self, web: WebRequest) -> WebResponse:
        self._count += 1
        headers = tuple((name.title(), value) for name, value in web.headers.items())
        body = await web.body()
        request = Request(self._count, web.method, f"{self.app.origin}{web.url.path}", headers, body, 1 << 20)
        answer = self.app.answer(request, time.monotonic())
        while answer is None:
            await asyncio.sleep(LOOK_EVERY)
            if await web.is_disconnected():
                self.app.hung_up(request.id)
                return WebResponse(status_code=204)
            self._arrived.update(self.app.due(time.monotonic()))
            answer = self._arrived.pop(request.id, None)
        return WebResponse(answer.body, answer.status, dict(answer.headers))


@dataclass
class Stage:
    """One process of Claude Code with its person."""

    served: Served
    terminal: Terminal
    model: StandIn
    project: Path
    environment: Mapping[str, str]

    @property
    def app(self) -> ScriptedApp:
        return self.served.app

    def until(self, condition: Callable[[], T], what: str = "") -> T:
        deadline = time.monotonic() + WITHIN
        while not (found := condition()):
            assert time.monotonic() < deadline, f"{what} did not come\n{self.terminal.drawn[-4000:]}"
            time.sleep(LOOK_EVERY)
        return found

    def type(self, text: str) -> None:
        """See it appear before it is sent: what a program reads in one piece it takes as pasted."""
        before, end = len(self.terminal.drawn), "".join(text.split())[-12:]
        self.terminal.type(text)
        deadline = time.monotonic() + APPEARS
        while end not in "".join(self.terminal.drawn[before:].split()) and time.monotonic() < deadline:
            time.sleep(LOOK_EVERY)
        time.sleep(0.4)
        self.terminal.type(ENTER)

    def shows(self, text: str, after: int = 0) -> None:
        """The screen moves the cursor over blanks, so they do not count."""
        wanted = "".join(text.split())
        self.until(lambda: wanted in "".join(self.terminal.drawn[after:].split()), f"{text!r} on the screen")

    def queued(self, text: str) -> None:
        """What was typed while the agent works is taken, and waits: the transcript says so, the screen shows letters only."""
        places = Path(self.environment["HOME"], ".claude", "projects")

        def there() -> bool:
            rows = [row for file in places.rglob("*.jsonl") for row in file.read_text("utf-8").splitlines()]
            return any('"enqueue"' in row and text in row for row in rows)

        self.until(there, f"{text!r} in the queue")

    def told(self, words: str) -> str:
        """What `/byoa words` answers, asked for as the host asks: a screen that is drawn in pieces cannot be read."""
        payload = {"hook_event_name": "UserPromptExpansion", "command_name": "byoa", "command_args": words}
        done = subprocess.run(
            [paths.launcher_path(self.environment["HOME"]), "hook", HOST, "UserPromptExpansion", "--connector", "byoa"],
            input=json.dumps({**payload, "session_id": "any"}),
            env={**self.environment, "CLAUDE_PID": str(self.terminal.pid)},
            capture_output=True,
            check=True,
            timeout=WITHIN,
            text=True,
        )
        return json.loads(done.stdout)["reason"]

    def let_go(self) -> None:
        """The last Stop is not held any more: what is sent now waits for the next."""
        time.sleep(HOLD + 1.0)

    def ready(self) -> None:
        self.shows("for shortcuts")

    def joined(self, count: int) -> None:
        """The app sees this many sessions, the newest of them with a poll that waits."""
        self.until(lambda: len(self.app.sessions) >= count and self.app.session.held, "a session that polls")

    def received(self) -> None:
        """The pairer has all that was sent."""
        session = self.app.session
        self.until(lambda: session.acknowledged == len(session.log), "the pairer's receipt")

    def ended(self, turn: str) -> str:
        end = self.until(lambda: self.app.turns[turn].end, "the end of the turn")
        return end.outcome.value if end.reason is None else f"{end.outcome.value} {end.reason.value}"


@dataclass
class Home:
    """A scratch home in which Claude Code was used before, with the connector in it."""

    place: Scratch
    model: StandIn
    served: Served
    environment: Mapping[str, str]

    @property
    def project(self) -> Path:
        return Path(self.place.project)

    def connect(self, address: str, approve: Callable[[str, str], None]) -> None:
        """Pair an app with this host, in a shell; `approve` gets the link and the code that are shown."""
        line = [paths.launcher_path(self.place.home), "byoa", "connect", address, "--host", HOST]
        with subprocess.Popen(line, env=self.environment, stdout=subprocess.PIPE, text=True) as connecting:
            assert connecting.stdout is not None
            shown: dict[str, str] = {}
            while not {"open", "code"} <= set(shown):
                said = connecting.stdout.readline()
                assert said, f"nothing to approve was shown: {shown}"
                word, _, rest = said.strip().partition(" ")
                shown[word] = rest.strip()
            approve(shown["open"], shown["code"])
            rest, _ = connecting.communicate(timeout=WITHIN)
        assert connecting.returncode == 0, rest

    @contextmanager
    def claude(self, *arguments: str) -> Generator[Stage]:
        """The program in a terminal. Tools that the tests call are allowed; all else asks."""
        line = [str(PROGRAMS / "claude"), "--permission-mode", "default", "--allowedTools", "Bash,mcp__byoa"]
        with Terminal([*line, *arguments], self.environment, self.place.project) as terminal:
            yield Stage(self.served, terminal, self.model, self.project, self.environment)


def waits(name: str) -> dict:
    """The model calls the shell, which waits for the file `name`."""
    command = f"touch {name}.there; while [ ! -e {name} ]; do sleep 0.05; done"
    return {"call": {"tool": "host:Bash", "arguments": {"command": command, "description": "wait"}}}


@contextmanager
def home(steps: Sequence[dict], **options: object) -> Generator[Home]:
    """Everything but the program itself; when it is over the connector is taken out and the files are as before."""
    headless = query.headless(HOST)
    stage = stage_of(headless)
    variables = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}", **SECRETS}
    script = parse({"prompt": "unused", "steps": list(steps)})
    served = Served(**options)
    with (
        scratch(variables, {}) as place,
        StandIn(script, "byoa", tool_names(HOST, stage), stage.searched) as model,
        served.open(),
    ):
        job = Job("", place.project, endpoint=model.url)
        settings = _used_before(place, job.api_key)
        root = paths.data_root(place.environment, place.home)
        where = machine(place, "user")
        with _at_home(place.home):
            outcome = deploying.install(claude_install.loaded(root), machine=where, root=root, hosts=[HOST])
        assert not outcome.failed
        yield Home(place, model, served, {**place.environment, **headless.environment(job)})
        assert not uninstall(machine=where, root=root, connector=claude_install.CONNECTOR).failed
        assert {path: path.read_bytes() for path in settings} == settings
        assert not Path(place.home, ".claude", "commands", "byoa.md").exists()


def _used_before(place: Scratch, key: str) -> dict[Path, bytes]:
    """The host's first questions are answered: theme, trust in the folder, the key from the environment."""
    state = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [key[-20:]], "rejected": []},
        "projects": {place.project: {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
    }
    Path(place.home, ".claude.json").write_text(json.dumps(state), encoding="utf-8")
    settings = Path(place.home, ".claude", "settings.json")
    settings.parent.mkdir()
    settings.write_text('{"theme": "dark"}', encoding="utf-8")
    return {settings: settings.read_bytes()}


@contextmanager
def _at_home(folder: str) -> Generator[None]:
    """The declaration asks where the person's home is."""
    before = os.environ["HOME"]
    os.environ["HOME"] = folder
    try:
        yield
    finally:
        os.environ["HOME"] = before
