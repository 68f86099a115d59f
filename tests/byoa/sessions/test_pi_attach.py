"""Our extension under Node in a fake Pi, the real attachment and the real driver: what an app gets of a terminal."""

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
from agent_connector.byoa.sessions.pi_attach import Attachment
from agent_connector.errors import DeployError
from agent_connector.testing.byoa import ScriptedApp
from agent_connector.testing.byoa.live import LivePort
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

ORIGIN = "https://notes.example"
FAKE = str(Path(__file__).with_name("fake_pi.mjs"))


@dataclass
class FakePi:
    """A process with the extension in it."""

    process: asyncio.subprocess.Process
    did: list[dict[str, Any]] = field(default_factory=list)

    def say(self, **asked: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(asked).encode() + b"\n")

    def emit(self, event: str, **told: Any) -> None:
        self.say(emit=event, told=told)

    def types(self, text: str) -> None:
        """The person's prompt, taken up by an idle Pi."""
        self.say(set={"idle": False})
        self.emit("agent_start")
        self.prompt(text)

    def prompt(self, text: str) -> None:
        self.emit("message_start", message={"role": "user", "content": [{"type": "text", "text": text}]})

    def answers(self, *words: str, stop: str = "stop", unheard: str = "") -> None:
        self.emit("message_start", message={"role": "assistant", "content": []})
        for word in words:
            self.emit("message_update", assistantMessageEvent={"type": "thinking_delta", "delta": "a secret thought"})
            self.emit("message_update", assistantMessageEvent={"type": "text_delta", "delta": word})
        content = [{"type": "thinking", "thinking": "secret"}, {"type": "text", "text": "".join(words) + unheard}]
        self.emit("message_end", message={"role": "assistant", "content": content, "stopReason": stop})
        self.emit("message_update", assistantMessageEvent={"type": "text_delta", "delta": "too late"})

    def settles(self, host: str = "pi", aborted: bool = False) -> None:
        self.say(set={"idle": True})
        self.emit("agent_end")
        if host == "pi":
            self.emit("agent_settled", aborted=aborted)

    def told(self, key: str) -> list[Any]:
        return [each[key] for each in self.did if key in each]

    async def listen(self) -> None:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            self.did.append(json.loads(line))


@dataclass
class Stage:
    host: str
    pi: FakePi
    attachment: Attachment
    port: LivePort
    notes: list[str]

    async def joined(self, count: int = 1) -> None:
        await self.port.until(lambda: len(self.port.app.sessions) >= count and self.port.app.session.held)

    async def idle(self) -> None:
        await self.port.until(lambda: self.port.app.session.held and self.port.app.session.state == "idle")

    async def chat(self, text: str) -> str:
        """A chat of the app that Pi has begun to answer."""
        await self.joined()
        count = len(self.pi.told("submitted"))
        turn = self.port.chat(text)
        await self.port.until(lambda: len(self.pi.told("submitted")) > count)
        self.pi.types(self.pi.told("submitted")[-1])
        return turn

    async def heard(self, turn: str, text: str) -> None:
        await self.port.until(lambda: self.port.app.turns[turn].text == text)

    async def ended(self, turn: str) -> str:
        end = await self.port.until(lambda: self.port.app.turns[turn].end)
        return end.outcome.value if end.reason is None else f"{end.outcome.value} {end.reason.value}"


