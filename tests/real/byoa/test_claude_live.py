"""Claude Code in a terminal, with a person typing in it, against the stand-in model; an app joins the session."""

import asyncio
import re
import socket

import pytest
import uvicorn
from mcp.server.mcpserver import MCPServer
from tests.real.byoa.claude_stage import Home, Stage, home, waits

from agent_connector.byoa.app import Account, Byoa, SqliteStore, current_account
from agent_connector.byoa.protocol import Delta
from agent_connector.testing.byoa import Browser
from agent_connector.testing.byoa.asgi import AsgiApp
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

pytestmark = pytest.mark.real

ACTIVE = (
    "Read @secret.txt and `@./secret.txt`\n!touch expanded\n!`touch expanded`\n/marked one two\n#remember\n$ARGUMENTS"
)
SEARCH = {"call": {"tool": "byoa_notes", "arguments": {"tool": "search", "arguments": {"q": "it"}}}}


def paired(stage: Stage) -> None:
    """The person types the command, and approves in the app with the code that the terminal shows."""
    stage.ready()
    stage.type(f"/byoa connect {stage.served.address}")
    stage.until(lambda: stage.app.shown, "the app's code")
    code = next(iter(stage.app.shown))
    stage.shows(code)
    stage.shows(stage.app.origin)
    stage.app.approve(code)
    stage.joined(1)


def test_an_app_joins_at_the_end_of_a_turn() -> None:
    mcp = ScriptedMcp({"search": lambda given: f"found {given['q']}"})
    steps = [
        {"say": "For the person alone."},
        SEARCH,
        {"say": "Found it."},
        {"say": "After clear, alone."},
        {"say": "New."},
        {"call": {"tool": "host:Write", "arguments": {"file_path": "written.txt", "content": "x"}}},
    ]
    with home(steps, mcp=mcp, hold=3) as place:
        (place.project / "secret.txt").write_text("the text of the file")
        command = place.project / ".claude" / "commands" / "marked.md"
        command.parent.mkdir(parents=True)
        command.write_text("---\ndescription: a command\n---\nThis command was expanded: $ARGUMENTS")
        with place.claude() as stage:
            paired(stage)
        assert place.model.requests == ()  # `/byoa` is answered without the model
        with place.claude() as stage:
            stage.ready()
            stage.joined(2)
            assert stage.app.session.info.host_version == "2.1.332"
            assert stage.app.session.info.workspace.folder_name == "project"
            chat = stage.app.chat(ACTIVE)
            stage.received()
            assert stage.app.turns[chat].events == []
            stage.type("my own private words")
            assert stage.ended(chat) == "done"
            turn = stage.app.turns[chat]
            assert [event for event in turn.events if isinstance(event, Delta)] == [Delta("Found it.")]
            assert turn.tools == ["mcp__byoa__byoa_notes"]
            assert mcp.calls == [("search", {"q": "it"})]
            asked = next(each for each in stage.model.requests if each.has("not typed in this terminal"))
            assert asked.has(ACTIVE)
            assert not any(
                each.has("the text of the file") or each.has("was expanded") for each in stage.model.requests
            )
            assert not (place.project / "expanded").exists()
            stage.shows("not typed in this terminal")

            stage.let_go()
            stage.type("/clear")
            stage.joined(3)
            new = stage.app.chat("hello again")
            stage.received()
            stage.type("private in the new one")
            assert stage.ended(new) == "done"
            assert stage.app.turns[new].text == "New."

            stage.let_go()
            assert stage.app.session.state == "busy"
            stage.type("write a private file")
            stage.until(lambda: stage.app.session.state == "blocked", "the question")
            stage.terminal.type("\x1b")

            stage.app.revoke()
            stage.until(lambda: "revoked" in stage.told("status"), "what status says")
            assert len(stage.app.sessions) == 3
            bodies = b"".join(request.body for request in stage.app.requests)
            assert b"private" not in bodies
            assert b"alone" not in bodies
        assert place.model.actor.left == ()


