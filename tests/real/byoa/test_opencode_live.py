"""OpenCode in a terminal, with a person typing in it, against the stand-in model; an app joins the session."""

import asyncio
import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.byoa.sessions.conftest import ORIGIN
from tests.ports import free_port
from tests.real.byoa.terminal import ENTER, Terminal
from tests.real.runs import PROGRAMS, SECRETS

from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.sessions import extensions
from agent_connector.byoa.sessions.acp_updates import SERVER
from agent_connector.byoa.sessions.opencode_attach import Attachment
from agent_connector.byoa.sessions.opencode_server import Server
from agent_connector.byoa.sessions.opencode_session import NO_PERSON, OpenCodeSession
from agent_connector.drive.events import Job
from agent_connector.hosts import query
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.run import furnish, tool_names
from agent_connector.rehearse.scratch import Scratch, scratch
from agent_connector.rehearse.script import Script, parse
from agent_connector.rehearse.stage import stage_of
from agent_connector.testing.byoa import ScriptedApp
from agent_connector.testing.byoa.live import LivePort
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

pytestmark = pytest.mark.real

HOST = "opencode"
LIMIT = 150.0
ACTIVE = "@secret.txt\n!`touch expanded`\n/marked one two\n@general look\n$HOME"


def waits(name: str) -> dict:
    """The model says something and calls the shell, which waits for the file `name`."""
    command = f"touch {name}.there; while [ ! -e {name} ]; do sleep 0.05; done"
    call = {"tool": "host:Bash", "arguments": {"command": command, "description": "wait"}}
    return {"say": f"Waiting for {name}.", "call": call}


CHAT = [
    {"say": "An answer for the person alone."},
    {
        "say": "Let me search.",
        "call": {"tool": "byoa_notes", "arguments": {"tool": "search", "arguments": {"q": "it"}}},
    },
    {"say": "Found it."},
]
STEPS = [
    *CHAT,
    {"say": "May I?", "call": {"tool": "host:Read", "arguments": {"filePath": "@OUTSIDE@"}}},
    {"say": "I may."},
    waits("stopped"),
    waits("taken"),
    {"say": "For the person who typed."},
    {"say": "In another session."},
    {"say": "Joined again."},
]


def script(steps: list[dict], place: Scratch) -> Script:
    """The steps, in which a file outside of the project is read: OpenCode asks before it does that."""
    text = json.dumps({"prompt": "unused", "steps": steps}).replace("@OUTSIDE@", str(Path(place.home, "outside.txt")))
    return parse(json.loads(text))


@contextmanager
def opened(steps: list[dict], *words: str, **variables: str) -> Generator[tuple[Scratch, Terminal, StandIn]]:
    """OpenCode in a terminal, in a scratch home where our plugin is, pointed at the stand-in model."""
    headless = query.headless(HOST)
    stage = stage_of(headless)
    around = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}", **SECRETS}
    with (
        scratch(around, variables) as place,
        StandIn(script(steps, place), SERVER, tool_names(HOST, stage)) as model,
    ):
        furnish(place, stage, model.url)
        Path(place.project, "secret.txt").write_text("the text of the file")
        Path(place.home, "outside.txt").write_text("something else")
        command = Path(place.project, ".opencode", "commands", "marked.md")
        command.parent.mkdir(parents=True)
        command.write_text("This command was expanded: $ARGUMENTS")
        environment = {**place.environment, **headless.environment(Job("", place.project, endpoint=model.url))}
        config = {"model": "stand-in/stand-in", **json.loads(environment["OPENCODE_CONFIG_CONTENT"])}
        environment["OPENCODE_CONFIG_CONTENT"] = json.dumps(config)
        extensions.install(HOST, environment, place.home)
        with Terminal([str(PROGRAMS / "opencode"), *words], environment, place.project) as terminal:
            yield place, terminal, model


def test_a_terminal_is_joined_through_the_plugin() -> None:
    with opened(STEPS) as (place, terminal, model):
        at = extensions.place(HOST, place.environment, place.home)
        asyncio.run(attached(at, place, terminal, model, full=True))


def test_a_terminal_is_joined_at_its_port() -> None:
    port = str(free_port())
    password = {"OPENCODE_SERVER_PASSWORD": "a password"}
    with opened(CHAT, "--pure", "--port", port, **password) as (place, terminal, model):
        asyncio.run(attached(Server(f"http://127.0.0.1:{port}", password), place, terminal, model, full=False))


