"""Pi and OMP in a terminal, with a person typing in it, against the stand-in model; an app joins through our extension."""

import asyncio
import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.byoa.sessions.conftest import ORIGIN
from tests.real.byoa.terminal import Terminal
from tests.real.runs import PROGRAMS, SECRETS

from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.sessions import extensions
from agent_connector.byoa.sessions.pi_attach import Attachment
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.scratch import Scratch, scratch
from agent_connector.rehearse.script import parse
from agent_connector.testing.byoa import ScriptedApp
from agent_connector.testing.byoa.live import LivePort
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

pytestmark = pytest.mark.real

LIMIT = 120.0
VERSIONS = {"pi": "1.6.0", "omp": "18.2.3"}
ACTIVE = '@secret.txt "@secret.txt" (@"secret.txt")\n!touch expanded\n/marked one\n/skill:marked\n$marked ${HOME}'
PI_MODEL = {
    "id": "stand-in",
    "name": "Stand-in",
    "reasoning": False,
    "input": ["text"],
    "contextWindow": 128000,
    "maxTokens": 8000,
    "cost": {"input": 1, "output": 2, "cacheRead": 0.1, "cacheWrite": 0},
}


def waits(name: str) -> dict:
    """The model says something and calls the shell, which waits for the file `name`."""
    command = f"touch {name}.there; while [ ! -e {name} ]; do sleep 0.05; done"
    return {"say": f"Waiting for {name}.", "call": {"tool": "host:Bash", "arguments": {"command": command}}}


def steps(host: str) -> list[dict]:
    search = {"tool": "byoa_notes", "arguments": {"tool": "search", "arguments": {"q": "it"}}}
    # OMP lets a command go on behind the person's prompt, and brings its result to the model afterwards.
    background = [{"say": "The command is over, too."}] if host == "omp" else []
    return [
        {"say": "An answer for the person alone."},
        {"say": "Let me search.", "call": search},
        {"say": "Found it."},
        waits("stopped"),
        waits("taken"),
        {"say": "For the person who typed."},
        *background,
        {"say": "In another session."},
        {"say": "Joined again."},
    ]


def furnish(host: str, place: Scratch, url: str) -> list[str]:
    """A home that was used before; gives the command line."""
    provider = {"baseUrl": f"{url}/v1", "api": "openai-completions", "apiKey": "x", "models": [PI_MODEL]}
    folder = Path(place.home, f".{host}", "agent")
    folder.mkdir(parents=True)
    # the names end in .yml for OMP, and JSON is YAML
    (folder / ("models.json" if host == "pi" else "models.yml")).write_text(
        json.dumps({"providers": {"stand-in": provider}})
    )
    commands = folder / ("prompts" if host == "pi" else "commands")
    skill = folder / "skills" / "marked"
    for made in (commands, skill):
        made.mkdir(parents=True)
    (commands / "marked.md").write_text("This was expanded: $ARGUMENTS")
    (skill / "SKILL.md").write_text("---\nname: marked\ndescription: a skill\n---\nThis was expanded, too.")
    if host == "omp":
        (folder / "config.yml").write_text("setupVersion: 2\n")
    Path(place.project, "secret.txt").write_text("the text of the file")
    return [str(PROGRAMS / host), "--model", "stand-in/stand-in"]


@pytest.mark.parametrize("host", ["pi", "omp"])
def test_a_terminal_is_joined(host: str) -> None:
    variables = {"PATH": f"{PROGRAMS}:/usr/local/bin:/usr/bin:/bin", **SECRETS}
    script = parse({"prompt": "unused", "steps": steps(host)})
    with scratch(variables, {}) as place, StandIn(script, "byoa", {"Bash": ("bash",)}) as model:
        line = furnish(host, place, model.url)
        environment = {**place.environment, "PI_OFFLINE": "1"}
        assert extensions.install(host, environment, place.home) is not None
        with Terminal(line, environment, place.project) as terminal:
            asyncio.run(attached(host, environment, place, terminal, model))