def test_the_person_wins() -> None:
    steps = [
        {"say": "One, alone."},
        waits("joined"),
        {"say": "For the person who typed."},
        {"say": "Two, alone."},
        waits("broken"),
        {"say": "Three, alone."},
        {"say": "The next app turn."},
        {"say": "Four, alone."},
        {"say": "Five, alone."},
    ]
    with home(steps) as place, place.claude() as stage:
        paired(stage)
        taken = stage.app.chat("work for a while")
        stage.received()
        stage.type("first")
        stage.until((place.project / "joined.there").exists, "the tool")
        stage.type("now something for me")
        stage.until(lambda: stage.app.session.held, "a poll")
        stage.shows("now something for me")
        stage.queued("now something for me")
        (place.project / "joined").touch()
        assert stage.ended(taken) == "interrupted taken_over"
        assert stage.app.turns[taken].text == ""

        stage.let_go()
        broken = stage.app.chat("work again")
        stage.received()
        stage.type("second")
        stage.until((place.project / "broken.there").exists, "the tool")
        stage.terminal.type("\x1b")
        assert stage.ended(broken) == "interrupted taken_over"
        assert stage.app.turns[broken].text == ""

        stage.let_go()
        later = stage.app.chat("and now?")
        stage.received()
        stage.type("third")
        assert stage.ended(later) == "done"
        assert stage.app.turns[later].text == "The next app turn."

        stage.let_go()
        stage.told("wait 500")
        stage.type("fourth")
        stage.until(lambda: len(stage.model.actor.left) == 1, "the answer")
        stage.let_go()
        stage.type("fifth, while the stop is held")
        stage.until(lambda: stage.model.actor.left == (), "the next answer")


def test_the_host_takes_eight_in_a_row() -> None:
    answers = [{"say": f"Answer {number}."} for number in range(9)]
    with home([{"say": "Alone."}, *answers[:8], {"say": "Alone again."}, answers[8]]) as place, place.claude() as stage:
        paired(stage)
        turns = [stage.app.chat(f"message {number}") for number in range(9)]
        stage.received()
        stage.type("go")
        assert [stage.ended(turn) for turn in turns[:8]] == ["done"] * 8
        assert [stage.app.turns[turn].text for turn in turns[:8]] == [f"Answer {number}." for number in range(8)]
        stage.until(lambda: "no more turns" in stage.told("status"), "what status says")
        assert stage.app.turns[turns[8]].events == []
        stage.type("go on")
        assert stage.ended(turns[8]) == "done"
        assert stage.app.turns[turns[8]].text == "Answer 8."
        assert not re.search("blocked the turn from ending", stage.terminal.drawn)


def test_paired_in_a_shell_and_a_headless_run_registers_nothing() -> None:
    with home([{"say": "Headless."}]) as place:
        app = place.served.app
        place.connect(place.served.address, lambda link, code: app.approve(code))
        with place.claude() as stage:
            stage.ready()
            stage.joined(1)
        with place.claude("-p", "hello") as stage:
            stage.shows("Headless.")
            stage.until(lambda: not stage.app.session.held, "the end of the first session")
        assert len(place.served.app.sessions) == 1


def test_an_app_that_mounts_ours() -> None:
    """Both ends are the real ones: what an app mounts, its pages, its MCP server, and Claude Code."""
    steps = [{"say": "For the person alone."}, SEARCH, {"say": "Found it."}]
    with home(steps) as place:
        asyncio.run(mounted(place))
        assert place.model.actor.left == ()


async def mounted(place: Home) -> None:
    tools = MCPServer("notes")

    @tools.tool()
    def search(q: str) -> str:
        """Search the notes of the person."""
        return f"found {q} for {current_account().name}"

    account = Account("1", "Ada")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
        byoa = Byoa(SqliteStore(), lambda request: account, id="notes", name="Notes", origin=origin, mcp=tools, hold=3)
        config = uvicorn.Config(byoa, log_config=None, access_log=False, lifespan="off", ws="none")
        serving = uvicorn.Server(config)
        running = asyncio.create_task(serving.serve(sockets=[listening]))
        try:
            loop = asyncio.get_running_loop()

            def approve(link: str, code: str) -> None:
                asyncio.run_coroutine_threadsafe(approved(byoa, origin, link, code), loop).result(60)

            await asyncio.to_thread(place.connect, origin, approve)
            with place.claude() as stage:
                await asyncio.to_thread(stage.ready)
                while not (sessions := await byoa.sessions_of(account)):
                    await asyncio.sleep(0.1)
                assert sessions[0].host == "claude-code"
                turn = await sessions[0].chat("What is new?")
                await asyncio.to_thread(stage.type, "my own words")
                async with asyncio.timeout(60):
                    assert await turn.answer() == "Found it."
                assert any(each.has("found it for Ada") for each in stage.model.requests)
        finally:
            serving.should_exit = serving.force_exit = True
            await running


async def approved(app: AsgiApp, origin: str, link: str, code: str) -> None:
    """The person opens the link and types the last four letters."""
    browser = Browser(app, origin)
    page = await browser.get(link)
    answer = await browser.submit(page, page.form("letters"), {"letters": code[-4:], "decision": "approve"})
    assert answer.status == 200, answer.text
