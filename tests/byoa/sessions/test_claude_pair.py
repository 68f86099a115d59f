"""The pairer's process without its streams: hooks come through the door, an app through the real driver."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from agent_connector.byoa.core.effects import Outcome, Request
from agent_connector.byoa.driver import loop
from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.sessions import claude_pair
from agent_connector.byoa.sessions.claude_pair import HOLD_VARIABLE, ClaudePair
from agent_connector.runtime import byoa_door
from agent_connector.runtime.serve import STARTER
from agent_connector.testing.byoa import ScriptedApp
from agent_connector.testing.byoa.live import LivePort
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

ORIGIN = "https://notes.example"
ENVIRONMENT = {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ID": "one", HOLD_VARIABLE: "50"}


class Stage:
    def __init__(self, folder: Path, environment: Mapping[str, str], *, approves: bool = True) -> None:
        self.app = ScriptedApp(ORIGIN, mcp=ScriptedMcp({"search": lambda given: f"found {given['q']}"}))
        self.port = LivePort(self.app, approves=approves)
        self.door = folder / "door"
        files = RealFiles(str(folder / ".byoa"))
        self.pair = ClaudePair({"CLAUDE_PROJECT_DIR": str(folder), **environment}, str(self.door), files, self.port)
        self.reader = asyncio.StreamReader()
        self.sent: list[dict[str, Any]] = []

    async def hook(self, event: str, *, session: str = "one", pid: str = "7", **fields: Any) -> Any:
        """What a hook process of host process `pid` is answered; None: nothing."""
        told = {"hook_event_name": event, "session_id": session, "pid": pid, "attended": "1", **fields}
        names = [byoa_door.by_process(pid), byoa_door.by_session(session)]
        line = json.dumps(told).encode()
        answer = await asyncio.to_thread(byoa_door.ask, str(self.door), names, line, 60.0)
        return json.loads(answer)["reply"] if answer else None

    async def byoa(self, words: str, **fields: Any) -> str:
        return (await self.hook("UserPromptExpansion", command_args=words, **fields))["reason"]

    async def rpc(self, id: int, method: str, **params: Any) -> Any:
        self.reader.feed_data(
            json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n"
        )
        return await self.port.until(lambda: next((each for each in self.sent if each.get("id") == id), None))

    async def joined(self, count: int = 1) -> None:
        await self.port.until(lambda: len(self.app.sessions) >= count and self.app.session.held)


Story = Callable[[Stage], Awaitable[None]]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Stage]:
    """Tell a story beside a running pairer; afterwards its input ends, and nothing of it is left."""
    monkeypatch.setattr(loop, "TICK", 0.02)
    monkeypatch.setattr(claude_pair, "LAST_WORDS", 0.2)
    monkeypatch.setattr(claude_pair, "LOOK_EVERY", 0.02)

    def start(story: Story, environment: Mapping[str, str] = ENVIRONMENT, **options: Any) -> Stage:
        async def run() -> Stage:
            stage = Stage(tmp_path, environment, **options)
            running = asyncio.create_task(
                stage.pair.run(stage.reader, lambda line: stage.sent.append(json.loads(line)))
            )
            async with asyncio.timeout(60):
                try:
                    await stage.port.until(lambda: running.done() or stage.pair.door.names)
                    await story(stage)
                finally:
                    stage.reader.feed_eof()
                    await running
            assert list(stage.door.iterdir()) == []
            assert len(asyncio.all_tasks()) == 1, asyncio.all_tasks()
            return stage

        return asyncio.run(run())

    return start


def test_pair_chat_and_call_a_tool(play: Callable[..., Stage]) -> None:
    async def story(stage: Stage) -> None:
        shown = await stage.byoa(f"connect {ORIGIN}")
        assert ORIGIN in shown
        assert next(iter(stage.app.shown)) in shown
        await stage.joined()
        assert "paired with Notes" in (await stage.hook("UserPromptSubmit", prompt_id="p1"))["systemMessage"]
        turn = stage.port.chat("What is new?")
        reply = await stage.hook("Stop", prompt_id="p1", last_assistant_message="mine")
        assert reply["decision"] == "block"
        assert reply["reason"].endswith("\n\nWhat is new?")
        listed = await stage.rpc(1, "tools/list")
        assert [tool["name"] for tool in listed["result"]["tools"]] == ["byoa_notes"]
        called = await stage.rpc(
            2, "tools/call", name="byoa_notes", arguments={"tool": "search", "arguments": {"q": "it"}}
        )
        assert called["result"]["content"] == [{"type": "text", "text": "found it"}]
        again = asyncio.create_task(
            stage.hook("Stop", prompt_id="p1", stop_hook_active=True, last_assistant_message="It.")
        )
        await stage.port.until(lambda: stage.app.turns[turn].end)
        assert stage.app.turns[turn].text == "It."
        # What comes while that Stop is held is taken by it.
        stage.port.chat("And then?")
        assert (await again)["reason"].endswith("\n\nAnd then?")
        assert "disconnected" in await stage.byoa("disconnect notes")
        assert "no app is paired" in await stage.byoa("status")

    play(story)


def test_a_stop_is_not_held_where_no_app_is(play: Callable[..., Stage]) -> None:
    async def story(stage: Stage) -> None:
        async with asyncio.timeout(30):  # it would be held for longer
            assert await stage.hook("Stop", prompt_id="p1") is None

    play(story)


def test_the_hold_ends_with_its_time_and_the_person_sets_it(play: Callable[..., Stage]) -> None:
    async def story(stage: Stage) -> None:
        await stage.byoa(f"connect {ORIGIN}")
        await stage.joined()
        assert "0.05 s" in await stage.byoa("wait 0.05")
        assert "kept open for 0.05 s" in await stage.byoa("status")
        assert (await stage.hook("Stop", prompt_id="p1") or {}).get("decision") is None
        for words in ("wait x", "wait -1", "wait 9999", "wait"):
            assert "no number of seconds" in await stage.byoa(words)
        assert "kept open for 0.05 s" in await stage.byoa("status")

    play(story)


def test_hooks_find_it_after_the_conversation_has_changed(play: Callable[..., Stage]) -> None:
    async def story(stage: Stage) -> None:
        await stage.byoa(f"connect {ORIGIN}")
        await stage.joined()
        await stage.port.until(lambda: len(stage.pair.door.names) == 2)
        await stage.hook("SessionEnd", reason="clear")
        await stage.hook("SessionStart", session="two", source="clear")
        await stage.joined(2)

    play(story)


def test_hooks_of_another_process_are_not_heard(play: Callable[..., Stage]) -> None:
    """The same session may be resumed in two terminals."""

    async def story(stage: Stage) -> None:
        assert stage.pair.door.names == ("p7", "sone")
        assert await stage.hook("UserPromptExpansion", pid="8", command_args="status") is None
        assert "no app is paired" in await stage.byoa("status", pid="7")

    play(story, {**ENVIRONMENT, STARTER: "7"})


@pytest.mark.parametrize("entry", ["sdk-cli", "sdk-py", "claude-vscode", ""])
def test_runs_without_a_person_before_them_register_nothing(play: Callable[..., Stage], entry: str) -> None:
    async def story(stage: Stage) -> None:
        await stage.byoa(f"connect {ORIGIN}")
        await stage.port.until(lambda: stage.app.tokens)
        assert "no person" in await stage.byoa("status")
        assert await stage.hook("Stop", prompt_id="p1") == {"systemMessage": f"paired with Notes ({ORIGIN}) as Ada"}
        assert await stage.hook("Stop", prompt_id="p1") is None

    assert play(story, {**ENVIRONMENT, "CLAUDE_CODE_ENTRYPOINT": entry}).app.sessions == {}


def test_a_hook_says_that_nobody_sits_there(play: Callable[..., Stage]) -> None:
    async def story(stage: Stage) -> None:
        await stage.hook("SessionStart", attended="0")
        await stage.byoa(f"connect {ORIGIN}")
        await stage.port.until(lambda: stage.app.tokens)
        assert "no person" in await stage.byoa("status")

    assert play(story).app.sessions == {}


def test_what_an_app_had_running_is_closed_when_the_host_ends(
    play: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claude_pair, "LAST_WORDS", 30.0)

    async def story(stage: Stage) -> None:
        await stage.byoa(f"connect {ORIGIN}")
        await stage.joined()
        stage.port.chat("What is new?")
        assert await stage.hook("Stop", prompt_id="p1")
        at_once = stage.port.send

        async def slowly(request: Request) -> Outcome:
            await asyncio.sleep(0.05)
            return await at_once(request)

        stage.port.send = slowly

    (turn,) = play(story).app.turns.values()
    assert turn.end is not None
    assert turn.end.reason == "session_closed"


def test_a_pairing_that_is_not_approved_is_told_later(play: Callable[..., Stage]) -> None:
    async def story(stage: Stage) -> None:
        await stage.byoa(f"connect {ORIGIN}")
        stage.app.deny()
        told: list[Any] = []
        while not any("systemMessage" in (answer or {}) for answer in told):
            told.append(await stage.hook("UserPromptSubmit", prompt_id="p1"))
            await asyncio.sleep(0.1)

    play(story, approves=False)


@pytest.mark.parametrize("words", ["help", "connect", "disconnect", "pair x"])
def test_what_is_not_understood_gets_help(play: Callable[..., Stage], words: str) -> None:
    async def story(stage: Stage) -> None:
        assert "/byoa connect ADDRESS" in await stage.byoa(words)

    play(story)


@pytest.mark.parametrize("line", [b"no json", b"[]", b"{}", b'{"hook_event_name": 1}', b"[" * 50_000])
def test_nonsense_at_the_door_is_answered_with_nothing(play: Callable[..., Stage], line: bytes) -> None:
    async def story(stage: Stage) -> None:
        names = list(stage.pair.door.names)
        assert await asyncio.to_thread(byoa_door.ask, str(stage.door), names, line, 60.0) == b""
        assert "no app is paired" in await stage.byoa("status")

    play(story)