async def attached(
    host: str, environment: Mapping[str, str], place: Scratch, terminal: Terminal, model: StandIn
) -> None:
    app = LivePort(ScriptedApp(ORIGIN, hold=1, mcp=ScriptedMcp({"search": lambda given: f"found {given['q']}"})))
    notes: list[str] = []
    where = extensions.place(host, environment, place.home)
    attachment = Attachment(host, where, RealFiles(str(Path(place.home, ".byoa"))), app, notes.append)

    async def pair() -> None:
        async for _ in attachment.driver.connect(ORIGIN):
            pass

    running = asyncio.create_task(attachment.run(pair))
    try:
        async with asyncio.timeout(LIMIT):
            await story(host, attachment, app, terminal, Path(place.project), model)
    except BaseException:
        print("\n".join(notes), terminal.drawn[-3000:], sep="\n--\n")
        raise
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def story(
    host: str, attachment: Attachment, app: LivePort, terminal: Terminal, project: Path, model: StandIn
) -> None:
    async def ended(turn: str) -> str:
        end = await app.until(lambda: app.app.turns[turn].end)
        return end.outcome.value if end.reason is None else f"{end.outcome.value} {end.reason.value}"

    async def idle(count: int = 1) -> None:
        await app.until(
            lambda: len(app.app.sessions) == count and app.app.session.held and app.app.session.state == "idle"
        )

    def session():
        return next(iter(attachment.sessions.values()))

    # The person's own turn: the app sees the session, and nothing of it.
    await app.until(lambda: app.app.sessions)
    await asyncio.sleep(1)
    await terminal.enter("my own private words", lambda: "person alone" in terminal.drawn)
    await idle()
    assert app.app.session.info.host_version == VERSIONS[host]
    assert [(each.id, each.value) for each in app.app.session.info.settings] == [("model", "stand-in/stand-in")]

    # A chat: nothing in its text acts, the app's tool is called, what is said comes in order.
    chat = app.chat(ACTIVE)
    assert await ended(chat) == "done"
    assert app.app.turns[chat].text == "Let me search.\n\nFound it."
    assert app.app.turns[chat].tools == ["byoa_notes"]
    assert app.app.mcp is not None and app.app.mcp.calls == [("search", {"q": "it"})]
    asked = [text for each in model.requests for role, text in each.texts if role == "user" and ORIGIN in text]
    assert asked and all(re.sub("\u2060", "", text).endswith(f"\n\n{ACTIVE}") for text in asked)
    assert not any(each.has("the text of the file") or each.has("This was expanded") for each in model.requests)
    assert not Path(project, "expanded").exists()
    await app.until(lambda: "not typed in this terminal" in terminal.drawn)

    # Stop: text comes while the turn runs, and the shell is ended.
    await idle()
    stopped = app.chat("wait for me")
    await app.until(
        lambda: app.app.turns[stopped].text == "Waiting for stopped." and (project / "stopped.there").exists()
    )
    app.stop(stopped)
    assert await ended(stopped) == "interrupted stopped"
    assert app.app.turns[stopped].tools == ["bash"]

    # The person types while an app's turn runs: it is joined, and the turn is theirs.
    await idle()
    taken = app.chat("wait again")
    await app.until(lambda: (project / "taken.there").exists())
    ours = app.app.turns[taken]
    await terminal.enter("now something for me", lambda: session()._typed if host == "pi" else ours.end)
    if host == "pi":
        (project / "taken").touch()
    assert await ended(taken) == "interrupted taken_over"
    assert app.app.turns[taken].text == "Waiting for taken."
    (project / "taken").touch()
    await app.until(lambda: len(model.actor.left) == 2)

    # Another session: the app follows the person.
    await idle()
    await terminal.enter("/new", lambda: app.push() or len(app.app.sessions) == 2)
    await idle(2)
    await asyncio.sleep(1)
    await terminal.enter("elsewhere and private", lambda: "In another session." in terminal.drawn)
    await idle(2)
    joined = app.chat("hello again")
    assert await ended(joined) == "done"
    assert app.app.turns[joined].text == "Joined again."

    app.app.revoke()
    app.push()
    await app.until(lambda: not attachment.pairer._sessions[-1].links)
    assert "revoked" in await attachment.driver.status()
    assert not [request for request in app.app.requests if b"private" in request.body or b"alone" in request.body]
    assert model.actor.left == ()