async def attached(at: Server | str, place: Scratch, terminal: Terminal, model: StandIn, *, full: bool) -> None:
    app = LivePort(ScriptedApp(ORIGIN, hold=1, mcp=ScriptedMcp({"search": lambda given: f"found {given['q']}"})))
    notes: list[str] = []
    attachment = Attachment(at, RealFiles(str(Path(place.home, ".byoa"))), app, notes.append)

    async def pair() -> None:
        async for _ in attachment.driver.connect(ORIGIN):
            pass

    running = asyncio.create_task(attachment.run(pair))
    try:
        async with asyncio.timeout(LIMIT):
            await story(attachment, app, terminal, Path(place.project), model, full=full)
    except BaseException:
        print("\n".join(notes), terminal.drawn[-3000:], sep="\n--\n")
        raise
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def story(
    attachment: Attachment, app: LivePort, terminal: Terminal, project: Path, model: StandIn, *, full: bool
) -> None:
    def session() -> OpenCodeSession | None:
        return attachment.followers[0].session if attachment.followers else None

    async def ended(turn: str) -> str:
        end = await app.until(lambda: app.app.turns[turn].end)
        return end.outcome.value if end.reason is None else f"{end.outcome.value} {end.reason.value}"

    async def idle() -> None:
        await app.until(lambda: app.app.sessions and app.app.session.held and app.app.session.state == "idle")

    def heard(text: str) -> bool:
        return any(each.has(text) for each in model.requests)

    # The person's own turn: the app sees the session, and nothing of it.
    await app.until(lambda: "Ask anything" in terminal.drawn)
    await terminal.enter("my own private words", lambda: heard("my own private words"))
    await idle()
    assert app.app.session.info.host_version == "1.18.33"
    assert [setting.id for setting in app.app.session.info.settings] == ["model"]

    # A chat: nothing in its text acts, the app's tool is called, what is said comes in order.
    await app.until(lambda: attachment.followers[0]._tools.names)
    chat = app.chat(ACTIVE)
    assert await ended(chat) == "done"
    assert app.app.turns[chat].text == "Let me search.\n\nFound it."
    assert app.app.turns[chat].tools == ["byoa_notes"]
    assert app.app.mcp is not None and app.app.mcp.calls == [("search", {"q": "it"})]
    asked = next(each for each in model.requests if each.has("not typed in this terminal"))
    assert asked.has(ACTIVE, "user")
    assert not any(each.has("the text of the file") or each.has("was expanded") for each in model.requests)
    assert not Path(project, "expanded").exists()
    await app.until(lambda: "not typed in this terminal" in terminal.drawn)

    if not full:
        assert model.actor.left == ()
        return

    # A permission: the person is asked in their terminal, and answers there.
    await idle()
    permitted = app.chat("look outside")
    await app.until(lambda: session().blocked)
    await app.until(lambda: "Permission required" in terminal.drawn)
    assert app.app.turns[permitted].end is None
    await asyncio.sleep(2 * NO_PERSON)
    await terminal.press(ENTER, lambda: not session().blocked)
    assert await ended(permitted) == "done"
    assert app.app.turns[permitted].tools == ["read"]

    # Stop: text comes while the turn runs, and the shell is ended.
    await idle()
    stopped = app.chat("wait for me")
    await app.until(
        lambda: app.app.turns[stopped].text == "Waiting for stopped." and (project / "stopped.there").exists()
    )
    app.stop(stopped)
    assert await ended(stopped) == "interrupted stopped"
    assert app.app.turns[stopped].tools == ["bash"]

    # The person types while an app's turn runs: OpenCode joins it, and the turn is theirs.
    await idle()
    taken = app.chat("wait again")
    await app.until(lambda: (project / "taken.there").exists())
    await terminal.enter("now something for me", lambda: session().conversation.person_waits)
    (project / "taken").touch()
    assert await ended(taken) == "interrupted taken_over"
    assert app.app.turns[taken].text == "Waiting for taken."

    # Another session: the app follows the person.
    await idle()
    end = len(terminal.drawn)
    await terminal.enter("/new", lambda: "Ask anything" in terminal.drawn[end:])
    await asyncio.sleep(1)
    await terminal.enter("elsewhere and private", lambda: heard("elsewhere and private"))
    await app.until(lambda: len(app.app.sessions) == 2 and app.app.session.held and app.app.session.state == "idle")
    joined = app.chat("hello again")
    assert await ended(joined) == "done"
    assert app.app.turns[joined].text == "Joined again."

    app.app.revoke()
    app.push()
    await app.until(lambda: not attachment.pairer._sessions[-1].links)
    assert "revoked" in await attachment.driver.status()
    assert not [request for request in app.app.requests if b"private" in request.body or b"alone" in request.body]
    assert model.actor.left == ()
