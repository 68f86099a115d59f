"""The handlers of the bundled connector: what they tell the pairer, and what they keep to themselves."""

import asyncio
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.byoa.sessions.claude_play import recorded

from agent_connector.byoa.sessions.claude_door import Caller, Door
from agent_connector.byoa.sessions.claude_install import CONNECTOR, DECLARATION, loaded
from agent_connector.runtime import byoa_door

PRIVATE = ("first", "mine", "echo DONE", "sleep 5")  # what the recorded person typed, and what tools were given


@pytest.fixture
def declared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv("AGENT_CONNECTOR_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("CLAUDE_PID", "7")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ATTENDED", "1")
    spec = importlib.util.spec_from_file_location("byoa_claude", DECLARATION)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "STARTS", 0.0)
    return module


def handler(module: ModuleType, event: str) -> Callable[[dict[str, Any]], Any]:
    parts = module.connector.parts["native_hook"]
    return next(part.handler for part in parts if part.fields["event"] == event)


def beside_a_pairer(tmp_path: Path, answer: bytes, story: Callable[[], Any]) -> tuple[Any, list[bytes]]:
    """(what the story gives, the lines that the pairer got)."""
    lines: list[bytes] = []

    def visit(caller: Caller) -> None:
        lines.append(caller.line)
        caller.answer(answer)

    async def run() -> Any:
        door = Door(byoa_door.folder(str(tmp_path), "claude-code"), visit)
        await door.open("p7")
        try:
            return await asyncio.to_thread(story)
        finally:
            await door.close()

    return asyncio.run(run()), lines


@pytest.mark.parametrize("name", ["joined", "queued", "broken-off"])
def test_no_prompt_and_no_input_of_a_tool_is_told(declared: ModuleType, tmp_path: Path, name: str) -> None:
    hooks, _ = recorded(name)
    answered, lines = beside_a_pairer(
        tmp_path, b"", lambda: [handler(declared, hook["hook_event_name"])(hook) for hook in hooks]
    )
    assert set(answered) == {None}
    assert len(lines) == len(hooks)
    for line in lines:
        assert not any(text.encode() in line for text in PRIVATE)
        told = json.loads(line)
        assert told["pid"] == "7"
        assert told["attended"] == "1"
        assert "transcript_path" in told


def test_what_the_pairer_answers_is_the_hooks_answer(declared: ModuleType, tmp_path: Path) -> None:
    reply = {"decision": "block", "reason": "Ümlaut\nand more"}
    hooks, _ = recorded("joined")
    stop = next(hook for hook in hooks if hook["hook_event_name"] == "Stop")
    answered, _ = beside_a_pairer(
        tmp_path, json.dumps({"reply": reply}).encode(), lambda: handler(declared, "Stop")(stop)
    )
    assert answered == reply


def test_only_our_own_command_is_told(declared: ModuleType, tmp_path: Path) -> None:
    command = handler(declared, "UserPromptExpansion")
    answer = json.dumps({"reply": {"decision": "block", "reason": "no app is paired"}}).encode()
    payload = {"hook_event_name": "UserPromptExpansion", "session_id": "one", "command_args": "status"}
    answered, lines = beside_a_pairer(
        tmp_path,
        answer,
        lambda: (command({**payload, "command_name": "other"}), command({**payload, "command_name": "byoa"})),
    )
    assert answered == (None, {"decision": "block", "reason": "no app is paired"})
    assert len(lines) == 1


def test_a_command_that_reaches_nobody_says_so(declared: ModuleType) -> None:
    answer = handler(declared, "UserPromptExpansion")({"session_id": "one", "command_name": "byoa"})
    assert answer["decision"] == "block"
    assert "doctor" in answer["reason"]


def test_the_declaration_is_a_valid_connector(tmp_path: Path) -> None:
    model = loaded(str(tmp_path), dry=True).model
    assert model.id == CONNECTOR
    assert model.targets == ("claude-code",)
    assert {hook.event for hook in model.native_hooks} >= {"Stop", "StopFailure", "UserPromptExpansion"}
    assert all(hook.on_error == "allow" for hook in model.native_hooks if hasattr(hook, "on_error"))
    assert not model.source.requires
