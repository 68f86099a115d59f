"""The parts of a session over ACP: what is read of an agent, what may be set, where the tools are met, what text does."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from agent_connector.byoa.sessions import acp_settings, acp_updates, inert, relay
from agent_connector.byoa.sessions.acp_updates import Choice, Other, Question, Step, Text
from agent_connector.byoa.sessions.meeting import meeting
from agent_connector.byoa.sessions.workspace import workspace

JOINER = inert.JOINER


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ({"title": "rm -rf /secret", "kind": "execute"}, "execute"),
        ({"title": "rm -rf /secret", "kind": "a kind of its own"}, "other"),
        ({"title": "x", "_meta": {"claudeCode": {"toolName": "mcp__lab__echo"}}}, "mcp__lab__echo"),
        ({"title": "x", "_meta": {"toolName": "not a name: cat /secret"}, "kind": "read"}, "read"),
        ({"title": "byoa_notes (byoa MCP Server)", "kind": "other"}, "byoa_notes"),
        ({"title": "Tool: byoa/byoa_notes"}, "byoa_notes"),
        ({"title": "x", "toolCallId": "mcp_byoa_byoa_notes__call_1"}, "byoa_notes"),
        ({"title": "byoa_byoa_notes"}, "byoa_notes"),
        ({"title": "grep byoa_notes /secret", "kind": "search"}, "search"),
        ({"title": "byoa_notes_of_another", "kind": "other"}, "other"),
    ],
)
def test_a_tool_is_told_by_its_kind_or_its_name(call: dict, name: str) -> None:
    read = acp_updates.read({"sessionUpdate": "tool_call", "toolCallId": "1", **call}, ["byoa_notes"])
    assert isinstance(read, Step) and read.name == name


@pytest.mark.parametrize(
    "update",
    [
        {},
        {"sessionUpdate": 7},
        {"sessionUpdate": "agent_message_chunk"},
        {"sessionUpdate": "agent_message_chunk", "content": {"type": "image", "data": "x"}},
        {"sessionUpdate": "tool_call", "title": 3, "kind": ["x"], "_meta": "x"},
        {"sessionUpdate": "config_option_update", "configOptions": "x"},
        {"sessionUpdate": "of tomorrow", "content": [1]},
    ],
)
def test_whatever_an_agent_sends_is_read(update: dict) -> None:
    read = acp_updates.read(update)
    assert not isinstance(read, Text) or read.text == ""


def test_what_a_subagent_says_is_not_the_main_loops() -> None:
    content = {"content": {"type": "text", "text": "inner"}}
    for meta in ({"claudeCode": {"parentToolUseId": "1"}}, {"parentToolCallId": "1"}):
        assert isinstance(acp_updates.read({"sessionUpdate": "agent_message_chunk", "_meta": meta, **content}), Other)


def test_the_question_shows_what_is_asked() -> None:
    options = [
        {"optionId": "a", "name": "Yes", "kind": "allow_once"},
        {"optionId": "b", "name": "No", "kind": "reject_once"},
    ]
    call = {"title": "mcp__notes__drop", "rawInput": {"all": True}, "_meta": {"toolName": "mcp__notes__drop"}}
    asked = acp_updates.question({"toolCall": call, "options": options})
    assert asked == Question(
        "mcp__notes__drop", '{\n  "all": true\n}', (Choice("a", "Yes", "allow_once"), Choice("b", "No", "reject_once"))
    )
    assert asked.refusal == Choice("b", "No", "reject_once")
    assert acp_updates.question({}).refusal is None


def option(id: str, category: str | None, *values: str, kind: str = "select") -> dict:
    options = [{"value": value, "name": value} for value in values]
    return {"id": id, "category": category, "type": kind, "currentValue": values[0], "options": options}


def test_nothing_but_the_list_is_ever_offered() -> None:
    offers = acp_settings.opened(
        {
            "configOptions": [
                option("model", "mode", "yolo"),  # whatever it calls itself
                option("mode", "mode", "default", "yolo"),
                option("sandbox", None, "on", "off"),
                option("fast", "model_config", "on", "off"),
                option("anything", "model", "small", "large"),
                option("again", "model", "other"),
                option("effort", "thought_level", "low", "high"),
                option("output_style", None, "plain"),
                option("reasoning_effort", None, "x", kind="boolean"),
            ]
        }
    )
    found = {name: (offer.option, offer.setting.values) for name, offer in offers.settings().items()}
    assert found == {
        "model": ("anything", ("small", "large")),
        "reasoning_effort": ("effort", ("low", "high")),
        "output_style": ("output_style", ("plain",)),
    }


def test_models_in_groups_and_in_the_older_list() -> None:
    grouped = {**option("model", "model", "x"), "options": [{"group": "g", "options": [{"value": "a", "name": "A"}]}]}
    assert acp_settings.opened({"configOptions": [grouped]}).settings()["model"].setting.values == ("a",)
    older = {"models": {"currentModelId": "b", "availableModels": [{"modelId": "a"}, {"modelId": "b"}]}}
    offer = acp_settings.opened(older).settings()["model"]
    assert (offer.option, offer.setting.value, offer.setting.values) == (acp_settings.MODELS, "b", ("a", "b"))


@pytest.mark.parametrize(
    ("mode", "bypassed"),
    [
        ("bypassPermissions", True),
        ("yolo", True),
        ("full-access", True),
        ("https://agentclientprotocol.com/protocol/session-modes#autopilot", True),
        ("auto-high", True),
        ("default", False),
        ("acceptEdits", False),
        ("auto", False),
        ("", False),
    ],
)
def test_modes_in_which_nobody_is_asked(mode: str, bypassed: bool) -> None:
    assert acp_settings.opened({"modes": {"currentModeId": mode}}).bypassed is bypassed
    assert acp_settings.opened({"configOptions": [option("m", "mode", mode)]}).bypassed is bypassed
    changed = acp_settings.opened({"modes": {"currentModeId": "default"}}).now((option("mode", "mode", mode),))
    assert changed.bypassed is bypassed


def test_the_person_judges_where_a_model_would() -> None:
    def opened(mode: str, *others: str) -> acp_settings.Offers:
        return acp_settings.opened({"modes": {"currentModeId": mode, "availableModes": [{"id": m} for m in others]}})

    assert opened("auto", "default", "auto").asking == "default"
    assert opened("auto", "read-only", "auto").asking == ""
    assert opened("acceptEdits", "default").asking == ""


def test_what_would_act_is_broken_and_nothing_else() -> None:
    claude, codex = inert.PROVEN["claude-code"], inert.PROVEN["codex"]
    assert claude('@a (@b) "@c" @"d e"') == f'@{JOINER}a (@{JOINER}b) "@{JOINER}c" @{JOINER}"d e"'
    assert claude("ada@notes.example costs $5 @ noon") == "ada@notes.example costs $5 @ noon"
    assert (
        codex("$skill x$skill $(date) ${HOME} ada@notes")
        == f"${JOINER}skill x${JOINER}skill $(date) ${{HOME}} ada@notes"
    )
    assert inert.of("droid") is None


def test_only_who_has_the_key_is_let_in() -> None:
    visits = []

    async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visits.append(await reader.readline())
        writer.write(b"welcome\n")

    async def come(address: str, said: bytes) -> bytes:
        reader, writer = await asyncio.open_unix_connection(address)
        writer.write(said)
        try:
            return await reader.read()
        finally:
            writer.close()

    async def story() -> str:
        async with meeting(visit) as place:
            assert os.stat(os.path.dirname(place.address)).st_mode & 0o777 == 0o700
            assert place.key not in repr(place)
            assert await come(place.address, b"guess\nhello\n") == b""
            assert await come(place.address, f"{place.key}\nhello\n".encode()) == b"welcome\n"
            return place.address

    address = asyncio.run(story())
    assert visits == [b"hello\n"] and not os.path.exists(os.path.dirname(address))


def test_the_relay_brings_both_ways_and_ends_with_either_side() -> None:
    async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(line.upper())
            await writer.drain()

    async def story() -> None:
        async with meeting(visit) as place:
            for ends_first in ("host", "session"):
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-I", "-S", relay.__file__, place.address),
                    env={relay.KEY: place.key},
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                )
                process.stdin.write(b"hello\n" * 1000)
                assert await process.stdout.readexactly(6000) == b"HELLO\n" * 1000
                if ends_first == "session":
                    break
                process.stdin.close()
                assert await process.wait() == 0
        assert await process.wait() == 0
        process.stdin.close()

    asyncio.run(asyncio.wait_for(story(), 60))


def test_the_workspace_is_what_git_says(tmp_path: Path) -> None:
    place = tmp_path / "birds"
    place.mkdir()
    assert (found := workspace(str(place))).folder_name == "birds" and found.git_remote is None
    git = place / ".git"
    for folder in ("objects", "refs"):
        (git / folder).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/song\n")
    (git / "config").write_text('[remote "origin"]\n\turl = https://git.example/birds\n')
    found = workspace(str(place))
    assert (found.git_remote, found.branch, found.path) == ("https://git.example/birds", "song", str(place))