Story = Callable[[Stage], Awaitable[None]]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Run a story with one paired app and one terminal; afterwards nothing is left behind."""
    monkeypatch.setattr(loop, "TICK", 0.02)

    async def run(story: Story, host: str, mode: str, name: str) -> None:
        home = str(tmp_path)
        extension = extensions.install(host, {}, home)
        assert extension is not None
        place = extensions.place(host, {}, home)
        app = ScriptedApp(ORIGIN, name=name, hold=1, mcp=ScriptedMcp({"search": lambda given: f"found {given['q']}"}))
        notes: list[str] = []
        port = LivePort(app)
        attachment = Attachment(host, place, RealFiles(str(tmp_path / ".byoa")), port, notes.append)
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(NODE, FAKE, extension, cwd=home, stdin=pipe, stdout=pipe)
        pi = FakePi(process)
        async with asyncio.timeout(60):

            async def pair() -> None:
                async for _ in attachment.driver.connect("notes.example"):
                    pass

            tasks = [asyncio.create_task(attachment.run(pair)), asyncio.create_task(pi.listen())]
            try:
                await port.until(lambda: Path(place).exists())
                pi.say(set={"mode": mode})
                pi.emit("session_start", reason="startup")
                await story(Stage(host, pi, attachment, port, notes))
            finally:
                tasks[0].cancel()
                with suppress(BrokenPipeError, ConnectionResetError):
                    process.stdin.close()
                await asyncio.gather(tasks[0], return_exceptions=True)
                await process.wait()
                await asyncio.gather(*tasks, return_exceptions=True)
        assert not Path(place).exists()
        assert len(asyncio.all_tasks()) == 1, asyncio.all_tasks()

    def start(story: Story, *, host: str = "pi", mode: str = "tui", name: str = "Notes") -> None:
        asyncio.run(run(story, host, mode, name))

    return start


@pytest.mark.parametrize("host", ["pi", "omp"])
def test_an_app_chats_in_a_terminal(play, host: str) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("What is new?")
        stage.pi.answers("Let me ", "look.", stop="toolUse")
        await stage.heard(turn, "Let me look.")
        stage.pi.emit("tool_execution_start", toolName="bash", args={"command": "a secret"})
        stage.pi.emit("tool_execution_start", toolName="read", parentToolCallId="inside of another")
        stage.pi.answers("Noth", unheard="ing.")
        stage.pi.settles(host)
        assert await stage.ended(turn) == "done"
        recorded = stage.port.app.turns[turn]
        assert recorded.text == "Let me look.\n\nNothing."
        assert recorded.tools == ["bash"]
        assert stage.pi.told("status")[0].startswith("Notes (https://notes.example) is at work here")
        assert all(b"secret" not in request.body for request in stage.port.app.requests)

    play(story, host=host)


def test_nothing_of_the_person_leaves(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.pi.types("my own secret")
        stage.pi.answers("a secret answer", stop="toolUse")
        stage.pi.emit("tool_execution_start", toolName="secret")
        await stage.port.until(lambda: stage.port.app.session.state == "busy")
        stage.pi.answers("secret")
        stage.pi.settles()
        await stage.idle()
        assert all(b"secret" not in request.body for request in stage.port.app.requests)

    play(story)


def test_a_prompt_that_is_steered_in_takes_the_turn_over(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.pi.answers("Looking.", stop="toolUse")
        await stage.heard(turn, "Looking.")
        stage.pi.emit("input", text="wait, my secret", source="interactive")
        stage.pi.emit("tool_execution_start", toolName="held back")
        stage.pi.prompt("wait, my secret")
        stage.pi.answers("about your secret")
        stage.pi.settles()
        assert await stage.ended(turn) == "interrupted taken_over"
        assert stage.port.app.turns[turn].text == "Looking."
        assert not stage.port.app.turns[turn].tools
        await stage.idle()

    play(story)


def test_a_prompt_that_follows_takes_nothing(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.pi.emit("input", text="next", source="interactive")
        stage.pi.answers("Here it is.")
        stage.pi.prompt("next")
        stage.pi.answers("a secret answer")
        assert await stage.ended(turn) == "done"
        assert stage.port.app.turns[turn].text == "Here it is."
        stage.pi.settles()
        await stage.idle()

    play(story)


def test_a_stop_aborts_the_turn(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.port.stop(turn)
        assert await stage.ended(turn) == "interrupted stopped"
        await stage.port.until(lambda: stage.pi.told("aborted"))
        stage.pi.answers("half", stop="aborted")
        stage.pi.settles(aborted=True)
        await stage.idle()

    play(story)


def test_a_stop_does_not_hold_up_what_the_person_typed(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.pi.emit("input", text="and then this", source="interactive")
        await stage.port.until(lambda: any(session._typed for session in stage.attachment.sessions.values()))
        stage.port.stop(turn)
        assert await stage.ended(turn) == "interrupted stopped"
        await stage.port.until(lambda: any("goes on here" in note for note in stage.notes))
        assert not stage.pi.told("aborted")

    play(story)


@pytest.mark.parametrize(
    ("stop", "aborted", "end"),
    [
        ("aborted", True, "interrupted stopped"),
        ("error", False, "error host_error"),
        ("length", False, "error host_error"),
    ],
)
def test_how_a_turn_ends(play, stop: str, aborted: bool, end: str) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.pi.answers("Well", stop=stop)
        stage.pi.settles(aborted=aborted)
        assert await stage.ended(turn) == end

    play(story)


def test_the_tool_of_an_app_is_one_of_pis(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        await stage.port.until(lambda: stage.pi.told("registered"))
        assert stage.pi.told("registered") == ["byoa_notes"]
        assert stage.pi.told("parameters")[0]["properties"]["tool"]["enum"] == ["search"]
        stage.pi.say(call="byoa_notes", arguments={"tool": "search", "arguments": {"q": "notes"}})
        await stage.port.until(lambda: stage.pi.told("result"))
        assert stage.pi.told("result")[0]["content"] == [{"type": "text", "text": "found notes"}]
        stage.pi.say(call="byoa_notes", arguments={"tool": "another"})
        await stage.port.until(lambda: stage.pi.told("failed"))
        assert stage.pi.told("failed") == ["`tool` must be one of: search"]

    play(story)


def test_an_app_chooses_model_and_effort(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        assert [(each.id, each.values, each.value) for each in stage.port.app.session.info.settings] == [
            ("model", ("p/m", "p/m2"), "p/m")
        ]
        stage.port.set("model", "p/m2")
        await stage.port.until(lambda: len(stage.port.app.session.info.settings) == 2)
        stage.port.set("reasoning_effort", "high")
        await stage.port.until(lambda: stage.port.app.session.info.settings[1].value == "high")
        assert stage.pi.told("model") == ["m2"]

    play(story)


def test_a_question_blocks(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.pi.emit("ui_prompt_start", kind="confirm")
        await stage.port.until(lambda: stage.port.app.session.state == "blocked")
        stage.port.chat("hello")
        await asyncio.sleep(0.1)
        assert not stage.pi.told("submitted")
        stage.pi.emit("ui_prompt_end")
        await stage.port.until(lambda: stage.pi.told("submitted"))

    play(story)


def test_a_pi_that_is_busy_after_all_refuses(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.pi.say(set={"idle": False})
        await stage.port.until(lambda: {"idle": False} in stage.pi.told("set"))  # the chat comes on another way
        turn = stage.port.chat("hello")
        assert await stage.ended(turn) == "error rejected"
        assert not stage.pi.told("submitted")

    play(story)


@pytest.mark.parametrize("host", ["pi", "omp"])
def test_another_conversation_is_another_session(play, host: str) -> None:
    """Pi loads its extensions anew, OMP goes on in the same ones."""

    async def story(stage: Stage) -> None:
        await stage.joined()
        if host == "pi":
            stage.pi.emit("session_shutdown", reason="new")
            await stage.port.until(lambda: not stage.attachment.sessions)
        stage.pi.say(set={"id": "second", "name": "The second"})
        stage.pi.emit("session_start" if host == "pi" else "session_switch", reason="new")
        await stage.joined(2)
        assert stage.port.app.session.info.title == "The second"
        assert len(stage.attachment.pairer._attached()) == 1

    play(story, host=host)


def test_the_end_of_pi_ends_its_turn(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.pi.answers("Half of", stop="toolUse")
        await stage.heard(turn, "Half of")
        stage.pi.process.kill()
        assert await stage.ended(turn) == "error session_closed"

    play(story)


def test_a_run_without_a_person_does_not_join(play) -> None:
    async def story(stage: Stage) -> None:
        stage.pi.emit("agent_start")
        await asyncio.sleep(0.3)
        assert not stage.port.app.sessions

    play(story, mode="json")


def test_files_that_an_app_names_are_broken_in_omp(play) -> None:
    """In its text, and in its own name: the prompt is known as the app's all the same."""

    async def story(stage: Stage) -> None:
        turn = await stage.chat('see @secret.txt and "@other"')
        assert stage.pi.told("submitted")[0].startswith("[From @\u2060secret.txt (https://notes.example)")
        assert "see @\u2060secret.txt" in stage.pi.told("submitted")[0]
        assert '"@\u2060other"' in stage.pi.told("submitted")[0]
        stage.pi.answers("No.")
        stage.pi.settles("omp")
        assert await stage.ended(turn) == "done"
        assert stage.port.app.turns[turn].text == "No."

    play(story, host="omp", name="@secret.txt")


