"""Builders for what was seen in a rehearsal."""

from collections.abc import Callable

import pytest

from agent_connector.connector.light import Event
from agent_connector.rehearse.effects import Scene
from agent_connector.rehearse.evidence import HookSeen, ServerSeen, ToolRun
from agent_connector.rehearse.model.turns import Asked, Offer


@pytest.fixture
def hook() -> Callable[..., HookSeen]:
    """A hook that ran from second 10 to second 11."""

    def build(name: str = "PreToolUse", output: str = "", code: int | None = 0, stderr: str = "", **fields) -> HookSeen:
        event = Event(name, "claude-code", name, {}, **fields)
        return HookSeen(10.0, 11.0, name, event, output, stderr, code)

    return build


@pytest.fixture
def call() -> Callable[..., HookSeen]:
    """A hook about a call of the server's tool `query` with `{"sql": "old"}`."""

    def build(name: str = "PreToolUse") -> HookSeen:
        event = Event(name, "claude-code", name, {}, tool_name="query", server="acme", tool_input={"sql": "old"})
        return HookSeen(10.0, 11.0, name, event, "", "", 0)

    return build


@pytest.fixture
def scene() -> Callable[..., Scene]:
    """Runs of `query` as (second, arguments, result text), requests as (second, *(role, text))."""

    def build(runs: list[tuple] = (), requests: list[tuple] = ()) -> Scene:
        seen = [
            ToolRun(at, "query", arguments, {}, {"result": {"content": [{"type": "text", "text": text}]}})
            for at, arguments, text in runs
        ]
        asked = [
            Asked("anthropic", "m", True, tuple(texts), (Offer("x"),), (), at=at, side=False) for at, *texts in requests
        ]
        return Scene("acme", ServerSeen(started=1, runs=tuple(seen)), tuple(asked))

    return build
