"""Our plugin under Node in a fake OpenCode that listens nowhere: what it carries, and when it keeps away."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.byoa.sessions.node import NODE

from agent_connector.byoa.driver import loop
from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.sessions import extensions
from agent_connector.byoa.sessions.opencode_attach import Attachment
from agent_connector.testing.byoa import ScriptedApp
from agent_connector.testing.byoa.live import LivePort

ORIGIN = "https://notes.example"
FAKE = str(Path(__file__).with_name("fake_opencode.mjs"))
ONE = "ses_one"
TERMINAL = ("/$bunfs/root/src/cli/tui/worker.js",)


@dataclass(eq=False)
class FakeOpenCode:
    process: asyncio.subprocess.Process
    did: list[dict[str, Any]] = field(default_factory=list)
    count: int = 0

    def say(self, **asked: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(asked).encode() + b"\n")

    def emit(self, kind: str, **properties: Any) -> None:
        self.say(event={"type": kind, "properties": {"sessionID": ONE, **properties}})

    def opens(self, directory: str) -> None:
        """A session that can be looked at."""
        info = {"id": ONE, "title": "The one", "directory": directory}
        self.say(
            routes={
                "GET /session": [info],
                f"GET /session/{ONE}": info,
                f"GET /session/{ONE}/message": [],
                "GET /session/status": {},
                "GET /config/providers": {"providers": []},
                "GET /agent": [],
                "GET /permission": [],
                "GET /question": [],
                f"POST /session/{ONE}/prompt_async": True,
                "POST /tui/show-toast": True,
            }
        )

    def prompt(self, text: str) -> str:
        self.count += 1
        id = f"msg_{self.count:03}"
        self.emit("message.updated", info={"id": id, "role": "user", "sessionID": ONE})
        self.emit("message.part.updated", part={"id": "p" + id, "messageID": id, "type": "text", "text": text})
        return id

    def answers(self, parent: str, *words: str) -> None:
        self.count += 1
        info = {"id": f"msg_{self.count:03}", "role": "assistant", "parentID": parent}
        self.emit("session.status", status={"type": "busy"})
        self.emit("message.updated", info=info)
        part = {"id": "text", "messageID": info["id"], "type": "text", "text": ""}
        self.emit("message.part.updated", part=part)
        for word in words:
            self.emit("message.part.delta", partID="text", field="text", delta=word)
        self.emit("message.part.updated", part={**part, "text": "".join(words), "time": {"end": 1}})
        self.emit("message.updated", info={**info, "finish": "stop"})
        self.emit("session.status", status={"type": "idle"})

    def asked(self, route: str) -> list[dict[str, Any]]:
        return [each for each in self.did if each.get("asked") == route]

    async def listen(self) -> None:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            self.did.append(json.loads(line))


@dataclass
class Stage:
    opencode: FakeOpenCode
    attachment: Attachment
    port: LivePort
    directory: str
    another: Callable[[], Awaitable[FakeOpenCode]]

    async def joined(self) -> None:
        await self.port.until(lambda: self.port.app.sessions and self.port.app.session.held)


Story = Callable[[Stage], Awaitable[None]]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    monkeypatch.setattr(loop, "TICK", 0.02)

    async def run(story: Story, words: tuple[str, ...]) -> None:
        home = str(tmp_path)
        plugin = extensions.install("opencode", {}, home)
        assert plugin == str(tmp_path / ".config" / "opencode" / "plugins" / "agent-connector-byoa.js")
        place = extensions.place("opencode", {}, home)
        port = LivePort(ScriptedApp(ORIGIN, hold=1))
        attachment = Attachment(place, RealFiles(str(tmp_path / ".byoa")), port, lambda line: None)

        async def pair() -> None:
            async for _ in attachment.driver.connect("notes.example"):
                pass

        pipe = asyncio.subprocess.PIPE
        async with asyncio.timeout(60):
            running = asyncio.create_task(attachment.run(pair))
            await port.until(lambda: Path(place).exists())
            started: dict[FakeOpenCode, asyncio.Task[None]] = {}

            async def another() -> FakeOpenCode:
                process = await asyncio.create_subprocess_exec(
                    NODE, FAKE, *words, cwd=home, env={"PLUGIN": plugin}, stdin=pipe, stdout=pipe
                )
                opencode = FakeOpenCode(process)
                started[opencode] = asyncio.create_task(opencode.listen())
                await port.until(lambda: opencode.did)
                return opencode

            try:
                await story(Stage(await another(), attachment, port, home, another))
            finally:
                running.cancel()
                for opencode in started:
                    with suppress(BrokenPipeError, ConnectionResetError):
                        opencode.process.stdin.close()
                await asyncio.gather(running, return_exceptions=True)
                for opencode in started:
                    await opencode.process.wait()
                await asyncio.gather(*started.values(), return_exceptions=True)
        assert len(asyncio.all_tasks()) == 1, asyncio.all_tasks()

    def start(story: Story, *words: str) -> None:
        asyncio.run(run(story, words or TERMINAL))

    return start


def test_an_app_chats_with_an_opencode_that_listens_nowhere(play) -> None:
    async def story(stage: Stage) -> None:
        opencode = stage.opencode
        await stage.port.until(lambda: opencode.asked("GET /global/event"))
        assert not stage.port.app.sessions, "nothing is prompted in this terminal yet"
        opencode.opens(stage.directory)
        opencode.answers(opencode.prompt("my own"), "secret")
        await stage.joined()
        turn = stage.port.chat("hello, Ådå")
        asked = await stage.port.until(lambda: opencode.asked(f"POST /session/{ONE}/prompt_async"))
        prompt = asked[0]["body"]["parts"][0]["text"]
        assert prompt.endswith("hello, Ådå")
        assert "x-opencode-directory" not in asked[0]["headers"] and asked[0]["headers"]["x-kept"] == "1"
        opencode.answers(opencode.prompt(prompt), "Hi, ", "Åda.")
        await stage.port.until(lambda: stage.port.app.turns[turn].end)
        assert stage.port.app.turns[turn].text == "Hi, Åda."
        assert all(b"secret" not in request.body for request in stage.port.app.requests)

    play(story)


def test_what_was_prompted_before_we_came_is_joined(play) -> None:
    """The plugin remembers it: the newest session of the project may be another terminal's."""

    async def story(stage: Stage) -> None:
        opencode = stage.opencode
        place = Path(extensions.place("opencode", {}, stage.directory))
        told = place.read_text()
        opencode.say(dispose=True)  # loaded anew, as when its project is
        await stage.port.until(lambda: not stage.attachment.followers)
        place.unlink()
        opencode.say(load=True)
        opencode.opens(stage.directory)
        opencode.prompt("my own")
        opencode.emit("session.status", status={"type": "idle"})
        await asyncio.sleep(0.3)
        assert not stage.port.app.sessions
        place.write_text(told)
        await stage.joined()
        assert stage.port.app.session.info.title == "The one"

    play(story)


