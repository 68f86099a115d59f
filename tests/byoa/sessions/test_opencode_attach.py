"""Attached to a scripted OpenCode, through the real driver: what the app gets of a session that the person has open."""

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.byoa.sessions.scripted_opencode import ScriptedOpenCode

from agent_connector.byoa.driver import loop
from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.sessions import opencode_follow
from agent_connector.byoa.sessions.opencode_attach import Attachment
from agent_connector.byoa.sessions.opencode_server import Server
from agent_connector.byoa.sessions.opencode_session import OpenCodeSession
from agent_connector.errors import HostError
from agent_connector.testing.byoa import ScriptedApp
from agent_connector.testing.byoa.live import LivePort
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

ORIGIN = "https://notes.example"
ONE = "ses_one"


@dataclass
class Stage:
    opencode: ScriptedOpenCode
    attachment: Attachment
    port: LivePort
    notes: list[str] = field(default_factory=list)

    @property
    def session(self) -> OpenCodeSession | None:
        """The one that apps can join."""
        return self.attachment.followers[0].session if self.attachment.followers else None

    async def joined(self, count: int = 1) -> None:
        """The app sees this many sessions, and listens to the last of them."""
        await self.port.until(lambda: len(self.port.app.sessions) >= count and self.port.app.session.held)

    async def idle(self) -> None:
        await self.port.until(lambda: self.port.app.session.held and self.port.app.session.state == "idle")

    async def chat(self, text: str) -> str:
        """A chat of the app, which OpenCode has begun to answer."""
        await self.joined()
        count = len(self.opencode.bodies)
        turn = self.port.chat(text)
        await self.port.until(lambda: len(self.opencode.bodies) > count)
        return turn

    async def heard(self, turn: str, text: str) -> None:
        await self.port.until(lambda: self.port.app.turns[turn].text == text)

    async def ended(self, turn: str) -> str:
        end = await self.port.until(lambda: self.port.app.turns[turn].end)
        return end.outcome.value if end.reason is None else f"{end.outcome.value} {end.reason.value}"