def test_the_extension_is_put_there_and_taken_out(tmp_path: Path) -> None:
    home = str(tmp_path)
    where = extensions.install("omp", {}, home)
    assert where == str(tmp_path / ".omp" / "agent" / "extensions" / "agent-connector-byoa.js")
    assert extensions.install("omp", {}, home) is None
    Path(where).write_text(Path(where).read_text() + "// an older one")
    assert extensions.install("omp", {}, home) == where
    assert extensions.remove("omp", {}, home) == where
    assert not Path(where).exists()
    assert extensions.remove("omp", {}, home) is None


def test_the_folder_of_pi_may_be_elsewhere(tmp_path: Path) -> None:
    found = extensions.path("pi", {"PI_CODING_AGENT_DIR": str(tmp_path / "moved")}, "/home/ada")
    assert found == str(tmp_path / "moved" / "extensions" / "agent-connector-byoa.js")


def test_somebody_elses_extension_of_our_name_stays(tmp_path: Path) -> None:
    where = Path(extensions.path("pi", {}, str(tmp_path)))
    where.parent.mkdir(parents=True)
    where.write_text("export default () => {}")
    for act in (extensions.install, extensions.remove):
        with pytest.raises(DeployError):
            act("pi", {}, str(tmp_path))
    assert where.read_text() == "export default () => {}"