def test_a_conversation_in_two_terminals_is_where_it_was_prompted_last(play) -> None:
    async def story(stage: Stage) -> None:
        first = stage.opencode
        second = await stage.another()
        for opencode in (first, second):  # a prompt before we listen is told to nobody
            await stage.port.until(lambda: opencode.asked("GET /global/event"))  # noqa: B023
        for opencode in (first, second, first):
            opencode.opens(stage.directory)
            opencode.prompt("my own")
            opencode.emit("session.status", status={"type": "idle"})
            await stage.port.until(lambda: opencode.asked("GET /question"))  # noqa: B023  looked at here and now
            opencode.did.clear()
            await asyncio.sleep(0.1)
            await stage.port.until(lambda: sum(each.session is not None for each in stage.attachment.followers) == 1)
        turn = stage.port.chat("hello")
        route = f"POST /session/{ONE}/prompt_async"
        asked = await stage.port.until(lambda: first.asked(route))
        first.answers(first.prompt(asked[0]["body"]["parts"][0]["text"]), "Here.")
        await stage.port.until(lambda: stage.port.app.turns[turn].end)
        assert not second.asked(route)
        assert len(stage.port.app.sessions) == 1

    play(story)


def test_the_end_of_opencode_ends_its_session(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.port.until(lambda: stage.opencode.asked("GET /global/event"))
        stage.opencode.opens(stage.directory)
        stage.opencode.prompt("my own")
        await stage.joined()
        stage.opencode.emit("session.status", status={"type": "idle"})
        turn = stage.port.chat("hello")
        await stage.port.until(lambda: stage.opencode.asked(f"POST /session/{ONE}/prompt_async"))
        stage.opencode.process.kill()
        end = await stage.port.until(lambda: stage.port.app.turns[turn].end)
        assert (end.outcome.value, end.reason.value) == ("error", "session_closed")
        await stage.port.until(lambda: not stage.attachment.followers)

    play(story)


def test_a_stream_that_nobody_reads_any_more_is_ended(play) -> None:
    """A session that cannot be looked at makes us begin anew."""

    async def story(stage: Stage) -> None:
        opencode = stage.opencode
        await stage.port.until(lambda: opencode.asked("GET /global/event"))
        opencode.say(routes={f"GET /session/{ONE}": {"id": ONE, "directory": stage.directory}})
        opencode.prompt("my own")
        await stage.port.until(lambda: len(opencode.asked("GET /global/event")) == 2)
        opencode.say(streams=True)
        told = await stage.port.until(lambda: [each["streams"] for each in opencode.did if "streams" in each])
        assert told == [1]

    play(story)


@pytest.mark.parametrize("words", [("/$bunfs/root/src/index.js", "run", "hi"), ("/$bunfs/root/src/index.js", "acp")])
def test_a_run_without_a_person_does_not_join(play, words: tuple[str, ...]) -> None:
    async def story(stage: Stage) -> None:
        assert stage.opencode.did[0]["hooks"] == []
        await asyncio.sleep(0.3)
        assert not stage.attachment.followers

    play(story, *words)


def test_a_server_for_terminals_joins_once(play) -> None:
    async def story(stage: Stage) -> None:
        assert stage.opencode.did[0] == {"ready": True, "hooks": ["event", "dispose"], "again": []}
        await stage.port.until(lambda: stage.attachment.followers)

    play(story, "/$bunfs/root/src/index.js", "serve", "--port", "4096")
