"""Amp: its plugin under Node, its entries, and what is understood; written after its own guide, not recorded."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from tests.hosts.bridges import NODE

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.connector.matchers import compile as matcher
from agent_connector.drive.events import Called, Finished, Job, Usage
from agent_connector.hosts import query
from agent_connector.hosts.amp import headless, hooks, places, register
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.hosts import hook_use, machine, server_use

THREAD = {"thread": {"id": "T-1"}}
CALL = {**THREAD, "toolUseID": "c", "tool": "mcp__acme-db__q", "input": {"a": 1}}
BACK = {**CALL, "status": "done", "output": "out"}


def drive(
    folder: Path, answers: dict[str, Any], *steps: Any, copies: int = 1, granted: bool | None = None
) -> list[Any]:
    """What Amp gets back at each step; a program answers each event as `answers` say, and writes down what it was told."""
    program = "import sys; open(sys.argv[1], 'ab').write(sys.stdin.buffer.read() + b'\\n'); print(sys.argv[2])"
    uses = [
        hook_use(
            event,
            command=shlex.join([sys.executable, "-c", program, str(folder / f"told {event}"), json.dumps(answer)]),
            matchers=[matcher("q")],
        )
        for event, answer in answers.items()
    ]
    [plugin] = hooks.wire(uses, str(folder))
    assert plugin.file == f"{folder}/agent-connector-acme-db.ts"
    files = [folder / f"copy{number}.mjs" for number in range(copies)]
    for file in files:
        file.write_text(plugin.text)
    question = {"plugins": [str(file) for file in files], "steps": steps, "granted": granted}
    host = Path(__file__).with_name("amp_host.mjs")
    done = subprocess.run(
        [str(NODE), str(host)], input=json.dumps(question), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return [given if copies > 1 else given[0] for given in json.loads(done.stdout)]


@pytest.mark.parametrize(
    ("answer", "granted", "given"),
    [
        ({}, None, {"action": "allow"}),
        ({"deny": "no"}, None, {"action": "reject-and-continue", "message": "no"}),
        ({"ask": "sure?"}, True, {"action": "allow"}),
        ({"ask": "sure?"}, None, {"action": "reject-and-continue", "message": "sure?"}),
        ({"args": {"b": 2}}, None, {"action": "modify", "input": {"b": 2}}),
    ],
)
def test_a_call(tmp_path, answer, granted, given):
    assert drive(tmp_path, {"tool.call": answer}, ["tool.call", CALL], granted=granted) == [given]
    told = json.loads((tmp_path / "told tool.call").read_text())
    event = hooks.parse("tool.call", told, ["acme-db"])
    assert (event.server, event.tool_name, event.tool_input, event.session_id) == ("acme-db", "q", {"a": 1}, "T-1")


def test_a_tool_that_no_matcher_catches_starts_nothing(tmp_path):
    other = {**CALL, "tool": "Bash"}
    assert drive(tmp_path, {"tool.call": {"deny": "no"}}, ["tool.call", other]) == [{"action": "allow"}]
    assert not (tmp_path / "told tool.call").exists()


def test_texts_come_with_the_result(tmp_path):
    answers = {"tool.call": {"context": "before"}, "tool.result": {"context": "after"}}
    [_, given] = drive(tmp_path, answers, ["tool.call", CALL], ["tool.result", BACK])
    assert given == {"status": "done", "output": "out\n\nbefore\n\nafter"}
    assert drive(tmp_path, {"tool.result": {"output": "hidden"}}, ["tool.result", BACK]) == [
        {"status": "done", "output": "hidden"}
    ]
    assert drive(tmp_path, {"tool.result": {}}, ["tool.result", BACK]) == [None]


def test_a_start_is_told_once_and_its_text_comes_with_the_first_prompt(tmp_path):
    answers = {"session.start": {"context": "begun"}, "agent.start": {"context": "asked"}}
    prompt = ["agent.start", {**THREAD, "message": "hi"}]
    [_, first, second] = drive(tmp_path, answers, ["session.start", THREAD], prompt, prompt)
    assert (first["message"]["content"], second["message"]["content"]) == ("begun\n\nasked", "asked")
    assert len((tmp_path / "told session.start").read_text().splitlines()) == 1


def test_a_turn_goes_on_ten_times_at_most(tmp_path):
    given = drive(tmp_path, {"agent.end": {"deny": "more"}}, *[["agent.end", THREAD]] * 11)
    assert given == [{"action": "continue", "userMessage": "more"}] * 10 + [None]


def test_of_two_copies_one_speaks(tmp_path):
    [given] = drive(tmp_path, {"tool.call": {"deny": "no"}}, ["tool.call", CALL], copies=2)
    assert [one["action"] for one in given] == ["reject-and-continue", "allow"]


def test_entries():
    assert register.PATH == ("amp.mcpServers",)
    told = register.entry(server_use(env={"A": "${env:A}"}, include_tools=("q",)))
    assert {**told, "command": "", "args": []} == snapshot(
        {"command": "", "args": [], "env": {"A": "${A}"}, "includeTools": ["q"]}
    )
    assert isinstance(register.entry(server_use(enabled=False)), Refusal)
    assert places.files("project", machine())["server"] == "/code/app/.amp/settings.json"


def test_failures():
    failed = hooks.parse("tool.result", {"event": {**CALL, "status": "error", "error": "no"}}, [])
    assert (failed.name, failed.error) == ("PostToolUseFailure", "no")


def test_what_is_dropped_is_not_said():
    for name, host_event in hooks.EVENTS.items():
        assert hooks.reply(Event(name, "amp", host_event, {}), light.allow()).output is None
    said = hooks.reply(Event("PostToolUse", "amp", "tool.result", {}), light.deny("no"))
    assert said.output == {"output": "no"}
    assert {query.hooks("amp").honours(event, "context")[0] for event in EVENTS} == {"honoured", "degraded", "dropped"}


def test_a_stream():
    call = {"type": "tool_use", "id": "c", "name": "mcp__acme-db__q", "input": {}}
    lines = [
        {"type": "assistant", "message": {"content": [call]}},
        {"type": "result", "subtype": "success", "result": "done", "session_id": "T-1", "num_turns": 2},
    ]
    assert [event for line in lines for event in headless.read(json.dumps(line))] == [
        Called("c", "mcp__acme-db__q", {}, "acme-db", "q"),
        Finished(True, "success", "done", "T-1", usage=None, turns=2),
    ]
    spent = {"type": "result", "subtype": "success", "usage": {"input_tokens": 3, "output_tokens": 1}}
    assert headless.read(json.dumps(spent))[0].usage == Usage(input=3, output=1)
    assert headless.argv(Job("hi", "/p", resume="T-1"))[:4] == ["amp", "threads", "continue", "T-1"]