Story = Callable[[Stage], Awaitable[None]]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Run a story with one paired app; afterwards nothing is left behind."""
    monkeypatch.setattr(loop, "TICK", 0.02)
    monkeypatch.setattr(opencode_follow, "FIRST_WAIT", 0.02)
    monkeypatch.setattr(opencode_follow, "LONGEST_WAIT", 0.02)

    async def run(story: Story, opencode: ScriptedOpenCode, variables: dict[str, str], session: str) -> None:
        port = LivePort(
            ScriptedApp(ORIGIN, hold=1, mcp=ScriptedMcp({"search": lambda arguments: f"found {arguments['q']}"}))
        )
        notes: list[str] = []
        server = Server("http://127.0.0.1:4096", variables, opencode)
        attachment = Attachment(server, RealFiles(str(tmp_path / ".byoa")), port, notes.append, session)
        async with asyncio.timeout(60):

            async def pair() -> None:
                async for _ in attachment.driver.connect("notes.example"):
                    pass

            running = asyncio.create_task(attachment.run(pair))
            try:
                await story(Stage(opencode, attachment, port, notes))
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
        assert len(asyncio.all_tasks()) == 1, asyncio.all_tasks()

    def start(story: Story, *, opens=(ONE,), variables=None, session: str = "", before=None) -> None:
        opencode = ScriptedOpenCode(str(tmp_path))
        for id in opens:
            opencode.opens(id)
        if before is not None:
            before(opencode)
        asyncio.run(run(story, opencode, variables or {}, session))

    return start


def test_an_app_chats_in_the_open_session(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("What is new?")
        stage.opencode.says(ONE, "Noth", "ing.")
        await stage.heard(turn, "Nothing.")
        stage.opencode.calls(ONE, "bash")
        stage.opencode.steps(ONE, "tool-calls")
        stage.opencode.takes_up(ONE)
        stage.opencode.says(ONE, "secret thoughts", kind="reasoning")
        stage.opencode.says(ONE, "Really.")
        stage.opencode.ends(ONE)
        assert await stage.ended(turn) == "done"
        recorded = stage.port.app.turns[turn]
        assert recorded.text == "Nothing.\n\nReally."
        assert recorded.tools == ["bash"]
        assert stage.port.app.session.info.title == "About ses_one"
        assert stage.opencode.bodies[0]["parts"][0]["text"].endswith("\n\nWhat is new?")

    play(story)


def test_nothing_of_the_person_leaves(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.opencode.types(ONE, "my own secret")
        stage.opencode.says(ONE, "a secret answer")
        await stage.port.until(lambda: stage.port.app.session.state == "busy")
        stage.opencode.ends(ONE)
        turn = await stage.chat("hello")
        stage.opencode.says(ONE, "Hi.")
        stage.opencode.ends(ONE)
        assert await stage.ended(turn) == "done"
        assert all(b"secret" not in request.body for request in stage.port.app.requests)

    play(story)


def test_a_prompt_that_is_joined_takes_the_turn_over(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.opencode.says(ONE, "Looking.")
        await stage.heard(turn, "Looking.")
        stage.opencode.calls(ONE, "bash")
        stage.opencode.types(ONE, "wait, my secret")
        stage.opencode.says(ONE, "held back")
        stage.opencode.steps(ONE, "tool-calls")
        stage.opencode.takes_up(ONE)
        stage.opencode.says(ONE, "about your secret")
        stage.opencode.ends(ONE)
        assert await stage.ended(turn) == "interrupted taken_over"
        assert stage.port.app.turns[turn].text == "Looking."
        await stage.idle()

    play(story)


def test_a_prompt_that_comes_after_the_last_step_takes_nothing(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.opencode.says(ONE, "Here ", ends=False)
        part = stage.opencode.messages[ONE][-1]["parts"][-1]["id"]
        await stage.heard(turn, "Here ")
        stage.opencode.types(ONE, "my next question")
        stage.opencode.goes_on(ONE, part, "it is.")
        stage.opencode.steps(ONE, "stop")
        stage.opencode.takes_up(ONE)
        stage.opencode.says(ONE, "a secret answer")
        assert await stage.ended(turn) == "done"
        assert stage.port.app.turns[turn].text == "Here it is."
        assert stage.session is not None and stage.session.busy
        stage.opencode.ends(ONE)
        await stage.idle()
        assert stage.port.app.turns[turn].text == "Here it is."

    play(story)


def test_a_stop_aborts_the_turn(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.opencode.says(ONE, "Well, ", ends=False)
        await stage.heard(turn, "Well, ")
        stage.port.stop(turn)
        assert await stage.ended(turn) == "interrupted stopped"
        await stage.port.until(lambda: stage.opencode.aborts)
        await stage.idle()

    play(story)


def test_a_stop_does_not_drop_what_the_person_typed(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.opencode.types(ONE, "and then this")
        stage.port.stop(turn)
        assert await stage.ended(turn) == "interrupted stopped"
        await stage.port.until(lambda: any("goes on here" in note for note in stage.notes))
        assert stage.opencode.aborts == 0

    play(story)


def test_the_person_ends_an_apps_turn(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.opencode.types(ONE, "a prompt that escape drops")
        stage.opencode.escapes(ONE)
        assert await stage.ended(turn) == "interrupted stopped"
        again = await stage.chat("hello again")
        stage.opencode.says(ONE, "Yes?")
        stage.opencode.ends(ONE)
        assert await stage.ended(again) == "done"

    play(story)


@pytest.mark.parametrize(
    ("finish", "end"),
    [("tool-calls", "interrupted stopped"), ("length", "error host_error"), ("error", "error host_error")],
)
def test_how_a_turn_ends(play, finish: str, end: str) -> None:
    """`tool-calls` at the end of a turn: the person refused a permission."""

    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.opencode.ends(ONE, finish)
        assert await stage.ended(turn) == end

    play(story)


def test_the_session_follows_the_person(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.opencode.opens("ses_child", parent=ONE)
        stage.opencode.types("ses_child", "a subagent's task")
        stage.opencode.opens("ses_two")
        await asyncio.sleep(0.1)
        assert len(stage.port.app.sessions) == 1
        stage.opencode.types("ses_two", "something else, a secret")
        stage.opencode.says("ses_two", "secret")
        stage.opencode.ends("ses_two")
        await stage.joined(2)
        assert stage.port.app.session.info.title == "About ses_two"
        stage.opencode.emit("tui.session.select", sessionID=ONE)
        await stage.port.until(lambda: stage.session and stage.session.id == ONE)
        assert all(b"secret" not in request.body for request in stage.port.app.requests)

    play(story)


def test_a_running_turn_is_not_left(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.opencode.opens("ses_two")
        stage.opencode.types("ses_two", "from another terminal")
        stage.opencode.says(ONE, "Done.")
        stage.opencode.ends(ONE)
        assert await stage.ended(turn) == "done"
        assert stage.port.app.turns[turn].text == "Done."
        await stage.joined(2)

    play(story)


def test_a_session_that_was_named_is_kept(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.opencode.types("ses_two", "elsewhere")
        turn = await stage.chat("hello")
        stage.opencode.ends(ONE)
        assert await stage.ended(turn) == "done"
        assert stage.session is not None and stage.session.id == ONE

    play(story, opens=(ONE, "ses_two"), session=ONE)


def test_no_session_and_then_the_first(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.port.until(lambda: stage.opencode.streams)
        await asyncio.sleep(0.1)
        assert not stage.port.app.sessions
        stage.opencode.opens(ONE)
        stage.opencode.types(ONE, "hello")
        await stage.joined()

    play(story, opens=())


def test_a_deleted_session_retires(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        assert stage.port.app.session.info.title == "About ses_two"
        del stage.opencode.sessions["ses_two"]
        stage.opencode.emit("session.deleted", sessionID="ses_two", info={"id": "ses_two"})
        await stage.joined(2)
        assert stage.port.app.session.info.title == "About ses_one"

    play(story, opens=(ONE, "ses_two"))


def test_a_question_blocks(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.opencode.opens("ses_child", parent=ONE)
        question = stage.opencode.asks("ses_child")
        await stage.port.until(lambda: stage.session and stage.session.blocked)
        turn = stage.port.chat("hello")
        await asyncio.sleep(0.2)
        assert not stage.opencode.bodies
        stage.opencode.replied(question, reply="reject")
        await stage.port.until(lambda: stage.opencode.bodies)
        stage.opencode.ends(ONE)
        assert await stage.ended(turn) == "done"

    play(story)


@pytest.mark.parametrize("permission", ["*", "doom_loop external_directory"])
def test_no_turn_starts_while_approvals_are_bypassed(play, permission: str) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.port.chat("hello")
        await stage.port.until(lambda: stage.port.app.session.state == "blocked")
        assert not stage.opencode.bodies
        assert "approvals are bypassed" in await stage.attachment.driver.status()

    def rules(opencode: ScriptedOpenCode) -> None:
        allowed = [{"permission": each, "pattern": "*", "action": "allow"} for each in permission.split()]
        opencode.rules = [*opencode.rules, *allowed]

    play(story, before=rules)


def test_a_terminal_that_approves_by_itself_counts_as_bypassed(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.opencode.types(ONE, "hello")
        stage.opencode.replied(stage.opencode.asks(ONE))
        stage.opencode.ends(ONE)
        await stage.port.until(lambda: stage.port.app.session.state == "blocked")

    play(story)


def test_what_runs_unasked_is_said(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.port.until(lambda: any("without asking here: bash, edit" in note for note in stage.notes))

    play(story)


def test_prompts_of_apps_run_as_the_persons_do(play) -> None:
    """With the agent, model and effort of the newest prompt: a person who plans is not made to edit."""

    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.opencode.types(ONE, "plan it", agent="plan", model="m2")
        stage.opencode.ends(ONE)
        turn = await stage.chat("hello")
        stage.opencode.ends(ONE)
        await stage.ended(turn)
        assert stage.opencode.bodies[0]["agent"] == "plan"
        assert stage.opencode.bodies[0]["model"] == {"providerID": "p", "modelID": "m2"}

    play(story)


def test_an_app_chooses_model_and_effort_until_the_person_does(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.opencode.types(ONE, "mine")
        stage.opencode.ends(ONE)
        await stage.port.until(lambda: stage.port.app.session.info.settings[0].value == "p/m")
        assert stage.port.app.session.info.settings[0].values == ("p/m", "p/m2", "other/x")
        stage.port.set("model", "p/m2")
        await stage.port.until(lambda: len(stage.port.app.session.info.settings) == 2)
        stage.port.set("reasoning_effort", "high")
        await stage.port.until(lambda: stage.port.app.session.info.settings[1].value == "high")
        turn = await stage.chat("hello")
        stage.opencode.ends(ONE)
        await stage.ended(turn)
        assert stage.opencode.bodies[0]["model"] == {"providerID": "p", "modelID": "m2"}
        assert stage.opencode.bodies[0]["variant"] == "high"
        stage.opencode.types(ONE, "mine again")
        stage.opencode.ends(ONE)
        await stage.port.until(lambda: stage.port.app.session.info.settings[0].value == "p/m")
        assert all(b"sk-secret" not in request.body for request in stage.port.app.requests)

    play(story)


def test_tools_of_apps_are_registered_and_called_by_their_own_name(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        config = await stage.port.until(lambda: stage.opencode.servers.get("byoa"))
        assert config["type"] == "local"
        process = await asyncio.create_subprocess_exec(
            *config["command"],
            env=config["environment"],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        hello = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "opencode", "version": "1"},
        }
        arguments = {"tool": "search", "arguments": {"q": "notes"}}
        messages = [
            {"id": 0, "method": "initialize", "params": hello},
            {"method": "notifications/initialized"},
            {"id": 1, "method": "tools/call", "params": {"name": "byoa_notes", "arguments": arguments}},
        ]
        for message in messages:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        answers = [json.loads(await process.stdout.readline()) for _ in range(2)]
        assert answers[1]["result"]["content"][0]["text"] == "found notes"
        process.stdin.close()
        await process.wait()
        stage.opencode.calls(ONE, "byoa_byoa_notes")
        stage.opencode.ends(ONE)
        await stage.ended(turn)
        assert stage.port.app.turns[turn].tools == ["byoa_notes"]

    seen: list[ScriptedOpenCode] = []
    play(story, before=seen.append)
    assert not seen[0].servers, "the server is left behind"


def test_a_gap_in_the_events_loses_nothing_and_repeats_nothing(play) -> None:
    """And it does not take the apps' tools away from a call that runs."""

    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        await stage.port.until(lambda: stage.opencode.registrations)
        stage.opencode.says(ONE, "One. ")
        part = stage.opencode.says(ONE, "Two, ", ends=False)
        await stage.heard(turn, "One. \n\nTwo, ")
        stage.opencode.drops()
        stage.opencode.goes_on(ONE, part, "three, ", ends=False)
        await stage.port.until(lambda: stage.opencode.streams)
        stage.opencode.goes_on(ONE, part, "four.")
        stage.opencode.says(ONE, "Five.")
        await stage.heard(turn, "One. \n\nTwo, three, four.\n\nFive.")
        stage.opencode.drops()
        stage.opencode.says(ONE, "Six.")
        stage.opencode.ends(ONE)
        assert await stage.ended(turn) == "done"
        assert stage.port.app.turns[turn].text == "One. \n\nTwo, three, four.\n\nFive.\n\nSix."
        assert stage.opencode.registrations == 1

    play(story)


def test_a_whole_turn_in_a_gap(play) -> None:
    """The prompt is taken, and everything that follows happens unheard."""

    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.opencode.drops()
        stage.opencode.types(ONE, "mine, a secret")
        stage.opencode.says(ONE, "secret")
        stage.opencode.ends(ONE)
        turn = await stage.chat("hello")
        stage.opencode.drops()
        stage.opencode.says(ONE, "All of it.")
        stage.opencode.calls(ONE, "read")
        stage.opencode.ends(ONE)
        assert await stage.ended(turn) == "done"
        assert stage.port.app.turns[turn].text == "All of it."
        assert stage.port.app.turns[turn].tools == ["read"]
        assert all(b"secret" not in request.body for request in stage.port.app.requests)

    play(story)


def test_a_restart_ends_the_turn_and_keeps_the_session(play) -> None:
    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        await stage.port.until(lambda: stage.opencode.servers)
        stage.opencode.says(ONE, "Half a sen", ends=False)
        await stage.heard(turn, "Half a sen")
        stage.opencode.restarts()
        assert await stage.ended(turn) == "error host_error"
        again = await stage.chat("hello again")
        stage.opencode.ends(ONE)
        assert await stage.ended(again) == "done"
        await stage.port.until(lambda: stage.opencode.servers)
        assert len(stage.port.app.sessions) == 1

    play(story)


def test_nothing_is_handed_over_while_nothing_is_heard(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.opencode.up = False
        stage.opencode.drops()
        await stage.port.until(lambda: any("trying again" in note for note in stage.notes))
        turn = stage.port.chat("hello")
        await asyncio.sleep(0.3)
        stage.opencode.up = True
        await stage.port.until(lambda: stage.opencode.bodies)
        stage.opencode.ends(ONE)
        assert await stage.ended(turn) == "done"

    play(story)


def test_a_server_that_is_gone_takes_its_session_along(play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opencode_follow, "GONE_AFTER", 0.1)

    async def story(stage: Stage) -> None:
        turn = await stage.chat("hello")
        stage.opencode.up = False
        stage.opencode.drops()
        assert await stage.ended(turn) == "error session_closed"
        assert any("is gone" in note for note in stage.notes)
        stage.opencode.restarts()
        again = await stage.chat("hello again")
        stage.opencode.ends(ONE)
        assert await stage.ended(again) == "done"

    play(story)


def test_how_to_start_opencode_is_said(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.port.until(lambda: any("`opencode --port 4096`" in note for note in stage.notes))
        stage.opencode.up = True
        await stage.joined()

    play(story, before=lambda opencode: setattr(opencode, "up", False))


def test_a_prompt_that_is_refused(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.joined()
        stage.opencode.refuses = 400
        turn = stage.port.chat("hello")
        assert await stage.ended(turn) == "error rejected"

    play(story)


def test_a_prompt_that_opencode_stumbles_over(play) -> None:
    """A model that is not there: the message stands, and no answer begins."""

    async def story(stage: Stage) -> None:
        opencode = stage.opencode
        await stage.joined()
        opencode.busy.add(ONE)  # keeps the double from taking it up by itself
        turn = await stage.chat("hello")
        opencode.emit("session.status", sessionID=ONE, status={"type": "busy"})
        opencode.emit("session.error", sessionID=ONE, error={"name": "UnknownError"})
        opencode.emit("session.status", sessionID=ONE, status={"type": "idle"})
        assert await stage.ended(turn) == "error rejected"

    play(story)


def test_the_password_comes_from_the_environment(play) -> None:
    async def story(stage: Stage) -> None:
        await stage.port.until(lambda: any("OPENCODE_SERVER_PASSWORD" in note for note in stage.notes))
        stage.opencode.password = f"Basic {base64.b64encode(b'ada:secret').decode()}"
        await stage.joined()

    variables = {"OPENCODE_SERVER_PASSWORD": "secret", "OPENCODE_SERVER_USERNAME": "ada"}
    play(story, variables=variables, before=lambda opencode: setattr(opencode, "password", "another"))


@pytest.mark.parametrize("url", ["http://192.168.1.5:4096", "https://opencode.example", "file:///etc/passwd", "x y"])
def test_only_this_machine_is_talked_to(url: str) -> None:
    with pytest.raises(HostError):
        Server(url, {})
